/* SPDX-License-Identifier: MIT */
/*
 * test_fft_failures - each OpenCL call, and each allocation on the host, fails once in a transform, and in making a
 * plan. Either the failure is told, by the call or by the next wait, or the result is what it always is; the plan and
 * the device go on, and nothing is left behind. Once on a device, and once on one that can be exchanged
 * (VPTR_MIGRATE=1), behind whose handles VkFFT's commands are sent.
 *
 * It needs the layer (VPTR_TEST_LAYER=path of the module); else it is left out. The program runs itself anew for each.
 */
#include "fft_check.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "layer/left.h"
#include "mapper/mapper.h"

/* LONG takes several kernels, and works in memory of the pool. COLUMNS are packed there first. MOST: calls of OpenCL's
 * in a call of cuFFT's. */
enum { SHORT = 60, LONG = 6000, COLUMNS = 12, ROOM = LONG, MOST = 2000, LEFT_OUT = 77 };

#define FINE(call) EXPECT(#call, (call) == CUFFT_SUCCESS)
#define WORKS(call) EXPECT(#call, (call) == cudaSuccess)

static const layer_control *layer;
static vptr_mapper *mapper;
static cufftComplex begin[ROOM], expected[ROOM], got[ROOM], *at;
static cufftHandle shorts, longs, columns;

typedef cufftResult transform_call(void);

static cufftResult call_short(void) {
  return cufftExecC2C(shorts, at, at, CUFFT_FORWARD);
}
static cufftResult call_long(void) {
  return cufftExecC2C(longs, at, at, CUFFT_FORWARD);
}
static cufftResult call_columns(void) {
  return cufftExecC2C(columns, at, at, CUFFT_INVERSE);
}

/* VkFFT's kernels are built by the first transform. */
static cufftResult call_new(void) {
  cufftHandle plan;
  cufftResult result = cufftPlan1d(&plan, SHORT, CUFFT_C2C, 1);
  if (result != CUFFT_SUCCESS)
    return result;
  result = cufftExecC2C(plan, at, at, CUFFT_FORWARD);
  FINE(cufftDestroy(plan));
  return result;
}

static void put_input(void) {
  WORKS(cudaMemcpy(at, begin, sizeof begin, cudaMemcpyHostToDevice));
}

static bool is_as_expected(void) {
  return cudaMemcpy(got, at, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess &&
         memcmp(got, expected, sizeof got) == 0;
}

/* ---- faults ----------------------------------------------------------------------------------------------- */

static void fail_call(long n) {
  layer->inject(LAYER_ANY, n, CL_OUT_OF_RESOURCES);
}

/* Allocations are not counted: one that is beyond the last is noticed by nobody. */
static bool has_fired(void (*fail_nth)(long n), bool was_told) {
  return fail_nth == fail_call ? layer->fired() : was_told;
}

/* Returns how many failures were told. `unharmed` runs in a row without a fault are the end. */
static int walk(transform_call *call, void (*fail_nth)(long n)) {
  enum { UNHARMED = 12 };
  int told = 0, unharmed = 0;
  for (long n = 1; n <= MOST && unharmed < UNHARMED; n++) {
    put_input();
    fail_nth(n);
    const cufftResult result = call();
    const bool is_well = cudaDeviceSynchronize() == cudaSuccess && result == CUFFT_SUCCESS;
    const bool has_failed = has_fired(fail_nth, !is_well);
    fail_nth(0);
    cudaGetLastError();
    cudaDeviceSynchronize();
    EXPECT("what is not told did no harm", !is_well || is_as_expected());
    EXPECT("only what failed is told", is_well || has_failed);
    told += !is_well;
    unharmed = has_failed ? 0 : unharmed + 1;
    put_input();
    FINE(call());
    WORKS(cudaDeviceSynchronize());
    EXPECT("the next one", is_as_expected());
  }
  EXPECT("the walk ends", unharmed == UNHARMED);
  return told;
}

static void check_call(const char *what, transform_call *call, int walks) {
  put_input();
  FINE(call());
  WORKS(cudaMemcpy(expected, at, sizeof expected, cudaMemcpyDeviceToHost));
  EXPECT("it transforms", memcmp(expected, begin, sizeof begin) != 0);
  EXPECT("calls of OpenCL are told of", walk(call, fail_call) > 0);
  walk(call, vptr__memory_fail_nth);
  const left before = left_look(mapper, layer);
  for (int i = 0; i < walks; i++) {
    walk(call, fail_call);
    walk(call, vptr__memory_fail_nth);
  }
  EXPECT(what, left_as_before(what, before, mapper, layer));
}

static int check_all(const char *migrates) {
  int n[1] = { COLUMNS };
  for (int i = 0; i < ROOM; i++)
    begin[i] = make_cuComplex((float)(i * 37 % 101) / 50 - 1, (float)(i * 53 % 97) / 50 - 1);
  WORKS(cudaMalloc((void **)&at, sizeof begin));
  EXPECT("a mapper", vptr__mapper_for_device(0, &mapper) == VPTR_SUCCESS);
  FINE(cufftPlan1d(&shorts, SHORT, CUFFT_C2C, 2));
  FINE(cufftPlan1d(&longs, LONG, CUFFT_C2C, 1));
  FINE(cufftPlanMany(&columns, 1, n, n, COLUMNS, 1, n, COLUMNS, 1, CUFFT_C2C, COLUMNS));
  check_call("a few numbers", call_short, 3);
  check_call("several kernels", call_long, 3);
  check_call("columns", call_columns, 3);
  check_call("a new plan", call_new, 1);
  FINE(cufftDestroy(shorts));
  FINE(cufftDestroy(longs));
  FINE(cufftDestroy(columns));
  WORKS(cudaFree(at));
  return verdict(migrates[0] == '1' ? "test_fft_failures, exchangeable" : "test_fft_failures");
}

static int run_anew(char **arguments, const char *migrates) {
  int state = 1;
  pid_t child = fork();
  if (child == 0) {
    setenv("VPTR_MIGRATE", migrates, 1);
    setenv("VPTR_TEST_FAILURES", migrates, 1);
    execv("/proc/self/exe", arguments);
    _exit(1);
  }
  return waitpid(child, &state, 0) == child && state == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
  (void)count;
  layer = layer_install();
  if (layer == NULL)
    return LEFT_OUT;
  const char *migrates = getenv("VPTR_TEST_FAILURES");
  if (migrates != NULL)
    return check_all(migrates);
  return run_anew(arguments, "0") + run_anew(arguments, "1") == 0 ? 0 : 1;
}
