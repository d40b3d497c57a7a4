/* SPDX-License-Identifier: MIT */
/*
 * vptr_coalesced - coalesced_group: some lanes of one warp, those that are at one place of the program to begin with.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_COALESCED_H
#define VPTR_CUDA_CLANG_GROUPS_COALESCED_H

namespace cooperative_groups {

class coalesced_group : public thread_group {
public:
  __device__ unsigned int size() const { return vptr_lanes::count_of(mask); }
  __device__ unsigned int num_threads() const { return vptr_lanes::count_of(mask); }
  __device__ unsigned int thread_rank() const { return vptr_lanes::rank_in(mask); }
  __device__ unsigned int meta_group_rank() const { return meta_rank; }
  __device__ unsigned int meta_group_size() const { return meta_size; }
  __device__ void sync() const { ::__syncwarp(mask); }

  template <class T> __device__ vptr_lanes::plain<T> shfl(const T &value, unsigned int rank) const {
    return vptr_lanes::of_rank<vptr_lanes::plain<T>>(mask, value, rank % num_threads());
  }
  /* Who has none so far above or below keeps what it has. */
  template <class T> __device__ vptr_lanes::plain<T> shfl_down(const T &value, unsigned int by) const {
    const unsigned int rank = thread_rank(), from = by < num_threads() - rank ? rank + by : rank;
    return vptr_lanes::of_rank<vptr_lanes::plain<T>>(mask, value, from);
  }
  template <class T> __device__ vptr_lanes::plain<T> shfl_up(const T &value, unsigned int by) const {
    const unsigned int rank = thread_rank(), from = by <= rank ? rank - by : rank;
    return vptr_lanes::of_rank<vptr_lanes::plain<T>>(mask, value, from);
  }

  __device__ int any(int predicate) const { return ::__any_sync(mask, predicate); }
  __device__ int all(int predicate) const { return ::__all_sync(mask, predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return vptr_lanes::packed(mask, ::__ballot_sync(mask, predicate));
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class T> __device__ unsigned int match_any(T value) const {
    return vptr_lanes::packed(mask, ::__match_any_sync(mask, value));
  }
  template <class T> __device__ unsigned int match_all(T value, int &is_same) const {
    return vptr_lanes::packed(mask, ::__match_all_sync(mask, value, &is_same));
  }
#endif

private:
  __device__ coalesced_group(unsigned int mask, unsigned int meta_rank, unsigned int meta_size)
      : thread_group(lanes_kind, mask, 0, 0, 0, meta_rank, meta_size) {}
  friend struct vptr_group_maker;
  friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
};

struct vptr_group_maker {
  static __device__ __forceinline__ coalesced_group coalesced(unsigned int mask, unsigned int meta_rank,
                                                              unsigned int meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
};

__device__ inline coalesced_group coalesced_threads() { return vptr_group_maker::coalesced(::__activemask(), 0, 1); }

}

#endif
