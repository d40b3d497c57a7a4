/* SPDX-License-Identifier: MIT */
/* classes_moved - copies and moves: which constructor and which assignment run, and what they leave behind. */
#include "check.h"

#include <utility>

struct tracked {
  int value, copies = 0, moves = 0;
  __host__ __device__ explicit tracked(int v) : value(v) {}
  __host__ __device__ tracked(const tracked &o) : value(o.value), copies(o.copies + 1), moves(o.moves) {}
  __host__ __device__ tracked(tracked &&o) noexcept : value(o.value), copies(o.copies), moves(o.moves + 1) { o.value = -1; }
  __host__ __device__ tracked &operator=(const tracked &o) {
    value = o.value, copies = o.copies + 10, moves = o.moves;
    return *this;
  }
  __host__ __device__ tracked &operator=(tracked &&o) noexcept {
    value = o.value, copies = o.copies, moves = o.moves + 10;
    o.value = -2;
    return *this;
  }
  __host__ __device__ int digits() const { return value * 10000 + copies * 100 + moves; }
};

__host__ __device__ tracked passed(tracked t) {
  t.value++;
  return t;
}
template <class T> __host__ __device__ int taken(T &&t) {
  tracked mine(std::forward<T>(t));
  return mine.digits();
}

struct body {
  __host__ __device__ int operator()(int i) const {
    tracked a(i), b(a), c(std::move(b)), d = passed(a);
    a = d;
    d = std::move(c);
    int kept = taken(a), left = taken(std::move(a));
    tracked other(std::move(c));
    c = std::move(d);
    d = std::move(other);
    return a.digits() + 3 * b.digits() + 5 * c.digits() + 7 * d.digits() + kept + left + taken(tracked(i));
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
