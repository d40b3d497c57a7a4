/* SPDX-License-Identifier: MIT */
/*
 * cooperative_groups/reduce - what all threads of a tile or a coalesced group have together, given to each of them.
 *
 * Values are put together in the order of ranks, whatever the operation: it need not be commutative.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_REDUCE_H
#define VPTR_CUDA_CLANG_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#include "../cuda/atomic"

namespace cooperative_groups {

#define VPTR_CLANG_OPERATION(name, expression)                                                                         \
  template <class T> struct name {                                                                                     \
    __host__ __device__ __forceinline__ T operator()(T a, T b) const { return expression; }                            \
  };
VPTR_CLANG_OPERATION(plus, a + b)
VPTR_CLANG_OPERATION(less, b < a ? b : a)
VPTR_CLANG_OPERATION(greater, a < b ? b : a)
VPTR_CLANG_OPERATION(bit_and, a &b)
VPTR_CLANG_OPERATION(bit_or, a | b)
VPTR_CLANG_OPERATION(bit_xor, a ^ b)
#undef VPTR_CLANG_OPERATION

namespace vptr_reduce {

/* Where a warp has an instruction for it. */
template <class T, class Op> struct instruction {
  static constexpr bool is_there = false;
  static __device__ T reduce(unsigned int, const T &value) { return value; }
};
#define VPTR_CLANG_REDUCTION(type, op, function)                                                                       \
  template <> struct instruction<type, op<type>> {                                                                     \
    static constexpr bool is_there = true;                                                                             \
    static __device__ __forceinline__ type reduce(unsigned int mask, type value) { return function(mask, value); }     \
  };
VPTR_CLANG_REDUCTION(int, plus, ::__reduce_add_sync)
VPTR_CLANG_REDUCTION(int, less, ::__reduce_min_sync)
VPTR_CLANG_REDUCTION(int, greater, ::__reduce_max_sync)
VPTR_CLANG_REDUCTION(unsigned int, plus, ::__reduce_add_sync)
VPTR_CLANG_REDUCTION(unsigned int, less, ::__reduce_min_sync)
VPTR_CLANG_REDUCTION(unsigned int, greater, ::__reduce_max_sync)
VPTR_CLANG_REDUCTION(unsigned int, bit_and, ::__reduce_and_sync)
VPTR_CLANG_REDUCTION(unsigned int, bit_or, ::__reduce_or_sync)
VPTR_CLANG_REDUCTION(unsigned int, bit_xor, ::__reduce_xor_sync)
#undef VPTR_CLANG_REDUCTION

/* Pairs, pairs of pairs and so on; where the last have no partner, the first rank alone has all of them. */
template <class T, class Op> __device__ __forceinline__ T by_steps(unsigned int mask, T value, Op &op) {
  const unsigned int count = vptr_lanes::count_of(mask), rank = vptr_lanes::rank_in(mask);
  for (unsigned int step = 1; step < count; step *= 2) {
    const unsigned int partner = rank ^ step;
    const T other = vptr_lanes::of_rank(mask, value, partner < count ? partner : rank);
    if (partner < count)
      value = (rank & step) != 0 ? static_cast<T>(op(other, value)) : static_cast<T>(op(value, other));
  }
  return (count & (count - 1u)) != 0 ? vptr_lanes::of_rank(mask, value, 0) : value;
}

template <class T, class Op> __device__ __forceinline__ T of_lanes(unsigned int mask, const T &value, Op &op) {
  typedef instruction<T, vptr_lanes::plain<Op>> known;
  if (known::is_there)
    return known::reduce(mask, value);
  return by_steps(mask, value, op);
}

template <class T, class Op> __device__ __forceinline__ T of(const coalesced_group &group, const T &value, Op &op) {
  return of_lanes(vptr_group_access::mask(group), value, op);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T of(const vptr_tile<Size, false> &group, const T &value, Op &op) {
  return of_lanes(vptr_group_access::mask(group), value, op);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T of(const vptr_tile<Size, true> &group, const T &value, Op &op) {
  const T own = of_lanes(vptr_lanes::existing(), value, op);
  return vptr_large_access::of_warps(group, own, [&op](T a, T b) { return static_cast<T>(op(a, b)); });
}

/* An update of a word in memory by what the group has. */
template <class Atomic, class T, class Op> __device__ __forceinline__ T update(Atomic &to, const T &value, Op &op) {
  T seen = to.load(::std::memory_order_relaxed);
  while (!to.compare_exchange_weak(seen, op(seen, value), ::std::memory_order_relaxed, ::std::memory_order_relaxed)) {
  }
  return seen;
}

}

template <class Group, class T, class Op>
__device__ inline auto reduce(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
  const vptr_lanes::plain<T> own = value;
  return vptr_reduce::of(group, own, op);
}

/* They are done when they return. */
template <class Group, class T, ::cuda::thread_scope Scope, class Value, class Op>
__device__ inline void reduce_update_async(const Group &group, ::cuda::atomic<T, Scope> &to, Value &&value, Op &&op) {
  const T all = reduce(group, static_cast<T>(value), op);
  if (group.thread_rank() == 0)
    vptr_reduce::update(to, all, op);
}
template <class Group, class T, ::cuda::thread_scope Scope, class Value, class Op>
__device__ inline void reduce_update_async(const Group &group, const ::cuda::atomic_ref<T, Scope> &to, Value &&value,
                                           Op &&op) {
  const T all = reduce(group, static_cast<T>(value), op);
  if (group.thread_rank() == 0)
    vptr_reduce::update(to, all, op);
}
template <class Group, class T, ::cuda::thread_scope Scope, class Value, class Op>
__device__ inline void reduce_store_async(const Group &group, ::cuda::atomic<T, Scope> &to, Value &&value, Op &&op) {
  const T all = reduce(group, static_cast<T>(value), op);
  if (group.thread_rank() == 0)
    to.store(all, ::std::memory_order_relaxed);
}
template <class Group, class T, ::cuda::thread_scope Scope, class Value, class Op>
__device__ inline void reduce_store_async(const Group &group, const ::cuda::atomic_ref<T, Scope> &to, Value &&value,
                                          Op &&op) {
  const T all = reduce(group, static_cast<T>(value), op);
  if (group.thread_rank() == 0)
    to.store(all, ::std::memory_order_relaxed);
}
template <class Group, class T, class Value, class Op>
__device__ inline void reduce_store_async(const Group &group, T *to, Value &&value, Op &&op) {
  const T all = reduce(group, static_cast<T>(value), op);
  if (group.thread_rank() == 0)
    *to = all;
}

}

#endif
