/* SPDX-License-Identifier: MIT */
/* classes_compared - C++20: comparisons by default, three-way ones, named members in aggregates, consteval, using enum. */
/* options: -std=c++20 */
#include "check.h"

struct version {
  int major_, minor_;
  bool operator==(const version &) const = default;
  __host__ __device__ bool operator<(const version &o) const { return major_ != o.major_ ? major_ < o.major_ : minor_ < o.minor_; }
};
struct options {
  int threads = 4;
  float scale = 1;
  bool verbose = false;
};
enum class level { low, mid, high };

consteval int cubed(int x) {
  return x * x * x;
}
template <version V> constexpr int packed = V.major_ * 100 + V.minor_;

__host__ __device__ int weight(level l) {
  using enum level;
  switch (l) {
  case low:
    return 1;
  case mid:
    return 20;
  case high:
    return 300;
  }
  return 0;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    version a{ i % 3, i % 5 }, b{ .major_ = 1, .minor_ = 2 };
    options o{ .threads = i, .verbose = true };
    int value = (a == b) + (a != b) * 10 + (a < b) * 100 + o.threads + int(o.scale) + o.verbose + cubed(3);
    for (int k = 0; int each : { i, 2, 3 })
      value += each * k++;
    auto twice = []<class T>(T x) { return x + x; };
    return value + packed<version{ 4, 7 }> + weight(level(i % 3)) + twice(i);
  }
};

int main() {
  same_on_both<int>(body{});
  return result();
}
