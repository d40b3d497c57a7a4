/* SPDX-License-Identifier: MIT */
/* atomics - every operation on every type, in global and shared memory, by many blocks at once: results, and old values. */
#include "kernels.h"

enum { BLOCK = 64, BLOCKS = 16, THREADS = BLOCK * BLOCKS };

struct cells {
  int sum, difference, least, most, both, either, other, swapped, taken;
  unsigned usum, umost, uleast, up, down, uand, uxor;
  unsigned long long lsum, lmost, lleast, lor, lswapped;
  long long smost;
  float fsum, fswapped;
  double dsum;

  double product;
};

static void prepare(struct cells *cells) {
  memset(cells, 0, sizeof *cells);
  cells->least = 1 << 30;
  cells->most = -5;
  cells->both = -1;
  cells->uleast = 0xffffffffu;
  cells->uand = 0xffffffffu;
  cells->lleast = ~0ull;
  cells->down = 3;
  cells->smost = -(1ll << 40);
  cells->product = 1;
}

/* A loop around CAS: how programs make what there is not. */
__device__ void multiply(double *address, double by) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(by * __longlong_as_double(seen)));
  } while (old != seen);
}

__device__ void add_all(struct cells *at, int i, int last) {
  atomicAdd(&at->sum, i);
  atomicSub(&at->difference, i);
  atomicMin(&at->least, i - 500);
  atomicMax(&at->most, i);
  atomicAnd(&at->both, ~(1 << i % 7));
  atomicOr(&at->either, 1 << i % 30);
  atomicXor(&at->other, i * 77);
  atomicExch(&at->swapped, 42);
  atomicCAS(&at->taken, 0, 9);
  atomicAdd(&at->usum, (unsigned)i);
  atomicMax(&at->umost, 0x80000000u + i);
  atomicMin(&at->uleast, 0x80000000u + i);
  atomicInc(&at->up, 9);
  atomicDec(&at->down, 9);
  atomicAnd(&at->uand, ~(1u << i % 5));
  atomicXor(&at->uxor, (unsigned)i << 20);
  atomicAdd(&at->lsum, (unsigned long long)i << 30);
  atomicMax(&at->lmost, (unsigned long long)i << 33);
  atomicMin(&at->lleast, (unsigned long long)(i + 3) << 33);
  atomicOr(&at->lor, 1ull << i % 60);
  atomicExch(&at->lswapped, 1ull << 50);
  atomicMax(&at->smost, (long long)i - (1ll << 35));
  atomicAdd(&at->fsum, 0.5f);
  atomicExch(&at->fswapped, 2.5f);
  atomicAdd(&at->dsum, 0.25);
  if (i % 64 < last)
    multiply(&at->product, 2);
}

__global__ void global_cells(struct cells *at) { add_all(at, blockIdx.x * blockDim.x + threadIdx.x, 1); }

__global__ void shared_cells(const struct cells *begin, struct cells *at) {
  __shared__ struct cells here;
  if (threadIdx.x == 0)
    here = *begin;
  __syncthreads();
  add_all(&here, threadIdx.x, 8);
  __syncthreads();
  if (threadIdx.x == 0)
    at[blockIdx.x] = here;
}

static void check_cells(const struct cells *seen, int threads, double product) {
  struct cells want;
  prepare(&want);
  for (int i = 0; i < threads; i++) {
    want.sum += i;
    want.both &= ~(1 << i % 7);
    want.either |= 1 << i % 30;
    want.other ^= i * 77;
    want.uand &= ~(1u << i % 5);
    want.uxor ^= (unsigned)i << 20;
    want.lsum += (unsigned long long)i << 30;
    want.lor |= 1ull << i % 60;
    want.up = want.up >= 9 ? 0 : want.up + 1;
    want.down = want.down == 0 || want.down > 9 ? 9 : want.down - 1;
  }
  EXPECT(seen->sum, want.sum);
  EXPECT(seen->difference, -want.sum);
  EXPECT(seen->least, -500);
  EXPECT(seen->most, threads - 1);
  EXPECT(seen->both, want.both);
  EXPECT(seen->either, want.either);
  EXPECT(seen->other, want.other);
  EXPECT(seen->swapped, 42);
  EXPECT(seen->taken, 9);
  EXPECT(seen->usum, (unsigned)want.sum);
  EXPECT(seen->umost, 0x80000000u + threads - 1);
  EXPECT(seen->uleast, 0x80000000u);
  EXPECT(seen->up, want.up);
  EXPECT(seen->down, want.down);
  EXPECT(seen->uand, want.uand);
  EXPECT(seen->uxor, want.uxor);
  EXPECT(seen->lsum, want.lsum);
  EXPECT(seen->lmost, (long long)(threads - 1) << 33);
  EXPECT(seen->lleast, 3ll << 33);
  EXPECT(seen->lor, want.lor);
  EXPECT(seen->lswapped, 1ll << 50);
  EXPECT(seen->smost, threads - 1 - (1ll << 35));
  EXPECT(seen->fsum * 2, threads);
  EXPECT(seen->fswapped * 2, 5);
  EXPECT(seen->dsum * 4, threads);
  EXPECT(seen->product, product);
}

/* Old values: each ticket is given out once. */
__device__ unsigned next_ticket;

__global__ void tickets(int *given, unsigned *taken, float *sum, unsigned long long *before) {
  unsigned ticket = atomicAdd(&next_ticket, 1);
  given[ticket] = 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicExch(&taken[i], atomicAdd(&taken[THREADS], 2u) / 2);
  if (atomicAdd(sum, 1.0f) == THREADS - 1)
    before[0] = atomicExch(before + 1, 5ull);
}

static void old_values(void) {
  int *given, host[THREADS];
  unsigned *taken, numbers[THREADS + 1];
  float *sum;
  unsigned long long *before, words[2] = { 1, 99 };
  bool found[THREADS] = {};
  CHECK(cudaMalloc((void **)&given, sizeof host));
  CHECK(cudaMalloc((void **)&taken, sizeof numbers));
  CHECK(cudaMalloc((void **)&sum, sizeof *sum));
  CHECK(cudaMalloc((void **)&before, sizeof words));
  CHECK(cudaMemset(given, 0, sizeof host));
  CHECK(cudaMemset(taken, 0, sizeof numbers));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  CHECK(cudaMemcpy(before, words, sizeof words, cudaMemcpyHostToDevice));
  tickets<<<BLOCKS, BLOCK>>>(given, taken, sum, before);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, given, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(numbers, taken, sizeof numbers, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(words, before, sizeof words, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++) {
    EXPECT(host[i], 1);
    EXPECT(numbers[i] < THREADS && !found[numbers[i]], 1);
    found[numbers[i] % THREADS] = true;
  }
  EXPECT(words[0], 99);
  EXPECT(words[1], 5);
  CHECK(cudaFree(before));
  CHECK(cudaFree(sum));
  CHECK(cudaFree(taken));
  CHECK(cudaFree(given));
}

int main(void) {
  struct cells begin, seen[BLOCKS], *cells;
  prepare(&begin);
  CHECK(cudaMalloc((void **)&cells, sizeof seen + sizeof begin));
  CHECK(cudaMemcpy(cells, &begin, sizeof begin, cudaMemcpyHostToDevice));
  global_cells<<<BLOCKS, BLOCK>>>(cells);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, cells, sizeof *seen, cudaMemcpyDeviceToHost));
  check_cells(seen, THREADS, 1 << BLOCKS);
  CHECK(cudaMemcpy(cells, &begin, sizeof begin, cudaMemcpyHostToDevice));
  shared_cells<<<BLOCKS, BLOCK>>>(cells, cells + 1);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, cells + 1, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS; i++)
    check_cells(&seen[i], BLOCK, 256);
  CHECK(cudaFree(cells));
  old_values();
  return verdict("atomics");
}
