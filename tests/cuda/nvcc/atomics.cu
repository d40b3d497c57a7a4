/* SPDX-License-Identifier: MIT */
/* atomics - in global and in shared memory, of the usual types. */
#include "check.h"

struct Sums {
  int added, most, least, exchanged, anded, ored;
  unsigned wrapped;
  unsigned long long wide;
  float real;
  double twice;
};

__global__ void add(Sums *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums->added, i);
  atomicMax(&sums->most, i);
  atomicMin(&sums->least, -i);
  atomicAnd(&sums->anded, ~(1 << (i & 7)));
  atomicOr(&sums->ored, 1 << (i & 7));
  atomicInc(&sums->wrapped, 99);
  atomicAdd(&sums->wide, 1ull << 33);
  atomicAdd(&sums->real, 0.5f);
  atomicAdd(&sums->twice, 0.25);
  int seen = sums->exchanged, expected;
  do {
    expected = seen;
    seen = atomicCAS(&sums->exchanged, expected, expected + 2);
  } while (seen != expected);
}

__global__ void histogram(const unsigned char *bytes, int n, unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[bytes[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
}

int main() {
  const int n = 1000;
  Sums sums = {};
  sums.anded = 255;
  Sums *memory = device_copy(&sums, 1);
  add<<<10, 100>>>(memory);
  sums = value_at(memory, 0);
  CHECK(sums.added == n * (n - 1) / 2 && sums.most == n - 1 && sums.least == 1 - n && sums.exchanged == 2 * n);
  CHECK(sums.anded == 0 && sums.ored == 255 && sums.wrapped == 0 && sums.wide == (unsigned long long)n << 33);
  CHECK(sums.real == 500 && sums.twice == 250);
  static unsigned char bytes[100000];
  static unsigned bins[256], expected[256];
  for (int i = 0; i < 100000; i++)
    expected[bytes[i] = (unsigned char)(i * i >> 3)]++;
  unsigned char *db = device_copy(bytes, 100000);
  unsigned *dn = device_copy(bins, 256);
  histogram<<<8, 128>>>(db, 100000, dn);
  for (int i = 0; i < 256; i += 5)
    CHECK(value_at(dn, i) == expected[i]);
  return 0;
}
