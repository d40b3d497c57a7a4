/* SPDX-License-Identifier: MIT */
/* line - see line.h. */
#include "line.h"

#include <string.h>

#include "value.h"

static bool is_same(const kc_place *a, const kc_place *b) {
  return a->line == b->line && a->length == b->length && memcmp(a->file, b->file, (size_t)a->length) == 0;
}

static void print_place(kc_writer *writer, const kc_place *place) {
  kc_print(writer, "\n#line %u ", place->line);
  kc_print_string(writer, place->file, (size_t)place->length);
  kc_print(writer, "\n");
}

void kc_line_of(kc_writer *writer, LLVMValueRef instruction, kc_place *last) {
  kc_place place;
  if (!kc_place_of(instruction, &place) || (last->file != NULL && is_same(&place, last)))
    return;
  print_place(writer, &place);
  *last = place;
}

void kc_line_of_kernel(kc_writer *writer) {
  kc_place place;
  if (kc_place_of(writer->kernel->function, &place))
    print_place(writer, &place);
}

void kc_line_join(kc_writer *writer, const char *text) {
  bool was_directive = true;
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    bool is_directive = *text == '#';
    if (length > 0) {
      kc_print(writer, is_directive || was_directive ? "\n" : " ");
      fwrite(text, 1, length, writer->out);
      was_directive = is_directive;
    }
    text += length + (text[length] == '\n');
  }
  kc_print(writer, "\n");
}
