/* SPDX-License-Identifier: MIT */
/* children_reduction - reductions of any type by any functor: the second level is a tail launch, which gets a struct of a
 * template. */
#include "check.h"

template <int WIDTH, class T, class Join> __device__ T join_block(T value, Join join) {
  __shared__ T parts[WIDTH];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = WIDTH / 2; half > 0; half /= 2) {
    if ((int)threadIdx.x < half)
      parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  return parts[0];
}

/* One block takes what is left. */
template <class T, class Join> struct rest {
  const T *from;
  unsigned count;
  T none;
  Join join;
};
template <class T, class Join> __global__ void reduce_rest(rest<T, Join> it, T *to) {
  T all = it.none;
  for (unsigned i = 0; i < it.count; i++)
    all = it.join(all, it.from[i]);
  *to = all;
}

template <class T, class Join> __global__ void reduce_in_two(const T *from, T *to, unsigned count, T none, Join join) {
  T all = join_block<64>(blockIdx.x * 64 + threadIdx.x < count ? from[blockIdx.x * 64 + threadIdx.x] : none, join);
  if (threadIdx.x == 0)
    to[1 + blockIdx.x] = all;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    reduce_rest<<<1, 1, 0, cudaStreamTailLaunch>>>(rest<T, Join>{ to + 1, gridDim.x, none, join }, to);
}

struct sum {
  __host__ __device__ double operator()(double a, double b) const { return a + b; }
};
struct most {
  int unused;
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

enum { COUNT = 64 * 40 + 5 };

int main() {
  items<double, COUNT> doubles;
  items<int, COUNT> ints;
  items<double, 64> double_rooms;
  items<int, 64> int_rooms;
  double wanted = 0;
  for (int i = 0; i < COUNT; i++) {
    wanted += doubles.host[i] = i % 13;
    ints.host[i] = (i * 7919) % 10007 - 5000;
  }
  int largest = ints.host[0];
  for (int i = 0; i < COUNT; i++)
    largest = most{}(largest, ints.host[i]);
  doubles.send();
  ints.send();
  reduce_in_two<<<(COUNT + 63) / 64, 64>>>(doubles.device, double_rooms.device, (unsigned)COUNT, 0.0, sum{});
  reduce_in_two<<<(COUNT + 63) / 64, 64>>>(ints.device, int_rooms.device, (unsigned)COUNT, -10000, most{ 1 });
  double_rooms.fetch();
  int_rooms.fetch();
  EXPECT(double_rooms[0] == wanted);
  EXPECT(int_rooms[0] == largest);
  return result();
}
