/* SPDX-License-Identifier: MIT */
/*
 * vptr_partition - groups that are cut into others: tiles of a size, and lanes that say the same.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_PARTITION_H
#define VPTR_CUDA_CLANG_GROUPS_PARTITION_H

namespace cooperative_groups {

namespace vptr_partition {
/* What has tiles whose size is known when the program is compiled: a block, and larger tiles. */
template <unsigned int Size, class Parent> struct has_tiles {
  static constexpr bool value = ::std::is_same<Parent, thread_block>::value;
};
template <unsigned int Size, unsigned int Of, class Parent> struct has_tiles<Size, thread_block_tile<Of, Parent>> {
  static constexpr bool value = Size < Of;
};
}

template <unsigned int Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  static_assert(vptr_partition::has_tiles<Size, Parent>::value,
                "tiles whose size is a template's argument are parts of a block, or of a larger tile");
  return thread_block_tile<Size, Parent>(parent);
}

namespace vptr_partition {
/* Those lanes of a mask whose ranks are in one tile with the thread's. Another size fails the launch, as in CUDA. */
VPTR_CLANG_DEVICE unsigned int tile_of(unsigned int mask, unsigned int size) {
  if (size == 0 || size > 32 || (size & (size - 1u)) != 0)
    ::__trap();
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

/* The lanes of a tile up to 32 threads, or of a coalesced group: those that say no are the first part, unless all say
 * the same. */
template <class Group> __device__ inline coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned int mask = vptr_group_access::mask(group), those = ::__ballot_sync(mask, predicate);
  if (those == 0 || those == mask)
    return vptr_group_maker::coalesced(mask, 0, 1);
  return vptr_group_maker::coalesced(predicate ? those : mask & ~those, predicate, 2);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group &group, Label label) {
  static_assert(::std::is_integral<Label>::value, "a label is an integer or a pointer");
  const unsigned int mask = vptr_group_access::mask(group), same = ::__match_any_sync(mask, label);
  const unsigned int first = same & (0u - same);
  const unsigned int firsts = ::__ballot_sync(mask, first == 1u << vptr_lanes::own());
  return vptr_group_maker::coalesced(same, vptr_lanes::count_of(firsts & (first - 1u)), vptr_lanes::count_of(firsts));
}
template <class Group> __device__ inline coalesced_group labeled_partition(const Group &group, bool label) {
  return binary_partition(group, label);
}
template <class Group, class T> __device__ inline coalesced_group labeled_partition(const Group &group, T *label) {
  return labeled_partition(group, reinterpret_cast<unsigned long long>(label));
}
#endif

}

#endif
