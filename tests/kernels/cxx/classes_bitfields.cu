/* SPDX-License-Identifier: MIT */
/* classes_bitfields - bit-fields: signed and not, across bytes, wide ones, stored and loaded on both sides. */
#include "check.h"

struct packed {
  unsigned a : 3;
  signed b : 5;
  unsigned c : 11;
  bool flag : 1;
  unsigned : 0;
  unsigned char d : 4, e : 4;
  long long wide : 40;
  unsigned long long rest : 24;
};

__global__ void change(packed *list, packed given) {
  int i = (int)threadIdx.x;
  packed p = list[i];
  p.a += given.a;
  p.b -= (int)given.b;
  p.c = p.c * 3 + given.c;
  p.flag = !p.flag;
  p.d = p.e;
  p.e = p.d + 1;
  p.wide = p.wide * given.wide - 5;
  p.rest ^= 0xabcdefu;
  list[i] = p;
}

int main() {
  items<packed, 20> list;
  packed start[20], given = { 3, -7, 500, true, 9, 4, -3, 77 };
  for (int i = 0; i < 20; i++) {
    packed p = { unsigned(i) & 7u, i % 16 - 8, unsigned(i) * 100u & 2047u, i % 3 == 0, 1, (unsigned char)(i & 15), -i * 1000003ll, 5u * (unsigned)i };
    list.host[i] = start[i] = p;
  }
  list.send();
  change<<<1, 20>>>(list.device, given);
  list.fetch();
  for (int i = 0; i < 20; i++) {
    const packed &p = list.host[i], &q = start[i];
    bool is_same = p.a == ((q.a + 3u) & 7u) && p.b == (((q.b + 7 + 16) & 31) - 16) && p.c == ((q.c * 3u + 500u) & 2047u);
    is_same = is_same && p.flag != q.flag && p.d == q.e && p.e == ((q.e + 1) & 15) && p.wide == q.wide * -3 - 5;
    check_item(is_same && p.rest == (q.rest ^ 0xabcdefu), i, "the fields", __FILE__, __LINE__);
  }
  return result();
}
