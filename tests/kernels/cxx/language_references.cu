/* SPDX-License-Identifier: MIT */
/* language_references - references and pointers: parameters, results, to arrays, of pointers; const and volatile. */
#include "check.h"

__host__ __device__ int &larger(int &a, int &b) {
  return a < b ? b : a;
}
__host__ __device__ void exchange(int *&a, int *&b) {
  int *other = a;
  a = b;
  b = other;
}
__host__ __device__ int sum(const int (&list)[4]) {
  return list[0] + list[1] + list[2] + list[3];
}
__host__ __device__ int (&rows(int (&table)[3][4], int row))[4] {
  return table[row];
}
__host__ __device__ void accumulate(double &&from, double &to) {
  to += from;
}

struct body {
  __host__ __device__ double operator()(int i) const {
    int a = i, b = 30, table[3][4] = { { 1, 2, 3, 4 }, { i, i, i, i }, { 9 } };
    larger(a, b) += 100;
    int *p = &a, *q = &b, **pp = &p;
    exchange(p, q);
    *p += 7;
    **pp += 1;
    const volatile int seen = a;
    int(&row)[4] = rows(table, i % 3);
    row[1] += 5;
    const int &kept = a + b;
    double all = 0;
    accumulate(0.5 * i, all);
    accumulate(static_cast<double &&>(all), all);
    int *end = &table[2][3] + 1;
    return all + sum(table[0]) + sum(row) + seen + kept * 2 + *p + *q + (double)(end - &table[0][0]) + (&row[2])[-1];
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
