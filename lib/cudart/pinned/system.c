/* SPDX-License-Identifier: MIT */
/*
 * system - telling plain memory of the process from all other, and using it in a kernel (system.h).
 *
 * There is no data of its own and no lock; that kernels may write to plain memory is noted in
 * vptr__device.acquires_system, which is atomic. The answers come from the registries of other files, which are
 * searched without a lock but for tombstones', of rank LEAF, from one system call, and from the device. Called by
 * register.c, which asks whether a range is mapped; by module/argument.c and prepare.c, for a pointer that is no memory
 * of ours; and by usm/usm.c and place.c, cudart/cuda/pointer.c and advice_call.c, which ask whether kernels take an
 * address. The device's first answer may wait for a trial, under the device's lock, of rank DEVICE.
 */
#include "pinned/system.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/page.h"
#include "mirror/address_index.h"
#include "pinned/region.h"

enum { PAGES_AT_ONCE = 4096 };

/* mincore() tells, without touching the memory; what it says of each page is of no interest. */
bool vptr__system_is_mapped(const void *host, size_t size) {
  unsigned char pages[PAGES_AT_ONCE];
  uintptr_t page = vptr__page_bytes(), from = vptr__page_begin((uintptr_t)host);
  size_t left = (uintptr_t)host + size - from;
  while (left > 0) {
    size_t step = left < PAGES_AT_ONCE * page ? left : PAGES_AT_ONCE * page;
    if (mincore((void *)from, step, pages) != 0)
      return false;
    from += step;
    left -= step;
  }
  return true;
}

typedef enum reading { REFUSED, READ, FORBIDDEN } reading;

/* The system reads the byte for us, and says where it cannot instead of sending a signal. It may be forbidden to: in
 * some containers. */
static reading read_at(const void *host) {
  char byte;
  const struct iovec to = { &byte, 1 }, from = { (void *)(uintptr_t)host, 1 };
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1)
    return READ;
  return errno == EFAULT ? REFUSED : FORBIDDEN;
}

static bool is_there(const void *host, size_t size) {
  reading first = read_at(host);
  if (first == REFUSED || (first == READ && size == 1))
    return first == READ;
  return vptr__system_is_mapped(host, size) && read_at((const char *)host + (size - 1)) != REFUSED;
}

/* Pinned memory has its own rules, and so has what was pinned memory of ours; and managed memory, to the end of its
 * last page, and what was managed memory. */
static bool is_known(const void *host) {
  return vptr__mapper_owning(host) != NULL || vptr__region_of(host) != NULL || vptr__address_index_has(host) ||
         vptr__address_index_was(host);
}

static bool is_plain(const void *host, size_t size) {
  return size <= UINTPTR_MAX - (uintptr_t)host && !is_known(host) && is_there(host, size);
}

bool vptr__system_takes(vptr_mapper *mapper, const void *host, size_t size) {
  return host != NULL && mapper->device->ops->memory.takes_system(mapper->device) && is_plain(host, size);
}

bool vptr__system_acquire(vptr_mapper *mapper, const void *host) {
  vptr__device *device = mapper->device;
  const void *last = (const void *)((uintptr_t)host - 1);
  if (host == NULL || !device->ops->memory.takes_system(device) || is_known(host) ||
      !(is_plain(host, 1) || is_plain(last, 1)))
    return false;
  atomic_store_explicit(&device->acquires_system, true, memory_order_release);
  return true;
}
