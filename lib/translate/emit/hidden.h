/* SPDX-License-Identifier: MIT */
/*
 * hidden - the parameters that an entry has beside the program's: which there are, and how many bytes all take.
 *
 * Variables and the status are pointers, which may be in the struct of a packed kernel; local memory, tables, the
 * block's size and the grid's room are arguments of their own in every form. The runtime counts by the same numbers.
 */
#ifndef VPTR_TRANSLATE_EMIT_HIDDEN_H
#define VPTR_TRANSLATE_EMIT_HIDDEN_H

#include "translate/emit/emitter.h"

static inline bool vptr__hidden_is_pointer(const vptr__context_member *member) {
  return vptr__emit_is_hidden(member) && member->kind != VPTR__MEMBER_DYNAMIC_SHARED;
}

static inline bool vptr__hidden_has_translation(const vptr__kernel_plan *kernel) {
  return (kernel->instance->reach & VPTR__REACHES_TRANSLATION) != 0;
}

static inline bool vptr__hidden_has_texels(const vptr__kernel_plan *kernel) {
  return (kernel->instance->reach & VPTR__REACHES_TEXELS) != 0;
}

/* In every form that it has. */
static inline bool vptr__hidden_has_block(const vptr__kernel_plan *kernel) {
  return (kernel->instance->reach & VPTR__REACHES_BLOCK) != 0;
}

static inline bool vptr__hidden_has_grid(const vptr__kernel_plan *kernel) {
  return (kernel->instance->reach & VPTR__REACHES_GRID) != 0;
}

/* Where VPTR_LOOPS is set. */
static inline bool vptr__hidden_has_loops(const vptr__kernel_plan *kernel) {
  return vptr__infer_has_loops(kernel->instance);
}

unsigned vptr__hidden_count_pointers(const vptr__kernel_plan *kernel);

/* Those that are not in the struct. */
unsigned vptr__hidden_count_separate(const vptr__kernel_plan *kernel);

/* What the device counts. */
uint64_t vptr__hidden_counted_bytes(const vptr__kernel_plan *kernel);

/* Of the struct of a packed kernel. */
uint64_t vptr__hidden_packed_bytes(const vptr__kernel_plan *kernel);

#endif
