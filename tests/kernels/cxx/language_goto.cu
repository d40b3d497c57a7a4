/* SPDX-License-Identifier: MIT */
/* language_goto - jumps: forwards out of loops, backwards, into shared ends. */
#include "check.h"

__host__ __device__ int search(const int *table, int size, int wanted) {
  int row = 0, column = 0, looked = 0;
  for (row = 0; row < size; row++)
    for (column = 0; column < size; column++) {
      looked++;
      if (table[row * size + column] == wanted)
        goto found;
      if (looked > 20)
        goto given_up;
    }
  return -1;
found:
  return row * 100 + column;
given_up:
  return -looked;
}

__host__ __device__ int steps(int x) {
  int count = 0;
again:
  if (x == 1 || count > 200)
    goto done;
  count++;
  if (x % 2 == 0) {
    x /= 2;
    goto again;
  }
  x = 3 * x + 1;
  goto again;
done:
  return count;
}

__host__ __device__ int staged(int i) {
  int value = i;
  if (i % 3 == 0)
    goto second;
  if (i % 3 == 1)
    goto third;
  value += 1000;
second:
  value += 100;
  if (i > 40)
    goto end;
third:
  value += 10;
end:
  return value;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    int table[25];
    for (int k = 0; k < 25; k++)
      table[k] = k * 7 % 25;
    return search(table, 5, i) * 10000 + steps(i + 1) + staged(i);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
