/* SPDX-License-Identifier: MIT */
/* classes_virtual - virtual functions of objects that live in the kernel. */
#include "check.h"

struct shape {
  __host__ __device__ virtual float area() const = 0;
  __host__ __device__ virtual int corners() const { return 0; }
  __host__ __device__ virtual ~shape() {}
};
struct circle : shape {
  float radius;
  __host__ __device__ explicit circle(float r) : radius(r) {}
  __host__ __device__ float area() const override { return 3 * radius * radius; }
};
struct rectangle : shape {
  float a, b;
  __host__ __device__ rectangle(float x, float y) : a(x), b(y) {}
  __host__ __device__ float area() const override { return a * b; }
  __host__ __device__ int corners() const override { return 4; }
};
struct square final : rectangle {
  __host__ __device__ explicit square(float x) : rectangle(x, x) {}
  __host__ __device__ float area() const override { return rectangle::area() + 0.5f; }
};

__host__ __device__ float describe(const shape &s) {
  return s.area() + 100.0f * (float)s.corners();
}

struct body {
  __host__ __device__ float operator()(int i) const {
    circle c((float)i);
    rectangle r((float)i, 2);
    square s(3);
    const shape *first = &c;
    return describe(c) + describe(r) + describe(s) + first->area();
  }
};

int main() {
  same_on_both<float>(body{});
  return result();
}
