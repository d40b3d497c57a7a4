/* SPDX-License-Identifier: MIT */
/*
 * vptr_lanes - masks of lanes, and shuffles of values of any type that can be copied as bytes.
 *
 * A rank counts the lanes of a mask from the lowest.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_LANES_H
#define VPTR_CUDA_CLANG_GROUPS_LANES_H

namespace cooperative_groups {
namespace vptr_lanes {

VPTR_CLANG_DEVICE unsigned int rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
VPTR_CLANG_DEVICE unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }

VPTR_CLANG_DEVICE unsigned int own() { return static_cast<unsigned int>(__nvvm_read_ptx_sreg_laneid()); }
VPTR_CLANG_DEVICE unsigned int below() { return (1u << own()) - 1u; }

/* Those of the thread's warp; the last one of a block may have fewer than 32. */
VPTR_CLANG_DEVICE unsigned int existing() {
  const unsigned int left = block_size() - (rank_in_block() & ~31u);
  return left >= 32 ? ~0u : (1u << left) - 1u;
}

VPTR_CLANG_DEVICE unsigned int count_of(unsigned int mask) { return static_cast<unsigned int>(::__popc(mask)); }
VPTR_CLANG_DEVICE unsigned int first_of(unsigned int mask) {
  return static_cast<unsigned int>(::__ffs(static_cast<int>(mask))) - 1u;
}
VPTR_CLANG_DEVICE unsigned int rank_in(unsigned int mask) { return count_of(mask & below()); }

/* The lane of that rank; of a rank that no lane has, any. */
VPTR_CLANG_DEVICE unsigned int lane_of(unsigned int mask, unsigned int rank) {
  const unsigned int first = first_of(mask), run = mask >> first;
  if ((run & (run + 1u)) == 0) /* lanes without a gap */
    return (first + rank) & 31u;
  for (unsigned int i = 0; i < rank && (mask & (mask - 1u)) != 0; i++)
    mask &= mask - 1u;
  return first_of(mask);
}

/* Bits of lanes as bits of ranks. */
VPTR_CLANG_DEVICE unsigned int packed(unsigned int mask, unsigned int bits) {
  const unsigned int first = first_of(mask), run = mask >> first;
  if ((run & (run + 1u)) == 0)
    return (bits & mask) >> first;
  unsigned int ranks = 0, rank = 0;
  for (; mask != 0; mask &= mask - 1u)
    ranks |= (bits >> first_of(mask) & 1u) << rank++;
  return ranks;
}

/* ---- values of any type ---------------------------------------------------------------------------------------- */

/* The words of a value one by one, without a loop: each is a value of the thread's, not an element of an array. */
template <unsigned int Count> struct words {
  template <class How> static __device__ __forceinline__ void exchange(unsigned int *word, How how) {
    words<Count - 1>::exchange(word, how);
    word[Count - 1] = how(word[Count - 1]);
  }
};
template <> struct words<0> {
  template <class How> static __device__ __forceinline__ void exchange(unsigned int *, How) {}
};

template <class T, class How> VPTR_CLANG_DEVICE T exchanged(const T &value, How how) {
  static_assert(::std::is_trivially_copyable<T>::value, "groups exchange values that can be copied as bytes");
  constexpr unsigned int count = (sizeof(T) + 3) / 4;
  unsigned int word[count] = {};
  T result = value;
  __builtin_memcpy(word, &value, sizeof(T));
  words<count>::exchange(word, how);
  __builtin_memcpy(&result, word, sizeof(T));
  return result;
}

struct from_lane {
  unsigned int mask;
  int lane, width;
  __device__ __forceinline__ unsigned int operator()(unsigned int word) const {
    return ::__shfl_sync(mask, word, lane, width);
  }
};
struct from_below {
  unsigned int mask, by;
  int width;
  __device__ __forceinline__ unsigned int operator()(unsigned int word) const {
    return ::__shfl_up_sync(mask, word, by, width);
  }
};
struct from_above {
  unsigned int mask, by;
  int width;
  __device__ __forceinline__ unsigned int operator()(unsigned int word) const {
    return ::__shfl_down_sync(mask, word, by, width);
  }
};
struct from_other {
  unsigned int mask, by;
  int width;
  __device__ __forceinline__ unsigned int operator()(unsigned int word) const {
    return ::__shfl_xor_sync(mask, word, static_cast<int>(by), width);
  }
};

/* The value of the thread with that rank in the mask. */
template <class T> VPTR_CLANG_DEVICE T of_rank(unsigned int mask, const T &value, unsigned int rank) {
  return exchanged(value, from_lane{ mask, static_cast<int>(lane_of(mask, rank)), 32 });
}

template <class T> using plain = typename ::std::remove_cv<typename ::std::remove_reference<T>::type>::type;

}
}

#endif
