/* SPDX-License-Identifier: MIT */
/*
 * vptr_tile - thread_block_tile<N, Parent> of 1 to 32 threads: neighbouring lanes of one warp.
 *
 * A tile is the same whatever it was cut from; the parent's type is for tiles of tiles, whose rank among their like
 * counts within the parent.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_TILE_H
#define VPTR_CUDA_CLANG_GROUPS_TILE_H

namespace cooperative_groups {

template <unsigned int Size, bool IsLarge> class vptr_tile;

template <unsigned int Size> class vptr_tile<Size, false> : public thread_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile has a power of two threads");

public:
  static __device__ constexpr unsigned int size() { return Size; }
  static __device__ constexpr unsigned int num_threads() { return Size; }
  static __device__ unsigned int thread_rank() { return vptr_lanes::own() & (Size - 1u); }
  __device__ unsigned int meta_group_rank() const { return meta_rank; }
  __device__ unsigned int meta_group_size() const { return meta_size; }
  __device__ void sync() const { ::__syncwarp(mask); }

  template <class T> __device__ vptr_lanes::plain<T> shfl(const T &value, int rank) const {
    return vptr_lanes::exchanged<vptr_lanes::plain<T>>(value, vptr_lanes::from_lane{ mask, rank, Size });
  }
  template <class T> __device__ vptr_lanes::plain<T> shfl_down(const T &value, unsigned int by) const {
    return vptr_lanes::exchanged<vptr_lanes::plain<T>>(value, vptr_lanes::from_above{ mask, by, Size });
  }
  template <class T> __device__ vptr_lanes::plain<T> shfl_up(const T &value, unsigned int by) const {
    return vptr_lanes::exchanged<vptr_lanes::plain<T>>(value, vptr_lanes::from_below{ mask, by, Size });
  }
  template <class T> __device__ vptr_lanes::plain<T> shfl_xor(const T &value, unsigned int by) const {
    return vptr_lanes::exchanged<vptr_lanes::plain<T>>(value, vptr_lanes::from_other{ mask, by, Size });
  }

  __device__ int any(int predicate) const { return ::__any_sync(mask, predicate); }
  __device__ int all(int predicate) const { return ::__all_sync(mask, predicate); }
  __device__ unsigned int ballot(int predicate) const { return own_bits(::__ballot_sync(mask, predicate)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class T> __device__ unsigned int match_any(T value) const {
    return own_bits(::__match_any_sync(mask, value));
  }
  template <class T> __device__ unsigned int match_all(T value, int &is_same) const {
    return own_bits(::__match_all_sync(mask, value, &is_same));
  }
#endif

protected:
  __device__ vptr_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(lanes_kind, own_lanes() & vptr_lanes::existing(), 0, 0, 0, meta_rank, meta_size) {}

private:
  static __device__ unsigned int first_lane() { return vptr_lanes::own() & ~(Size - 1u); }
  static __device__ unsigned int own_lanes() { return (Size == 32 ? ~0u : (1u << Size % 32) - 1u) << first_lane(); }
  __device__ unsigned int own_bits(unsigned int lanes) const { return (lanes & mask) >> first_lane(); }
};

/* ---- with the parent's type ------------------------------------------------------------------------------------ */

template <unsigned int Size, class Parent = void> class thread_block_tile;

template <unsigned int Size> class thread_block_tile<Size, void> : public vptr_tile<Size, (Size > 32)> {
protected:
  __device__ thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
      : vptr_tile<Size, (Size > 32)>(meta_rank, meta_size) {}
  friend __device__ thread_block_tile<1, void> this_thread();
};

template <unsigned int Size, class Parent> class thread_block_tile : public thread_block_tile<Size, void> {
public:
  explicit __device__ thread_block_tile(const Parent &parent)
      : thread_block_tile<Size, void>(parent.thread_rank() / Size, (parent.num_threads() + Size - 1u) / Size) {}
};

__device__ inline thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(0, 1); }

}

#endif
