/* SPDX-License-Identifier: MIT */
/* classes_bindings - structured bindings: of structs, arrays, by reference, and of a class with get<>. */
#include "check.h"

#include <utility>

struct sample {
  int a;
  double b;
  unsigned char c;
};
class hidden {
  int x_, y_;

public:
  __host__ __device__ hidden(int x, int y) : x_(x), y_(y) {}
  template <int I> __host__ __device__ int get() const { return I == 0 ? x_ : y_ * 2; }
};
namespace std {
template <> struct tuple_size<hidden> : integral_constant<size_t, 2> {};
template <size_t I> struct tuple_element<I, hidden> {
  using type = int;
};
}

__host__ __device__ sample measured(int i) {
  return { i, 0.5 * i, (unsigned char)(i * 9) };
}

struct body {
  __host__ __device__ double operator()(int i) const {
    auto [a, b, c] = measured(i);
    int pair[2] = { i, 5 };
    auto &[first, second] = pair;
    first += 100;
    second *= 3;
    const auto [x, y] = hidden(i, i + 1);
    sample list[2] = { measured(1), measured(i) };
    double all = a + b + c + pair[0] + pair[1] + x + y;
    for (auto &[u, v, w] : list) {
      u += w;
      all += u * v;
    }
    return all + list[1].a;
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
