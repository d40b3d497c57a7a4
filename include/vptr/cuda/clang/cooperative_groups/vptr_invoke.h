/* SPDX-License-Identifier: MIT */
/*
 * vptr_invoke - one thread of a group calls for all: the first.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_INVOKE_H
#define VPTR_CUDA_CLANG_GROUPS_INVOKE_H

namespace cooperative_groups {

template <class Group, class Function, class... Arguments>
__device__ inline void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    ::std::forward<Function>(function)(::std::forward<Arguments>(arguments)...);
}

/* Of lanes: all get what the call gave. */
template <class Group, class Function, class... Arguments>
__device__ inline auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> vptr_lanes::plain<decltype(function(::std::forward<Arguments>(arguments)...))> {
  typedef vptr_lanes::plain<decltype(function(::std::forward<Arguments>(arguments)...))> type;
  static_assert(::std::is_trivially_copyable<type>::value, "groups exchange values that can be copied as bytes");
  union {
    unsigned char bytes[sizeof(type)];
    type value;
  } result;
  if (group.thread_rank() == 0)
    result.value = ::std::forward<Function>(function)(::std::forward<Arguments>(arguments)...);
  return group.shfl(result.value, 0);
}

}

#endif
