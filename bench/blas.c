/* SPDX-License-Identifier: MIT */
/* blas - see blas.h. */
#include "blas.h"

#include <clblast_c.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "duel.h"

#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 2048, QUICK_LARGEST = 64, OPERANDS = 3 };

static const int sent_orders[] = { 16, 64 };
static const int waited_orders[] = { 64, 512, 1024, LARGEST };
static const int lengths[] = { 16, 4096 };
enum { ROWS = 2 + 2 + 4 + 4 };

typedef struct blas_bench {
  duel duel;
  cublasHandle_t handle;
  int largest;
  void *ptrs[OPERANDS];     /* vptr's memory */
  cl_mem buffers[OPERANDS]; /* the bare calls' */
} blas_bench;

/* What one call does. */
typedef struct job {
  blas_bench *bench;
  int order; /* of the matrices, or the length of the vectors */
} job;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

static bool wait_bare(void *context) {
  const job *work = context;
  return clFinish(work->bench->duel.queue) == CL_SUCCESS;
}

static bool wait_vptr(void *context) {
  (void)context;
  return cudaStreamSynchronize(NULL) == cudaSuccess;
}

static bool axpy_bare(void *context) {
  const job *work = context;
  blas_bench *bench = work->bench;
  return CLBlastSaxpy((size_t)work->order, 0.5f, bench->buffers[0], 0, 1, bench->buffers[1], 0, 1, &bench->duel.queue,
                      NULL) == CLBlastSuccess;
}

static bool axpy_vptr(void *context) {
  const job *work = context;
  const float half = 0.5f;
  return cublasSaxpy(work->bench->handle, work->order, &half, work->bench->ptrs[0], 1, work->bench->ptrs[1], 1) ==
         CUBLAS_STATUS_SUCCESS;
}

static bool sgemm_bare(void *context) {
  const job *work = context;
  blas_bench *bench = work->bench;
  const size_t n = (size_t)work->order;
  return CLBlastSgemm(CLBlastLayoutColMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1, bench->buffers[0], 0,
                      n, bench->buffers[1], 0, n, 0, bench->buffers[2], 0, n, &bench->duel.queue,
                      NULL) == CLBlastSuccess;
}

static bool sgemm_vptr(void *context) {
  const job *work = context;
  const int n = work->order;
  const float one = 1, zero = 0;
  return cublasSgemm(work->bench->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, work->bench->ptrs[0], n,
                     work->bench->ptrs[1], n, &zero, work->bench->ptrs[2], n) == CUBLAS_STATUS_SUCCESS;
}

static bool dgemm_bare(void *context) {
  const job *work = context;
  blas_bench *bench = work->bench;
  const size_t n = (size_t)work->order;
  return CLBlastDgemm(CLBlastLayoutColMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1, bench->buffers[0], 0,
                      n, bench->buffers[1], 0, n, 0, bench->buffers[2], 0, n, &bench->duel.queue,
                      NULL) == CLBlastSuccess;
}

static bool dgemm_vptr(void *context) {
  const job *work = context;
  const int n = work->order;
  const double one = 1, zero = 0;
  return cublasDgemm(work->bench->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, work->bench->ptrs[0], n,
                     work->bench->ptrs[1], n, &zero, work->bench->ptrs[2], n) == CUBLAS_STATUS_SUCCESS;
}

static bool sgemm_bare_to_end(void *context) {
  return sgemm_bare(context) && wait_bare(context);
}

static bool sgemm_vptr_to_end(void *context) {
  return sgemm_vptr(context) && wait_vptr(context);
}

static bool dgemm_bare_to_end(void *context) {
  return dgemm_bare(context) && wait_bare(context);
}

static bool dgemm_vptr_to_end(void *context) {
  return dgemm_vptr(context) && wait_vptr(context);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

/* The first call of each side compiles kernels. */
static bool run_row(blas_bench *bench, duel_work row, int order) {
  job work = { bench, order };
  row.context = &work;
  bool good = row.bare(&work) && wait_bare(&work);
  if (!good)
    fprintf(stderr, "vptr-bench: '%s' of order %d failed in CLBlast\n", row.what, order);
  return good && duel_row(&bench->duel, &row);
}

static bool run_sent(blas_bench *bench, const char *what, const int *orders, bool is_vector, duel_call *bare,
                     duel_call *vptr) {
  bool good = true;
  report_gap(&bench->duel.report);
  for (int i = 0; i < 2 && good; i++) {
    size_t n = (size_t)orders[i], elements = is_vector ? 2 * n : OPERANDS * n * n;
    char name[64];
    snprintf(name, sizeof name, "%s of %d, sent", what, orders[i]);
    good = run_row(bench,
                   (duel_work){ .what = name,
                                .bytes = elements * sizeof(float),
                                .bare = bare,
                                .vptr = vptr,
                                .settle_bare = wait_bare,
                                .settle_vptr = wait_vptr },
                   orders[i]);
  }
  return good;
}

static bool run_waited(blas_bench *bench, const char *what, size_t size, duel_call *bare, duel_call *vptr) {
  bool good = true;
  report_gap(&bench->duel.report);
  for (size_t i = 0; i < sizeof waited_orders / sizeof *waited_orders && good; i++) {
    int order = waited_orders[i];
    char name[64];
    snprintf(name, sizeof name, "%s of %d", what, order);
    if (order <= bench->largest)
      good = run_row(
          bench,
          (duel_work){
              .what = name, .bytes = OPERANDS * (size_t)order * (size_t)order * size, .bare = bare, .vptr = vptr },
          order);
  }
  return good;
}

static bool run_all(blas_bench *bench) {
  duel_report(&bench->duel, "call", ROWS, "CLBlast's call, on a queue without properties; bytes: of all operands");
  bool good = run_sent(bench, "cublasSaxpy", lengths, true, axpy_bare, axpy_vptr) &&
              run_sent(bench, "cublasSgemm", sent_orders, false, sgemm_bare, sgemm_vptr) &&
              run_waited(bench, "cublasSgemm", sizeof(float), sgemm_bare_to_end, sgemm_vptr_to_end) &&
              run_waited(bench, "cublasDgemm", sizeof(double), dgemm_bare_to_end, dgemm_vptr_to_end);
  if (good)
    report_end(&bench->duel.report);
  return good;
}

/* Of zeros: what matrices hold takes no other time, and sums stay finite however long it is measured. */
static bool prepare(blas_bench *bench, const options *wanted) {
  if (!duel_begin(&bench->duel, wanted, "blas"))
    return false;
  bench->largest = wanted->quick ? QUICK_LARGEST : LARGEST;
  size_t bytes = (size_t)bench->largest * (size_t)bench->largest * sizeof(double);
  void *host = calloc(1, bytes);
  bool good = host != NULL && cublasCreate(&bench->handle) == CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < OPERANDS && good; i++) {
    bench->buffers[i] = duel_buffer(&bench->duel, bytes, host);
    good = bench->buffers[i] != NULL && cudaMalloc(&bench->ptrs[i], bytes) == cudaSuccess &&
           cudaMemcpy(bench->ptrs[i], host, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  }
  free(host);
  if (!good)
    fprintf(stderr, "vptr-bench: blas needs 6 pieces of device memory, %zu bytes each: %s\n", bytes,
            vptr_last_error());
  return good;
}

bool blas_run(const options *wanted) {
  blas_bench bench = { 0 };
  bool good = prepare(&bench, wanted) && run_all(&bench);
  for (int i = 0; i < OPERANDS; i++) {
    if (bench.buffers[i] != NULL)
      clReleaseMemObject(bench.buffers[i]);
    cudaFree(bench.ptrs[i]);
  }
  if (bench.handle != NULL)
    cublasDestroy(bench.handle);
  duel_end(&bench.duel);
  return good;
}
