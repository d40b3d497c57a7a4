/* SPDX-License-Identifier: MIT */
/* classes_virtual_choice - which object's function runs is known at run time only. */
#include "check.h"

struct animal {
  __host__ __device__ virtual int legs() const = 0;
  __host__ __device__ virtual int weight(int age) const { return age; }
};
struct bird : animal {
  __host__ __device__ int legs() const override { return 2; }
};
struct beetle : animal {
  int missing;
  __host__ __device__ explicit beetle(int n) : missing(n) {}
  __host__ __device__ int legs() const override { return 6 - missing; }
  __host__ __device__ int weight(int age) const override { return age * 2 + missing; }
};
struct spider : animal {
  __host__ __device__ int legs() const override { return 8; }
};

struct body {
  __host__ __device__ int operator()(int i) const {
    bird b;
    beetle c(i % 5);
    spider d;
    const animal *one = i % 3 == 0 ? static_cast<const animal *>(&b) : i % 3 == 1 ? static_cast<const animal *>(&c) : &d;
    const animal *all[3] = { &d, one, &b };
    int value = one->legs() * 100 + one->weight(i);
    for (int k = 0; k < 3; k++)
      value = value * 3 + all[k]->legs();
    return value;
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
