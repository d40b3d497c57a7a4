/* SPDX-License-Identifier: MIT */
/*
 * test_fft_span - transforms of memory that lies across the seam of two buffers, beside the same of one buffer: in
 * place and not, of all kinds, in a row and apart, with one side across and with both, and in a graph.
 *
 * VkFFT takes one buffer, so the library's own kernels bring such a side together and spread it again.
 */
#include "fft_check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PART = 1 << 20, N = 60, BATCH = 4, LAUNCHES = 3 };

#define FINE(call) EXPECT(#call, (call) == CUFFT_SUCCESS)
#define WORKS(call) EXPECT(#call, (call) == cudaSuccess)

static char *span;

/* Of so many bytes, about the n-th seam: some transforms in front of it, some behind. */
static void *across(int n, size_t bytes) {
  return span + (size_t)n * PART - bytes / 2 / 16 * 16;
}

static void fill_floats(float *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    numbers[i] = (float)((i * 2654435761u >> 8) % 2000) / 1000 - 1;
}

static void compare_floats(const char *what, const void *got, const void *expected, size_t count) {
  float *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
  WORKS(cudaMemcpy(a, got, count * sizeof *a, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(b, expected, count * sizeof *b, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += !(fabsf(a[i] - b[i]) < 1e-3f);
  EXPECT(what, wrong == 0);
  free(a);
  free(b);
}

static cufftResult exec(cufftHandle plan, cufftType type, void *from, void *to) {
  switch (type) {
  case CUFFT_R2C:
    return cufftExecR2C(plan, from, to);
  case CUFFT_C2R:
    return cufftExecC2R(plan, from, to);
  default:
    return cufftExecC2C(plan, from, to, CUFFT_INVERSE);
  }
}

static const size_t room = 2 * (N + 2) * BATCH; /* floats of either side, padded */

/* The sides that lie across a seam: bit 0 the input, bit 1 the output; in place all or none. */
static void check(const char *what, cufftType type, bool is_in_place, float *plain) {
  cufftHandle plan;
  FINE(cufftPlan1d(&plan, N, type, BATCH));
  float *host = malloc(room * sizeof *host);
  for (int sides = is_in_place ? 3 : 1; sides <= 3; sides++) {
    float *from = sides & 1 ? across(1, room * sizeof *host) : plain + 2 * room;
    float *to = is_in_place ? from : sides & 2 ? across(2, room * sizeof *host) : plain + 3 * room;
    float *plain_to = is_in_place ? plain : plain + room;
    fill_floats(host, room);
    WORKS(cudaMemcpy(plain, host, room * sizeof *host, cudaMemcpyHostToDevice));
    WORKS(cudaMemcpy(from, host, room * sizeof *host, cudaMemcpyHostToDevice));
    if (!is_in_place) {
      WORKS(cudaMemset(plain_to, 0, room * sizeof *host));
      WORKS(cudaMemset(to, 0, room * sizeof *host));
    }
    FINE(exec(plan, type, plain, plain_to));
    FINE(exec(plan, type, from, to));
    compare_floats(what, to, plain_to, room);
    if (!is_in_place && type != CUFFT_C2R) /* of which cuFFT may spoil the input */
      compare_floats("the input", from, plain, room);
  }
  free(host);
  FINE(cufftDestroy(plan));
}

/* Each launch transforms what the one before left. */
static void check_captured(float *plain) {
  cufftHandle plan;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  float *host = malloc(room * sizeof *host), *at = across(1, room * sizeof *host);
  fill_floats(host, room);
  for (size_t i = 0; i < room; i++)
    host[i] /= 1000;
  WORKS(cudaMemcpy(plain, host, room * sizeof *host, cudaMemcpyHostToDevice));
  WORKS(cudaMemcpy(at, host, room * sizeof *host, cudaMemcpyHostToDevice));
  FINE(cufftPlan1d(&plan, N, CUFFT_C2C, BATCH));
  WORKS(cudaStreamCreate(&stream));
  FINE(cufftSetStream(plan, stream));
  WORKS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FINE(cufftExecC2C(plan, (cufftComplex *)at, (cufftComplex *)at, CUFFT_FORWARD));
  WORKS(cudaStreamEndCapture(stream, &graph));
  WORKS(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < LAUNCHES; i++) {
    WORKS(cudaGraphLaunch(executable, stream));
    FINE(cufftExecC2C(plan, (cufftComplex *)plain, (cufftComplex *)plain, CUFFT_FORWARD));
  }
  WORKS(cudaStreamSynchronize(stream));
  compare_floats("captured", at, plain, room);
  WORKS(cudaGraphExecDestroy(executable));
  WORKS(cudaGraphDestroy(graph));
  WORKS(cudaStreamDestroy(stream));
  FINE(cufftDestroy(plan));
  free(host);
}

/* In a process of its own, since variables are read once. */
static int check_all(const char *rows) {
  float *plain;
  setenv("VPTR_BUFFER_BYTES", "1M", 1);
  setenv("VPTR_RESERVE", "256M", 1); /* parts are windows of addresses, 1 MiB then */
  setenv("VPTR_BUFFER_ROWS", rows, 1);
  WORKS(cudaMalloc((void **)&plain, 4 * room * sizeof(float)));
  WORKS(cudaMalloc((void **)&span, 3 * (size_t)PART));
  check("complex", CUFFT_C2C, false, plain);
  check("complex, in place", CUFFT_C2C, true, plain);
  check("from reals", CUFFT_R2C, false, plain);
  check("from reals, in place", CUFFT_R2C, true, plain);
  check("to reals", CUFFT_C2R, false, plain);
  check_captured(plain);
  WORKS(cudaFree(span));
  WORKS(cudaFree(plain));
  return verdict(rows[0] == '0' ? "test_fft_span, apart" : "test_fft_span, in a row");
}

int main(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0)
    return check_all("1");
  const bool is_right = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
  return check_all("0") | (is_right ? WEXITSTATUS(status) : 1);
}
