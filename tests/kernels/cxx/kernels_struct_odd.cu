/* SPDX-License-Identifier: MIT */
/* kernels_struct_odd - structs by value that are packed, odd in size, empty, aligned, large, or have a base. */
#include "check.h"

struct __attribute__((packed)) packed {
  char a;
  int b;
  short c;
  double d;
  unsigned char e;
};
struct three {
  char c[3];
};
struct nothing {};
struct __align__(32) wide {
  int x;
};
struct base {
  double weight;
  char tag;
};
struct derived : base, nothing {
  short more;
  bool flag;
};
struct large {
  int list[200];
};

__global__ void run(double *out, packed p, three t, nothing n, wide w, derived d, const packed *list, unsigned char last) {
  int i = (int)threadIdx.x;
  double all = p.a + p.b * 2.0 + p.c * 3 + p.d + p.e + t.c[0] + t.c[1] * 10 + t.c[i % 3] * 100 + sizeof n + w.x + last;
  all += d.weight + d.tag + d.more + d.flag;
  packed copy = list[i];
  copy.d *= 2;
  out[i] = all + copy.a + copy.b + copy.c + copy.d + copy.e + list[i].d;
}
__global__ void sum(int *out, large l) {
  int all = 0;
  for (int i = (int)threadIdx.x; i < 200; i += (int)blockDim.x)
    all += l.list[i];
  out[threadIdx.x] = all;
}

int main() {
  items<double, 8> out;
  items<packed, 8> list;
  items<int, 4> sums;
  for (int i = 0; i < 8; i++)
    list.host[i] = { (char)i, i * 1000, (short)-i, i * 0.5, 255 };
  list.send();
  packed p = { 1, -70000, 300, 2.5, 200 };
  three t = { { 1, 2, 3 } };
  derived d;
  d.weight = 8.5, d.tag = 'x', d.more = -9, d.flag = true;
  run<<<1, 8>>>(out.device, p, t, nothing(), wide{ 12 }, d, list.device, 99);
  out.fetch();
  double same = 1 - 140000 + 900 + 2.5 + 200 + 1 + 20 + 1 + 12 + 99 + 8.5 + 'x' - 9 + 1;
  EXPECT_EACH(8, out[i] == same + (i % 3 + 1) * 100 + i + i * 1000 - i + i + 255 + i * 0.5);
  large l;
  for (int i = 0; i < 200; i++)
    l.list[i] = i;
  sum<<<1, 4>>>(sums.device, l);
  sums.fetch();
  EXPECT_EACH(4, sums[i] == 4900 + 50 * i);
  return result();
}
