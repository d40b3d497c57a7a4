/* SPDX-License-Identifier: MIT */
/*
 * cooperative_groups/memcpy_async - copies by a group, which have been made when the call returns.
 *
 * The group's other threads see them behind wait() or wait_prior(), which meet, as in CUDA.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_MEMCPY_ASYNC_H
#define VPTR_CUDA_CLANG_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#include "../vptr_clang_copy.h"

namespace cooperative_groups {

/* Bytes. */
template <class Group, class T, class Size>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, const Size &size) {
  ::vptr_clang_copy_by_group(group, to, from, static_cast<size_t>(size));
}
/* Elements: as many as both have. */
template <class Group, class T, class To, class From>
__device__ inline void memcpy_async(const Group &group, T *to, const To &to_count, const T *from,
                                    const From &from_count) {
  const size_t most = static_cast<size_t>(to_count), count = static_cast<size_t>(from_count);
  memcpy_async(group, to, from, (count < most ? count : most) * sizeof(T));
}

template <class Group> __device__ inline void wait(const Group &group) { group.sync(); }
template <unsigned int Stage, class Group> __device__ inline void wait_prior(const Group &group) { group.sync(); }

}

#endif
