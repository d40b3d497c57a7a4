/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_std - cuda::std is std. libcu++ writes the C++ library anew for both sides; clang takes the host's one, as
 * far as it is constexpr or vptr_clang_standard.h makes it so.
 */
#ifndef VPTR_CUDA_CLANG_STD_H
#define VPTR_CUDA_CLANG_STD_H

namespace cuda {
namespace std = ::std;
}

#endif
