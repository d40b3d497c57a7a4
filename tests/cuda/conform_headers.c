/* SPDX-License-Identifier: MIT */
/*
 * conform_headers - the small headers: complex numbers, constants, types of libraries, occupancy, NVTX without a tool.
 *
 * They need no device. What is included without being used has to be there: build systems look for it.
 */
#include <driver_types.h>
#ifndef INT_MAX
#error "NVIDIA's driver_types.h includes <limits.h>, and programs rely on it"
#endif

#include "conform.h"

#include <cuComplex.h>
#include <cuda_occupancy.h>
#include <library_types.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <string.h>
#include <vector_functions.h>

#ifdef VPTR_CUDA_RUNTIME_API_H
/* NVIDIA's can be included by nvcc alone */
#include <common_functions.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <host_config.h>
#include <math_functions.h>
#endif
#include <device_types.h>

static int is_complex(cuDoubleComplex z, double re, double im) {
  return cuCreal(z) == re && cuCimag(z) == im;
}

static int is_complexf(cuFloatComplex z, float re, float im) {
  return cuCrealf(z) == re && cuCimagf(z) == im;
}

static void complex_numbers_are_computed(void) {
  cuDoubleComplex a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2);
  cuComplex c = make_cuComplex(3, 4), d = make_cuFloatComplex(1, -2);
  conform_true(is_complex(cuCadd(a, b), 4, 2) && is_complex(cuCsub(a, b), 2, 6) && is_complex(cuConj(a), 3, -4));
  conform_true(is_complex(cuCmul(a, b), 11, -2) && is_complex(cuCfma(a, b, a), 14, 2) && cuCabs(a) == 5);
  conform_true(is_complexf(cuCaddf(c, d), 4, 2) && is_complexf(cuCsubf(c, d), 2, 6) &&
               is_complexf(cuConjf(c), 3, -4));
  conform_true(is_complexf(cuCmulf(c, d), 11, -2) && is_complexf(cuCfmaf(c, d, c), 14, 2) && cuCabsf(c) == 5);
  a = cuCdiv(a, make_cuDoubleComplex(0, 2));
  c = cuCdivf(c, make_cuFloatComplex(0, 2));
  conform_true(is_complex(a, 2, -1.5) && is_complexf(c, 2, -1.5f));
  conform_true(is_complex(cuComplexFloatToDouble(c), 2, -1.5) && is_complexf(cuComplexDoubleToFloat(a), 2, -1.5f));
  /* nothing overflows on the way to what does not */
  conform_true(cuCabs(make_cuDoubleComplex(3e300, 4e300)) > 4.9e300 &&
               cuCabsf(make_cuFloatComplex(3e37f, 4e37f)) > 4.9e37f);
  conform_true(cuCreal(cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300, 1e300))) > 0.99);
}

static void constants_have_their_values(void) {
  conform_true(CUDART_PI > 3.14159265358979 && CUDART_PI < 3.1415926535898 && CUDART_PI_F == (float)CUDART_PI);
  conform_true(CUDART_L2E_F == (float)CUDART_L2E && CUDART_SQRT_TWO_F == (float)CUDART_SQRT_TWO);
  conform_true(CUDART_PI_HI == CUDART_PI && CUDART_PI_LO > 0 && CUDART_LN2_LO > 0 && CUDART_LG2_LO < 0);
  conform_true(CUDART_TWO_TO_53 == 9007199254740992.0 && CUDART_TWO_TO_M1022 > 0 && CUDART_DBL2INT_CVT > 0);
  conform_true(CUDART_REMQUO_MASK_F == 7);
#ifdef VPTR_CUDA_RUNTIME_API_H
  /* NVIDIA's are functions of device code */
  conform_true(CUDART_INF > 1.7e308 && CUDART_INF_F > 3.4e38f && CUDART_NAN != CUDART_NAN &&
               CUDART_NAN_F != CUDART_NAN_F);
  conform_true(CUDART_MIN_DENORM > 0 && CUDART_MIN_DENORM / 2 == 0 && 1 / CUDART_NEG_ZERO < 0);
  conform_true(CUDART_MIN_DENORM_F > 0 && CUDART_MIN_DENORM_F / 2 == 0 && 1 / CUDART_NEG_ZERO_F < 0);
  conform_true(CUDART_MAX_NORMAL_F < CUDART_INF_F && CUDART_MAX_NORMAL_F * 2 == CUDART_INF_F);
#endif
}

static void types_of_libraries_are_numbered(void) {
  conform_true(CUDA_R_32F == 0 && CUDA_R_64F == 1 && CUDA_R_16F == 2 && CUDA_R_8I == 3 && CUDA_C_32F == 4);
  conform_true(CUDA_C_64F == 5 && CUDA_C_16F == 6 && CUDA_C_8I == 7 && CUDA_R_8U == 8 && CUDA_R_32I == 10);
  conform_true(CUDA_R_16BF == 14 && CUDA_C_16BF == 15 && CUDA_R_64U == 26 && CUDA_R_8F_E4M3 == 28);
  conform_true(CUDA_R_8F_UE4M3 == CUDA_R_8F_E4M3 && CUDA_R_8F_E5M2 == 29 && CUDA_R_4F_E2M1 == 33);
  conform_true(CUDA_EMULATION_STRATEGY_EAGER == 2 && CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT == 0xffff);
  conform_true(MAJOR_VERSION == 0 && MINOR_VERSION == 1 && PATCH_LEVEL == 2);
  conform_true(cudaRoundNearest == 0 && cudaRoundMinInf == 3);
}

/* ---- occupancy ------------------------------------------------------------------------------------------ */

static cudaOccDeviceProp hopper(void) {
  cudaOccDeviceProp p;
  memset(&p, 0, sizeof p);
  p.computeMajor = 9;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiprocessor = 2048;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.sharedMemPerBlock = 49152;
  p.sharedMemPerMultiprocessor = 233472;
  p.numSms = 132;
  p.sharedMemPerBlockOptin = 232448;
  p.reservedSharedMemPerBlock = 1024;
  return p;
}

static cudaOccFuncAttributes kernel_of(int registers) {
  cudaOccFuncAttributes a;
  memset(&a, 0, sizeof a);
  a.maxThreadsPerBlock = 1024;
  a.numRegs = registers;
  a.maxDynamicSharedSizeBytes = 49152;
  a.numBlockBarriers = 1;
  return a;
}

static int blocks_of(const cudaOccDeviceProp *p, int registers, int threads, size_t shared, int carveout) {
  cudaOccFuncAttributes a = kernel_of(registers);
  cudaOccDeviceState state = { CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT };
  cudaOccResult result;
  state.carveoutConfig = carveout;
  memset(&result, 0, sizeof result);
  conform_true(cudaOccMaxActiveBlocksPerMultiprocessor(&result, p, &a, &state, threads, shared) == CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

static size_t bytes_of_block(int threads) {
  return (size_t)threads * 128;
}

static void occupancy_is_computed(void) {
  cudaOccDeviceProp p = hopper(), other = p;
  cudaOccFuncAttributes a = kernel_of(100);
  cudaOccDeviceState state = { CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT };
  cudaOccResult result;
  int grid = 0, block = 0;
  size_t bytes = 0;
  conform_true(blocks_of(&p, 32, 32, 0, -1) == 32);  /* blocks */
  conform_true(blocks_of(&p, 32, 1024, 0, -1) == 2); /* warps */
  conform_true(blocks_of(&p, 100, 256, 0, -1) == 2); /* registers */
  conform_true(blocks_of(&p, 65, 1024, 0, -1) == 0);
  conform_true(blocks_of(&p, 32, 128, 40000, -1) == 5); /* shared memory */
  conform_true(blocks_of(&p, 32, 128, 40000, 0) == 1 && blocks_of(&p, 32, 128, 40000, 50) == 3);
  conform_true(blocks_of(&p, 32, 128, 49153, -1) == 0 && blocks_of(&p, 32, 1025, 0, -1) == 0);
  conform_true(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &p, &a, &state, NULL, 0) == CUDA_OCC_SUCCESS);
  conform_true(grid == 132 && block == 512);
  a = kernel_of(20);
  conform_true(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &p, &a, &state, bytes_of_block, 0) ==
               CUDA_OCC_SUCCESS);
  conform_true(grid == 132 * 5 && block == 352);
  conform_true(cudaOccAvailableDynamicSMemPerBlock(&bytes, &p, &a, &state, 8, 192) == CUDA_OCC_SUCCESS);
  conform_true(bytes == 29184);
  conform_true(cudaOccMaxActiveBlocksPerMultiprocessor(&result, NULL, &a, &state, 32, 0) ==
               CUDA_OCC_ERROR_INVALID_INPUT);
  other.computeMajor = 99;
  conform_true(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &other, &a, &state, 32, 0) ==
               CUDA_OCC_ERROR_UNKNOWN_DEVICE);
}

/* ---- NVTX ----------------------------------------------------------------------------------------------- */

static void ranges_do_nothing(void) {
  nvtxEventAttributes_t event;
  memset(&event, 0, sizeof event);
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "phase";
  conform_true(sizeof event == NVTX_EVENT_ATTRIB_STRUCT_SIZE);
  conform_true(sizeof(nvtxResourceAttributes_t) == NVTX_RESOURCE_ATTRIB_STRUCT_SIZE);
  conform_true(nvtxRangePush("phase") == NVTX_NO_PUSH_POP_TRACKING && nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING);
  conform_true(nvtxRangePushEx(&event) == NVTX_NO_PUSH_POP_TRACKING && nvtxDomainRangePop(NULL) == -2);
  conform_true(nvtxRangeStart("phase") == 0 && nvtxDomainCreate("domain") == NULL);
  nvtxRangeEnd(0);
  nvtxMark("now");
  nvtxMarkEx(&event);
  nvtxNameOsThread(1, "main");
  nvtxDomainDestroy(NULL);
}

int main(void) {
  complex_numbers_are_computed();
  constants_have_their_values();
  types_of_libraries_are_numbered();
  occupancy_is_computed();
  ranges_do_nothing();
  return conform_done("conform_headers");
}
