/* SPDX-License-Identifier: MIT */
/*
 * stuck - see stuck.h.
 *
 * A call of printf() for each stop would be most of a large kernel's text. So there is one for each file, with a line
 * that is looked up by the stop's number.
 */
#include "stuck.h"

#include <string.h>

#include "value.h"

static bool is_same_file(const kc_place *a, const kc_place *b) {
  return a->length == b->length && memcmp(a->file, b->file, (size_t)a->length) == 0;
}

static bool is_first_of_file(const kc_stuck *stuck, unsigned number) {
  for (unsigned i = 0; i < number; i++)
    if (is_same_file(&stuck->places[i], &stuck->places[number]))
      return false;
  return true;
}

static void print_file(kc_writer *writer, LLVMValueRef function, const kc_stuck *stuck, unsigned first) {
  const kc_place *file = &stuck->places[first];
  int length = 0;
  const char *name = kc_place_function_name(function, &length);
  kc_print(writer, "vptr_line = 0;\nswitch (vptr_waits[vptr_s].state) {\n");
  for (unsigned i = first; i < stuck->count; i++)
    if (is_same_file(&stuck->places[i], file))
      kc_print(writer, "case %uu: vptr_line = %uu + 1u; break;\n", i + 1, stuck->places[i].line);
  kc_print(writer, "default: break;\n}\nif (vptr_line != 0u)\n  __vptr_stuck(");
  kc_print_string(writer, file->file, (size_t)file->length);
  kc_print(writer, ", vptr_line - 1u, ");
  kc_print_string(writer, name, (size_t)length);
  kc_print(writer,
           ", blockIdx.x, blockIdx.y, blockIdx.z, vptr_s %% vptr_size.x, vptr_s / vptr_size.x %% vptr_size.y, "
           "vptr_s / (vptr_size.x * vptr_size.y));\n");
}

void kc_stuck_print(kc_writer *writer, LLVMValueRef function, const kc_stuck *stuck) {
  kc_print(writer, "if (vptr_more == VPTR_STUCK) {\nu32 vptr_line, vptr_s = vptr_first_stuck(vptr_waits, vptr_n);\n");
  for (unsigned i = 0; i < stuck->count; i++)
    if (is_first_of_file(stuck, i))
      print_file(writer, function, stuck, i);
  kc_print(writer, "}\n");
}
