/* SPDX-License-Identifier: MIT */
/*
 * matmul - C = A * B, by a program that was written for CUDA and grew up.
 *
 * Memory is handled as such programs do it: one cudaMalloc() for everything, and A, B and C at odd places in it by
 * pointer arithmetic. The kernel is OpenCL C. That the two fit together is the point: device 0 of the CUDA runtime
 * is the device of vptr's default mapper, so vptr_set_kernel_arg() takes pointers of cudaMalloc(), wherever they
 * point.
 *
 * The gaps between the matrices are filled with a pattern, which must still be there in the end.
 *
 *     cc matmul.c $(pkg-config --cflags --libs vptr-cudart) -lm -o matmul && ./matmul [ROWS COLUMNS INNER]
 *
 * Exit status: 0 the product is right, 1 it is not or something failed, 2 wrong usage.
 */
#define _POSIX_C_SOURCE 200809L

#include <cuda_runtime.h>
#include <vptr/vptr.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Floats before A, between A and B, between B and C, and behind C: no matrix begins at a round address. */
enum { GAP_A = 3, GAP_B = 5, GAP_C = 7, GAP_END = 9 };
enum { TILE = 16, LAUNCHES = 5, PATTERN = 0xa5, MAX_EXTENT = 16384 };

/* Each work-group makes one tile of C from a row of tiles of A and a column of tiles of B. Outside the matrices
 * there are zeros: work-items there take part to the end, since all must meet at each barrier. */
static const char source[] =
    "__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))\n"
    "void multiply(__global const float *a, __global const float *b, __global float *c,\n"
    "              int rows, int columns, int inner) {\n"
    "  __local float tile_a[TILE][TILE], tile_b[TILE][TILE];\n"
    "  const int x = get_local_id(0), y = get_local_id(1);\n"
    "  const int column = get_global_id(0), row = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int first = 0; first < inner; first += TILE) {\n"
    "    tile_a[y][x] = row < rows && first + x < inner ? a[(size_t)row * inner + first + x] : 0;\n"
    "    tile_b[y][x] = first + y < inner && column < columns ? b[(size_t)(first + y) * columns + column] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < TILE; k++)\n"
    "      sum += tile_a[y][k] * tile_b[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (row < rows && column < columns)\n"
    "    c[(size_t)row * columns + column] = sum;\n"
    "}\n";

typedef struct shape {
  int rows, columns, inner; /* A: rows x inner, B: inner x columns, C: rows x columns */
} shape;

static size_t floats_of_a(shape s) {
  return (size_t)s.rows * (size_t)s.inner;
}

static size_t floats_of_b(shape s) {
  return (size_t)s.inner * (size_t)s.columns;
}

static size_t floats_of_c(shape s) {
  return (size_t)s.rows * (size_t)s.columns;
}

/* ---- errors, in the manner of such programs -------------------------------------------------------------- */

static void must_cuda(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "matmul: %s: %s (%s)\n  %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error),
          vptr_last_error());
  exit(EXIT_FAILURE);
}

static void must_vptr(vptr_status status, const char *what) {
  if (status == VPTR_SUCCESS)
    return;
  fprintf(stderr, "matmul: %s: %s\n  %s\n", what, vptr_status_string(status), vptr_last_error());
  exit(EXIT_FAILURE);
}

static void must_cl(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "matmul: %s: OpenCL error %d\n", what, (int)code);
  exit(EXIT_FAILURE);
}

static void *must_have(void *memory, size_t size) {
  if (memory == NULL) {
    fprintf(stderr, "matmul: no host memory for %zu bytes\n", size);
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* ---- the kernel ------------------------------------------------------------------------------------------ */

static void print_build_log(cl_program program, cl_device_id device) {
  char log[4096] = "";
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  fprintf(stderr, "%s\n", log);
}

static cl_kernel build_kernel(void) {
  char options[32];
  const char *text = source;
  cl_device_id device = vptr_get_device(NULL);
  cl_context context = vptr_get_context(NULL);
  cl_int code;
  if (context == NULL) {
    fprintf(stderr, "matmul: the device has no OpenCL context (the fake one has none, nor have several as one): set "
                    "VPTR_PLATFORM to an OpenCL platform, and no VPTR_STRIPE\n");
    exit(EXIT_FAILURE);
  }
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  must_cl(code, "clCreateProgramWithSource");
  snprintf(options, sizeof options, "-DTILE=%d", TILE);
  code = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (code != CL_SUCCESS)
    print_build_log(program, device);
  must_cl(code, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "multiply", &code);
  must_cl(code, "clCreateKernel");
  clReleaseProgram(program);
  return kernel;
}

static void set_arguments(cl_kernel kernel, const float *a, const float *b, const float *c, shape s) {
  must_vptr(vptr_set_kernel_arg(NULL, kernel, 0, a), "passing A");
  must_vptr(vptr_set_kernel_arg(NULL, kernel, 1, b), "passing B");
  must_vptr(vptr_set_kernel_arg(NULL, kernel, 2, c), "passing C");
  must_cl(clSetKernelArg(kernel, 3, sizeof s.rows, &s.rows), "passing the rows");
  must_cl(clSetKernelArg(kernel, 4, sizeof s.columns, &s.columns), "passing the columns");
  must_cl(clSetKernelArg(kernel, 5, sizeof s.inner, &s.inner), "passing the inner extent");
}

static size_t round_up(int extent) {
  return ((size_t)extent + TILE - 1) / TILE * TILE;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds of the fastest of some launches: the first one also pays for what the driver does late. */
static double run_kernel(cl_kernel kernel, shape s) {
  const size_t global[] = { round_up(s.columns), round_up(s.rows) }, local[] = { TILE, TILE };
  double best = INFINITY;
  for (int i = 0; i < LAUNCHES; i++) {
    double begin = seconds_now();
    must_cl(clEnqueueNDRangeKernel(vptr_get_queue(NULL), kernel, 2, NULL, global, local, 0, NULL, NULL),
            "clEnqueueNDRangeKernel");
    must_cuda(cudaDeviceSynchronize(), "waiting for the kernel");
    best = fmin(best, seconds_now() - begin);
  }
  return best;
}

/* ---- the check ------------------------------------------------------------------------------------------- */

static void fill_matrix(float *matrix, size_t count, uint32_t seed) {
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    matrix[i] = (float)(seed >> 8) / (float)(1u << 24) - 0.5f;
  }
}

/* The worst error of an element of C, as a fraction of what float arithmetic may do to a sum of that many products
 * of these sizes (inner * epsilon * sum of |a * b|): above 1, something is wrong. */
static double worst_error(const float *a, const float *b, const float *c, shape s) {
  double worst = 0;
  double *sums = must_have(calloc(2 * (size_t)s.columns, sizeof *sums), 2 * (size_t)s.columns * sizeof *sums);
  double *sizes = sums + s.columns;
  for (int row = 0; row < s.rows; row++) {
    memset(sums, 0, 2 * (size_t)s.columns * sizeof *sums);
    for (int k = 0; k < s.inner; k++)
      for (int column = 0; column < s.columns; column++) {
        double product = (double)a[(size_t)row * (size_t)s.inner + (size_t)k] *
                         (double)b[(size_t)k * (size_t)s.columns + (size_t)column];
        sums[column] += product;
        sizes[column] += fabs(product);
      }
    for (int column = 0; column < s.columns; column++) {
      double error = fabs((double)c[(size_t)row * (size_t)s.columns + (size_t)column] - sums[column]);
      double ratio = error / (s.inner * (double)FLT_EPSILON * sizes[column] + DBL_MIN);
      worst = isnan(ratio) ? INFINITY : fmax(worst, ratio);
    }
  }
  free(sums);
  return worst;
}

static bool is_untouched(const float *from, const float *to) {
  for (const unsigned char *byte = (const unsigned char *)from; byte < (const unsigned char *)to; byte++)
    if (*byte != PATTERN)
      return false;
  return true;
}

/* ---- the program ----------------------------------------------------------------------------------------- */

static bool read_extent(const char *text, int *extent_out) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 1 || value > MAX_EXTENT)
    return false;
  *extent_out = (int)value;
  return true;
}

static shape read_arguments(int argc, char **argv) {
  shape s = { 509, 383, 257 }; /* primes: no edge falls on a tile's */
  bool fine = argc == 1 || (argc == 4 && read_extent(argv[1], &s.rows) && read_extent(argv[2], &s.columns) &&
                            read_extent(argv[3], &s.inner));
  if (!fine) {
    fprintf(stderr, "usage: matmul [ROWS COLUMNS INNER], each from 1 to %d\n", MAX_EXTENT);
    exit(2);
  }
  return s;
}

typedef struct matrices {
  float *a, *b, *c;
} matrices;

static size_t pool_floats(shape s) {
  return GAP_A + floats_of_a(s) + GAP_B + floats_of_b(s) + GAP_C + floats_of_c(s) + GAP_END;
}

/* Where the matrices lie in a pool, be it on the host or on the device: it is arithmetic all the same. */
static matrices carve(float *pool, shape s) {
  matrices m;
  m.a = pool + GAP_A;
  m.b = m.a + floats_of_a(s) + GAP_B;
  m.c = m.b + floats_of_b(s) + GAP_C;
  return m;
}

static bool gaps_are_untouched(const float *pool, matrices m, shape s) {
  return is_untouched(pool, m.a) && is_untouched(m.a + floats_of_a(s), m.b) &&
         is_untouched(m.b + floats_of_b(s), m.c) && is_untouched(m.c + floats_of_c(s), pool + pool_floats(s));
}

static void print_result(const float *pool, matrices m, shape s, double seconds) {
  printf("C (%d x %d) = A (%d x %d) * B (%d x %d), float32\n", s.rows, s.columns, s.rows, s.inner, s.inner,
         s.columns);
  printf("one allocation at %p; A, B and C lie %td, %td and %td bytes into it\n", (const void *)pool,
         vptr_get_offset(NULL, m.a), vptr_get_offset(NULL, m.b), vptr_get_offset(NULL, m.c));
  printf("%.3f ms, %.1f GFLOP/s\n", seconds * 1e3, 2e-9 * s.rows * s.columns * s.inner / seconds);
}

int main(int argc, char **argv) {
  shape s = read_arguments(argc, argv);
  size_t bytes = pool_floats(s) * sizeof(float);
  float *pool, *mirror = must_have(malloc(bytes), bytes);
  must_cuda(cudaMalloc(&pool, bytes), "cudaMalloc");
  must_cuda(cudaMemset(pool, PATTERN, bytes), "cudaMemset");
  matrices device = carve(pool, s), host = carve(mirror, s);

  fill_matrix(host.a, floats_of_a(s), 1);
  fill_matrix(host.b, floats_of_b(s), 2);
  must_cuda(cudaMemcpy(device.a, host.a, floats_of_a(s) * sizeof(float), cudaMemcpyHostToDevice), "copying A");
  must_cuda(cudaMemcpy(device.b, host.b, floats_of_b(s) * sizeof(float), cudaMemcpyHostToDevice), "copying B");
  cl_kernel kernel = build_kernel();
  set_arguments(kernel, device.a, device.b, device.c, s);
  double seconds = run_kernel(kernel, s);
  must_cuda(cudaMemcpy(mirror, pool, bytes, cudaMemcpyDeviceToHost), "copying everything back");

  double error = worst_error(host.a, host.b, host.c, s);
  bool untouched = gaps_are_untouched(mirror, host, s);
  print_result(pool, device, s, seconds);
  printf("worst error: %.3f of what rounding may do (limit 1); the gaps between the matrices are %s\n", error,
         untouched ? "untouched" : "OVERWRITTEN");

  clReleaseKernel(kernel);
  must_cuda(cudaFree(pool), "cudaFree");
  free(mirror);
  return error <= 1 && untouched ? EXIT_SUCCESS : EXIT_FAILURE;
}
