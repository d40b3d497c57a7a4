/* SPDX-License-Identifier: MIT */
/*
 * test_tuning - which parameters CLBlast is told: this program has a CLBlastSgemm() and a CLBlastOverrideParameters()
 * of its own, which are found before the library's, so that a set is as quick, and as right, as the program says.
 *
 * It runs itself as four processes: one that tries, one that begins with what was kept, and both again where CLBlast's
 * own parameters are the quickest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl.h>
#include <clblast_c.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)

enum { SMALL = 8, LARGE = 300, PARAMETERS = 16 };

/* Of the sets, by their order: one fails, the next gives a wrong result at once, the third is the best of the rest. */
enum { FAILS = 1, WRONG, BEST };

static int overrides, products;
static bool tries, own_is_best;
static size_t last[PARAMETERS], best[PARAMETERS];

__attribute__((visibility("default"))) CLBlastStatusCode
CLBlastOverrideParameters(const cl_device_id device, const char *kernel_name, const CLBlastPrecision precision,
                          const size_t num_parameters, const char **parameters_names,
                          const size_t *parameters_values) {
  EXPECT(device != NULL && strcmp(kernel_name, "Xgemm") == 0 && precision == CLBlastPrecisionSingle);
  EXPECT(num_parameters == PARAMETERS && strcmp(parameters_names[0], "GEMMK") == 0);
  overrides++;
  memcpy(last, parameters_values, sizeof last);
  if (overrides == BEST)
    memcpy(best, last, sizeof best);
  return CLBlastSuccess;
}

static void sleep_ms(int ms) {
  const struct timespec length = { 0, ms * 1000000L };
  nanosleep(&length, NULL);
}

__attribute__((visibility("default"))) CLBlastStatusCode
CLBlastSgemm(const CLBlastLayout layout, const CLBlastTranspose a_transpose, const CLBlastTranspose b_transpose,
             const size_t m, const size_t n, const size_t k, const float alpha, const cl_mem a_buffer,
             const size_t a_offset, const size_t a_ld, const cl_mem b_buffer, const size_t b_offset,
             const size_t b_ld, const float beta, cl_mem c_buffer, const size_t c_offset, const size_t c_ld,
             cl_command_queue *queue, cl_event *event) {
  (void)layout, (void)a_transpose, (void)b_transpose, (void)m, (void)n, (void)k, (void)alpha, (void)a_buffer;
  (void)a_offset, (void)a_ld, (void)b_buffer, (void)b_offset, (void)b_ld, (void)beta, (void)c_ld;
  const cl_float value = tries && overrides == WRONG ? 77 : 3; /* one element stands for all */
  products++;
  if (tries && overrides == FAILS)
    return CLBlastOpenCLBuildProgramFailure;
  if (clEnqueueFillBuffer(*queue, c_buffer, &value, sizeof value, c_offset * sizeof value, sizeof value, 0, NULL,
                          event) != CL_SUCCESS)
    return CLBlastUnexpectedError;
  if (tries && overrides == WRONG)
    return CLBlastSuccess;
  sleep_ms(overrides == 0 ? (own_is_best ? 1 : 20) : overrides == BEST ? 5 : 20);
  return CLBlastSuccess;
}

/* ---- what a process does --------------------------------------------------------------------------------------- */

static bool multiply(cublasHandle_t handle, int n, const float *a, float *c) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n) ==
         CUBLAS_STATUS_SUCCESS;
}

/* A small product tries nothing, the first large one does, the next does not. */
static int run_process(const char *what) {
  cublasHandle_t handle = NULL;
  float *a = NULL, *c = NULL;
  tries = strncmp(what, "try", 3) == 0;
  own_is_best = strstr(what, "own") != NULL;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaMalloc((void **)&a, LARGE * LARGE * sizeof *a) == cudaSuccess);
  EXPECT(cudaMalloc((void **)&c, LARGE * LARGE * sizeof *c) == cudaSuccess);
  const int kept = !tries && !own_is_best;
  EXPECT(multiply(handle, SMALL, a, c));
  EXPECT(products == 1 && overrides == kept);
  EXPECT(multiply(handle, LARGE, a, c));
  EXPECT(tries ? overrides > BEST && products > BEST : overrides == kept && products == 2);
  if (tries)
    EXPECT(memcmp(last, best, sizeof best) == 0);
  for (int i = 0; i < PARAMETERS; i++)
    printf("%zu ", last[i]);
  printf("\n");
  int before = products, overrides_before = overrides;
  EXPECT(multiply(handle, LARGE, a, c));
  EXPECT(products == before + 1 && overrides == overrides_before);
  cudaFree(a);
  cudaFree(c);
  cublasDestroy(handle);
  return failures;
}

/* ---- the processes --------------------------------------------------------------------------------------------- */

/* What it printed first; the process failed where that is not a line of numbers. */
static void run_program(const char *program, const char *what, const char *folder, char line[256]) {
  char command[1200];
  line[0] = '\0';
  snprintf(command, sizeof command, "VPTR_CACHE='%s' VPTR_TUNE=%d '%s' %s", folder, strncmp(what, "try", 3) == 0,
           program, what);
  FILE *from = popen(command, "r");
  EXPECT(from != NULL && fgets(line, 256, from) != NULL);
  char rest[256];
  while (from != NULL && fgets(rest, sizeof rest, from) != NULL)
    fputs(rest, stdout);
  EXPECT(from != NULL && pclose(from) == 0);
}

static void check_folder(const char *program, const char *first, const char *begins, bool is_same) {
  char folder[] = "/tmp/vptr-tuning-XXXXXX", tried[256], begun[256], command[64];
  EXPECT(mkdtemp(folder) != NULL);
  run_program(program, first, folder, tried);
  run_program(program, begins, folder, begun);
  EXPECT((strcmp(tried, begun) == 0) == is_same);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  EXPECT(system(command) == 0);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return run_process(argv[1]) != 0;
  check_folder(argv[0], "try", "begin", true);
  check_folder(argv[0], "try-own", "begin-own", false);
  return verdict("test_tuning");
}
