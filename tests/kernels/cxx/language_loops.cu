/* SPDX-License-Identifier: MIT */
/* language_loops - nested loops with break, continue and return, do loops, several variables, loops left from within. */
#include "check.h"

__host__ __device__ int primes(int limit) {
  int sum = 0;
  for (int i = 2; i < limit; i++) {
    bool is_prime = true;
    for (int k = 2; k * k <= i; k++)
      if (i % k == 0) {
        is_prime = false;
        break;
      }
    if (!is_prime)
      continue;
    sum += i;
    if (sum > 300)
      break;
  }
  return sum;
}
__host__ __device__ int spiral(int n) {
  int at = 0, total = 0;
  do {
    for (int left = 0, right = n; left < right; left++, right--) {
      if ((left + at) % 5 == 4)
        continue;
      if (right == at)
        return total + 10000;
      int k = left;
      while (true) {
        if (++k > right || total > 5000)
          break;
        if (k % 3 == 0)
          continue;
        total += k ^ at;
      }
    }
    at++;
  } while (at < n && total < 4000);
  return total;
}
__host__ __device__ unsigned bits(unsigned x) {
  unsigned count = 0;
  for (; x; x &= x - 1)
    count++;
  for (unsigned i = 32; i-- > 0;)
    if (i % 7 == 3)
      count += i;
  return count;
}

struct body {
  __host__ __device__ int operator()(int i) const { return primes(i) + spiral(i % 23) * 3 + (int)bits((unsigned)i * 977u); }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
