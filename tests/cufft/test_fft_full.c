/* SPDX-License-Identifier: MIT */
/*
 * test_fft_full - transforms on a device that has no room for them: CUFFT_ALLOC_FAILED, all memory as it was, nothing
 * kept, and a result that is right when something else has been freed. Once for a device where allocations stay, and
 * once where they leave it for others.
 *
 * The program runs itself anew for each, with a budget of the device's memory.
 */
#include "fft_check.h"

#include <sys/wait.h>
#include <unistd.h>

/* BUDGET: what the device has. LARGE: two of these do not fit together, nor does one with a FILLER. */
enum { BUDGET = 4 << 20, LARGE = 5 << 19, FILLER = 1 << 20, N = 4, BATCH = LARGE / N / (int)sizeof(cufftComplex) };

#define GIVES(result, call) EXPECT(#call, (call) == (result))
#define FINE(call) GIVES(CUFFT_SUCCESS, call)

static cufftComplex numbers[N * BATCH], got[N * BATCH];

static void *allocated(size_t bytes) {
  void *made = NULL;
  EXPECT("cudaMalloc", cudaMalloc(&made, bytes) == cudaSuccess);
  return made;
}

/* Each number is 1: of each transform the first is their sum, and the others are 0. */
static void put_ones(cufftComplex *to) {
  for (int i = 0; i < N * BATCH; i++)
    numbers[i] = make_cuComplex(1, 0);
  EXPECT("cudaMemcpy", cudaMemcpy(to, numbers, sizeof numbers, cudaMemcpyHostToDevice) == cudaSuccess);
}

/* step: how far the numbers of a transform are apart. */
static bool are_sums(const cufftComplex *at, int step) {
  bool are = cudaMemcpy(got, at, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < N * BATCH; i++)
    are = are && fabsf(got[i].x - (i / step % N == 0 ? N : 0)) < 1e-6f && fabsf(got[i].y) < 1e-6f;
  return are;
}

static bool are_ones(const cufftComplex *at) {
  bool are = cudaMemcpy(got, at, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess;
  return are && memcmp(got, numbers, sizeof got) == 0;
}

static size_t free_now(void) {
  size_t left = 0, total = 0;
  cudaDeviceSynchronize();
  EXPECT("cudaMemGetInfo", cudaMemGetInfo(&left, &total) == cudaSuccess && total == BUDGET);
  return left;
}

/* Columns are packed, in memory of the device's pool, which has none. */
static void check_work(void) {
  const cudaError_t before = cudaGetLastError();
  int n[1] = { N };
  cufftHandle plan;
  FINE(cufftPlanMany(&plan, 1, n, n, BATCH, 1, n, BATCH, 1, CUFFT_C2C, BATCH / 2));
  cufftComplex *a = allocated(sizeof numbers);
  void *filler = allocated(FILLER);
  put_ones(a);
  for (int i = 0; i < 3; i++)
    GIVES(CUFFT_ALLOC_FAILED, cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  EXPECT("the runtime's last error is as it was", before == cudaSuccess && cudaGetLastError() == cudaSuccess);
  EXPECT("nothing was sent", are_ones(a));
  cudaFree(filler);
  FINE(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  EXPECT("cudaMemcpy", cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  bool is_right = true;
  for (int i = 0; i < N * BATCH; i++)
    is_right = is_right && fabsf(got[i].x - (i % BATCH >= BATCH / 2 ? 1 : i < BATCH ? N : 0)) < 1e-6f;
  EXPECT("columns", is_right);
  FINE(cufftDestroy(plan));
  cudaFree(a);
}

/* Input and output are there one at a time alone. */
static void check_sides(void) {
  cufftHandle plan;
  FINE(cufftPlan1d(&plan, N, CUFFT_C2C, BATCH));
  cufftComplex *a = allocated(sizeof numbers), *b = allocated(sizeof numbers);
  put_ones(b);
  put_ones(a);
  for (int i = 0; i < 3; i++)
    GIVES(CUFFT_ALLOC_FAILED, cufftExecC2C(plan, i == 1 ? b : a, i == 1 ? a : b, CUFFT_FORWARD));
  EXPECT("the runtime's last error is as it was", cudaGetLastError() == cudaSuccess);
  EXPECT("nothing was sent", are_ones(a) && are_ones(b));
  FINE(cufftExecC2C(plan, b, b, CUFFT_FORWARD));
  FINE(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  EXPECT("in place, each in its turn", are_sums(a, 1) && are_sums(b, 1));
  FINE(cufftDestroy(plan));
  cudaFree(a);
  cudaFree(b);
}

static int check_all(bool leaves) {
  cudaFree(NULL);
  const size_t before = free_now();
  for (int round = 0; round < 3; round++)
    (leaves ? check_sides : check_work)();
  EXPECT("nothing is kept", free_now() == before);
  return verdict(leaves ? "test_fft_full, allocations leave" : "test_fft_full");
}

static int run_anew(char **arguments, const char *leaves) {
  int state = 1;
  pid_t child = fork();
  if (child == 0) {
    char budget[16];
    snprintf(budget, sizeof budget, "%d", BUDGET);
    setenv("VPTR_DEVICE_BYTES", budget, 1);
    setenv("VPTR_OVERSUBSCRIBE", leaves, 1);
    setenv("VPTR_TEST_FULL", leaves, 1);
    execv("/proc/self/exe", arguments);
    _exit(1);
  }
  return waitpid(child, &state, 0) == child && state == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
  const char *leaves = getenv("VPTR_TEST_FULL");
  (void)count;
  if (leaves != NULL)
    return check_all(leaves[0] == '1');
  return run_anew(arguments, "0") | run_anew(arguments, "1");
}
