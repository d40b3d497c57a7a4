/* SPDX-License-Identifier: MIT */
/* classes_list - initializer lists: constructors that take them, loops over them, aggregates in aggregates. */
#include "check.h"

#include <initializer_list>

struct series {
  int items[8], count = 0;
  __host__ __device__ series(std::initializer_list<int> list) : items() {
    for (int each : list)
      if (count < 8)
        items[count++] = each;
  }
};
__host__ __device__ int sum(std::initializer_list<int> list) {
  int all = 0;
  for (const int *p = list.begin(); p != list.end(); ++p)
    all += *p;
  return all * (int)list.size();
}
struct inner {
  int a = 1, b = 2;
  short c[3] = { 3, 4, 5 };
};
struct outer {
  inner one, two;
  double d = 0.5;
};

struct body {
  __host__ __device__ double operator()(int i) const {
    series s = { i, 2 * i, 3 };
    outer o{ { i, 7, { 9, (short)i } }, {}, 1.5 };
    outer p = {};
    double all = sum({ i, 1, i * i }) + sum({}) + s.count * 1000;
    for (int k = 0; k < s.count; k++)
      all += s.items[k] * (k + 1);
    for (int n : { 10, 20, i })
      all += n;
    return all + o.one.c[0] + o.one.c[1] + o.one.c[2] + o.two.c[2] + o.two.b + o.d + p.d + p.two.a;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
