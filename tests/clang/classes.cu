/* SPDX-License-Identifier: MIT */
/* classes - lambdas, virtual functions, pointers to members, unions, bit-fields, placement and objects from the heap. */
#include <new>

template <class Function> __global__ void apply(float *x, Function function) { x[threadIdx.x] = function(x[threadIdx.x]); }

struct animal {
  __device__ virtual int legs() const = 0;
  __device__ virtual ~animal() {}
};
struct bird : animal {
  __device__ int legs() const override { return 2; }
};
struct beetle : animal {
  int missing;
  __device__ explicit beetle(int n) : missing(n) {}
  __device__ int legs() const override { return 6 - missing; }
};
__global__ void count_legs(int *out, int which) {
  bird b;
  beetle c(1);
  const animal *one = which ? static_cast<const animal *>(&b) : &c;
  out[threadIdx.x] = one->legs();
}

struct particle {
  float x, y;
  __device__ float norm() const { return hypotf(x, y); }
  __device__ float sum() const { return x + y; }
};
__global__ void members(float *out, particle p, bool sum) {
  float (particle::*function)() const = sum ? &particle::sum : &particle::norm;
  float particle::*field = sum ? &particle::x : &particle::y;
  *out = (p.*function)() + p.*field;
}

union bits {
  float number;
  unsigned word;
};
struct packed {
  unsigned low : 5, high : 11;
  signed rest : 16;
};
__global__ void pieces(unsigned *out, float x) {
  bits b;
  b.number = x;
  packed p = { b.word & 31u, b.word >> 21, -3 };
  p.low++;
  *out = p.low + p.high + static_cast<unsigned>(p.rest);
}

__global__ void objects(int *out) {
  alignas(beetle) __shared__ unsigned char room[sizeof(beetle)];
  beetle *placed = new (room) beetle(2);
  beetle *made = new beetle(3);
  *out = placed->legs() + made->legs();
  delete made;
  placed->~beetle();
}

__managed__ int managed = 7;
__device__ float device_table[16] = { 1, 2, 3 };
__global__ void variables(float *out) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = device_table[threadIdx.x % 16] + managed;
  __syncthreads();
  *out = dynamic[0];
  if (threadIdx.x == 0)
    managed = 8;
}

int main() {
  float *floats = nullptr;
  int *ints = nullptr;
  unsigned *words = nullptr;
  cudaMalloc(&floats, 4096);
  cudaMalloc(&ints, 4096);
  cudaMalloc(&words, 4096);
  const float by = 2;
  apply<<<1, 32>>>(floats, [=] __device__(float x) { return x * by; });
  apply<<<1, 32>>>(floats, [=] __host__ __device__(auto x) { return x + by; });
  count_legs<<<1, 32>>>(ints, 1);
  members<<<1, 1>>>(floats, particle{ 3, 4 }, true);
  pieces<<<1, 1>>>(words, 1.5f);
  objects<<<1, 1>>>(ints);
  variables<<<1, 32, 32 * sizeof(float)>>>(floats);
  void (*kernel)(int *) = objects;
  kernel<<<1, 1>>>(ints);
  cudaDeviceSynchronize();
  void *place = nullptr;
  cudaGetSymbolAddress(&place, device_table);
  return managed == 8 ? 0 : 1;
}
