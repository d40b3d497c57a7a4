/* SPDX-License-Identifier: MIT */
/* language_switch - switches: dense, sparse, with ranges that fall through, on 64 bits, in loops, nested. */
#include "check.h"

__host__ __device__ int dense(int i) {
  switch (i % 9) {
  case 0:
  case 1:
    return 10;
  case 2:
    i += 5;
    /* fall through */
  case 3:
    return i * 2;
  case 7:
    break;
  default:
    return -i;
  }
  return 77;
}
__host__ __device__ int sparse(long long x) {
  switch (x) {
  case -5:
    return 1;
  case 1ll << 40:
    return 2;
  case 1000000:
    return 3;
  }
  return 4;
}
__host__ __device__ int machine(int input) {
  int state = 0, steps = 0;
  while (steps < 50) {
    steps++;
    switch (state) {
    case 0:
      state = input % 3 + 1;
      continue;
    case 1:
      input = input * 3 + 1;
      state = input & 1 ? 3 : 2;
      break;
    case 2:
      input /= 2;
      if (input < 3)
        return steps * 100 + input;
      state = 0;
      break;
    default:
      switch (input & 3) {
      case 0:
        return steps;
      case 3:
        input--;
        break;
      default:
        input += 7;
      }
      state = 2;
    }
  }
  return -input;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    long long x = i % 4 == 0 ? -5 : i % 4 == 1 ? 1ll << 40 : i % 4 == 2 ? 1000000 : i;
    return dense(i) * 1000 + sparse(x) * 100000 + machine(i);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
