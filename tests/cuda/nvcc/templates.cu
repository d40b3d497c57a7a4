/* SPDX-License-Identifier: MIT */
/* templates - kernels that are instances, functions by pointer, virtual functions, recursion, local arrays. */
#include "check.h"

template <class T, int N> struct Vector {
  T values[N];
  __device__ T sum() const {
    T sum = 0;
    for (int i = 0; i < N; i++)
      sum += values[i];
    return sum;
  }
};

template <class T, int N> __global__ void fill(T *out, Vector<T, N> vector) {
  out[0] = vector.sum();
}

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
  float radius;
  __device__ Disc(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void areas(float *out, int which) {
  Square square(which + 1.0f);
  Disc disc(which + 2.0f);
  Shape *shape = threadIdx.x % 2 == 0 ? static_cast<Shape *>(&square) : &disc;
  out[threadIdx.x] = shape->area();
}

__device__ __noinline__ int twice(int x) {
  return 2 * x;
}
__device__ __noinline__ int square_of(int x) {
  return x * x;
}
typedef int (*function)(int);
__device__ function functions[2] = { twice, square_of };

__global__ void apply(int *out, int which) {
  out[threadIdx.x] = functions[(which + threadIdx.x) & 1](threadIdx.x);
}

__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void grow(int *out) {
  int local[20];
  for (int i = 0; i < 20; i++)
    local[(i * 7) % 20] = i;
  out[threadIdx.x] = fibonacci(threadIdx.x % 10) + local[threadIdx.x % 20];
}

int main() {
  double *reals;
  float *floats;
  int *ints;
  GOES(cudaMalloc(&reals, 64 * sizeof *reals));
  GOES(cudaMalloc(&floats, 64 * sizeof *floats));
  GOES(cudaMalloc(&ints, 64 * sizeof *ints));
  fill<<<1, 1>>>(reals, Vector<double, 3>{ { 1.5, 2.5, 3 } });
  CHECK(value_at(reals, 0) == 7);
  fill<<<1, 1>>>(ints, Vector<int, 40>{ { 1, 2, 3 } });
  CHECK(value_at(ints, 0) == 6);
  areas<<<1, 4>>>(floats, 1);
  CHECK(value_at(floats, 0) == 4 && value_at(floats, 1) == 27);
  apply<<<1, 8>>>(ints, 0);
  CHECK(value_at(ints, 4) == 8 && value_at(ints, 5) == 25);
  grow<<<1, 32>>>(ints);
  for (int t = 0; t < 32; t++) {
    static const int numbers[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34 };
    CHECK(value_at(ints, t) == numbers[t % 10] + (t % 20) * 3 % 20);
  }
  return 0;
}
