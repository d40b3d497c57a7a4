/* SPDX-License-Identifier: MIT */
/* fft - see fft.h. */
#include "fft.h"

#include <cuda_runtime_api.h>
#include <cufft.h>
#include <vptr/vptr.h>

#include "duel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VKFFT_BACKEND 3
#include <vkFFT.h>

static const int lengths[] = { 16, 256, 4096 };
enum { LENGTHS = sizeof lengths / sizeof *lengths, BATCH = 4, MOST = 4096 };

typedef struct fft_bench {
  duel duel;
  cl_device_id device;
  void *ptr;     /* vptr's memory */
  cl_mem buffer; /* the bare calls' */
} fft_bench;

/* One length, in place, forward, BATCH transforms. */
typedef struct job {
  fft_bench *bench;
  VkFFTApplication bare;
  cufftHandle plan;
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

static bool fft_bare(void *context) {
  job *work = context;
  VkFFTLaunchParams launch = { .commandQueue = &work->bench->duel.queue, .buffer = &work->bench->buffer };
  return VkFFTAppend(&work->bare, -1, &launch) == VKFFT_SUCCESS;
}

static bool fft_vptr(void *context) {
  const job *work = context;
  return cufftExecC2C(work->plan, work->bench->ptr, work->bench->ptr, CUFFT_FORWARD) == CUFFT_SUCCESS;
}

static bool fft_bare_to_end(void *context) {
  return fft_bare(context) && wait_bare(context);
}

static bool fft_vptr_to_end(void *context) {
  return fft_vptr(context) && wait_vptr(context);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

/* The first call of each side compiles kernels. */
static bool run_rows(job *work, int n) {
  char sent[64], waited[64];
  snprintf(sent, sizeof sent, "cufftExecC2C of %d, sent", n);
  snprintf(waited, sizeof waited, "cufftExecC2C of %d", n);
  duel_work row = { .what = sent, .bytes = (size_t)n * BATCH * sizeof(cufftComplex), .context = work };
  row.bare = fft_bare;
  row.vptr = fft_vptr;
  row.settle_bare = wait_bare;
  row.settle_vptr = wait_vptr;
  bool good = fft_bare_to_end(work) && fft_vptr_to_end(work) && duel_row(&work->bench->duel, &row);
  row = (duel_work){ .what = waited, .bytes = row.bytes, .context = work };
  row.bare = fft_bare_to_end;
  row.vptr = fft_vptr_to_end;
  return good && duel_row(&work->bench->duel, &row);
}

/* What the library asks of VkFFT, and no more. */
static bool run_length(fft_bench *bench, int n) {
  job work = { .bench = bench };
  VkFFTConfiguration wanted = { .FFTdim = 1,
                                .size = { (uint64_t)n },
                                .device = &bench->device,
                                .context = &bench->duel.context,
                                .numberBatches = BATCH,
                                .makeForwardPlanOnly = 1 };
  VkFFTResult made = initializeVkFFT(&work.bare, wanted);
  bool good = made == VKFFT_SUCCESS && cufftPlan1d(&work.plan, n, CUFFT_C2C, BATCH) == CUFFT_SUCCESS;
  if (!good)
    fprintf(stderr, "vptr-bench: no plan for %d numbers (VkFFT: %d): %s\n", n, (int)made, vptr_last_error());
  report_gap(&bench->duel.report);
  good = good && run_rows(&work, n);
  if (made == VKFFT_SUCCESS)
    deleteVkFFT(&work.bare);
  cufftDestroy(work.plan);
  return good;
}

static bool prepare(fft_bench *bench, const options *wanted) {
  if (!duel_begin(&bench->duel, wanted, "fft"))
    return false;
  size_t bytes = (size_t)MOST * BATCH * sizeof(cufftComplex);
  void *host = calloc(1, bytes);
  bool good = host != NULL && clGetCommandQueueInfo(bench->duel.queue, CL_QUEUE_DEVICE, sizeof bench->device,
                                                    &bench->device, NULL) == CL_SUCCESS;
  bench->buffer = good ? duel_buffer(&bench->duel, bytes, host) : NULL;
  good = bench->buffer != NULL && cudaMalloc(&bench->ptr, bytes) == cudaSuccess &&
         cudaMemcpy(bench->ptr, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  free(host);
  if (!good)
    fprintf(stderr, "vptr-bench: fft needs 2 pieces of device memory, %zu bytes each: %s\n", bytes,
            vptr_last_error());
  return good;
}

bool fft_run(const options *wanted) {
  fft_bench bench = { 0 };
  bool good = prepare(&bench, wanted);
  if (good)
    duel_report(&bench.duel, "call", 2 * LENGTHS,
                "VkFFT's call, on a queue without properties; 4 transforms in place");
  for (int i = 0; i < LENGTHS && good; i++)
    good = run_length(&bench, lengths[i]);
  if (good)
    report_end(&bench.duel.report);
  if (bench.buffer != NULL)
    clReleaseMemObject(bench.buffer);
  cudaFree(bench.ptr);
  duel_end(&bench.duel);
  return good;
}
