/* SPDX-License-Identifier: MIT */
/* language_arrays - arrays of a thread's own, that are indexed by numbers known at run time only: plain, 2-D, of structs. */
#include "check.h"

struct entry {
  short key;
  double value;
  unsigned char tail[3];
};

struct body {
  __host__ __device__ double operator()(int i) const {
    int stack[16], depth = 0;
    for (int n = i; n > 0; n /= 2)
      stack[depth++] = n % 3;
    double field[4][5] = {};
    for (int k = 0; k < 20; k++)
      field[k * i % 4][(k + i) % 5] += k * 0.5;
    entry list[6];
    for (int k = 0; k < 6; k++)
      list[(k * 5 + i) % 6] = { short(k - i), 0.25 * k, { (unsigned char)k, 1, (unsigned char)i } };
    for (int pass = 0; pass < 5; pass++)
      for (int k = 0; k + 1 < 6; k++)
        if (list[k].key > list[k + 1].key) {
          entry other = list[k];
          list[k] = list[k + 1];
          list[k + 1] = other;
        }
    double all = field[i % 4][i % 5] * 1000 + list[i % 6].value + list[5].key + list[i % 3].tail[i % 3];
    while (depth > 0)
      all = all * 2 + stack[--depth];
    return all;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
