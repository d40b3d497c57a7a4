/* SPDX-License-Identifier: MIT */
/* children - see children.h. */
#include "children.h"

#include <stdio.h>
#include <string.h>

#include "split.h"

/* Two of clang's messages have this: "reference to __global__ function 'k' in __device__ function", and for templates
 * "candidate function not viable: call to __global__ function from __device__ function". */
bool cc_children_were_refused(cc_driver *driver, const char *messages) {
  const char *text = NULL;
  size_t length = 0;
  return !driver->options.is_dry && cc_file_read(driver->arena, messages, &text, &length) &&
         strstr(text, " to __global__ function ") != NULL;
}

void cc_children_preprocessing(cc_list *command) {
  static const char *const words[] = { "host", "device", "global" };
  cc_list_add(command, "-DVPTR_CLANG_CHILDREN=1");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cc_list_print(command, "-D__%s__=__%s__", words[i], words[i]);
}

/* All kernels are written, also those that only the host launches: hence used. */
void cc_children_words(cc_list *command, bool is_device) {
  cc_list_add(command, "-D__host__=__attribute__((host))");
  cc_list_add(command, "-D__device__=__attribute__((device))");
  if (!is_device)
    cc_list_add(command, "-w");
  cc_list_add(command, is_device ? "-D__global__=__attribute__((host)) __attribute__((device)) __attribute__((used)) "
                                   "__attribute__((annotate(\"vptr.kernel\")))"
                                 : "-D__global__=__attribute__((global))");
}

/* ---- device code in the host's half ---------------------------------------------------------------------- */

enum { OF_HOST, KEPT, EMPTIED };

typedef struct reading {
  cc_split *split;
  char *kinds; /* of tokens: whether they stand in device code, and what comes of it */
} reading;

static void mark_body(const reading *reading, uint32_t body, char kind) {
  uint32_t end = reading->split->text.tokens[body].match;
  for (uint32_t i = body; i < end && i < reading->split->text.count; i++)
    reading->kinds[i] = kind;
}

static void empty_body(const reading *reading, uint32_t body) {
  const cc_token *tokens = reading->split->text.tokens;
  uint32_t from = tokens[body].offset + 1;
  cc_edits_add(&reading->split->edits, from, tokens[tokens[body].match].offset - from, NULL);
  mark_body(reading, body, EMPTIED);
}

static bool has_deduced_type(const cc_text *text, const cc_declaration *it) {
  for (uint32_t i = it->first; i < it->parameters; i++)
    if (cc_is(text, i, "auto"))
      return true;
  return false;
}

static void see_declaration(void *context, const cc_declaration *it) {
  const reading *reading = context;
  bool is_device = (it->words & CC_GLOBAL) != 0 || (it->words & (CC_DEVICE | CC_HOST)) == CC_DEVICE;
  if (it->kind != CC_FUNCTION || it->body == 0 || !is_device)
    return;
  if (it->is_constexpr || has_deduced_type(&reading->split->text, it))
    mark_body(reading, it->body, KEPT);
  else
    empty_body(reading, it->body);
}

/* [=] __device__ (int i) { ... } */
static void mark_lambda(const reading *reading, uint32_t word) {
  const cc_text *text = &reading->split->text;
  if (word == 0 || reading->kinds[word] == EMPTIED || cc_mark(text, word - 1) != ']' ||
      cc_word(text, word) != CC_DEVICE || cc_word(text, word + 1) == CC_HOST)
    return;
  for (uint32_t i = word; i < text->count && cc_mark(text, i) != ';'; i++) {
    if (cc_mark(text, i) == '{') {
      mark_body(reading, i, KEPT);
      return;
    }
    if (cc_mark(text, i) == '(')
      i = text->tokens[i].match;
  }
}

static void rewrite_for_host(cc_split *split) {
  const cc_text *text = &split->text;
  reading reading = { split, vptr__arena_allocate(split->arena, text->count + 1) };
  memset(reading.kinds, OF_HOST, text->count + 1);
  cc_declarations(text, split->arena, see_declaration, &reading);
  for (uint32_t i = 0; i < text->count; i++)
    mark_lambda(&reading, i);
  for (uint32_t i = 0; i < text->count;)
    i = reading.kinds[i] == KEPT && cc_is_launch(text, i) ? cc_split_no_launch(split, i) : i + 1;
}

/* ---- the text -------------------------------------------------------------------------------------------- */

static void rewrite_for_device(cc_split *split) {
  for (uint32_t i = 0; i < split->text.count;)
    i = cc_is_launch(&split->text, i) ? cc_split_launch(split, i) : i + 1;
}

bool cc_children_rewrite(cc_driver *driver, const char *preprocessed, bool is_device, const char *rewritten) {
  const char *text = NULL;
  size_t length = 0;
  uint32_t wrong = 0;
  cc_split split = { .arena = driver->arena, .edits = { .arena = driver->arena } };
  if (!cc_file_read(driver->arena, preprocessed, &text, &length))
    return false;
  cc_buffer_init(&split.out, driver->arena);
  cc_buffer_init(&split.messages, driver->arena);
  if (!cc_text_cut(&split.text, driver->arena, text, length, &wrong))
    cc_split_complain(&split, wrong, "this bracket has no partner");
  else
    (is_device ? rewrite_for_device : rewrite_for_host)(&split);
  if (split.messages.length > 0) {
    fputs(split.messages.text, stderr);
    return false;
  }
  cc_edits_apply(&split.edits, &split.text, &split.out);
  return cc_file_write(rewritten, split.out.text, split.out.length);
}
