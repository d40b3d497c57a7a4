/* SPDX-License-Identifier: MIT */
/*
 * live - which values are used behind a point of the kernel at work, so that a thread that stops there has to keep
 * them.
 *
 * The usual equations over the blocks' graph, to a fixed point (A. W. Appel, "Modern Compiler Implementation in C",
 * 10.1). A phi is written at the end of the blocks before it. A value that has no variable of its own (KC_INLINE) is
 * its operands.
 */
#ifndef KERNELC_LIVE_H
#define KERNELC_LIVE_H

#include "writer.h"

typedef struct kc_live {
  unsigned long long *behind; /* of each block: the values used by those behind it, a bit for each value's number */
  size_t words;               /* of one set */
  size_t count;               /* of values */
  LLVMValueRef *values;       /* by number; NULL: no variable */
} kc_live;

/* Of writer->graph. */
kc_live *kc_live_of(kc_writer *writer, LLVMValueRef function);

/* The values that are used behind the instruction, without its own; the caller frees the set. */
unsigned long long *kc_live_behind(kc_writer *writer, const kc_live *live, LLVMValueRef instruction);

/* The steps of the equations: what is used in front of an instruction, of what is behind it; what the phis of an edge
 * use. */
void kc_live_pass(unsigned long long *set, LLVMValueRef instruction);
void kc_live_edge(unsigned long long *set, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/* Whether an instruction has a variable, by whose number it is in a set. */
bool kc_live_number(LLVMValueRef instruction, size_t *number_out);

#endif
