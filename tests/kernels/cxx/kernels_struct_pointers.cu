/* SPDX-License-Identifier: MIT */
/* kernels_struct_pointers - structs by value with pointers: nested, in arrays, indexed late, beside other members. */
#include "check.h"

struct span {
  const float *data;
  int count;
};
struct request {
  char kind;
  span parts[3];
  float *out;
  const float *const *table;
  double scale;
};

__global__ void gather(request r) {
  int i = (int)threadIdx.x;
  float all = 0;
  for (int k = 0; k < 3; k++)
    all += r.parts[k].data[i % r.parts[k].count];
  all += r.parts[i % 3].data[0] * 100 + r.table[i % 2][1];
  r.out[i] = all * (float)r.scale + (float)r.kind;
}
template <int N> struct pointers {
  float *at[N];
};
template <int N> __global__ void scatter(pointers<N> p, float value) {
  p.at[threadIdx.x % N][threadIdx.x / N] = value + (float)threadIdx.x;
}

int main() {
  items<float, 8> a, b, c;
  items<float, 24> out;
  items<const float *, 2> table;
  for (int i = 0; i < 8; i++)
    a.host[i] = (float)i, b.host[i] = (float)(10 * i), c.host[i] = 0.5f * (float)i + 1;
  a.send(), b.send(), c.send();
  table.host[0] = a.device, table.host[1] = b.device + 2;
  table.send();
  request r = { 7, { { a.device, 8 }, { b.device, 4 }, { c.device, 5 } }, out.device, table.device, 2.0 };
  gather<<<1, 24>>>(r);
  out.fetch();
  for (int i = 0; i < 24; i++) {
    float first = i % 3 == 2 ? 1.0f : 0.0f, listed = i % 2 ? 30.0f : 1.0f;
    float wanted = ((float)(i % 8) + (float)(i % 4 * 10) + 0.5f * (float)(i % 5) + 1 + first * 100 + listed) * 2 + 7;
    check_item(out[i] == wanted, i, "gathered numbers", __FILE__, __LINE__);
  }
  scatter<<<1, 24>>>(pointers<3>{ { a.device, b.device, c.device } }, 100.0f);
  a.fetch(), b.fetch(), c.fetch();
  EXPECT_EACH(8, a[i] == 100 + 3 * (float)i && b[i] == 101 + 3 * (float)i && c[i] == 102 + 3 * (float)i);
  return result();
}
