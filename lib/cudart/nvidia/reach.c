/* SPDX-License-Identifier: MIT */
/*
 * reach - following the references of a PTX text from a kernel on, to find what it uses (reach.h).
 *
 * References are followed from the kernel on. A kernel that calls a function by a pointer may get that from anywhere,
 * so it reaches all there is. No static data, no locks: a vptr__ptx_reach is writer.c's, for one text, and its two
 * arrays are made by vptr__ptx_reach_begin() and freed by vptr__ptx_reach_free(). Called by writer.c. To begin fails
 * without host memory; to follow does not fail.
 */
#include "nvidia/reach.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

#include <string.h>

vptr_status vptr__ptx_reach_begin(const vptr__ptx_survey *survey, vptr__ptx_reach *reach_out) {
  size_t count = (size_t)survey->count + 1;
  *reach_out = (vptr__ptx_reach){ .count = 0 };
  reach_out->is_reached = vptr__memory_calloc(count, sizeof *reach_out->is_reached);
  reach_out->waiting = vptr__memory_calloc(count, sizeof *reach_out->waiting);
  bool has_all = reach_out->is_reached != NULL && reach_out->waiting != NULL;
  return has_all ? VPTR_SUCCESS : vptr__error_host_memory(count * sizeof *reach_out->waiting);
}

void vptr__ptx_reach_free(vptr__ptx_reach *reach) {
  vptr__memory_free(reach->is_reached);
  vptr__memory_free(reach->waiting);
}

static void add_symbol(vptr__ptx_reach *reach, uint32_t index) {
  if (reach->is_reached[index])
    return;
  reach->is_reached[index] = true;
  reach->waiting[reach->count++] = index;
}

static void note_symbol(vptr__ptx_reach *reach, const vptr__ptx_symbol *symbol) {
  reach->reasons |= symbol->reasons;
  reach->is_dynamic |= symbol->kind == VPTR__PTX_DYNAMIC;
  reach->prints |= symbol->kind == VPTR__PTX_FUNCTION && strcmp(symbol->name, "vprintf") == 0;
  reach->shared += symbol->shared;
  if (symbol->kind == VPTR__PTX_SHARED)
    reach->shared = vptr__align_up(reach->shared, symbol->align) + symbol->size;
}

void vptr__ptx_reach_follow(const vptr__ptx_survey *survey, uint32_t kernel, vptr__ptx_reach *reach) {
  memset(reach->is_reached, 0, (size_t)survey->count * sizeof *reach->is_reached);
  reach->count = 0;
  reach->reasons = 0;
  reach->shared = 0;
  reach->is_dynamic = reach->prints = false;
  add_symbol(reach, kernel);
  while (reach->count > 0) {
    uint32_t index = reach->waiting[--reach->count];
    const vptr__ptx_symbol *symbol = &survey->symbols[index];
    note_symbol(reach, symbol);
    for (uint32_t i = 0; i < survey->count; i++)
      if (vptr__ptx_refers(survey, index, i) || (symbol->calls_pointers && !survey->symbols[i].is_entry))
        add_symbol(reach, i);
  }
}
