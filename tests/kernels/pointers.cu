/* SPDX-License-Identifier: MIT */
/* pointers - arithmetic, interior and unaligned arguments, choices between pointers, pointers to pointers, functions called with
 * pointers to every kind of memory. */
#include "kernels.h"

/* ---- in bodies of both sides ----------------------------------------------------------------------------- */

__host__ __device__ static int sum(const int *values, int count) {
  int total = 0;
  for (const int *at = values, *end = values + count; at != end; ++at)
    total += *at;
  return total;
}

__host__ __device__ static void advance(const char **text, int by) { *text += by; }

__host__ __device__ static int *largest(int *values, int count) {
  int *best = values;
  for (int i = 1; i < count; i++)
    if (values[i] > *best)
      best = &values[i];
  return best;
}

__host__ __device__ static void fill(void *memory, int value, size_t bytes) {
  unsigned char *at = (unsigned char *)memory;
  while (bytes-- > 0)
    *at++ = (unsigned char)value;
}

struct list {
  int value;
  int next;
};

TEST(arithmetic) {
  int a[10];
  for (int k = 0; k < 10; k++)
    a[k] = k * k - i;
  int *p = a, *q = a + 7;
  put(out, q - p);
  put(out, *(q - 3));
  put(out, q[-2]);
  put(out, p < q);
  put(out, 2 [a]);
  p += 4;
  put(out, *p++);
  put(out, *--p);
  put(out, *++p + *p--);
  put(out, (long long)((char *)q - (char *)a));
  put(out, sum(a + 2, 5));
  put(out, *largest(a, i % 10 + 1));
  int *chosen = i % 2 ? a + 1 : &a[8];
  put(out, *chosen);
  int *nothing = NULL;
  put(out, nothing == nullptr);
  put(out, nothing ? *nothing : -5);
  put(out, !p);
  const int *const fixed = a + 3;
  put(out, fixed[i % 4]);
  put(out, (bool)(p && q));
}

TEST(punning) {
  unsigned words[4] = { 0x11223344u + i, 0xdeadbeefu, 7, 0 };
  unsigned char *bytes = (unsigned char *)words;
  put(out, bytes[0]);
  put(out, bytes[7]);
  unsigned short *halves = reinterpret_cast<unsigned short *>(words);
  put(out, halves[1]);
  fill(words + 2, 0x5a, 8);
  put(out, words[3]);
  float number = 1.5f;
  put(out, *(unsigned *)&number);
  put(out, *(int *)(void *)&words[1]);
  unsigned long long both;
  memcpy(&both, words, sizeof both);
  put(out, both);
  memset(words, i, sizeof words);
  put(out, words[1]);
}

TEST(pointers_to_pointers) {
  const char *text = "abcdefghijklmnop";
  const char **place = &text;
  advance(place, i % 5);
  put(out, **place);
  advance(&text, 2);
  put(out, *text);
  int a = 1, b = 2, *rows[2] = { &a, &b };
  *rows[i % 2] = 50;
  put(out, a * 100 + b);
  int **row = rows + 1;
  *row = &a;
  **row += 3;
  put(out, a);
  int grid[3][4] = { { 1 }, { 2, 3 }, { i } };
  int(*line)[4] = grid;
  put(out, line[2][0] + (*(line + 1))[1]);
  put(out, sum(grid[1], 4));
  put(out, &grid[2][0] - &grid[0][0]);
}

#define TESTS(test) test(arithmetic) test(punning) test(pointers_to_pointers)
PROGRAM(TESTS)

/* ---- arguments ------------------------------------------------------------------------------------------- */

__global__ void copy_bytes(const unsigned char *from, unsigned char *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = from[i] + 1;
}

/* From every alignment, into the same buffer. */
static void interior(void) {
  enum { SIZE = 1024 };
  unsigned char *memory, host[SIZE], expected[SIZE];
  CHECK(cudaMalloc((void **)&memory, SIZE));
  for (int i = 0; i < SIZE; i++)
    host[i] = expected[i] = (unsigned char)(i * 7);
  CHECK(cudaMemcpy(memory, host, SIZE, cudaMemcpyHostToDevice));
  for (int at = 1; at < 256; at++) {
    copy_bytes<<<1, 32>>>(memory + at, memory + 512 + at, 17);
    for (int i = 0; i < 17; i++)
      expected[512 + at + i] = (unsigned char)(expected[at + i] + 1);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, memory, SIZE, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(host, expected, SIZE), 0);
  CHECK(cudaFree(memory));
}

__global__ void around(const int *middle, const int *end, int *out, const int *none, long long back) {
  int i = threadIdx.x;
  const int *from = i % 2 ? middle : end - 1;
  out[i] = from[-i] + (none == NULL ? 1000 : 0) + (int)(end - middle);
  if (i == 0)
    out[64] = middle[back];
}

static void neighbours(void) {
  enum { COUNT = 256 };
  int *memory, host[COUNT], out[65];
  for (int i = 0; i < COUNT; i++)
    host[i] = i * 3;
  CHECK(cudaMalloc((void **)&memory, sizeof host + sizeof out));
  CHECK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  around<<<1, 64>>>(memory + 100, memory + COUNT, memory + COUNT, nullptr, -100);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, memory + COUNT, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(out[i], (i % 2 ? 100 - i : COUNT - 1 - i) * 3 + 1000 + COUNT - 100);
  EXPECT(out[64], 0);
  CHECK(cudaFree(memory));
}

/* ---- kinds of memory ------------------------------------------------------------------------------------- */

__constant__ int table[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
__device__ int counters[8] = { 5, 6, 7 };

__device__ int sum_of(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    total += values[i];
  return total;
}
__device__ int *skip(int *values, int by) { return values + by; }
__device__ void bump(int &value) { value += 1000; }
__device__ void exchange(int **left, int **right) {
  int *old = *left;
  *left = *right;
  *right = old;
}

/* One function, called with global, shared, constant and private memory: an instance of each. */
__global__ void kinds_of_memory(int *global, int *out) {
  __shared__ int shared[8];
  int own[8];
  int i = threadIdx.x;
  shared[i] = i * 10;
  own[i] = i;
  for (int k = 0; k < 8; k++)
    own[k] = k + i;
  __syncthreads();
  int *at = out + i * 16;
  at[0] = sum_of(global, 8);
  at[1] = sum_of(shared, 8);
  at[2] = sum_of(own, 8);
  at[3] = sum_of(table, 8);
  at[4] = sum_of(counters, 8);
  at[5] = *skip(global, 3) + *skip(shared, 2) + *skip(own, 1);
  bump(own[0]);
  bump(at[5]);
  at[6] = own[0];
  int *left = global, *right = global + 4;
  exchange(&left, &right);
  at[7] = *left - *right;
  int *pick = i > 3 ? shared + i : shared;
  at[8] = *pick;
  const int *walk = table + i;
  at[9] = *walk;
  int *slots[2] = { shared, shared + 4 };
  at[10] = slots[i % 2][1];
  __syncthreads();
  bump(shared[i]);
  __syncthreads();
  at[11] = shared[7 - i];
  atomicAdd(&counters[7], i);
}

static void kinds_tested(void) {
  int *memory, host[8 + 128], counted[8];
  for (int i = 0; i < 8; i++)
    host[i] = 100 + i * i;
  CHECK(cudaMalloc((void **)&memory, sizeof host));
  CHECK(cudaMemcpy(memory, host, 8 * sizeof(int), cudaMemcpyHostToDevice));
  kinds_of_memory<<<1, 8>>>(memory, memory + 8);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) {
    const int *at = host + 8 + i * 16;
    EXPECT(at[0], 940);
    EXPECT(at[1], 280);
    EXPECT(at[2], 28 + 8 * i);
    EXPECT(at[3], 255);
    EXPECT(at[4], 18);
    EXPECT(at[5], 109 + 20 + 1 + i + 1000);
    EXPECT(at[6], 1000 + i);
    EXPECT(at[7], 16);
    EXPECT(at[8], i > 3 ? i * 10 : 0);
    EXPECT(at[9], 1 << i);
    EXPECT(at[10], i % 2 ? 50 : 10);
    EXPECT(at[11], (7 - i) * 10 + 1000);
  }
  CHECK(cudaMemcpyFromSymbol(counted, counters, sizeof counted, 0, cudaMemcpyDeviceToHost));
  EXPECT(counted[7], 28);
  CHECK(cudaFree(memory));
}

/* ---- beyond 4 GiB, where there is room ------------------------------------------------------------------- */

__global__ void far_away(unsigned char *memory, long long at) {
  memory[at] = 77;
  unsigned char *end = memory + at + 10;
  end[-9] = 78;
  *(memory + (size_t)at + 2) = (unsigned char)(end - memory >> 32);
}

static void far_tested(void) {
  const long long at = (1ll << 32) + 12345;
  size_t free_bytes = 0, total = 0;
  unsigned char *memory, seen[3];
  if (getenv("VPTR_TEST_LARGE") == NULL || cudaMemGetInfo(&free_bytes, &total) != cudaSuccess ||
      cudaMalloc((void **)&memory, (size_t)at + 4096) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  far_away<<<1, 1>>>(memory, at);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory + at, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0], 77);
  EXPECT(seen[1], 78);
  EXPECT(seen[2], 1);
  CHECK(cudaFree(memory));
}

int main(void) {
  run_tests();
  interior();
  neighbours();
  kinds_tested();
  far_tested();
  return verdict("pointers");
}
