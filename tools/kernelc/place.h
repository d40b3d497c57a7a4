/* SPDX-License-Identifier: MIT */
/*
 * place - where the user wrote what an instruction comes from, and what people call a function.
 *
 * What was inlined from a header of the compiler's, of the system or of ours is said to be where that is used.
 */
#ifndef KERNELC_PLACE_H
#define KERNELC_PLACE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef struct kc_place {
  const char *file; /* without an end: `length` characters */
  int length;
  unsigned line, column; /* column 0: unknown, as for a function */
} kc_place;

/* False: debug information has none. */
bool kc_place_of(LLVMValueRef value, kc_place *place_out);

/* "sum<int>" where debug information has it, or as linkers have it. The length is in *length_out. */
const char *kc_place_function_name(LLVMValueRef function, int *length_out);

#endif
