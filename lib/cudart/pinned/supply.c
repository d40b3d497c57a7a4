/* SPDX-License-Identifier: MIT */
/* supply - see supply.h: which of the two kinds a depot gets. */
#include "pinned/supply.h"

#include "base/error.h"
#include "base/log.h"

#ifndef VPTR_HAVE_JEMALLOC
void vptr__supply_prepare(void) {}

vptr__supply *vptr__supply_by_jemalloc(vptr__depot *depot, int ordinal) {
  (void)depot, (void)ordinal;
  return NULL;
}
#endif

vptr_status vptr__supply_create(vptr__depot *depot, int ordinal, vptr__supply **supply_out) {
  vptr__supply *supply = vptr__supply_by_jemalloc(depot, ordinal);
  if (supply == NULL)
    supply = vptr__supply_by_class(depot, ordinal);
  if (supply == NULL)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "no host memory for the books of pinned memory");
  vptr__log(VPTR__LOG_DECISION, "small blocks of pinned memory are by %s", supply->kind->name);
  *supply_out = supply;
  return VPTR_SUCCESS;
}
