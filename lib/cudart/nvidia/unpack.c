/* SPDX-License-Identifier: MIT */
/*
 * unpack - unpacking the content of an entry of a fat binary, which is plain, or packed by LZ4 or zstd (unpack.h).
 *
 * nvcc packs PTX by LZ4 (to CUDA 12.3, and with --compress-mode=speed) or zstd (since). Blocks of LZ4 are a few lines
 * to read. For zstd the system's library is opened when it is first needed, so that neither a build nor a program
 * without such content needs it; it stays open. Opening it takes the dynamic loader's lock, under which constructors
 * and destructors of plugins run, so nobody waits for a thread that opens it: threads that come at once each do. It is
 * a call of its own, since content is unpacked under a lock that those constructors take.
 *
 * Data: the static `zstd_decompress`, that library's function, which is atomic; there is no lock. What is unpacked is
 * the caller's. Called by cudart/cuda/foreign.c; by cudart/cuda/loadable.c and need.c, which open the library.
 */
#include "nvidia/unpack.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

/* ---- LZ4 ------------------------------------------------------------------------------------------------ */

/* What is left of both sides. */
typedef struct lz4 {
  const unsigned char *from, *from_end;
  unsigned char *begin, *to, *to_end;
} lz4;

/* The rest of a length whose four bits are full: bytes of 255, and a last one. */
static bool read_length(lz4 *it, size_t *length) {
  unsigned char byte;
  if (*length != 15)
    return true;
  do {
    if (it->from == it->from_end)
      return false;
    byte = *it->from++;
    *length += byte;
  } while (byte == 255);
  return true;
}

static bool copy_literals(lz4 *it, size_t length) {
  if (!read_length(it, &length) || length > (size_t)(it->from_end - it->from) ||
      length > (size_t)(it->to_end - it->to))
    return false;
  memcpy(it->to, it->from, length);
  it->from += length;
  it->to += length;
  return true;
}

/* Byte by byte: a match may reach into what it writes. */
static bool copy_match(lz4 *it, size_t length) {
  if (it->from_end - it->from < 2)
    return false;
  size_t distance = it->from[0] | (size_t)it->from[1] << 8;
  it->from += 2;
  if (!read_length(it, &length) || distance == 0 || distance > (size_t)(it->to - it->begin) ||
      length + 4 > (size_t)(it->to_end - it->to))
    return false;
  for (length += 4; length > 0; length--, it->to++)
    *it->to = *(it->to - distance);
  return true;
}

/* The last sequence has literals alone. */
static bool unpack_lz4(const vptr__fat_entry *entry, unsigned char *to) {
  lz4 it = { entry->bytes, entry->bytes + entry->size, to, to, to + entry->unpacked };
  while (it.from < it.from_end) {
    unsigned token = *it.from++;
    if (!copy_literals(&it, token >> 4))
      return false;
    if (it.from < it.from_end && !copy_match(&it, token & 15))
      return false;
  }
  return it.to == it.to_end;
}

/* ---- zstd ----------------------------------------------------------------------------------------------- */

static const char zstd_name[] = "libzstd.so.1";

typedef size_t decompress_function(void *to, size_t room, const void *from, size_t size);

static _Atomic(decompress_function *) zstd_decompress; /* NULL: not found so far */

void vptr__unpack_open_zstd(void) {
  decompress_function *decompress;
  if (atomic_load(&zstd_decompress) != NULL)
    return;
  void *library = dlopen(zstd_name, RTLD_NOW | RTLD_LOCAL);
  void *found = library != NULL ? dlsym(library, "ZSTD_decompress") : NULL;
  if (found == NULL)
    return;
  memcpy(&decompress, &found, sizeof found); /* C has no cast for it */
  atomic_store(&zstd_decompress, decompress);
}

static vptr_status unpack_zstd(const vptr__fat_entry *entry, unsigned char *to, bool *is_whole_out) {
  decompress_function *decompress = atomic_load(&zstd_decompress);
  if (decompress == NULL)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "the fat binary is packed by zstd, and %s cannot be opened: install libzstd1, or compile with "
                       "nvcc --no-compress",
                       zstd_name);
  *is_whole_out = decompress(to, entry->unpacked, entry->bytes, entry->size) == entry->unpacked;
  return VPTR_SUCCESS;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static vptr_status unpack_into(const vptr__fat_entry *entry, unsigned char *to) {
  bool is_whole = true;
  vptr_status status = VPTR_SUCCESS;
  if (entry->packing == VPTR__FAT_PLAIN)
    memcpy(to, entry->bytes, entry->size);
  else if (entry->packing == VPTR__FAT_LZ4)
    is_whole = unpack_lz4(entry, to);
  else
    status = unpack_zstd(entry, to, &is_whole);
  if (status != VPTR_SUCCESS || is_whole)
    return status;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "the fat binary is damaged: %zu packed bytes do not make the %zu that they should", entry->size,
                     entry->unpacked);
}

vptr_status vptr__unpack(const vptr__fat_entry *entry, char **bytes_out, size_t *size_out) {
  size_t size = entry->packing == VPTR__FAT_PLAIN ? entry->size : entry->unpacked;
  char *bytes = vptr__memory_calloc(size + 1, 1);
  if (bytes == NULL)
    return vptr__error_host_memory(size + 1);
  vptr_status status = unpack_into(entry, (unsigned char *)bytes);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(bytes);
    return status;
  }
  *bytes_out = bytes;
  *size_out = size;
  return VPTR_SUCCESS;
}
