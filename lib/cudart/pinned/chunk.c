/* SPDX-License-Identifier: MIT */
/*
 * chunk - mapping and pinning the memory of a region of ours, and its end (chunk.h).
 *
 * There is no static data but a constant: a chunk's record is a region (region.h), which has the memory, its pin and,
 * for blocks, their tables (blocks.h). The pin is given back by vptr__region_leave(), the memory by
 * vptr__chunk_destroy(); a chunk of blocks stays for good, and its tables are freed only where making it fails. The
 * file maps memory aligned to huge pages, has the device pin it, and enters it in the registry of regions, whose lock,
 * of rank HEAP, the entering takes and gives back; mapping and pinning are done without that lock. The end takes the
 * lock of tombstones too, of rank LEAF.
 *
 * Called by restored.c, without a lock of its own, and by depot.c: with the depot's `growing` lock, of rank MAPPING,
 * for chunks of blocks, and for large regions that are given back because no chunk could be made; without a lock of
 * the depot's for all other large regions. Pinning and unpinning are calls of the driver's, which block and can take
 * long. They wait for no work that uses the memory: whoever gives a region back has waited. Making a chunk fails
 * without host memory, for more than the machine has, and when the driver refuses.
 */
#include "pinned/chunk.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hold.h"
#include "base/page.h"
#include "mirror/tombstones.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* of Linux 4.17 */
#endif

/* Where the system gives huge pages, it gives them to whole multiples of this; pinning then takes a fraction of the
 * time, since it goes page by page. */
static const size_t ALIGNMENT = (size_t)2 << 20;

/* The system promises more memory than it has. Pinned memory is to be there, so what the machine could never hold is
 * refused; what other programs take is not known. */
static bool could_exist(size_t bytes) {
  long pages = sysconf(_SC_PHYS_PAGES);
  return pages <= 0 || bytes / vptr__page_bytes() <= (size_t)pages;
}

static void *map_aligned(size_t bytes) {
  size_t slack = bytes >= ALIGNMENT ? ALIGNMENT : 0;
  char *raw = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    return NULL;
  size_t before = slack != 0 ? -(uintptr_t)raw & (ALIGNMENT - 1) : 0;
  if (before > 0)
    munmap(raw, before);
  if (slack > before)
    munmap(raw + before + bytes, slack - before);
  return raw + before;
}

/* A kernel that does not know NOREPLACE takes the address for a hint. */
static vptr_status map_there(void *at, size_t bytes) {
  vptr__hold_release(at, bytes);
  void *got = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == at)
    return VPTR_SUCCESS;
  if (got != MAP_FAILED)
    munmap(got, bytes);
  return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                     "pinned memory of %zu bytes was at %p, and something else is there in this process: another try "
                     "may have it elsewhere",
                     bytes, at);
}

static vptr_status map_memory(vptr__region_plan *plan) {
  if (!could_exist(plan->bytes))
    return vptr__error_host_memory(plan->bytes);
  if (plan->base != NULL)
    return map_there(plan->base, plan->bytes);
  plan->base = map_aligned(plan->bytes);
  return plan->base != NULL ? VPTR_SUCCESS : vptr__error_host_memory(plan->bytes);
}

static vptr_status pin_and_enter(vptr__region_plan *plan, vptr__region **region_out) {
  vptr__device *device = plan->mapper->device;
  vptr_status status = device->ops->memory.pin_host(device, plan->base, plan->bytes, &plan->pin);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__region_enter(plan, region_out);
  if (status != VPTR_SUCCESS && plan->pin != NULL)
    device->ops->memory.unpin_host(device, plan->pin, plan->base);
  return status;
}

vptr_status vptr__chunk_create(vptr__region_plan *plan, vptr__region **region_out) {
  bool has_blocks = plan->kind == VPTR__REGION_BLOCKS;
  vptr_status status = map_memory(plan);
  if (status != VPTR_SUCCESS)
    return status;
  if (has_blocks && !vptr__blocks_init(&plan->blocks, plan->bytes)) {
    status = vptr__error_host_memory(plan->bytes / VPTR__BLOCK_STEP);
    goto unmap;
  }
  status = pin_and_enter(plan, region_out);
  if (status == VPTR_SUCCESS)
    return status;
  if (has_blocks)
    vptr__blocks_fini(&plan->blocks, plan->bytes);
unmap:
  munmap(plan->base, plan->bytes);
  return status;
}

void vptr__chunk_destroy(vptr__region *region) {
  uintptr_t base = atomic_load(&region->base);
  size_t bytes = atomic_load(&region->bytes);
  vptr__tombstones_add((void *)base, bytes); /* before the pages go: from then on they may be somebody else's */
  if (vptr__region_leave(region, VPTR__REGION_WHOLE, base))
    munmap((void *)base, bytes);
  vptr__tombstones_settle((void *)base);
}
