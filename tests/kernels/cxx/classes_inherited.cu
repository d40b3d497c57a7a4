/* SPDX-License-Identifier: MIT */
/* classes_inherited - several bases, virtual bases, names from bases, casts up and down. */
#include "check.h"

struct named {
  int id;
  __host__ __device__ explicit named(int i) : id(i) {}
};
struct sized : virtual named {
  double size;
  __host__ __device__ sized(int i, double s) : named(i), size(s) {}
};
struct coloured : virtual named {
  unsigned char colour[3];
  __host__ __device__ coloured(int i, unsigned char c) : named(i), colour{ c, (unsigned char)(c + 1), 7 } {}
};
struct thing : sized, coloured {
  __host__ __device__ thing(int i) : named(i + 1), sized(0, i * 0.5), coloured(0, (unsigned char)i) {}
};

struct left {
  int a = 1;
  __host__ __device__ int get(int x) const { return a + x; }
};
struct right {
  int b = 2;
  __host__ __device__ int get(double x) const { return b + (int)(x * 2); }
};
struct both : left, right {
  using left::get;
  using right::get;
  using value = int;
  int c = 3;
};

struct body {
  __host__ __device__ double operator()(int i) const {
    thing t(i);
    const named &n = t;
    const coloured *c = &t;
    both b;
    right *r = &b;
    r->b += i;
    both *again = static_cast<both *>(r);
    return n.id * 100 + t.size + c->colour[1] + c->id + b.get(i) + b.get(0.5 * i) + again->c + again->b;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
