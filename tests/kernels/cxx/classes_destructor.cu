/* SPDX-License-Identifier: MIT */
/* classes_destructor - constructors and destructors run in their order, virtual ones too, on each way out of a scope. */
#include "check.h"

struct history {
  unsigned long long digits = 0;
  __host__ __device__ void add(int digit) { digits = digits * 10 + (unsigned)digit; }
};
struct traced {
  history &to;
  int id;
  __host__ __device__ traced(history &l, int i) : to(l), id(i) { to.add(id); }
  __host__ __device__ virtual ~traced() { to.add(id + 1); }
};
struct derived : traced {
  traced member;
  __host__ __device__ explicit derived(history &l) : traced(l, 5), member(l, 7) {}
  __host__ __device__ ~derived() override { to.add(9); }
};

__host__ __device__ int leave(history &l, int i) {
  traced outer(l, 1);
  for (int k = 0; k < 3; k++) {
    traced inner(l, 3);
    if (k == i % 3)
      continue;
    if (k == i % 4)
      return k;
  }
  derived last(l);
  return -1;
}

struct body {
  __host__ __device__ unsigned long long operator()(int i) const {
    history l;
    int left = leave(l, i);
    return l.digits + (unsigned)left;
  }
};

int main() {
  same_on_both<unsigned long long>(body{});
  return result();
}
