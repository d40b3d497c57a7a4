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

enum { MARK = 24 }; /* bytes that are written at each offset, which is a multiple of 8 and less than 2^34 */

__global__ void far_away(unsigned char *memory, long long at) {
  memory[at] = 77;
  unsigned char *end = memory + at + 10;
  end[-9] = 78;
  *(memory + (size_t)at + 2) = (unsigned char)(end - memory >> 31);
  unsigned word = (unsigned)(at / 4) + 1; /* an index of 32 bits, whose bytes are not */
  ((unsigned *)memory)[word] = word;
  int pair = (int)(at / 8) + 1;
  ((long long *)memory)[pair] = at;
}

/* Given a pointer to far away, and what is in front of it. */
__global__ void far_back(unsigned char *there, long long back) {
  int left = -(int)(back / 8);
  ((long long *)there)[2] = ((long long *)there)[1] + ((long long *)(there - back))[0] + ((long long *)there)[left];
}

static void far_tried(unsigned char *memory, long long at, const long long *first) {
  unsigned char seen[MARK], alias[MARK], zeros[MARK] = { 0 };
  unsigned word;
  long long pair[2];
  far_away<<<1, 1>>>(memory, at);
  far_back<<<1, 1>>>(memory + at, at);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory + at, sizeof seen, cudaMemcpyDeviceToHost));
  memcpy(&word, seen + 4, sizeof word);
  memcpy(pair, seen + 8, sizeof pair);
  EXPECT(seen[0], 77);
  EXPECT(seen[1], 78);
  EXPECT(seen[2], at + 10 >> 31);
  EXPECT(word, (unsigned)(at / 4) + 1);
  EXPECT(pair[0], at);
  EXPECT(pair[1], at + 2 * *first);
  for (int bits = 31; bits < 33; bits++) /* where it would have gone with so many of its bits */
    if ((at & ((1ll << bits) - 1)) != at) {
      CHECK(cudaMemcpy(alias, memory + (at & ((1ll << bits) - 1)), sizeof alias, cudaMemcpyDeviceToHost));
      EXPECT(memcmp(alias, zeros, sizeof alias), 0);
    }
}

/* Fills and copies across the border. */
static void far_moved(unsigned char *memory, long long border) {
  unsigned char seen[400];
  CHECK(cudaMemset(memory + border - 200, 0, 400));
  CHECK(cudaMemset(memory + border - 100, 5, 200));
  CHECK(cudaMemcpy(memory + 65536, memory + border - 200, 400, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(seen, memory + 65536, 400, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 400; i++)
    EXPECT(seen[i], i >= 100 && i < 300 ? 5 : 0);
}

/* The largest of these that the device gives; a driver may refuse one buffer that large with more memory free than that. */
static unsigned char *far_memory(size_t *bytes_out) {
  static const size_t sizes[] = { (size_t)17 << 30, (size_t)9 << 30, ((size_t)1 << 32) + (1 << 20) };
  unsigned char *memory;
  for (int i = 0; i < 3; i++) {
    cudaError_t error = cudaMalloc((void **)&memory, sizes[i]);
    if (error == cudaSuccess) {
      *bytes_out = sizes[i];
      return memory;
    }
    printf("pointers: no %zu MiB in one piece: %s\n", sizes[i] >> 20, cudaGetErrorString(error));
    (void)cudaGetLastError();
  }
  return NULL;
}

static void far_tested(void) {
  static const long long offsets[] = { (1ll << 31) + 64, (1ll << 32) - 8, (1ll << 32) + 12344, (1ll << 33) + 24680,
                                       (1ll << 34) - 64 };
  const long long first = 1000003;
  size_t bytes = 0, free_bytes, total;
  int tried = 0;
  if (getenv("VPTR_TEST_LARGE") == NULL) {
    printf("pointers: offsets beyond 4 GiB are left out; VPTR_TEST_LARGE=1 tries them\n");
    return;
  }
  CHECK(cudaMemGetInfo(&free_bytes, &total));
  unsigned char *memory = far_memory(&bytes);
  if (memory == NULL) {
    printf("pointers: offsets beyond 4 GiB are left out, with %zu of %zu MiB free\n", free_bytes >> 20, total >> 20);
    return;
  }
  far_moved(memory, 1ll << 32);
  CHECK(cudaMemset(memory, 0, 65536));
  for (int i = 0; i < 5 && offsets[i] + MARK <= (long long)bytes; i++, tried++)
    for (int bits = 31; bits < 33; bits++)
      CHECK(cudaMemset(memory + (offsets[i] & ((1ll << bits) - 1)), 0, MARK));
  CHECK(cudaMemcpy(memory, &first, sizeof first, cudaMemcpyHostToDevice));
  for (int i = 0; i < tried; i++)
    far_tried(memory, offsets[i], &first);
  printf("pointers: tried %d offsets up to %lld (2^32 is %lld) in %zu MiB, of %zu MiB free\n", tried,
         offsets[tried - 1], 1ll << 32, bytes >> 20, free_bytes >> 20);
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
