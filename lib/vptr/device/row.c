/* SPDX-License-Identifier: MIT */
/*
 * row - see row.h: reserves the pages, and gives them back part by part.
 *
 * A vptr__row is freed with the last who counts. Its count and `is_taken` are atomic, and there is no lock. Called by
 * opencl_span.c, fake.c and fake_buffer.c, which make rows, and buffers over parts, also when the driver says that one
 * is no more. To take a part waits for that, 200 ms at most.
 */
#include "device/row.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"

enum { NAP_NS = 50000, MOST_NAPS = 4000 };

static void *reserve(size_t bytes, int protection) {
  void *pages = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

static void free_row(vptr__row *row) {
  if (row->pages != NULL)
    munmap(row->pages, row->bytes);
  if (row->shown != NULL)
    munmap(row->shown, row->bytes);
  vptr__memory_free(row);
}

vptr_status vptr__row_make(size_t bytes, size_t part_bytes, bool is_hidden, vptr__row **row_out) {
  const size_t count = (bytes - 1) / part_bytes + 1;
  vptr__row *row = vptr__memory_calloc(1, sizeof *row + count * sizeof *row->is_taken);
  if (row == NULL)
    return vptr__error_host_memory(sizeof *row + count * sizeof *row->is_taken);
  row->bytes = bytes;
  row->part_bytes = part_bytes;
  atomic_init(&row->references, 1);
  row->pages = reserve(bytes, PROT_READ | PROT_WRITE);
  row->shown = is_hidden ? reserve(bytes, PROT_NONE) : NULL;
  if (row->pages == NULL || (is_hidden && row->shown == NULL)) {
    free_row(row);
    return vptr__error_host_memory(bytes);
  }
  row->first = (uintptr_t)(is_hidden ? row->shown : row->pages);
  *row_out = row;
  return VPTR_SUCCESS;
}

void vptr__row_drop(vptr__row *row) {
  if (atomic_fetch_sub(&row->references, 1) == 1)
    free_row(row);
}

size_t vptr__row_part_bytes(const vptr__row *row, size_t index) {
  const size_t left = row->bytes - index * row->part_bytes;
  return left < row->part_bytes ? left : row->part_bytes;
}

bool vptr__row_take(vptr__row *row, size_t index, unsigned char byte) {
  bool free = false;
  for (int i = 0; !atomic_compare_exchange_strong(&row->is_taken[index], &free, true); i++) {
    if (i == MOST_NAPS)
      return false;
    free = false;
    nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
  }
  atomic_fetch_add(&row->references, 1);
  if (byte != 0)
    memset(row->pages + index * row->part_bytes, byte, vptr__row_part_bytes(row, index));
  return true;
}

void vptr__row_give(vptr__row *row, size_t index) {
  madvise(row->pages + index * row->part_bytes, vptr__row_part_bytes(row, index), MADV_DONTNEED);
  atomic_store(&row->is_taken[index], false);
  vptr__row_drop(row);
}
