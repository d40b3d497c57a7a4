/* SPDX-License-Identifier: MIT */
/*
 * cuda_pipeline_primitives - __pipeline_memcpy_async() and what belongs to it, for programs that clang compiles. A copy
 * has been made when the call returns, so that there is nothing to commit and nothing to wait for.
 */
#ifndef VPTR_CUDA_CLANG_PIPELINE_PRIMITIVES_H
#define VPTR_CUDA_CLANG_PIPELINE_PRIMITIVES_H

#include "vptr_clang_copy.h"

/* 4, 8 or 16 bytes, of which the last ones may be zeros in place of what was there. */
VPTR_CLANG_DEVICE void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from, size_t size,
                                               size_t zeros = 0) {
  const size_t copied = size - zeros;
  ::vptr_clang_copy_shared(to, from, copied, 0, 1);
  for (size_t i = copied; i < size; i++)
    static_cast<vptr_clang_word1 *>(to)[i] = 0;
}
VPTR_CLANG_DEVICE void __pipeline_commit() {}
VPTR_CLANG_DEVICE void __pipeline_wait_prior(size_t) {}

#endif
