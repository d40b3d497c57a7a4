/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_copy - the copies of cooperative_groups/memcpy_async.h, cuda/barrier and cuda/pipeline: the threads of a
 * group take the words by turns.
 */
#ifndef VPTR_CUDA_CLANG_COPY_H
#define VPTR_CUDA_CLANG_COPY_H

#include "vptr_clang_memory.h"

template <class Word>
VPTR_CLANG_BOTH void vptr_clang_copy_words(void *to, const void *from, size_t size, size_t rank, size_t count) {
  for (size_t i = rank; i < size / sizeof(Word); i += count)
    static_cast<Word *>(to)[i] = static_cast<const Word *>(from)[i];
}

/* What is aligned goes by words of 8 or 4 bytes, the rest by bytes. */
VPTR_CLANG_BOTH void vptr_clang_copy_shared(void *to, const void *from, size_t size, size_t rank, size_t count) {
  const size_t places = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | size;
  if (places % 8 == 0)
    vptr_clang_copy_words<vptr_clang_word8>(to, from, size, rank, count);
  else if (places % 4 == 0)
    vptr_clang_copy_words<vptr_clang_word4>(to, from, size, rank, count);
  else
    vptr_clang_copy_words<vptr_clang_word1>(to, from, size, rank, count);
}

/* How many threads of a group copy: of vptr's own those that there are. */
template <class Group>
VPTR_CLANG_DEVICE auto vptr_clang_copiers(const Group &group, int) -> decltype(group.vptr_existing()) {
  return group.vptr_existing();
}
template <class Group> VPTR_CLANG_DEVICE size_t vptr_clang_copiers(const Group &group, long) {
  return static_cast<size_t>(group.size());
}
template <class Group>
VPTR_CLANG_DEVICE void vptr_clang_copy_by_group(const Group &group, void *to, const void *from, size_t size) {
  ::vptr_clang_copy_shared(to, from, size, static_cast<size_t>(group.thread_rank()), ::vptr_clang_copiers(group, 0));
}

namespace cuda {
#ifndef VPTR_CUDA_CLANG_ALIGNED_SIZE
#define VPTR_CUDA_CLANG_ALIGNED_SIZE
/* A size whose ends are so aligned. */
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t size) : value(size) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
#endif
}

#endif
