/* SPDX-License-Identifier: MIT */
/*
 * builtin_missing - functions that CUDA has and this translator has not, each with what to do instead: whoever calls
 * one learns more than "unknown name".
 */
#include "translate/types/builtin.h"

#include <stddef.h>
#include <string.h>

static const char warp[] =
    "operations between the threads of a warp are not supported yet: exchange values through __shared__ memory and "
    "__syncthreads()";
static const char texture[] = "textures and surfaces are read where clang compiles the kernels (vptrcc "
                              "--front-end=auto): by objects and templates";
static const char heap[] =
    "there is no heap in kernels: allocate before the launch, with cudaMalloc(), and pass the pointer";
static const char stack[] =
    "arrays of a length known at run time are not supported in kernels: declare one of the greatest length, or pass "
    "memory from cudaMalloc()";
static const char group[] = "cooperative groups are not supported yet: use __syncthreads() inside a block, and "
                            "several kernels between blocks";
static const char child[] = "of the CUDA runtime kernels have k<<<...>>>(), cudaGetLastError(), "
                            "cudaStreamCreateWithFlags() and cudaStreamDestroy(): call this on the host";
static const char wait[] =
    "kernels cannot wait for kernels that they launched, in CUDA since version 12: launch what "
    "comes behind those to cudaStreamTailLaunch";
static const char simd[] =
    "video (SIMD in a word) instructions are not supported: write the four bytes or two halves out";
static const char half[] = "kernels in C have no half precision: compile as C++ by clang, or use float";
static const char copy[] =
    "asynchronous copies to shared memory are not supported yet: assign the elements, then __syncthreads()";
static const char space[] =
    "which space a pointer points into cannot be asked for: it is known when the kernel is translated";
static const char prefetch[] = "cache hints of this kind are not supported: leave the call out";

/* A name, or the beginning of names if `*` ends it. */
static const struct {
  const char *pattern, *message;
} missing[] = {
  { "__shfl*", warp },
  { "__ballot*", warp },
  { "__all*", warp },
  { "__any*", warp },
  { "__uni*", warp },
  { "__match_*", warp },
  { "__reduce_*", warp },
  { "__activemask", warp },
  { "__syncwarp", warp },
  { "tex1D*", texture },
  { "tex2D*", texture },
  { "tex3D*", texture },
  { "texCubemap*", texture },
  { "surf1D*", texture },
  { "surf2D*", texture },
  { "surf3D*", texture },
  { "surfCubemap*", texture },
  { "malloc", heap },
  { "free", heap },
  { "calloc", heap },
  { "realloc", heap },
  { "alloca", stack },
  { "__builtin_alloca", stack },
  { "this_grid", group },
  { "this_thread_block", group },
  { "coalesced_threads", group },
  { "tiled_partition", group },
  { "cudaLaunchDevice*", child },
  { "cudaMalloc*", child },
  { "cudaFree*", child },
  { "cudaMemcpy*", child },
  { "cudaMemset*", child },
  { "cudaDeviceSynchronize", wait },
  { "cudaStream*", child },
  { "cudaEvent*", child },
  { "__vadd*", simd },
  { "__vsub*", simd },
  { "__vabs*", simd },
  { "__vavg*", simd },
  { "__vcmp*", simd },
  { "__vset*", simd },
  { "__vmax*", simd },
  { "__vmin*", simd },
  { "__vneg*", simd },
  { "__vsad*", simd },
  { "__vhadd*", simd },
  { "__viadd*", simd },
  { "__vimax*", simd },
  { "__vimin*", simd },
  { "__dp4a", simd },
  { "__dp2a_*", simd },
  { "__float2half*", half },
  { "__half2float*", half },
  { "__hadd2*", half },
  { "__hmul*", half },
  { "__hfma*", half },
  { "__pipeline_*", copy },
  { "memcpy_async", copy },
  { "__nv_atomic_*", "use atomicAdd() and its kin, and __threadfence() where an order is wanted" },
  { "__isGlobal", space },
  { "__isShared", space },
  { "__isConstant", space },
  { "__isLocal", space },
  { "__cvta_*", space },
  { "__prefetch_*", prefetch },
  { "__prof_trigger", prefetch },
  { "__globaltimer*", "the global timer is not supported: use clock64()" },
  { "strlen", "functions on strings are not supported in kernels" },
  { "puts", "use printf()" },
};

static bool matches_pattern(const char *pattern, const char *name) {
  size_t length = strlen(pattern);
  if (pattern[length - 1] == '*')
    return strncmp(pattern, name, length - 1) == 0;
  return strcmp(pattern, name) == 0;
}

const char *vptr__builtin_missing(const char *name) {
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
    if (matches_pattern(missing[i].pattern, name))
      return missing[i].message;
  return NULL;
}
