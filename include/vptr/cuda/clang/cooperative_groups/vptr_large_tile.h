/* SPDX-License-Identifier: MIT */
/*
 * vptr_large_tile - thread_block_tile<N, Parent> of 64 to 1024 threads: neighbouring warps of a block.
 *
 * What they exchange goes through shared variables, of which each tile has its part: written, a barrier of the tile's,
 * read, and a barrier again before the next may write.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_LARGE_TILE_H
#define VPTR_CUDA_CLANG_GROUPS_LARGE_TILE_H

namespace cooperative_groups {

/* A place for each warp of the block. */
template <class T> __device__ inline T *vptr_places_of_warps() {
  __shared__ __align__(16) unsigned char places[32 * sizeof(T)];
  return reinterpret_cast<T *>(places);
}

template <unsigned int Size> class vptr_tile<Size, true> : public thread_group {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has a power of two threads, 1024 at most");

public:
  static __device__ constexpr unsigned int size() { return Size; }
  static __device__ constexpr unsigned int num_threads() { return Size; }
  static __device__ unsigned int thread_rank() { return vptr_lanes::rank_in_block() & (Size - 1u); }
  __device__ unsigned int meta_group_rank() const { return meta_rank; }
  __device__ unsigned int meta_group_size() const { return meta_size; }
  __device__ void sync() const { sync_some(first, count, Size); }

  /* All ask for the same rank. */
  template <class T> __device__ vptr_lanes::plain<T> shfl(const T &value, unsigned int rank) const {
    typedef vptr_lanes::plain<T> type;
    type *place = vptr_places_of_warps<type>() + first / 32;
    if (thread_rank() == rank)
      *place = value;
    sync();
    const type result = *place;
    sync();
    return result;
  }

  __device__ int any(int predicate) const {
    return of_warps(::__any_sync(vptr_lanes::existing(), predicate), [](int a, int b) { return a | b; });
  }
  __device__ int all(int predicate) const {
    return of_warps(::__all_sync(vptr_lanes::existing(), predicate), [](int a, int b) { return a & b; });
  }

protected:
  __device__ vptr_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(large_kind, 0, vptr_lanes::rank_in_block() & ~(Size - 1u), 0, Size, meta_rank, meta_size) {
    const unsigned int left = vptr_lanes::block_size() - first;
    count = left < Size ? left : Size;
  }

private:
  /* What all warps of the tile have together; each thread gives what its warp has. */
  template <class T, class Op> __device__ T of_warps(const T &value, Op op) const {
    T *places = vptr_places_of_warps<T>();
    places[vptr_lanes::rank_in_block() / 32] = value;
    sync();
    T all = places[first / 32];
    for (unsigned int warp = first / 32 + 1; warp < (first + count + 31) / 32; warp++)
      all = op(all, places[warp]);
    sync();
    return all;
  }
  /* The same of the warps in front of the thread's; the first one has none. */
  template <class T, class Op> __device__ bool of_warps_before(const T &value, Op op, T *result) const {
    T *places = vptr_places_of_warps<T>();
    const unsigned int own = vptr_lanes::rank_in_block() / 32;
    places[own] = value;
    sync();
    T all = places[first / 32];
    for (unsigned int warp = first / 32 + 1; warp < own; warp++)
      all = op(all, places[warp]);
    sync();
    *result = all;
    return own != first / 32;
  }
  friend struct vptr_large_access;
};

/* For reductions and scans. */
struct vptr_large_access {
  template <unsigned int Size, class T, class Op>
  static __device__ T of_warps(const vptr_tile<Size, true> &tile, const T &value, Op op) {
    return tile.of_warps(value, op);
  }
  template <unsigned int Size, class T, class Op>
  static __device__ bool of_warps_before(const vptr_tile<Size, true> &tile, const T &value, Op op, T *result) {
    return tile.of_warps_before(value, op, result);
  }
};

}

#endif
