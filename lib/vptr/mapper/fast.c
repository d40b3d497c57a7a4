/* SPDX-License-Identifier: MIT */
/*
 * fast - makes the view of the directory that vptr_fast.h compiles into programs.
 *
 * The header has a copy of the entry's layout in plain types, since C++ has no _Atomic and an installed header may not
 * include ours. Whoever changes one of the two finds out here, and must give the change a new VPTR_FAST_LAYOUT:
 * programs that were compiled with the old one go on reading the old places.
 *
 * Where allocations may leave the device (heap/residence.h), or the mapper may go to another (vptr_migrate()), the view
 * covers no address: all look-ups are calls.
 *
 * The file has no data. The view is the field `view` of its mapper (mapper.h), and does not change: there is no lock.
 * Called by programs, by way of vptr_fast.h, and by mapper.c when a mapper begins.
 */
#include <vptr/vptr_fast.h>

#include "base/error.h"
#include "device/shown.h"
#include "mapper/mapper.h"

#define SAME_PLACE(member)                                                                                           \
  _Static_assert(offsetof(vptr_fast_entry, member) == offsetof(vptr__directory_entry, member) &&                     \
                     sizeof(((vptr_fast_entry *)NULL)->member) == sizeof(((vptr__directory_entry *)NULL)->member),   \
                 "a change of the entry is a new VPTR_FAST_LAYOUT")

_Static_assert(sizeof(vptr_fast_entry) == sizeof(vptr__directory_entry),
               "a change of the entry is a new VPTR_FAST_LAYOUT");
SAME_PLACE(sequence);
SAME_PLACE(kind);
SAME_PLACE(slot_size);
SAME_PLACE(reciprocal);
SAME_PLACE(base);
SAME_PLACE(size);
SAME_PLACE(buffer);
SAME_PLACE(states);
_Static_assert(sizeof(vptr__slot_state) == sizeof(int16_t), "programs read states as plain numbers");
_Static_assert((int)VPTR_FAST_SLAB == (int)VPTR__ENTRY_SLAB && (int)VPTR_FAST_WHOLE == (int)VPTR__ENTRY_WHOLE &&
                   (int)VPTR_FAST_ATTACHED == (int)VPTR__ENTRY_ATTACHED && VPTR__ENTRY_TOMB < VPTR__ENTRY_SLAB &&
                   VPTR__ENTRY_EMPTY < VPTR__ENTRY_SLAB,
               "a change of the kinds is a new VPTR_FAST_LAYOUT");

static vptr_status check_layout(const vptr_fast *fast) {
  if (fast->struct_size != sizeof *fast)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_fast_open: struct_size is %zu, this library's view has %zu bytes: begin with "
                       "VPTR_FAST_INIT, and compile against this library's vptr_fast.h",
                       fast->struct_size, sizeof *fast);
  if (fast->layout != VPTR_FAST_LAYOUT)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_fast_open: the program was compiled for layout %u, this library has %u: compile it "
                       "against this library's vptr_fast.h, or call vptr_resolve()",
                       (unsigned)fast->layout, VPTR_FAST_LAYOUT);
  return VPTR_SUCCESS;
}

vptr_fast vptr__mapper_view(vptr_mapper *mapper) {
  const vptr__directory *directory = vptr__heap_directory(mapper->heap);
  return (vptr_fast){
    .struct_size = sizeof(vptr_fast),
    .layout = VPTR_FAST_LAYOUT,
    .shift = directory->shift,
    .base = directory->base,
    .size = vptr__heap_moves(mapper->heap) || vptr__device_has_handles(mapper->device) ? 0 : directory->size,
    .window_mask = ((size_t)1 << directory->shift) - 1,
    .entries = (const vptr_fast_entry *)directory->entries,
    .mapper = mapper,
  };
}

vptr_status vptr_fast_open(vptr_mapper *mapper, vptr_fast *fast_out) {
  if (fast_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_fast_open: fast_out is NULL");
  vptr_status status = check_layout(fast_out);
  if (status != VPTR_SUCCESS)
    return status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  *fast_out = meant->view;
  return VPTR_SUCCESS;
}
