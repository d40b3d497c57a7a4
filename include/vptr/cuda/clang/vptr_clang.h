/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang - what stands in front of a CUDA program that clang compiles: CUDA's words, and its device functions.
 *
 * clang has CUDA C++ built in, but for what NVIDIA's headers bring: without them (-nocudainc) it knows no
 * `__device__`. This file is given by -include to both halves, the device's and the host's, and it makes of vptr's own
 * headers, and of those that clang brings for itself (__clang_cuda_*.h), what a program sees with nvcc. clang's own
 * __clang_cuda_runtime_wrapper.h, which would do that, reads NVIDIA's headers, so it is not used.
 *
 *     clang++ -x cuda --cuda-gpu-arch=sm_70 --cuda-device-only (or --cuda-host-only) -nocudainc -nocudalib
 *       -Xclang -internal-isystem -Xclang $(clang++ -print-resource-dir)/include/cuda_wrappers
 *       -I$headers/clang -I$headers -include vptr_clang.h -Wno-unknown-cuda-version -Xclang -target-sdk-version=11.8
 *       -fno-builtin-printf -emit-llvm -c x.cu
 *
 * The version is one that clang 16 knows, and of those that launch by cudaLaunchKernel(). Before clang 19 also
 * -Xclang -fcuda-allow-variadic-functions, for the C++ library's headers.
 *
 * What a device function becomes in LLVM's IR is one of three: an instruction or an intrinsic (atomicrmw,
 * llvm.nvvm.*), a call of a function of libdevice's (__nv_sinf; see vptr_clang_libdevice.h), or a call of a function
 * that is declared and never defined (vptr_clang_declared.h), whose name is that of a row in
 * lib/translate/types/builtin_*.c. Inline assembler is left to the program: where clang's headers have some, there is
 * C++ here instead.
 *
 * The order matters. clang's declarations must come before <cmath>, so that the host's functions overload the
 * device's and are not taken for them; its functions follow the standard headers. CUDA_VERSION, by which
 * clang's headers choose, is set for each of them and given back: programs see what cuda.h says.
 */
#ifndef VPTR_CUDA_CLANG_H
#define VPTR_CUDA_CLANG_H

#if !defined(__clang__) || !defined(__CUDA__)
#error "vptr_clang.h is for clang -x cuda"
#endif

#include "vptr_clang_words.h"

#ifdef __cplusplus

/* Before <new>, whose device operators call them. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__ size) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
}

#include "vptr_clang_standard.h"

#include <__clang_cuda_math_forward_declares.h>

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "vector_types.h"

#include "__clang_cuda_builtin_vars.h"

#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010 /* those of vptr_clang_video.h as calls, not as assembler */
#include <__clang_cuda_libdevice_declares.h>
#include "vptr_clang_pure.h"
#define __all vptr_clang_unused_all
#define __any vptr_clang_unused_any
#define __ballot vptr_clang_unused_ballot
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#define min vptr_clang_unused_min
#define max vptr_clang_unused_max
#include <__clang_cuda_math.h>
#undef min
#undef max
#pragma pop_macro("CUDA_VERSION")

#include "cuda_runtime.h"

#include "vptr_clang_declared.h"
#include "vptr_clang_index.h"
#include "vptr_clang_math.h"

#include <__clang_cuda_cmath.h>

#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 11000
#define cuuint32_t unsigned int
#define __funnelshift_l vptr_clang_unused_funnelshift_l
#define __funnelshift_lc vptr_clang_unused_funnelshift_lc
#define __funnelshift_r vptr_clang_unused_funnelshift_r
#define __funnelshift_rc vptr_clang_unused_funnelshift_rc
#define __shfl vptr_clang_unused_shfl
#define __shfl_up vptr_clang_unused_shfl_up
#define __shfl_down vptr_clang_unused_shfl_down
#define __shfl_xor vptr_clang_unused_shfl_xor
#define __fns vptr_clang_unused_fns
#define __reduce_add_sync vptr_clang_unused_reduce_add
#define __reduce_and_sync vptr_clang_unused_reduce_and
#define __reduce_max_sync vptr_clang_unused_reduce_max
#define __reduce_min_sync vptr_clang_unused_reduce_min
#define __reduce_or_sync vptr_clang_unused_reduce_or
#define __reduce_xor_sync vptr_clang_unused_reduce_xor
#define atomicAdd vptr_clang_unused_atomic_add /* of vectors, for some devices, in assembler */
#define atomicAdd_block vptr_clang_unused_atomic_add_block
#define atomicAdd_system vptr_clang_unused_atomic_add_system
#include "vptr_clang_space.h"

#include <__clang_cuda_intrinsics.h>
#undef cuuint32_t
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __fns
#undef __reduce_add_sync
#undef __reduce_and_sync
#undef __reduce_max_sync
#undef __reduce_min_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef __funnelshift_l
#undef __funnelshift_lc
#undef __funnelshift_r
#undef __funnelshift_rc
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#pragma pop_macro("CUDA_VERSION")

#include <__clang_cuda_complex_builtins.h>

#include "vptr_clang_atomic.h"
#ifdef VPTR_CLANG_CHILDREN
#include "vptr_clang_child.h"
#endif
#include "vptr_clang_dpx.h"
#include "vptr_clang_host.h"
#include "vptr_clang_integer.h"
#include "vptr_clang_launch.h"
#include "vptr_clang_libdevice.h"
#include "vptr_clang_memory.h"
#include "vptr_clang_ordered.h"
#include "vptr_clang_reference.h"
#include "vptr_clang_surface.h"
#include "vptr_clang_texture.h"
#include "vptr_clang_video.h"
#include "vptr_clang_warp.h"

#endif

#endif
