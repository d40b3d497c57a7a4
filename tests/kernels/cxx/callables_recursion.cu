/* SPDX-License-Identifier: MIT */
/* callables_recursion - functions that call themselves: once, twice, from loops, with arrays, by templates, by turns. */
#include "check.h"

__host__ __device__ inline unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

__host__ __device__ inline int fibonacci(int n) {
  if (n < 2)
    return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

/* A sum as a tree, as libraries do it for accuracy. */
template <class T> __host__ __device__ T sum_of(const T *from, int first, int count) {
  T sum = 0;
  if (count > 4) {
    int half = count / 2;
    sum += sum_of(from, first, half);
    sum += sum_of(from, first + half, count - half);
    return sum;
  }
  for (int i = 0; i < count; i++)
    sum += from[first + i];
  return sum;
}

/* Towers of Hanoi, with the state by reference. */
__host__ __device__ inline void move(int disks, int from, int to, int (&heights)[3], unsigned &trace) {
  if (disks == 0)
    return;
  move(disks - 1, from, 3 - from - to, heights, trace);
  heights[from]--;
  heights[to]++;
  trace = trace * 31 + (unsigned)(from * 3 + to);
  move(disks - 1, 3 - from - to, to, heights, trace);
}

/* All orders of four numbers: calls in a loop, an array at each level. */
__host__ __device__ inline unsigned orders(unsigned used, int depth, unsigned seed) {
  unsigned local[3] = { seed, seed * 7, seed ^ 5 }, sum = 0;
  if (depth == 4)
    return seed;
  for (unsigned i = 0; i < 4; i++) {
    if (used >> i & 1)
      continue;
    local[i % 3] += orders(used | 1u << i, depth + 1, seed * 10 + i);
    sum += local[(i + 1) % 3];
  }
  return sum ^ local[0];
}

__host__ __device__ bool is_odd(int n);
__host__ __device__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__host__ __device__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }

struct tree {
  int left, right, value;
};
__host__ __device__ inline int deepest(const tree *all, int at) {
  if (at < 0)
    return 0;
  int l = deepest(all, all[at].left), r = deepest(all, all[at].right);
  return (l > r ? l : r) + 1;
}

/* Structs by value: each level has its own, and gives one back. */
struct place {
  int at[5];
  double sum;
};
__host__ __device__ inline int walk(place p, int n) {
  if (n < 2)
    return p.at[n] + (int)p.sum;
  p.at[n % 5]++;
  p.sum += n * 0.5;
  return walk(p, n - 1) * 3 + (n > 5 ? walk(p, n - 3) : p.at[2]);
}
struct range {
  float low, high;
  int count;
};
__host__ __device__ inline range range_of(const float *from, int count) {
  if (count == 1)
    return { from[0], from[0], 1 };
  range l = range_of(from, count / 2), r = range_of(from + count / 2, count - count / 2);
  return { l.low < r.low ? l.low : r.low, l.high > r.high ? l.high : r.high, l.count + r.count };
}

struct by_value {
  __host__ __device__ double operator()(int i) const {
    float numbers[20];
    for (int k = 0; k < 20; k++)
      numbers[k] = (float)((k * 7 + i) % 23 - 9);
    range all = range_of(numbers, 1 + i % 20);
    return walk({ { i, 2, 3, 4, i * 5 }, 0.25 * i }, i % 9) + all.low * 1000. + all.high * 10. + all.count;
  }
};

struct body {
  __host__ __device__ long long operator()(int i) const {
    float numbers[40];
    tree all[20];
    int heights[3] = { 4, 0, 0 };
    unsigned trace = 0;
    for (int k = 0; k < 40; k++)
      numbers[k] = (float)(k * i % 17);
    for (int k = 0; k < 20; k++)
      all[k] = { 2 * k + 1 < 20 - i % 5 ? 2 * k + 1 : -1, 2 * k + 2 < 20 ? 2 * k + 2 : -1, k };
    move(4, 0, 1 + i % 2, heights, trace);
    return factorial((unsigned)i % 13) + 3ll * fibonacci(i % 12) + 5ll * (long long)sum_of(numbers, 0, 20 + i % 20) +
           (long long)trace * 7 + heights[1] + orders(0, 0, (unsigned)i) % 1000 + is_even(i % 10) * 100000ll +
           deepest(all, 0);
  }
};

int main() {
  same_on_both<long long>(body{});
  same_on_both<double>(by_value{});
  return result();
}
