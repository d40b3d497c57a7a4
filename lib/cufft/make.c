/* SPDX-License-Identifier: MIT */
/*
 * make - cufftPlanMany() and its kin: plans, and how much they would work in.
 *
 * All of them are one function with arguments of 64 bits. A plan is made once for a handle. What it will work in is
 * known when it is made (cufftGetSize()); before that it is an estimate, of twice its numbers.
 *
 * No state, no locks of its own. Called by programs. Making a plan waits for the driver's compiler.
 */
#include "cufft/run.h"

#include "cuda/device.h"

typedef struct wide {
  long long n[VPTR__FFT_MOST_RANK], in[VPTR__FFT_MOST_RANK], out[VPTR__FFT_MOST_RANK];
} wide;

/* ---- making ----------------------------------------------------------------------------------------------- */

/* With the plan held. On failure the handle has no plan, as before. */
static cufftResult fill_plan(const char *call, vptr__fft_plan *plan, const vptr__fft_arguments *arguments,
                             size_t *work_out) {
  vptr_mapper *mapper;
  if (plan->is_made)
    return vptr__fft_refuse(CUFFT_INVALID_PLAN, call, "%d has a plan already; create another handle", plan->handle);
  if (work_out == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "there is no place for the size of the work area");
  cufftResult result = vptr__fft_shape_of(call, arguments, &plan->shape);
  if (result != CUFFT_SUCCESS)
    return result;
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUFFT_SETUP_FAILED;
  plan->mapper = mapper;
  result = vptr__fft_run_prepare(call, plan);
  if (result != CUFFT_SUCCESS)
    return result;
  plan->is_made = true;
  *work_out = plan->work_size;
  return CUFFT_SUCCESS;
}

static cufftResult make(const char *call, cufftHandle handle, const vptr__fft_arguments *arguments,
                        size_t *work_out) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold(call, handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  result = fill_plan(call, plan, arguments, work_out);
  vptr__fft_plan_release(plan);
  return result;
}

static cufftResult create_and_make(const char *call, cufftHandle *handle, const vptr__fft_arguments *arguments) {
  cufftHandle created;
  size_t work;
  if (handle == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "there is no place for the handle");
  cufftResult result = cufftCreate(&created);
  if (result != CUFFT_SUCCESS)
    return result;
  result = make(call, created, arguments, &work);
  if (result == CUFFT_SUCCESS)
    *handle = created;
  else
    cufftDestroy(created);
  return result;
}

/* As much again for what lies between kernels, if there are several. */
static cufftResult estimate(const char *call, const vptr__fft_arguments *arguments, size_t *work_out) {
  vptr__fft_shape shape;
  if (work_out == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "there is no place for the size of the work area");
  cufftResult result = vptr__fft_shape_of(call, arguments, &shape);
  if (result == CUFFT_SUCCESS)
    *work_out = 2 * vptr__fft_shape_complex_bytes(&shape);
  return result;
}

/* A plan that is made has its own size, whatever is asked of it. */
static cufftResult size_of(const char *call, cufftHandle handle, const vptr__fft_arguments *arguments,
                           size_t *work_out) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold(call, handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  result = estimate(call, arguments, work_out);
  if (result == CUFFT_SUCCESS && plan->is_made)
    *work_out = plan->work_size;
  vptr__fft_plan_release(plan);
  return result;
}

/* ---- arguments -------------------------------------------------------------------------------------------- */

static vptr__fft_arguments simple(int rank, long long *n, cufftType type, int batch) {
  return (vptr__fft_arguments){ .rank = rank, .n = n, .istride = 1, .ostride = 1, .type = type, .batch = batch };
}

/* Ranks that there are not are left to be refused. */
static const long long *widen(int rank, const int *numbers, long long *into) {
  for (int i = 0; i < rank && i < VPTR__FFT_MOST_RANK && numbers != NULL; i++)
    into[i] = numbers[i];
  return numbers != NULL ? into : NULL;
}

#define MANY                                                                                                         \
  int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type,      \
      int batch
#define MANY_64                                                                                                      \
  int rank, long long int *n, long long int *inembed, long long int istride, long long int idist,                    \
      long long int *onembed, long long int ostride, long long int odist, cufftType type, long long int batch

#define MANY_ARGUMENTS                                                                                               \
  wide numbers;                                                                                                      \
  const vptr__fft_arguments arguments = { .rank = rank,                                                              \
                                          .n = widen(rank, n, numbers.n),                                            \
                                          .inembed = widen(rank, inembed, numbers.in),                               \
                                          .onembed = widen(rank, onembed, numbers.out),                              \
                                          .istride = istride,                                                        \
                                          .idist = idist,                                                            \
                                          .ostride = ostride,                                                        \
                                          .odist = odist,                                                            \
                                          .type = type,                                                              \
                                          .batch = batch }
#define MANY_64_ARGUMENTS                                                                                            \
  const vptr__fft_arguments arguments = { rank, n, inembed, onembed, istride, idist, ostride, odist, type, batch }

/* ---- cuFFT's names ---------------------------------------------------------------------------------------- */

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  const vptr__fft_arguments arguments = simple(1, (long long[]){ nx }, type, batch);
  return create_and_make("cufftPlan1d", plan, &arguments);
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  const vptr__fft_arguments arguments = simple(2, (long long[]){ nx, ny }, type, 1);
  return create_and_make("cufftPlan2d", plan, &arguments);
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
  const vptr__fft_arguments arguments = simple(3, (long long[]){ nx, ny, nz }, type, 1);
  return create_and_make("cufftPlan3d", plan, &arguments);
}

cufftResult cufftPlanMany(cufftHandle *plan, MANY) {
  MANY_ARGUMENTS;
  return create_and_make("cufftPlanMany", plan, &arguments);
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(1, (long long[]){ nx }, type, batch);
  return make("cufftMakePlan1d", plan, &arguments, workSize);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(2, (long long[]){ nx, ny }, type, 1);
  return make("cufftMakePlan2d", plan, &arguments, workSize);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(3, (long long[]){ nx, ny, nz }, type, 1);
  return make("cufftMakePlan3d", plan, &arguments, workSize);
}

cufftResult cufftMakePlanMany(cufftHandle plan, MANY, size_t *workSize) {
  MANY_ARGUMENTS;
  return make("cufftMakePlanMany", plan, &arguments, workSize);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, MANY_64, size_t *workSize) {
  MANY_64_ARGUMENTS;
  return make("cufftMakePlanMany64", plan, &arguments, workSize);
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(1, (long long[]){ nx }, type, batch);
  return estimate("cufftEstimate1d", &arguments, workSize);
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(2, (long long[]){ nx, ny }, type, 1);
  return estimate("cufftEstimate2d", &arguments, workSize);
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(3, (long long[]){ nx, ny, nz }, type, 1);
  return estimate("cufftEstimate3d", &arguments, workSize);
}

cufftResult cufftEstimateMany(MANY, size_t *workSize) {
  MANY_ARGUMENTS;
  return estimate("cufftEstimateMany", &arguments, workSize);
}

cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(1, (long long[]){ nx }, type, batch);
  return size_of("cufftGetSize1d", handle, &arguments, workSize);
}

cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(2, (long long[]){ nx, ny }, type, 1);
  return size_of("cufftGetSize2d", handle, &arguments, workSize);
}

cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  const vptr__fft_arguments arguments = simple(3, (long long[]){ nx, ny, nz }, type, 1);
  return size_of("cufftGetSize3d", handle, &arguments, workSize);
}

cufftResult cufftGetSizeMany(cufftHandle handle, MANY, size_t *workArea) {
  MANY_ARGUMENTS;
  return size_of("cufftGetSizeMany", handle, &arguments, workArea);
}

cufftResult cufftGetSizeMany64(cufftHandle plan, MANY_64, size_t *workSize) {
  MANY_64_ARGUMENTS;
  return size_of("cufftGetSizeMany64", plan, &arguments, workSize);
}

/* ---- types by cudaDataType -------------------------------------------------------------------------------- */

/* Float and double, executed in what they are. Half precision and others do not exist here. */
static cufftResult find_type(const char *call, cudaDataType in, cudaDataType out, cudaDataType execution,
                             cufftType *type_out) {
  static const struct {
    cudaDataType in, out, execution;
    cufftType type;
  } types[] = {
    { CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C }, { CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C },
    { CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R }, { CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z },
    { CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z }, { CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D }
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].in == in && types[i].out == out && types[i].execution == execution) {
      *type_out = types[i].type;
      return CUFFT_SUCCESS;
    }
  return vptr__fft_refuse(CUFFT_INVALID_TYPE, call,
                          "there are no transforms from type %d to %d by %d; take CUDA_C_32F or CUDA_C_64F", (int)in,
                          (int)out, (int)execution);
}

#define XT_MANY                                                                                                      \
  int rank, long long int *n, long long int *inembed, long long int istride, long long int idist,                    \
      cudaDataType inputtype, long long int *onembed, long long int ostride, long long int odist,                    \
      cudaDataType outputtype, long long int batch, size_t *workSize, cudaDataType executiontype

cufftResult cufftXtMakePlanMany(cufftHandle plan, XT_MANY) {
  static const char call[] = "cufftXtMakePlanMany";
  cufftType type = CUFFT_C2C; /* until it is read */
  cufftResult result = find_type(call, inputtype, outputtype, executiontype, &type);
  if (result != CUFFT_SUCCESS)
    return result;
  MANY_64_ARGUMENTS;
  return make(call, plan, &arguments, workSize);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, XT_MANY) {
  static const char call[] = "cufftXtGetSizeMany";
  cufftType type = CUFFT_C2C; /* until it is read */
  cufftResult result = find_type(call, inputtype, outputtype, executiontype, &type);
  if (result != CUFFT_SUCCESS)
    return result;
  MANY_64_ARGUMENTS;
  return size_of(call, plan, &arguments, workSize);
}
