/* SPDX-License-Identifier: MIT */
/*
 * vptr_group - thread_group: a group that is known when the kernel runs, and what all groups lie in.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_GROUP_H
#define VPTR_CUDA_CLANG_GROUPS_GROUP_H

namespace cooperative_groups {

class thread_group {
public:
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ unsigned long long num_threads() const {
    return kind == block_kind ? vptr_lanes::block_size() : kind == lanes_kind ? vptr_lanes::count_of(mask) : count;
  }
  /* Those that there are: a block's last tile may have fewer than its type says. */
  __device__ unsigned int vptr_existing() const { return static_cast<unsigned int>(thread_group::num_threads()); }
  __device__ unsigned long long thread_rank() const {
    return kind == lanes_kind ? vptr_lanes::rank_in(mask) : vptr_lanes::rank_in_block() - first;
  }
  __device__ void sync() const {
    if (kind == block_kind)
      ::__syncthreads();
    else if (kind == lanes_kind)
      ::__syncwarp(mask);
    else
      sync_some(first, count, width);
  }

protected:
  enum vptr_kind { block_kind, lanes_kind, large_kind };
  vptr_kind kind;
  unsigned int mask;         /* of lanes_kind */
  unsigned int first, count; /* of large_kind: threads of the block */
  unsigned int width;        /* of large_kind: a power of two, of which only the last may have fewer threads */
  unsigned int meta_rank, meta_size;

  __device__ thread_group(vptr_kind kind, unsigned int mask, unsigned int first, unsigned int count, unsigned int width,
                          unsigned int meta_rank, unsigned int meta_size)
      : kind(kind), mask(mask), first(first), count(count), width(width), meta_rank(meta_rank), meta_size(meta_size) {}

  /* A barrier for each node of the tree whose root is the block, rounded up to a power of two: the root's is 1. Devices
   * have 16, of which the block has the first: tiles of 64 threads in blocks of more than 512 lie beyond. Where the
   * block's threads are run in turn there are 32. */
  static __device__ void sync_some(unsigned int first, unsigned int count, unsigned int width) {
    const unsigned int threads = vptr_lanes::block_size();
    const unsigned int root = threads > 512 ? 1024u : threads > 256 ? 512u : threads > 128 ? 256u : 128u;
    __nvvm_barrier_sync_cnt(static_cast<int>((root > width ? root : width) / width + first / width),
                            static_cast<int>((count + 31u) & ~31u));
  }

  friend struct vptr_group_access;
  friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
};

/* For what is built upon groups. */
struct vptr_group_access {
  static __device__ __forceinline__ unsigned int mask(const thread_group &group) { return group.mask; }
};

/* ---- the same as functions ------------------------------------------------------------------------------------- */

template <class Group> VPTR_CLANG_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> VPTR_CLANG_DEVICE auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group> VPTR_CLANG_DEVICE auto group_size(const Group &group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

}

#endif
