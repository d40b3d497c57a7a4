/* SPDX-License-Identifier: MIT */
/*
 * vptr_partition - groups that are cut into others: tiles of a size, and lanes that say the same.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_PARTITION_H
#define VPTR_CUDA_CLANG_GROUPS_PARTITION_H

namespace cooperative_groups {

template <unsigned int Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<Size, Parent>(parent);
}

namespace vptr_partition {
/* Those lanes of a mask whose ranks are in one tile with the thread's. */
VPTR_CLANG_DEVICE unsigned int tile_of(unsigned int mask, unsigned int size) {
  const unsigned int from = vptr_lanes::rank_in(mask) / size * size;
  unsigned int tile = 0, rank = 0;
  for (; mask != 0; mask &= mask - 1u, rank++)
    if (rank >= from && rank < from + size)
      tile |= mask & (0u - mask);
  return tile;
}
}

__device__ inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
  return vptr_group_maker::coalesced(vptr_partition::tile_of(vptr_group_access::mask(parent), size),
                                     parent.thread_rank() / size, (parent.num_threads() + size - 1u) / size);
}

/* Of a block: a size that is known when the kernel runs, a power of two up to 32. */
__device__ inline thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  const unsigned int mask = parent.kind == thread_group::lanes_kind ? parent.mask : vptr_lanes::existing();
  return coalesced_group(vptr_partition::tile_of(mask, size), static_cast<unsigned int>(parent.thread_rank()) / size,
                         (static_cast<unsigned int>(parent.num_threads()) + size - 1u) / size);
}
__device__ inline thread_group tiled_partition(const thread_block &parent, unsigned int size) {
  return tiled_partition(static_cast<const thread_group &>(parent), size);
}

/* ---- by what the threads say ----------------------------------------------------------------------------------- */

/* The lanes of a tile up to 32 threads, or of a coalesced group. */
template <class Group> __device__ inline coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned int mask = vptr_group_access::mask(group), those = ::__ballot_sync(mask, predicate);
  return vptr_group_maker::coalesced(predicate ? those : mask & ~those, predicate, 2);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group &group, Label label) {
  const unsigned int mask = vptr_group_access::mask(group), same = ::__match_any_sync(mask, label);
  const unsigned int first = same & (0u - same);
  const unsigned int firsts = ::__ballot_sync(mask, first == 1u << vptr_lanes::own());
  return vptr_group_maker::coalesced(same, vptr_lanes::count_of(firsts & (first - 1u)), vptr_lanes::count_of(firsts));
}
#endif

}

#endif
