/* SPDX-License-Identifier: MIT */
/*
 * fat_binary - what nvcc puts into programs: PTX and machine code for several devices, in one container.
 *
 *     0    u32 0xba55ed50, u16 version, u16 bytes of this header (16), u64 bytes behind it
 *     16   entries, one behind the other:
 *          0   u16 kind (1: PTX, 2: machine code), u16 version, u32 bytes of this header
 *          8   u64 bytes of content, with padding
 *          16  u32 bytes of content, without, where it is packed
 *          28  u32 architecture (90)
 *          40  u64 flags: 0x2000 packed by LZ4, 0x8000 by zstd; 0x100000 for sm_90a, 0x200000 for sm_100f
 *          56  u64 bytes of content, unpacked
 *
 * The layout was learned from what nvcc 13 writes with different options. No data, no locks. Used by cuda/foreign.c,
 * loadable.c and need.c, and by unpack.c for what was chosen.
 */
#ifndef VPTR_NVIDIA_FAT_BINARY_H
#define VPTR_NVIDIA_FAT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef enum vptr__fat_packing { VPTR__FAT_PLAIN, VPTR__FAT_LZ4, VPTR__FAT_ZSTD } vptr__fat_packing;

typedef struct vptr__fat_entry {
  bool is_ptx;             /* else machine code */
  uint32_t arch;           /* 900 for sm_90 */
  char suffix;             /* 'a', 'f' or 0 */
  vptr__fat_packing packing;
  const unsigned char *bytes;
  size_t size;             /* as they lie there */
  size_t unpacked;         /* bytes, where they are packed */
} vptr__fat_entry;

/* The entry that a device of capability ptx (900) runs best: PTX of the highest architecture that is not above it, or
 * else machine code. most: bytes that may be looked at; SIZE_MAX: the container says. Errors: INVALID_ARGUMENT (it is
 * none, or is damaged), UNSUPPORTED (nothing in it is for that device). */
vptr_status vptr__fat_binary_choose(const void *data, size_t most, unsigned ptx, vptr__fat_entry *entry_out);

/* Whether an entry is packed so, for whatever device; of a damaged one, before the damage. Only headers are read. */
bool vptr__fat_binary_has_packing(const void *data, size_t most, vptr__fat_packing packing);

#endif
