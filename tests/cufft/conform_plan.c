/* SPDX-License-Identifier: MIT */
/*
 * conform_plan - plans and their settings, sizes, and each wrong argument: what cuFFT says before anything is sent. It
 * transforms nothing, and makes one small plan where there is a device for it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>
#include <cufft.h>
#include <cufftXt.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)
#define GIVES(result, call)                                                                                          \
  do {                                                                                                               \
    int given = (int)(call);                                                                                         \
    checks++;                                                                                                        \
    if (given != (int)(result) && count_failure())                                                                   \
      printf("line %d: %s gives %d, not %s\n", __LINE__, #call, given, #result);                                     \
  } while (0)
#define FINE(call) GIVES(CUFFT_SUCCESS, call)

static void check_lengths(void) {
  cufftHandle plan = 77;
  size_t size = 0;
  GIVES(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  GIVES(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, -4, CUFFT_C2C, 1));
  GIVES(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 4, CUFFT_C2C, 0));
#ifndef ON_NVIDIA /* CUFFT_INTERNAL_ERROR */
  GIVES(CUFFT_INVALID_SIZE, cufftPlan2d(&plan, 4, 0, CUFFT_R2C));
  GIVES(CUFFT_INVALID_SIZE, cufftPlan3d(&plan, 4, 4, -1, CUFFT_Z2D));
#endif
  GIVES(CUFFT_INVALID_SIZE, cufftEstimate1d(0, CUFFT_C2C, 1, &size));
  GIVES(CUFFT_INVALID_TYPE, cufftPlan1d(&plan, 4, (cufftType)1, 1));
  GIVES(CUFFT_INVALID_TYPE, cufftPlan2d(&plan, 4, 4, (cufftType)0x2b));
  GIVES(CUFFT_INVALID_TYPE, cufftEstimate2d(4, 4, (cufftType)0, &size));
#ifndef ON_NVIDIA /* where the plan is changed by a failure */
  EXPECT(plan == 77);
#endif
  FINE(cufftEstimate1d(64, CUFFT_C2C, 2, &size));
#ifndef ON_NVIDIA /* which needs no memory of its own for it */
  EXPECT(size >= 64 * 2 * sizeof(cufftComplex));
#endif
  FINE(cufftEstimate2d(8, 8, CUFFT_Z2Z, &size));
  FINE(cufftEstimate3d(8, 4, 2, CUFFT_R2C, &size));
}

static void check_layouts(void) {
  int n[4] = { 4, 4, 4, 4 }, none[3] = { 4, 0, 4 };
  long long wide[1] = { 16 };
  cufftHandle plan;
  size_t size = 0;
  GIVES(CUFFT_INVALID_VALUE, cufftEstimateMany(0, n, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 1, &size));
  GIVES(CUFFT_INVALID_VALUE, cufftEstimateMany(4, n, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 1, &size));
  GIVES(CUFFT_INVALID_VALUE, cufftEstimateMany(2, NULL, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 1, &size));
  GIVES(CUFFT_INVALID_VALUE, cufftEstimateMany(2, n, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 1, NULL));
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, n, 0, 4, n, 1, 4, CUFFT_C2C, 1));
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, n, 1, 4, n, -1, 4, CUFFT_C2C, 1));
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, n, 1, -4, n, 1, 4, CUFFT_C2C, 2));
#ifndef ON_NVIDIA /* takes both */
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 3, n, none, 1, 64, n, 1, 64, CUFFT_C2C, 1));
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 3, n, n, 1, 64, none, 1, 64, CUFFT_C2C, 1));
#endif
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, n, 1, 4, NULL, 1, 4, CUFFT_C2C, 1)); /* both or none */
  GIVES(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, NULL, 1, 4, n, 1, 4, CUFFT_C2C, 1));
  FINE(cufftEstimateMany(3, n, NULL, 0, 0, NULL, 0, 0, CUFFT_C2C, 1, &size));
  FINE(cufftCreate(&plan));
  FINE(cufftGetSize1d(plan, 16, CUFFT_C2C, 1, &size));
  FINE(cufftGetSize2d(plan, 16, 4, CUFFT_C2R, &size));
  FINE(cufftGetSize3d(plan, 16, 4, 2, CUFFT_D2Z, &size));
  FINE(cufftGetSizeMany(plan, 2, n, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 3, &size));
  FINE(cufftGetSizeMany64(plan, 1, wide, NULL, 1, 1, NULL, 1, 1, CUFFT_Z2Z, 3, &size));
  FINE(cufftXtGetSizeMany(plan, 1, wide, NULL, 1, 1, CUDA_R_32F, NULL, 1, 1, CUDA_C_32F, 1, &size, CUDA_C_32F));
  GIVES(CUFFT_INVALID_TYPE,
        cufftXtGetSizeMany(plan, 1, wide, NULL, 1, 1, CUDA_R_32F, NULL, 1, 1, CUDA_R_32F, 1, &size, CUDA_C_32F));
  GIVES(CUFFT_INVALID_SIZE, cufftGetSize1d(plan, 16, CUFFT_C2C, -1, &size));
  FINE(cufftDestroy(plan));
}

static void check_ends(void) {
  cufftHandle plan, other;
  float *x;
  size_t size = 0;
  cudaMalloc((void **)&x, 256);
  FINE(cufftCreate(&plan));
  FINE(cufftCreate(&other));
  EXPECT(plan != other);
  GIVES(CUFFT_INVALID_PLAN, cufftExecC2C(plan, (cufftComplex *)x, (cufftComplex *)x, CUFFT_FORWARD));
  GIVES(CUFFT_INVALID_PLAN, cufftGetSize(plan, &size));
  FINE(cufftSetStream(plan, NULL));
  FINE(cufftSetAutoAllocation(plan, 0));
  FINE(cufftSetWorkArea(plan, NULL));
  FINE(cufftDestroy(plan));
  GIVES(CUFFT_INVALID_PLAN, cufftDestroy(plan));
  GIVES(CUFFT_INVALID_PLAN, cufftExecR2C(plan, x, (cufftComplex *)x));
  GIVES(CUFFT_INVALID_PLAN, cufftSetStream(plan, NULL));
  GIVES(CUFFT_INVALID_PLAN, cufftSetAutoAllocation(plan, 1));
  GIVES(CUFFT_INVALID_PLAN, cufftSetWorkArea(plan, x));
  GIVES(CUFFT_INVALID_PLAN, cufftMakePlan1d(plan, 4, CUFFT_C2C, 1, &size));
  GIVES(CUFFT_INVALID_PLAN, cufftGetSize1d(plan, 4, CUFFT_C2C, 1, &size));
#ifndef ON_NVIDIA /* CUFFT_SUCCESS */
  GIVES(CUFFT_INVALID_PLAN, cufftDestroy(CUFFT_PLAN_NULL));
#endif
  GIVES(CUFFT_INVALID_PLAN, cufftDestroy(2000000000));
  FINE(cufftDestroy(other));
  cudaFree(x);
}

/* One plan, small, with all that may be asked of it. */
static void check_plan(void) {
  cufftHandle plan;
  cudaStream_t stream;
  size_t size = 1, again = 2;
  int number = 0;
  cufftComplex *x;
  cudaStreamCreate(&stream);
  cudaMalloc((void **)&x, 8 * sizeof *x);
  FINE(cufftCreate(&plan));
  GIVES(CUFFT_INVALID_SIZE, cufftMakePlan1d(plan, -8, CUFFT_C2C, 1, &size));
  FINE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size));
  FINE(cufftGetSize(plan, &again));
  EXPECT(size == again);
  GIVES(CUFFT_INVALID_PLAN, cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &size));
  GIVES(CUFFT_INVALID_PLAN, cufftMakePlan3d(plan, 8, 8, 8, CUFFT_C2C, &size));
  FINE(cufftSetStream(plan, stream));
  FINE(cufftSetStream(plan, NULL));
#ifndef ON_NVIDIA /* CUFFT_SUCCESS, and CUFFT_EXEC_FAILED */
  GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, NULL, x, CUFFT_FORWARD));
  GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, x, NULL, CUFFT_FORWARD));
#endif
  GIVES(CUFFT_INVALID_VALUE, cufftExecC2C(plan, x, x, 0));
  FINE(cufftDestroy(plan));
  FINE(cufftGetVersion(&number));
  EXPECT(number >= 10000);
  FINE(cufftGetProperty(MAJOR_VERSION, &number));
  EXPECT(number >= 10);
  cudaFree(x);
  cudaStreamDestroy(stream);
}

int main(void) {
  cudaFree(NULL);
  check_lengths();
  check_layouts();
  check_ends();
  check_plan();
  return verdict("conform_plan");
}
