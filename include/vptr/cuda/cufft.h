/* SPDX-License-Identifier: MIT */
/*
 * cufft - cuFFT, as libvptr-cufft has it.
 *
 * Functions have cuFFT's names, arguments and values. Which of them there are is in doc/cufft-coverage.md; how they
 * compute, and what they cost, in doc/cufft.md. Errors are said in words by vptr_last_error(), and on stderr with
 * VPTR_VERBOSE=1.
 *
 * A transform checks its arguments, sends its work to the plan's stream and returns; a plan waits for the driver's
 * compiler when it is made, and so does the first transform of another direction or placement. Nothing is scaled.
 * Thread-safe, every call; a plan's settings are not to be changed while another thread uses it.
 */
#ifndef CUFFT_H_
#define CUFFT_H_

#include <stddef.h>

#include "host_defines.h"

#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"

#ifndef CUFFTAPI
#define CUFFTAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH)

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,    /* no handle that lives, none with a plan yet, or one that has a plan already */
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,    /* no type, or not the plan's */
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,     /* memory that is none of the device's, or shorter than its shape; the device */
  CUFFT_SETUP_FAILED = 7,    /* there is no device */
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13,   /* the plan allocates none, and was given none */
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16,  /* the device cannot do it */
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

#define MAX_CUFFT_ERROR 21

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftType_t {
  CUFFT_C2C = 41,
  CUFFT_R2C = 42,
  CUFFT_C2R = 44,
  CUFFT_Z2Z = 105,
  CUFFT_D2Z = 106,
  CUFFT_Z2D = 108
} cufftType;

typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;

#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
#define MAX_SHIM_RANK 3

typedef int cufftHandle;

/* No plan's handle. */
#define CUFFT_PLAN_NULL -1

#define VPTR_CUFFT(name) VPTR_CUDA_API cufftResult CUFFTAPI name

/* ---- plans: a handle, and what it computes ----------------------------------------------------------------------- */

VPTR_CUFFT(cufftCreate)(cufftHandle *handle);
VPTR_CUFFT(cufftDestroy)(cufftHandle plan);

VPTR_CUFFT(cufftPlan1d)(cufftHandle *plan, int nx, cufftType type, int batch);
VPTR_CUFFT(cufftPlan2d)(cufftHandle *plan, int nx, int ny, cufftType type);
VPTR_CUFFT(cufftPlan3d)(cufftHandle *plan, int nx, int ny, int nz, cufftType type);
VPTR_CUFFT(cufftPlanMany)(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch);

VPTR_CUFFT(cufftMakePlan1d)(cufftHandle plan, int nx, cufftType type, int batch, size_t *workSize);
VPTR_CUFFT(cufftMakePlan2d)(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftMakePlan3d)(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftMakePlanMany)(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *workSize);
VPTR_CUFFT(cufftMakePlanMany64)(cufftHandle plan, int rank, vptr_long_long *n, vptr_long_long *inembed,
                                vptr_long_long istride, vptr_long_long idist, vptr_long_long *onembed,
                                vptr_long_long ostride, vptr_long_long odist, cufftType type, vptr_long_long batch,
                                size_t *workSize);

/* ---- memory that transforms work in ------------------------------------------------------------------------------ */

VPTR_CUFFT(cufftEstimate1d)(int nx, cufftType type, int batch, size_t *workSize);
VPTR_CUFFT(cufftEstimate2d)(int nx, int ny, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftEstimate3d)(int nx, int ny, int nz, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftEstimateMany)(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *workSize);

VPTR_CUFFT(cufftGetSize1d)(cufftHandle handle, int nx, cufftType type, int batch, size_t *workSize);
VPTR_CUFFT(cufftGetSize2d)(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftGetSize3d)(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *workSize);
VPTR_CUFFT(cufftGetSizeMany)(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                             int ostride, int odist, cufftType type, int batch, size_t *workArea);
VPTR_CUFFT(cufftGetSizeMany64)(cufftHandle plan, int rank, vptr_long_long *n, vptr_long_long *inembed,
                               vptr_long_long istride, vptr_long_long idist, vptr_long_long *onembed,
                               vptr_long_long ostride, vptr_long_long odist, cufftType type, vptr_long_long batch,
                               size_t *workSize);
VPTR_CUFFT(cufftGetSize)(cufftHandle handle, size_t *workSize);

VPTR_CUFFT(cufftSetAutoAllocation)(cufftHandle plan, int autoAllocate);
VPTR_CUFFT(cufftSetWorkArea)(cufftHandle plan, void *workArea);
VPTR_CUFFT(cufftSetStream)(cufftHandle plan, cudaStream_t stream);

/* ---- transforms -------------------------------------------------------------------------------------------------- */

VPTR_CUFFT(cufftExecC2C)(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction);
VPTR_CUFFT(cufftExecR2C)(cufftHandle plan, cufftReal *idata, cufftComplex *odata);
VPTR_CUFFT(cufftExecC2R)(cufftHandle plan, cufftComplex *idata, cufftReal *odata);
VPTR_CUFFT(cufftExecZ2Z)(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata, int direction);
VPTR_CUFFT(cufftExecD2Z)(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata);
VPTR_CUFFT(cufftExecZ2D)(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata);

VPTR_CUFFT(cufftGetVersion)(int *version);
VPTR_CUFFT(cufftGetProperty)(libraryPropertyType type, int *value);

#ifdef __cplusplus
}
#endif

#endif
