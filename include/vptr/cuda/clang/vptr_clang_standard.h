/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_standard - pairs, tuples, std::swap() and std::atomic for both sides.
 *
 * clang takes constexpr functions for both by itself, which is most of the C++ library that calculates. What is not
 * constexpr before C++20 and yet everywhere, std::swap and the assignment of pairs and tuples, is made so by including
 * these headers first; atomics are instructions of LLVM's. It stops at them: what other headers of the library declare
 * again must not be in here, and waiting for an atomic is the host's.
 */
#ifndef VPTR_CUDA_CLANG_STANDARD_H
#define VPTR_CUDA_CLANG_STANDARD_H

#include <cstddef> /* std::terminate() is the host's */
#if __cplusplus >= 202002L && __has_include(<bits/atomic_wait.h>)
#include <bits/atomic_wait.h>
#endif

#pragma clang force_cuda_host_device begin
#include <atomic>
#include <tuple>
#include <type_traits>
#include <utility>
#pragma clang force_cuda_host_device end

#endif
