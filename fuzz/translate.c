/* SPDX-License-Identifier: MIT */
/*
 * translate - any bytes as CUDA text: the translator must neither crash, nor hang, nor leak.
 *
 * The entry is libFuzzer's; `make fuzz-translate` builds it so, and fuzz/replay.c runs the corpus through it in every
 * test run. A text may include itself, as "self", so that includes and what guards them are reached too.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "translate/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

typedef struct self {
  const char *text;
  size_t length;
  int opened;
} self;

static bool open_self(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                      const char **text_out, size_t *length_out, const char **path_out) {
  enum { OFTEN = 50 };
  self *self = context;
  (void)is_quoted, (void)includer, (void)after;
  if (strcmp(name, "self") != 0 || self->opened++ >= OFTEN)
    return false;
  *text_out = self->text;
  *length_out = self->length;
  *path_out = "self";
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static const char *const names[] = { "k", "&n::v", NULL };
  self self = { (const char *)bytes, length, 0 };
  vptr__reader reader = { open_self, &self, NULL, NULL };
  vptr__translate_options options = { .memory_limit = (size_t)64 << 20, .is_rtc = length % 2 == 1 };
  options.default_device = length % 4 == 2;
  if (length % 8 == 3)
    options.names = names;
  long live = vptr__memory_live();
  vptr__translation translation;
  if (vptr__translate("fuzz.cu", self.text, length, &reader, &options, &translation)) {
    if (translation.module == NULL && translation.log[0] == 0)
      abort(); /* refused without a word */
    vptr__translate_free(&translation);
  }
  if (vptr__memory_live() != live)
    abort();
  return 0;
}
