/* SPDX-License-Identifier: MIT */
/* thrust/optional - the installed Thrust's own, in words that clang 19 takes.
 *
 * Thrust 1.17's optional of a reference has `this->construct(...)` in a member template that nobody calls, and no such
 * member. clang looks for it where it is written from version 19 on, since the class has no base that depends on its
 * argument. Here `this` is a call, whose type is known to depend on that argument, so that members are looked for when
 * the template is used, as nvcc does. What the file includes is included before, and means what it says. */
#ifndef VPTR_CUDA_CLANG_THRUST_OPTIONAL_H
#define VPTR_CUDA_CLANG_THRUST_OPTIONAL_H

#if defined __clang__ && __clang_major__ >= 19 && __has_include_next(<thrust/optional.h>)
#include <exception>
#include <functional>
#include <new>
#include <thrust/addressof.h>
#include <thrust/detail/config.h>
#include <thrust/detail/cpp11_required.h>
#include <thrust/swap.h>
#include <type_traits>
#include <utility>

template <class T> __host__ __device__ constexpr T *vptr_clang_this(T *object) noexcept { return object; }

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#define this ::vptr_clang_this(this)
#include_next <thrust/optional.h>
#undef this
#pragma clang diagnostic pop
#else
#include_next <thrust/optional.h>
#endif

#endif
