/* SPDX-License-Identifier: MIT */
/*
 * fat_binary - choosing the entry of a fat binary that a device runs best (fat_binary.h).
 *
 * Nothing in the container is believed: each size is held against what is left. No data, no locks; nothing is
 * allocated, and the entry that is found points into the container. Called by cudart/cuda/foreign.c,
 * loadable.c and need.c.
 */
#include "nvidia/fat_binary.h"

#include "base/error.h"

#include <string.h>

enum { HEADER = 16, ENTRY_HEADER = 64, MAGIC = (int)0xba55ed50u };
enum { KIND_PTX = 1, KIND_CODE = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_EXACT = 0x100000, FLAG_FAMILY = 0x200000 };

static uint32_t read_u32(const unsigned char *at) {
  uint32_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

static uint64_t read_u64(const unsigned char *at) {
  uint64_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

static uint16_t read_u16(const unsigned char *at) {
  uint16_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

static vptr_status refuse_container(const char *what) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the fat binary is damaged: %s", what);
}

/* ---- entries -------------------------------------------------------------------------------------------- */

/* Kinds that are none of ours are entries like others. */
typedef struct container {
  const unsigned char *at, *end;
  unsigned kind;
  vptr__fat_entry entry;
} container;

static void read_flags(vptr__fat_entry *entry, uint64_t flags) {
  entry->suffix = (flags & FLAG_EXACT) != 0 ? 'a' : (flags & FLAG_FAMILY) != 0 ? 'f' : 0;
  entry->packing = (flags & FLAG_ZSTD) != 0  ? VPTR__FAT_ZSTD
                   : (flags & FLAG_LZ4) != 0 ? VPTR__FAT_LZ4
                                             : VPTR__FAT_PLAIN;
}

/* Where it is packed, it has padding behind it. */
static vptr_status read_sizes(container *it, const unsigned char *header, uint64_t padded) {
  vptr__fat_entry *entry = &it->entry;
  entry->size = (size_t)padded;
  entry->unpacked = 0;
  if (entry->packing == VPTR__FAT_PLAIN)
    return VPTR_SUCCESS;
  uint64_t unpacked = read_u64(header + 56);
  entry->size = read_u32(header + 16);
  if (entry->size > padded)
    return refuse_container("a packed content is longer than its place");
  if (unpacked == 0 || unpacked > INT32_MAX)
    return refuse_container("a packed content says no size that it could have");
  entry->unpacked = (size_t)unpacked;
  return VPTR_SUCCESS;
}

static vptr_status next_entry(container *it) {
  size_t left = (size_t)(it->end - it->at);
  const unsigned char *header = it->at;
  if (left < ENTRY_HEADER)
    return refuse_container("an entry is cut short");
  uint32_t header_size = read_u32(header + 4);
  uint64_t padded = read_u64(header + 8);
  if (header_size < ENTRY_HEADER || header_size > left || padded > left - header_size)
    return refuse_container("an entry is longer than what is left");
  it->kind = read_u16(header);
  it->entry = (vptr__fat_entry){ .is_ptx = it->kind == KIND_PTX, .bytes = header + header_size };
  uint32_t arch = read_u32(header + 28);
  it->entry.arch = arch < 10000 ? 10 * arch : UINT32_MAX;
  read_flags(&it->entry, read_u64(header + 40));
  it->at = header + header_size + padded;
  return read_sizes(it, header, padded);
}

static vptr_status open_container(const void *data, size_t most, container *container_out) {
  const unsigned char *at = data;
  if (most < HEADER || read_u32(at) != (uint32_t)MAGIC)
    return refuse_container("it does not begin as one");
  uint16_t header = read_u16(at + 6);
  uint64_t size = read_u64(at + 8);
  if (header < HEADER || header > most || (most != SIZE_MAX && size > most - header))
    return refuse_container("it says that it is longer than it is");
  if (size > INT64_MAX || (uintptr_t)at > UINTPTR_MAX - header - size)
    return refuse_container("it says a size that nothing has");
  *container_out = (container){ .at = at + header, .end = at + header + size };
  return VPTR_SUCCESS;
}

/* ---- choosing ------------------------------------------------------------------------------------------- */

static bool fits_device(const vptr__fat_entry *entry, unsigned ptx) {
  bool is_same_major = entry->arch / 100 == ptx / 100;
  if (entry->arch > ptx)
    return false;
  if (entry->suffix == 'a')
    return entry->arch == ptx;
  return (entry->is_ptx && entry->suffix == 0) || is_same_major;
}

static bool is_better(const vptr__fat_entry *entry, const vptr__fat_entry *than) {
  if (than->bytes == NULL || entry->is_ptx != than->is_ptx)
    return than->bytes == NULL || entry->is_ptx;
  return entry->arch > than->arch || (entry->arch == than->arch && entry->suffix != 0);
}

bool vptr__fat_binary_has_packing(const void *data, size_t most, vptr__fat_packing packing) {
  container it = { .at = NULL };
  bool has_it = false;
  vptr__error_try();
  vptr_status status = open_container(data, most, &it);
  while (status == VPTR_SUCCESS && it.at < it.end && !has_it) {
    status = next_entry(&it);
    has_it = status == VPTR_SUCCESS && it.entry.packing == packing;
  }
  vptr__error_tried(VPTR_SUCCESS);
  return has_it;
}

vptr_status vptr__fat_binary_choose(const void *data, size_t most, unsigned ptx, vptr__fat_entry *entry_out) {
  container it = { .at = NULL };
  vptr__fat_entry best = { .bytes = NULL };
  vptr_status status = open_container(data, most, &it);
  while (status == VPTR_SUCCESS && it.at < it.end) {
    status = next_entry(&it);
    bool is_known = it.kind == KIND_PTX || it.kind == KIND_CODE;
    if (status == VPTR_SUCCESS && is_known && fits_device(&it.entry, ptx) && is_better(&it.entry, &best))
      best = it.entry;
  }
  if (status != VPTR_SUCCESS)
    return status;
  if (best.bytes == NULL)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "the fat binary has no PTX for capability %u.%u or less, and no machine code for it: compile "
                       "with -arch=compute_%u, or with less",
                       ptx / 100, ptx / 10 % 10, ptx / 10);
  *entry_out = best;
  return VPTR_SUCCESS;
}
