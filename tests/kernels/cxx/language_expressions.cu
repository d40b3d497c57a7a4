/* SPDX-License-Identifier: MIT */
/* language_expressions - order and effects of operators: short circuits, commas, conditionals, assignments as values. */
#include "check.h"

__host__ __device__ bool noted(int &log, int digit, bool value) {
  log = log * 10 + digit;
  return value;
}

struct body {
  __host__ __device__ long long operator()(int i) const {
    int log = 0, a = i, b = 3, list[3] = { 1, 2, 3 };
    if ((noted(log, 1, i % 2) && noted(log, 2, i % 3)) || noted(log, 3, i % 5))
      log += 1000;
    int chosen = i % 4 ? noted(log, 4, true) : noted(log, 5, false) ? 6 : 7;
    a += b -= 2;
    a = (b++, b * 2) + (a <<= 1, a ^ 5);
    list[i % 3] *= -a;
    int &target = i % 2 ? a : b;
    target = ~target;
    a |= !i;
    int k = i % 3;
    int next = k++ + 10 * k;
    long long wide = (long long)list[0] * list[1] - list[2] + sizeof(list) / sizeof *list;
    return wide * 100000 + log * 7 + chosen + a * 3 + b - next + (i > 5 == true) + (-i >> 1) + -7 / 2 * (-7 % 3);
  }
};

int main() {
  same_on_both<long long>(body{});
  return result();
}
