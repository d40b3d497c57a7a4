/* SPDX-License-Identifier: MIT */
/*
 * foreign - see foreign.h: checks that the host has no access to a device's addresses, and reserves the free ones.
 *
 * What the process has mapped, and with what access, the system tells in /proc/self/maps alone: mincore() does not know
 * of access, and touching each page of some ten GiB is no way. A vptr__foreign is the field `foreign` of its space; the
 * file has no data of its own. It takes no lock, and needs none, since a space begins and ends with one thread; another
 * thread may map memory between the look and the reservation: that never replaces a mapping, and fails then. Called by
 * space.c.
 */
#include "space/foreign.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/error.h"
#include "space/reservation.h"

/* One mapping of the process's; the rest of its line is passed over. */
typedef struct mapping {
  uintptr_t begin, end;
  bool has_access;
} mapping;

static bool read_mapping(FILE *maps, mapping *mapping_out) {
  char access[4];
  if (fscanf(maps, "%" SCNxPTR "-%" SCNxPTR " %3c", &mapping_out->begin, &mapping_out->end, access) != 3)
    return false;
  mapping_out->has_access = access[0] == 'r' || access[1] == 'w' || access[2] == 'x';
  for (int byte = 0; byte != '\n' && byte != EOF;)
    byte = fgetc(maps);
  return true;
}

static vptr_status refuse_mapping(uintptr_t base, size_t size, const mapping *found) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "of its addresses, %zu MiB from %#zx on, the host can use those from %#zx to %#zx itself",
                     size >> 20, (size_t)base, (size_t)found->begin, (size_t)found->end);
}

static vptr_status add_gap(vptr__foreign *foreign, uintptr_t begin, uintptr_t end) {
  if (begin >= end)
    return VPTR_SUCCESS;
  if (foreign->gap_count == VPTR__FOREIGN_GAPS)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "the free addresses from %#zx on are in more than %d pieces",
                       (size_t)foreign->gaps[0].base, VPTR__FOREIGN_GAPS);
  foreign->gaps[foreign->gap_count].base = begin;
  foreign->gaps[foreign->gap_count++].size = end - begin;
  return VPTR_SUCCESS;
}

/* Mappings are listed in order. */
static vptr_status find_gaps(FILE *maps, uintptr_t base, size_t size, vptr__foreign *foreign) {
  uintptr_t at = base, end = base + size;
  mapping found;
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && read_mapping(maps, &found) && found.begin < end) {
    if (found.end <= at)
      continue;
    if (found.has_access)
      return refuse_mapping(base, size, &found);
    status = add_gap(foreign, at, found.begin);
    at = found.end;
  }
  return status == VPTR_SUCCESS ? add_gap(foreign, at, end) : status;
}

static void release_gaps(const vptr__foreign *foreign, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    munmap((void *)foreign->gaps[i].base, foreign->gaps[i].size);
}

vptr_status vptr__foreign_hold(uintptr_t base, size_t size, vptr__foreign *foreign_out) {
  vptr__foreign foreign = { .gap_count = 0 };
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "/proc/self/maps, which tells what addresses are in use, cannot be read");
  vptr_status status = find_gaps(maps, base, size, &foreign);
  fclose(maps);
  if (status != VPTR_SUCCESS)
    return status;
  for (unsigned i = 0; i < foreign.gap_count; i++)
    if (!vptr__reservation_map(foreign.gaps[i].base, foreign.gaps[i].size)) {
      release_gaps(&foreign, i);
      return vptr__error(VPTR_ERROR_UNSUPPORTED,
                         "of its addresses, %zu MiB from %#zx on cannot be reserved on the host",
                         foreign.gaps[i].size >> 20, (size_t)foreign.gaps[i].base);
    }
  *foreign_out = foreign;
  return VPTR_SUCCESS;
}

void vptr__foreign_release(const vptr__foreign *foreign) {
  release_gaps(foreign, foreign->gap_count);
}
