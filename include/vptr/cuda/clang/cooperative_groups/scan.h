/* SPDX-License-Identifier: MIT */
/*
 * cooperative_groups/scan - what each thread of a tile or a coalesced group has together with those in front of it.
 *
 * An exclusive scan gives the first thread T(), whatever the operation.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_SCAN_H
#define VPTR_CUDA_CLANG_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {
namespace vptr_scan {

template <class T, class Op> __device__ __forceinline__ T of_lanes(unsigned int mask, T value, Op &op) {
  const unsigned int count = vptr_lanes::count_of(mask), rank = vptr_lanes::rank_in(mask);
  for (unsigned int step = 1; step < count; step *= 2) {
    const T before = vptr_lanes::of_rank(mask, value, rank >= step ? rank - step : rank);
    if (rank >= step)
      value = op(before, value);
  }
  return value;
}

template <class T, class Op>
__device__ __forceinline__ T inclusive(const coalesced_group &group, const T &value, Op &op) {
  return of_lanes(vptr_group_access::mask(group), value, op);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T inclusive(const vptr_tile<Size, false> &group, const T &value, Op &op) {
  return of_lanes(vptr_group_access::mask(group), value, op);
}
template <class T> __device__ __forceinline__ T last_of_warp(const T &value) {
  const unsigned int mask = vptr_lanes::existing();
  return vptr_lanes::of_rank(mask, value, vptr_lanes::count_of(mask) - 1u);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T inclusive(const vptr_tile<Size, true> &group, const T &value, Op &op) {
  const T own = of_lanes(vptr_lanes::existing(), value, op), last = last_of_warp(own);
  T before = own;
  const auto combine = [&op](T a, T b) { return static_cast<T>(op(a, b)); };
  return vptr_large_access::of_warps_before(group, last, combine, &before) ? combine(before, own) : own;
}

/* What the rank in front has. */
template <class T> __device__ __forceinline__ T shifted(const coalesced_group &group, const T &value) {
  const T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, class T>
__device__ __forceinline__ T shifted(const vptr_tile<Size, false> &group, const T &value) {
  const T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? T() : before;
}

template <class T, class Op>
__device__ __forceinline__ T exclusive_of(const coalesced_group &group, const T &value, Op &op) {
  return shifted(group, inclusive(group, value, op));
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T exclusive_of(const vptr_tile<Size, false> &group, const T &value, Op &op) {
  return shifted(group, inclusive(group, value, op));
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T exclusive_of(const vptr_tile<Size, true> &group, const T &value, Op &op) {
  const unsigned int lane = vptr_lanes::own();
  const T own = of_lanes(vptr_lanes::existing(), value, op), last = last_of_warp(own);
  const T below = vptr_lanes::of_rank(vptr_lanes::existing(), own, lane > 0 ? lane - 1u : 0u);
  T before = own;
  const auto combine = [&op](T a, T b) { return static_cast<T>(op(a, b)); };
  if (!vptr_large_access::of_warps_before(group, last, combine, &before))
    return lane == 0 ? T() : below;
  return lane == 0 ? before : combine(before, below);
}

/* What those in front have, where the thread has an inclusive scan already. */
template <class T, class Op>
__device__ __forceinline__ T without_own(const coalesced_group &group, const T &, const T &with, Op &) {
  return shifted(group, with);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T without_own(const vptr_tile<Size, false> &group, const T &, const T &with, Op &) {
  return shifted(group, with);
}
template <unsigned int Size, class T, class Op>
__device__ __forceinline__ T without_own(const vptr_tile<Size, true> &group, const T &value, const T &, Op &op) {
  return exclusive_of(group, value, op);
}

/* Adds what the whole group has to a word in memory; each thread's part follows what was there. */
template <bool IsInclusive, class Group, class Atomic, class T, class Op>
__device__ inline T update(const Group &group, Atomic &to, const T &value, Op &op) {
  const T with = inclusive(group, value, op);
  const unsigned int last = group.vptr_existing() - 1u;
  T before = T();
  if (group.thread_rank() == last)
    before = vptr_reduce::update(to, with, op);
  before = group.shfl(before, last);
  if (IsInclusive)
    return op(before, with);
  const T without = without_own(group, value, with, op);
  return group.thread_rank() == 0 ? before : op(before, without);
}

}

template <class Group, class T, class Op>
__device__ inline auto inclusive_scan(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
  const vptr_lanes::plain<T> own = value;
  return vptr_scan::inclusive(group, own, op);
}
template <class Group, class T>
__device__ inline vptr_lanes::plain<T> inclusive_scan(const Group &group, T &&value) {
  return inclusive_scan(group, value, plus<vptr_lanes::plain<T>>());
}
template <class Group, class T, class Op>
__device__ inline auto exclusive_scan(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
  const vptr_lanes::plain<T> own = value;
  return vptr_scan::exclusive_of(group, own, op);
}
template <class Group, class T>
__device__ inline vptr_lanes::plain<T> exclusive_scan(const Group &group, T &&value) {
  return exclusive_scan(group, value, plus<vptr_lanes::plain<T>>());
}

#define VPTR_CLANG_SCAN_UPDATE(name, is_inclusive, atomic)                                                             \
  template <class Group, class T, ::cuda::thread_scope Scope, class Value, class Op>                                   \
  __device__ inline T name(const Group &group, atomic<T, Scope> &to, Value &&value, Op &&op) {                         \
    return vptr_scan::update<is_inclusive>(group, to, static_cast<T>(value), op);                                      \
  }                                                                                                                    \
  template <class Group, class T, ::cuda::thread_scope Scope, class Value>                                             \
  __device__ inline T name(const Group &group, atomic<T, Scope> &to, Value &&value) {                                  \
    return name(group, to, value, plus<T>());                                                                          \
  }
VPTR_CLANG_SCAN_UPDATE(inclusive_scan_update, true, ::cuda::atomic)
VPTR_CLANG_SCAN_UPDATE(exclusive_scan_update, false, ::cuda::atomic)
VPTR_CLANG_SCAN_UPDATE(inclusive_scan_update, true, const ::cuda::atomic_ref)
VPTR_CLANG_SCAN_UPDATE(exclusive_scan_update, false, const ::cuda::atomic_ref)
#undef VPTR_CLANG_SCAN_UPDATE

}

#endif
