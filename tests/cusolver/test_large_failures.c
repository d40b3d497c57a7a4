/* SPDX-License-Identifier: MIT */
/*
 * test_large_failures - each allocation of the library's own fails once in calls that leave large matrices on the
 * device: they say ALLOC_FAILED, leave the info as it was, and go through in the end, with a result that is right.
 */
#include "solver_check.h"

#include "base/memory.h"

enum { SIDE = 400, MOST = 400 };

typedef struct operands {
  cusolverDnHandle_t handle;
  double *a, *b, *x, *tau, *vt, *before, *sides;
  int *ipiv, *info;
  void *work;
  int room;
  size_t bytes;
} operands;

typedef cusolverStatus_t (*kind)(operands *it);

static cusolverStatus_t call_geqrf(operands *it) {
  return cusolverDnDgeqrf(it->handle, SIDE, SIDE, it->a, SIDE, it->tau, it->work, it->room, it->info);
}

static cusolverStatus_t call_orgqr(operands *it) {
  return cusolverDnDorgqr(it->handle, SIDE, SIDE, SIDE, it->a, SIDE, it->tau, it->work, it->room, it->info);
}

static cusolverStatus_t call_ormqr(operands *it) {
  return cusolverDnDormqr(it->handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, SIDE, 1, SIDE, it->a, SIDE, it->tau, it->b, SIDE,
                          it->work, it->room, it->info);
}

static cusolverStatus_t call_getrs(operands *it) {
  return cusolverDnDgetrs(it->handle, CUBLAS_OP_N, SIDE, 1, it->a, SIDE, NULL, it->b, SIDE, it->info);
}

static cusolverStatus_t call_gesv(operands *it) {
  int iterations;
  return cusolverDnDDgesv(it->handle, SIDE, 1, it->a, SIDE, it->ipiv, it->b, SIDE, it->x, SIDE, it->work, it->bytes,
                          &iterations, it->info);
}

static cusolverStatus_t call_gels(operands *it) {
  int iterations;
  return cusolverDnDDgels(it->handle, SIDE, SIDE, 1, it->a, SIDE, it->b, SIDE, it->x, SIDE, it->work, it->bytes,
                          &iterations, it->info);
}

static cusolverStatus_t call_syevd(operands *it) {
  return cusolverDnDsyevd(it->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, SIDE, it->a, SIDE, it->x,
                          it->work, it->room, it->info);
}

static cusolverStatus_t call_gesvd(operands *it) {
  return cusolverDnDgesvd(it->handle, 'O', 'A', SIDE, SIDE, it->a, SIDE, it->x, NULL, 1, it->vt, SIDE, it->work,
                          it->room, NULL, it->info);
}

static void begin_operands(operands *it) {
  const int marks = -77;
  cudaMemcpy(it->a, it->before, SIDE * SIDE * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(it->b, it->sides, SIDE * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(it->x, 0, SIDE * sizeof(double));
  cudaMemcpy(it->info, &marks, sizeof marks, cudaMemcpyHostToDevice);
}

/* The numbers of failures grow by halves: a call has very many allocations, most of them cuBLAS's. */
static void walk(const char *what, kind call, operands *it) {
  int failed = 0;
  begin_operands(it);
  FINE(call(it)); /* kernels are there */
  for (int n = 1; n <= MOST; n += 1 + n / 2) {
    begin_operands(it);
    cudaDeviceSynchronize();
    vptr__memory_fail_nth(n);
    cusolverStatus_t status = call(it);
    vptr__memory_fail_nth(0);
    failed += status != CUSOLVER_STATUS_SUCCESS;
    EXPECT(what, status == CUSOLVER_STATUS_SUCCESS || status == CUSOLVER_STATUS_ALLOC_FAILED);
    EXPECT(what, value_of(it->info) == (status == CUSOLVER_STATUS_SUCCESS ? 0 : -77));
  }
  EXPECT(what, failed > 0);
  begin_operands(it);
  FINE(call(it));
}

/* The matrix has 2 on its diagonal and 1 / SIDE elsewhere, and the sides are its sums. */
static void expect_ones(const char *what, const operands *it) {
  double x[SIDE], most = 0;
  from_device(x, it->x, sizeof x);
  for (int i = 0; i < SIDE; i++)
    most = fmax(most, fabs(x[i] - 1));
  EXPECT(what, most < 1e-10);
}

/* SIDE - 1 values are the diagonal less what is beside it, and the last one has all that is beside it in it. */
static void expect_values(const operands *it) {
  double values[SIDE], most = 0;
  from_device(values, it->x, sizeof values);
  for (int i = 0; i < SIDE; i++)
    most = fmax(most, fabs(values[i] - (i < SIDE - 1 ? 2 - 1.0 / SIDE : 3 - 1.0 / SIDE)));
  EXPECT("syevd", most < 1e-10);
}

/* The same values, of a matrix that is positive definite. */
static void expect_descending(const operands *it) {
  double values[SIDE], most = 0;
  from_device(values, it->x, sizeof values);
  for (int i = 0; i < SIDE; i++)
    most = fmax(most, fabs(values[i] - (i > 0 ? 2 - 1.0 / SIDE : 3 - 1.0 / SIDE)));
  EXPECT("gesvd", most < 1e-10);
}

int main(void) {
  static operands it;
  setenv("VPTR_SPECTRA", "device", 1);
  FINE(cusolverDnCreate(&it.handle));
  begin_memory();
  it.before = malloc(SIDE * SIDE * sizeof(double)), it.sides = malloc(SIDE * sizeof(double));
  for (int i = 0; i < SIDE; i++) {
    it.sides[i] = 0;
    for (int j = 0; j < SIDE; j++)
      it.sides[i] += it.before[i + j * SIDE] = i == j ? 2 : 1.0 / SIDE;
  }
  it.a = on_device(it.before, SIDE * SIDE * sizeof(double)), it.b = on_device(it.sides, SIDE * sizeof(double));
  it.x = on_device(it.sides, SIDE * sizeof(double)), it.tau = on_device(it.sides, SIDE * sizeof(double));
  it.ipiv = on_device(it.sides, SIDE * sizeof(int)), it.info = new_info();
  it.bytes = 8 << 20, it.room = (int)(it.bytes / sizeof(double));
  cudaMalloc(&it.work, it.bytes);
  walk("geqrf", call_geqrf, &it);
  walk("orgqr", call_orgqr, &it);
  walk("ormqr", call_ormqr, &it);
  walk("getrs", call_getrs, &it);
  walk("gesv", call_gesv, &it);
  expect_ones("gesv", &it);
  walk("gels", call_gels, &it);
  expect_ones("gels", &it);
  walk("syevd", call_syevd, &it);
  expect_values(&it);
  it.vt = new_buffer(SIDE * SIDE * sizeof(double));
  walk("gesvd", call_gesvd, &it);
  expect_descending(&it);
  cudaFree(it.vt);
  FINE(cusolverDnDestroy(it.handle));
  cudaFree(it.work);
  free(it.before), free(it.sides);
  return verdict("test_large_failures");
}
