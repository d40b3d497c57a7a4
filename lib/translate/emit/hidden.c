/* SPDX-License-Identifier: MIT */
/*
 * hidden - counting a kernel's hidden parameters (hidden.h).
 *
 * No data and no locks.
 */
#include "translate/emit/hidden.h"

#include "base/number.h"

unsigned vptr__hidden_count_pointers(const vptr__kernel_plan *kernel) {
  unsigned count = 0;
  for (vptr__context_member **member = kernel->members; *member != NULL; member++)
    count += vptr__hidden_is_pointer(*member);
  return count;
}

/* Hidden ones that are not in the struct: local memory, tables, the block's size, and where the grid's room is. */
unsigned vptr__hidden_count_separate(const vptr__kernel_plan *kernel) {
  unsigned count = vptr__hidden_has_translation(kernel) + vptr__hidden_has_texels(kernel) +
                   vptr__hidden_has_block(kernel) + vptr__hidden_has_grid(kernel);
  if (vptr__hidden_has_loops(kernel)) /* the block's size, if it is not counted, and the grid's */
    count += vptr__hidden_has_block(kernel) ? 1 : 2;
  for (vptr__context_member **member = kernel->members; *member != NULL; member++)
    count += vptr__emit_is_hidden(*member) && !vptr__hidden_is_pointer(*member);
  return count;
}

/* What the device counts: parameters as CUDA lays them out, then 8 bytes for each hidden one. */
uint64_t vptr__hidden_counted_bytes(const vptr__kernel_plan *kernel) {
  return vptr__align_up(kernel->parameter_bytes, 8) +
         8 * (vptr__hidden_count_pointers(kernel) + vptr__hidden_count_separate(kernel));
}

/* The struct's: hidden pointers follow the parameters, and its end is aligned as a struct's is. */
uint64_t vptr__hidden_packed_bytes(const vptr__kernel_plan *kernel) {
  unsigned hidden = vptr__hidden_count_pointers(kernel);
  uint64_t bytes = kernel->parameter_bytes, alignment = hidden > 0 ? 8 : 1;
  if (hidden > 0)
    bytes = vptr__align_up(bytes, 8) + 8 * hidden;
  for (const vptr__declaration *each = kernel->instance->function->type->parameters; each != NULL; each = each->next)
    if (vptr__type_alignment(each->type) > alignment)
      alignment = vptr__type_alignment(each->type);
  return vptr__align_up(bytes, alignment);
}
