/* SPDX-License-Identifier: MIT */
/* language_namespaces - names in namespaces: nested, inline, unnamed, aliased; kernels and variables within them. */
#include "check.h"

namespace outer {
__host__ __device__ int value() {
  return 1;
}
__device__ int counter = 40;
inline namespace v2 {
__host__ __device__ int version() {
  return 2;
}
}
namespace v1 {
__host__ __device__ int version() {
  return 11;
}
}
namespace inner::deep {
struct point {
  int x;
};
__host__ __device__ int value() {
  return 3;
}
__host__ __device__ int get(const point &p) {
  return p.x;
}
__global__ void write(int *out, int by) {
  out[threadIdx.x] = value() + outer::value() * 10 + version() * 100 + v1::version() * 1000 + by + counter;
}
}
}
namespace {
__device__ int counter_here = 7;
namespace alias = outer::inner::deep;
__global__ void write(int *out, int by) {
  using namespace outer;
  using inner::deep::value;
  out[threadIdx.x] = value() + get(alias::point{ 5 }) + by + counter_here;
}
}

int main() {
  items<int, 4> out;
  outer::inner::deep::write<<<1, 4>>>(out.device, 5);
  out.fetch();
  EXPECT_EACH(4, out[i] == 3 + 10 + 200 + 11000 + 5 + 40);
  ::write<<<1, 4>>>(out.device, 6);
  out.fetch();
  EXPECT_EACH(4, out[i] == 3 + 5 + 6 + 7);
  return result();
}
