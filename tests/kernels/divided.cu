/* SPDX-License-Identifier: MIT */
/* divided - launches that say what they reach, on two devices that are one: by blocks in a row, by rows of blocks, with
 * barriers and shared memory, with what is read whole and what is constant, in streams; beside the same on the host.
 * The program runs itself anew with parts of its device as one, reads what the log says of each launch, and asks what
 * is refused. */
#include "kernels.h"

#include <stdio.h>
#include <unistd.h>
#include <vector>

#include <vptr/cuda/vptr_kernel.h>

#define HOLDS(condition) EXPECT((int)(condition), 1)

enum { COUNT = 300007, BLOCK = 128, WIDTH = 160, HEIGHT = 1111, TILE = 16 };

__constant__ int weights[4] = { 3, 5, 7, 11 };
__device__ unsigned total;

__global__ void blend(unsigned *to, const unsigned *from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = to[i] * 31 + from[i] + gridDim.x;
}

/* A row of blocks has TILE rows; each row of the picture is turned within itself, by shared memory. */
__global__ void mirror(unsigned *to, const unsigned *from, int width, int height) {
  __shared__ unsigned tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (y < height)
    tile[threadIdx.y][TILE - 1 - threadIdx.x] = from[y * width + x];
  __syncthreads();
  if (y < height)
    to[y * width + (gridDim.x - 1 - blockIdx.x) * TILE + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

__global__ void weigh(unsigned *to, const unsigned *table, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += table[i % 1000] * weights[i & 3];
}

__global__ void count(unsigned *to, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && to[i] % 2 != 0)
    atomicAdd(&total, 1u);
}

/* ---- what the log says ------------------------------------------------------------------------------------ */

static FILE *log_file;

/* Whether the log has a line with both words since it was last asked. */
static bool log_says(const char *one, const char *other) {
  char line[512];
  bool says = false;
  while (fgets(line, sizeof line, log_file) != NULL)
    says |= strstr(line, one) != NULL && strstr(line, other) != NULL;
  clearerr(log_file);
  return says;
}

static void run_anew(char **arguments) {
  char name[] = "/tmp/vptr-divided-XXXXXX", number[16];
  int file = mkstemp(name);
  if (file < 0) {
    perror("divided: a file for the log");
    exit(1);
  }
  unlink(name);
  snprintf(number, sizeof number, "%d", file);
  setenv("VPTR_TEST_DIVIDED", number, 1);
  setenv("VPTR_PARTITION", "2", 1);
  setenv("VPTR_STRIPE", "all:65536", 1);
  setenv("VPTR_VERBOSE", "2", 1);
  dup2(file, STDERR_FILENO);
  execv("/proc/self/exe", arguments);
  exit(1);
}

/* Written by descriptor 2, and read from the beginning by one of its own. */
static void open_log(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%s", getenv("VPTR_TEST_DIVIDED"));
  log_file = fopen(path, "r");
  if (log_file == NULL)
    exit(1);
}

/* What fails says so there. */
static void show_log(void) {
  char line[512];
  rewind(log_file);
  while (fgets(line, sizeof line, log_file) != NULL)
    fputs(line, stdout);
}

/* ---- launches --------------------------------------------------------------------------------------------- */

static unsigned *array(const std::vector<unsigned> &values) {
  unsigned *p = NULL;
  CHECK(cudaMalloc((void **)&p, values.size() * sizeof(unsigned)));
  CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  return p;
}

static bool is_same(const unsigned *p, const std::vector<unsigned> &expected) {
  std::vector<unsigned> seen(expected.size());
  CHECK(cudaMemcpy(seen.data(), p, seen.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  return seen == expected;
}

static std::vector<unsigned> numbers(size_t count, unsigned seed) {
  std::vector<unsigned> values(count);
  for (size_t i = 0; i < count; i++)
    values[i] = (unsigned)(i + seed) * 2654435761u;
  return values;
}

static vptr_cuda_range range(size_t words, size_t layer, int access) {
  vptr_cuda_range it = { words * sizeof(unsigned), layer * sizeof(unsigned), access };
  return it;
}

/* In streams, each of which goes on with what the one before wrote. */
static void check_rows_of_blocks(void) {
  const unsigned n = COUNT, blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<unsigned> a = numbers(n, 1), b = numbers(n, 9);
  unsigned *to = array(a), *from = array(b);
  const vptr_cuda_range ranges[] = { range(n, BLOCK, 3), range(n, BLOCK, 1) };
  cudaStream_t streams[2];
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  for (int i = 0; i < 2; i++)
    CHECK(cudaStreamCreate(&streams[i]));
  for (int k = 0; k < 6; k++) {
    void *arguments[] = { k % 3 == 2 ? &from : &to, k % 3 == 2 ? &to : &from, (void *)&n };
    CHECK(cudaStreamWaitEvent(streams[k % 2], done, 0));
    CHECK(vptr_cuda_launch_ranges((const void *)blend, dim3(blocks), dim3(BLOCK), arguments, ranges, 2, 0,
                                  streams[k % 2]));
    CHECK(cudaEventRecord(done, streams[k % 2]));
    std::vector<unsigned> &written = k % 3 == 2 ? b : a, &read = k % 3 == 2 ? a : b;
    for (unsigned i = 0; i < n; i++)
      written[i] = written[i] * 31 + read[i] + blocks;
  }
  CHECK(cudaDeviceSynchronize());
  HOLDS(log_says("blend: blocks 0 to", "run on member 0"));
  HOLDS(is_same(to, a) && is_same(from, b));
  for (int i = 0; i < 2; i++)
    CHECK(cudaStreamDestroy(streams[i]));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}

static void check_rows_of_tiles(void) {
  const int width = WIDTH, height = HEIGHT;
  const size_t words = (size_t)width * height;
  std::vector<unsigned> a = numbers(words, 1), turned(words);
  unsigned *from = array(a), *to = array(turned);
  const vptr_cuda_range ranges[] = { range(words, TILE * width, 4), range(words, TILE * width, 0) };
  void *arguments[] = { &to, &from, (void *)&width, (void *)&height };
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      turned[y * width + (width - 1 - x)] = a[y * width + x];
  CHECK(vptr_cuda_launch_ranges((const void *)mirror, dim3(width / TILE, (height + TILE - 1) / TILE),
                                dim3(TILE, TILE), arguments, ranges, 2, 0, NULL));
  CHECK(cudaDeviceSynchronize());
  HOLDS(log_says("along y", "run on member 1"));
  HOLDS(is_same(to, turned) && is_same(from, a));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}

static void check_what_is_read_whole(void) {
  const unsigned n = COUNT;
  std::vector<unsigned> a = numbers(n, 5), table = numbers(1000, 77);
  const int by[4] = { 3, 5, 7, 11 };
  unsigned *to = array(a), *read = array(table);
  const vptr_cuda_range ranges[] = { range(n, BLOCK, 0), range(1000, 0, 0) };
  void *arguments[] = { &to, &read, (void *)&n };
  for (unsigned i = 0; i < n; i++)
    a[i] += table[i % 1000] * by[i & 3];
  CHECK(vptr_cuda_launch_ranges((const void *)weigh, dim3((n + BLOCK - 1) / BLOCK), dim3(BLOCK), arguments, ranges, 2,
                                0, NULL));
  CHECK(cudaDeviceSynchronize());
  HOLDS(log_says("weigh: blocks", "run on member 1"));
  HOLDS(is_same(to, a));
  CHECK(cudaFree(to));
  CHECK(cudaFree(read));
}

/* It adds to a variable, so one member has to run all of it. */
static void check_what_is_not_divided(void) {
  const unsigned n = COUNT;
  std::vector<unsigned> a = numbers(n, 5);
  unsigned *to = array(a), seen = 0, expected = 0;
  const vptr_cuda_range ranges[] = { range(n, BLOCK, 1) };
  void *arguments[] = { &to, (void *)&n };
  for (unsigned i = 0; i < n; i++)
    expected += a[i] % 2;
  CHECK(vptr_cuda_launch_ranges((const void *)count, dim3((n + BLOCK - 1) / BLOCK), dim3(BLOCK), arguments, ranges, 1,
                                0, NULL));
  CHECK(cudaMemcpyFromSymbol(&seen, total, sizeof seen));
  HOLDS(seen == expected);
  HOLDS(log_says("count is not divided", "may write more"));
  CHECK(cudaFree(to));
}

/* What lies in the second stripe is used there, and stays. */
static void check_one_stripe(void) {
  const unsigned n = 1000, at = COUNT - 2000;
  std::vector<unsigned> a = numbers(COUNT, 1), b = numbers(COUNT, 9);
  unsigned *to = array(a), *from = array(b), *p = to + at, *q = from + at;
  const vptr_cuda_range ranges[] = { range(n, 0, 3), range(n, 0, 1) };
  void *arguments[] = { &p, &q, (void *)&n };
  for (unsigned i = 0; i < n; i++)
    a[at + i] = a[at + i] * 31 + b[at + i] + 8;
  CHECK(vptr_cuda_launch_ranges((const void *)blend, dim3(8), dim3(BLOCK), arguments, ranges, 2, 0, NULL));
  CHECK(cudaDeviceSynchronize());
  HOLDS(log_says("blend runs on member 1", ""));
  HOLDS(is_same(to, a));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}

static cudaError_t launch(unsigned *to, const unsigned *from, const vptr_cuda_range *ranges, size_t count) {
  const unsigned n = 10;
  void *arguments[] = { &to, (void *)&from, (void *)&n };
  cudaError_t error = vptr_cuda_launch_ranges((const void *)blend, dim3(1), dim3(BLOCK), arguments, ranges, count, 0,
                                              NULL);
  cudaGetLastError();
  return error;
}

static void check_refusals(void) {
  std::vector<unsigned> a = numbers(COUNT, 1);
  unsigned *to = array(a), *from = array(a);
  const vptr_cuda_range right[] = { range(10, 0, 3), range(10, 0, 1), { 0, 0, 0 } };
  const vptr_cuda_range odd[] = { range(10, 0, 6) }, longer[] = { range(10, 11, 3) };
  const vptr_cuda_range beyond[] = { range(COUNT + 1, 0, 3) }, value[] = { right[0], right[1], { 4, 0, 0 } };
  HOLDS(launch(to, from, NULL, 1) == cudaErrorInvalidValue);
  HOLDS(launch(to, from, odd, 1) == cudaErrorInvalidValue);
  HOLDS(launch(to, from, longer, 1) == cudaErrorInvalidValue);
  HOLDS(launch(to, from, beyond, 1) == cudaErrorInvalidValue);
  HOLDS(launch(to, from, value, 3) == cudaErrorInvalidValue);
  HOLDS(is_same(to, a));
  HOLDS(launch(to, from, right, 3) == cudaSuccess);
  HOLDS(launch(to, from, NULL, 0) == cudaSuccess);
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}

int main(int count, char **arguments) {
  (void)count;
  if (getenv("VPTR_TEST_DIVIDED") == NULL)
    run_anew(arguments);
  open_log();
  check_rows_of_blocks();
  check_rows_of_tiles();
  check_what_is_read_whole();
  check_what_is_not_divided();
  check_one_stripe();
  check_refusals();
  const int failed = verdict("divided");
  if (failed)
    show_log();
  return failed;
}
