/* SPDX-License-Identifier: MIT */
/* assembler_carries - PTX's chains of carries: in one text, from one text to the next and through functions, in loops. */
#include "check.h"

typedef unsigned int u32;
typedef unsigned long long u64;

enum { COUNT = 96 };

struct number256 {
  u32 words[8];
};

__device__ inline u32 add_first(u32 a, u32 b) {
  u32 r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ inline u32 add_next(u32 a, u32 b) {
  u32 r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ inline u32 add_last(u32 a, u32 b) {
  u32 r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

/* The sum, with the carry out of it; by functions that each have a text of their own. */
__device__ u32 add_256(const number256 &a, const number256 &b, number256 *sum) {
  sum->words[0] = add_first(a.words[0], b.words[0]);
#pragma unroll
  for (int i = 1; i < 8; i++)
    sum->words[i] = add_next(a.words[i], b.words[i]);
  return add_last(0, 0);
}

__device__ void subtract_128(const u64 *a, const u64 *b, u64 *rest, u32 *borrow) {
  asm("{\n\t"
      "sub.cc.u64 %0, %3, %5;\n\t"
      "subc.cc.u64 %1, %4, %6;\n\t"
      "subc.u32 %2, 0, 0;\n\t"
      "}"
      : "=l"(rest[0]), "=l"(rest[1]), "=r"(*borrow)
      : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
}

/* 128 bits of the product of two of 64, by words of 32. */
__device__ void multiply(u64 a, u64 b, u64 *product) {
  u32 r0, r1, r2, r3;
  asm("mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.u32 %2, %4, %7, 0;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
      "addc.u32 %3, 0, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, %3;"
      : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
      : "r"((u32)a), "r"((u32)(a >> 32)), "r"((u32)b), "r"((u32)(b >> 32)));
  product[0] = (u64)r1 << 32 | r0;
  product[1] = (u64)r3 << 32 | r2;
}

__global__ void run(const number256 *a, const number256 *b, number256 *sums, u32 *carries, u64 *rests, u32 *borrows,
                    u64 *products) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  carries[i] = add_256(a[i], b[i], &sums[i]);
  u64 x[2], y[2];
  for (int k = 0; k < 2; k++) {
    x[k] = (u64)a[i].words[2 * k + 1] << 32 | a[i].words[2 * k];
    y[k] = (u64)b[i].words[2 * k + 1] << 32 | b[i].words[2 * k];
  }
  subtract_128(x, y, rests + 2 * i, borrows + i);
  multiply(x[0], y[1], products + 2 * i);
}

int main() {
  items<number256, COUNT> a, b, sums;
  items<u32, COUNT> carries, borrows;
  items<u64, 2 * COUNT> rests, products;
  u32 state = 1;
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < 8; k++) {
      state = state * 1664525 + 1013904223;
      a.host[i].words[k] = i % 4 == 0 ? 0xffffffffu : i % 4 == 1 ? state >> 31 : state;
      state = state * 1664525 + 1013904223;
      b.host[i].words[k] = i % 4 == 0 ? (k == 0) : i % 8 == 1 ? ~a.host[i].words[k] : state;
    }
  a.send();
  b.send();
  run<<<3, COUNT / 3>>>(a.device, b.device, sums.device, carries.device, rests.device, borrows.device,
                        products.device);
  sums.fetch(), carries.fetch(), rests.fetch(), borrows.fetch(), products.fetch();
  for (int i = 0; i < COUNT; i++) {
    u64 carry = 0;
    bool is_right = true;
    for (int k = 0; k < 8; k++) {
      carry += (u64)a[i].words[k] + b[i].words[k];
      is_right = is_right && sums[i].words[k] == (u32)carry;
      carry >>= 32;
    }
    check_item(is_right && carries[i] == carry, i, "sums of 256 bits", __FILE__, __LINE__);
    unsigned __int128 x = 0, y = 0;
    for (int k = 3; k >= 0; k--) {
      x = x << 32 | a[i].words[k];
      y = y << 32 | b[i].words[k];
    }
    const unsigned __int128 rest = x - y, product = (unsigned __int128)(u64)x * (u64)(y >> 64);
    check_item(rests[2 * i] == (u64)rest && rests[2 * i + 1] == (u64)(rest >> 64), i, "differences", __FILE__,
               __LINE__);
    check_item(borrows[i] == (x < y ? 0xffffffffu : 0), i, "what is borrowed", __FILE__, __LINE__);
    check_item(products[2 * i] == (u64)product && products[2 * i + 1] == (u64)(product >> 64), i, "products",
               __FILE__, __LINE__);
  }
  return result();
}
