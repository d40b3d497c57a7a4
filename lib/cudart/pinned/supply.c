/* SPDX-License-Identifier: MIT */
/*
 * supply - the choice between the two supplies of small blocks (supply.h): jemalloc's where it can be had, else size
 * classes. Where configure found no jemalloc, what supply_jemalloc.c has is here, and does nothing.
 *
 * There is no data and no lock; the supply that is made belongs to its depot. Called by depot.c: vptr__supply_create()
 * once for each device, with the lock of all depots held (`all.lock` of depot.c, of rank MAPPING);
 * vptr__supply_prepare() before that, without it. It fails without host memory.
 */
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
