/* SPDX-License-Identifier: MIT */
/*
 * test_solver_failures - each allocation of the library's own fails once, in each kind of call: it says ALLOC_FAILED,
 * leaves the info as it was, and keeps no memory. Handles have their memory from the first on. And what a call says
 * that takes more areas of memory than it has places for.
 */
#include <unistd.h>

#include "solver_check.h"

#include "base/memory.h"
#include "cublas/call.h"
#include "cusolver/call.h"

#include <cublas_v2.h>

enum { SIDE = 9, ELEMENTS = SIDE * SIDE, MOST = 60 };

/* What a call works on, and how it was before. */
typedef struct operands {
  cusolverDnHandle_t handle;
  syevjInfo_t syevj;
  gesvdjInfo_t gesvdj;
  double *a, *b, *u, *v, *numbers, *one[1], **pointers, before[ELEMENTS];
  int *ipiv, *info;
} operands;

typedef cusolverStatus_t (*kind)(operands *it);

static cusolverStatus_t call_params(operands *it) {
  cusolverDnParams_t params;
  cusolverStatus_t status = cusolverDnCreateParams(&params);
  (void)it;
  return status == CUSOLVER_STATUS_SUCCESS ? cusolverDnDestroyParams(params) : status;
}

static cusolverStatus_t call_potrf(operands *it) {
  return cusolverDnDpotrf(it->handle, CUBLAS_FILL_MODE_LOWER, SIDE, it->a, SIDE, NULL, 1, it->info);
}

static cusolverStatus_t call_potrs(operands *it) {
  return cusolverDnDpotrs(it->handle, CUBLAS_FILL_MODE_LOWER, SIDE, 2, it->b, SIDE, it->a, SIDE, it->info);
}

static cusolverStatus_t call_batch(operands *it) {
  return cusolverDnDpotrfBatched(it->handle, CUBLAS_FILL_MODE_LOWER, SIDE, it->pointers, SIDE, it->info, 1);
}

static cusolverStatus_t call_getrf(operands *it) {
  return cusolverDnDgetrf(it->handle, SIDE, SIDE, it->a, SIDE, NULL, it->ipiv, it->info);
}

static cusolverStatus_t call_getrs(operands *it) {
  return cusolverDnDgetrs(it->handle, CUBLAS_OP_N, SIDE, 2, it->b, SIDE, NULL, it->a, SIDE, it->info);
}

static cusolverStatus_t call_geqrf(operands *it) {
  return cusolverDnDgeqrf(it->handle, SIDE, SIDE, it->a, SIDE, it->numbers, NULL, 1, it->info);
}

static cusolverStatus_t call_orgqr(operands *it) {
  return cusolverDnDorgqr(it->handle, SIDE, SIDE, SIDE, it->a, SIDE, it->numbers, NULL, 1, it->info);
}

static cusolverStatus_t call_ormqr(operands *it) {
  return cusolverDnDormqr(it->handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, SIDE, SIDE, SIDE, it->b, SIDE, it->numbers,
                          it->a, SIDE, NULL, 1, it->info);
}

static cusolverStatus_t call_syevj(operands *it) {
  return cusolverDnDsyevj(it->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, SIDE, it->a, SIDE,
                          it->numbers, NULL, 1, it->info, it->syevj);
}

static cusolverStatus_t call_gesvd(operands *it) {
  return cusolverDnDgesvd(it->handle, 'O', 'A', SIDE, SIDE, it->a, SIDE, it->numbers, it->u, SIDE, it->v, SIDE, NULL,
                          1, NULL, it->info);
}

static cusolverStatus_t call_gesvdj(operands *it) {
  return cusolverDnDgesvdj(it->handle, CUSOLVER_EIG_MODE_VECTOR, 1, SIDE, SIDE, it->b, SIDE, it->numbers, it->a, SIDE,
                           it->v, SIDE, NULL, 1, it->info, it->gesvdj);
}

static cusolverStatus_t call_sygvd(operands *it) {
  return cusolverDnDsygvd(it->handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, SIDE,
                          it->a, SIDE, it->b, SIDE, it->numbers, NULL, 1, it->info);
}

static cusolverStatus_t call_syevdx(operands *it) {
  int found;
  return cusolverDnDsyevdx(it->handle, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER, SIDE,
                           it->a, SIDE, 0, 0, 2, 4, &found, it->numbers, NULL, 1, it->info);
}

static cusolverStatus_t call_syevj_batch(operands *it) {
  return cusolverDnDsyevjBatched(it->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, SIDE, it->a, SIDE,
                                 it->numbers, NULL, 1, it->info, it->syevj, 1);
}

static cusolverStatus_t call_gesvdj_batch(operands *it) {
  return cusolverDnDgesvdjBatched(it->handle, CUSOLVER_EIG_MODE_VECTOR, SIDE, SIDE, it->b, SIDE, it->numbers, it->a,
                                  SIDE, it->v, SIDE, NULL, 1, it->info, it->gesvdj, 1);
}

static cusolverStatus_t call_gesvda(operands *it) {
  double norm;
  return cusolverDnDgesvdaStridedBatched(it->handle, CUSOLVER_EIG_MODE_VECTOR, 3, SIDE, SIDE, it->b, SIDE, ELEMENTS,
                                         it->numbers, SIDE, it->a, SIDE, ELEMENTS, it->v, SIDE, ELEMENTS, NULL, 1,
                                         it->info, &norm, 1);
}

static cusolverStatus_t call_gesv(operands *it) {
  int iterations;
  return cusolverDnDDgesv(it->handle, SIDE, 2, it->b, SIDE, it->ipiv, it->u, SIDE, it->a, SIDE, NULL, sizeof(double),
                          &iterations, it->info);
}

static cusolverStatus_t call_gels(operands *it) {
  int iterations;
  return cusolverDnDDgels(it->handle, SIDE, SIDE, 2, it->b, SIDE, it->u, SIDE, it->a, SIDE, NULL, sizeof(double),
                          &iterations, it->info);
}

static cusolverStatus_t call_sytrf(operands *it) {
  return cusolverDnDsytrf(it->handle, CUBLAS_FILL_MODE_LOWER, SIDE, it->a, SIDE, it->ipiv, NULL, 1, it->info);
}

static cusolverStatus_t call_trtri(operands *it) {
  return cusolverDnXtrtri(it->handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, SIDE, CUDA_R_64F, it->a, SIDE,
                          NULL, sizeof(double), NULL, 0, it->info);
}

static cusolverStatus_t call_geev(operands *it) {
  return cusolverDnXgeev(it->handle, NULL, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_MODE_VECTOR, SIDE, CUDA_R_64F,
                         it->b, SIDE, CUDA_C_64F, it->numbers, CUDA_R_64F, it->a, SIDE, CUDA_R_64F, it->v, SIDE,
                         CUDA_R_64F, NULL, sizeof(double), NULL, 0, it->info);
}

static cusolverStatus_t call_gesvdr(operands *it) {
  return cusolverDnXgesvdr(it->handle, NULL, 'S', 'S', SIDE, SIDE, 3, 2, 1, CUDA_R_64F, it->b, SIDE, CUDA_R_64F,
                           it->numbers, CUDA_R_64F, it->a, SIDE, CUDA_R_64F, it->v, SIDE, CUDA_R_64F, NULL,
                           sizeof(double), NULL, 0, it->info);
}

static void begin_operands(operands *it) {
  const int marks = -77;
  cudaMemcpy(it->a, it->before, sizeof it->before, cudaMemcpyHostToDevice);
  cudaMemcpy(it->b, it->before, sizeof it->before, cudaMemcpyHostToDevice);
  cudaMemcpy(it->info, &marks, sizeof marks, cudaMemcpyHostToDevice);
}

/* Returns how many allocations failed before the call went through. The info is written last of all, so it stays. */
static int walk(const char *what, kind call, operands *it) {
  for (int n = 1; n <= MOST; n++) {
    begin_operands(it);
    vptr__memory_fail_nth(n);
    cusolverStatus_t status = call(it);
    vptr__memory_fail_nth(0);
    if (status == CUSOLVER_STATUS_SUCCESS)
      return n - 1;
    EXPECT(what, status == CUSOLVER_STATUS_ALLOC_FAILED);
    EXPECT(what, value_of(it->info) == -77);
  }
  EXPECT(what, !"went through in the end");
  return MOST;
}

/* Streams give back what they have a moment later; what each walk loses stays. */
static bool is_given_back(long live) {
  enum { FEW = 3, LOOKS = 5000 };
  for (int i = 0; i < LOOKS && vptr__memory_live() > live + FEW; i++) {
    usleep(1000);
    cudaDeviceSynchronize();
  }
  return vptr__memory_live() <= live + FEW;
}

static void check_kind(const char *what, kind call, operands *it) {
  enum { WALKS = 10 };
  begin_operands(it);
  FINE(call(it)); /* what is made once is there */
  cudaDeviceSynchronize();
  long live = vptr__memory_live();
  for (int i = 0; i < WALKS; i++)
    EXPECT(what, walk(what, call, it) > 0);
  EXPECT(what, is_given_back(live));
}

/* Without memory for the first handle there is none, and the one of cuBLAS's that it would have goes back. */
static void check_first_handle(void) {
  cublasHandle_t first = NULL, again = NULL;
  cusolverDnHandle_t handle = NULL;
  EXPECT("cublasCreate", cublasCreate(&first) == CUBLAS_STATUS_SUCCESS);
  EXPECT("cublasDestroy", cublasDestroy(first) == CUBLAS_STATUS_SUCCESS);
  vptr__memory_fail_nth(1);
  EXPECT("create", cusolverDnCreate(&handle) == CUSOLVER_STATUS_ALLOC_FAILED && handle == NULL);
  vptr__memory_fail_nth(0);
  EXPECT("cublasCreate", cublasCreate(&again) == CUBLAS_STATUS_SUCCESS && again == first);
  EXPECT("cublasDestroy", cublasDestroy(again) == CUBLAS_STATUS_SUCCESS);
}

/* A call has places for so many areas of memory: one more is refused, and all go back. */
static void check_areas(cusolverDnHandle_t handle) {
  cublasHandle_t blas;
  EXPECT("cublasCreate", cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  vptr__solver_call call = vptr__solver_enter("a call", handle, VPTR__SOLVER_D);
  long live = vptr__memory_live();
  for (int i = 0; i < VPTR__SOLVER_WORKS; i++)
    EXPECT("an area", vptr__solver_work(&call, 3, sizeof(double)) != NULL);
  EXPECT("one more", vptr__solver_work(&call, 3, sizeof(double)) == NULL);
  EXPECT("is told", vptr__solver_finish(&call) == CUSOLVER_STATUS_INTERNAL_ERROR);
  EXPECT("all go back", vptr__memory_live() == live);
  vptr__blas_call below = vptr__blas_enter("a call", blas, VPTR__BLAS_D);
  for (int i = 0; i < VPTR__BLAS_WORKS; i++)
    EXPECT("an area", vptr__blas_work(&below, 3) != NULL);
  EXPECT("one more", vptr__blas_work(&below, 3) == NULL);
  EXPECT("is told", vptr__blas_finish(&below) == CUBLAS_STATUS_INTERNAL_ERROR);
  EXPECT("cublasDestroy", cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS);
}

int main(void) {
  static const struct {
    const char *what;
    kind call;
  } kinds[] = {
    { "params", call_params },
    { "potrf", call_potrf },
    { "potrs", call_potrs },
    { "batch", call_batch },
    { "getrf", call_getrf },
    { "getrs", call_getrs },
    { "geqrf", call_geqrf },
    { "orgqr", call_orgqr },
    { "ormqr", call_ormqr },
    { "syevj", call_syevj },
    { "gesvd", call_gesvd },
    { "gesvdj", call_gesvdj },
    { "sygvd", call_sygvd },
    { "syevdx", call_syevdx },
    { "syevj's batch", call_syevj_batch },
    { "gesvda", call_gesvda },
    { "gesvdj's batch", call_gesvdj_batch },
    { "gesv", call_gesv },
    { "gels", call_gels },
    { "sytrf", call_sytrf },
    { "trtri", call_trtri },
    { "geev", call_geev },
    { "gesvdr", call_gesvdr },
  };
  static operands it;
  static double zeros[ELEMENTS];
  check_first_handle();
  FINE(cusolverDnCreate(&it.handle));
  check_areas(it.handle);
  FINE(cusolverDnCreateSyevjInfo(&it.syevj));
  FINE(cusolverDnCreateGesvdjInfo(&it.gesvdj));
  begin_memory();
  for (int i = 0; i < ELEMENTS; i++)
    it.before[i] = i % (SIDE + 1) == 0 ? 3 * SIDE : 1;
  it.a = on_device(zeros, sizeof zeros), it.b = on_device(zeros, sizeof zeros);
  it.u = on_device(zeros, sizeof zeros), it.v = on_device(zeros, sizeof zeros);
  it.numbers = on_device(zeros, sizeof zeros), it.ipiv = on_device(zeros, sizeof zeros);
  it.one[0] = it.a, it.pointers = on_device(it.one, sizeof it.one), it.info = new_info();
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    check_kind(kinds[i].what, kinds[i].call, &it);
  FINE(cusolverDnDestroyGesvdjInfo(it.gesvdj));
  FINE(cusolverDnDestroySyevjInfo(it.syevj));
  FINE(cusolverDnDestroy(it.handle));
  return verdict("test_solver_failures");
}
