/* SPDX-License-Identifier: MIT */
/* threads_scan - sums of all items before, by blocks: any type with an operation that need not commute. */
#include "check.h"

struct affine {
  int slope, offset;
  __host__ __device__ friend affine operator*(const affine &a, const affine &b) {
    return { b.slope * a.slope, b.slope * a.offset + b.offset };
  }
  __host__ __device__ bool operator==(const affine &o) const { return slope == o.slope && offset == o.offset; }
};
struct compose {
  __host__ __device__ affine operator()(const affine &a, const affine &b) const { return a * b; }
};
struct add {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <class T, int N, class Operation> __device__ T scan_block(T mine, Operation operation) {
  __shared__ T rooms[2][N];
  int i = (int)threadIdx.x, from = 0;
  rooms[0][i] = mine;
  __syncthreads();
  for (int step = 1; step < N; step *= 2, from = 1 - from) {
    rooms[1 - from][i] = i >= step ? operation(rooms[from][i - step], rooms[from][i]) : rooms[from][i];
    __syncthreads();
  }
  return rooms[from][i];
}

template <class T, int N, class Operation> __global__ void scan(T *x, Operation operation) {
  T *mine = x + blockIdx.x * N;
  T sum = scan_block<T, N>(mine[threadIdx.x], operation);
  mine[threadIdx.x] = sum;
}

template <class T, int N, class Operation, class Make> void check(Operation operation, Make make) {
  items<T, N * 2> x;
  T wanted[N * 2];
  for (int i = 0; i < N * 2; i++)
    x.host[i] = wanted[i] = make(i);
  for (int i = 0; i < N * 2; i++)
    if (i % N)
      wanted[i] = operation(wanted[i - 1], wanted[i]);
  x.send();
  scan<T, N><<<2, N>>>(x.device, operation);
  x.fetch();
  EXPECT_EACH(N * 2, x[i] == wanted[i]);
}

int main() {
  check<int, 64>(add(), [](int i) { return i % 7; });
  check<double, 50>(add(), [](int i) { return i * 0.5; });
  check<affine, 32>(compose(), [](int i) { return affine{ i % 3 - 1, i }; });
  return result();
}
