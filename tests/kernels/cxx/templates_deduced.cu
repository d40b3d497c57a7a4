/* SPDX-License-Identifier: MIT */
/* templates_deduced - arguments of class templates deduced from constructors, with guides; auto and decltype. */
#include "check.h"

template <class T, int N> struct list {
  T items[N];
  __host__ __device__ constexpr int size() const { return N; }
};
template <class T, class... U> __host__ __device__ list(T, U...) -> list<T, 1 + (int)sizeof...(U)>;

template <class A, class B> struct couple {
  A first;
  B second;
  __host__ __device__ couple(A a, B b) : first(a), second(b) {}
};
template <class T> struct view {
  const T *data;
  int count;
  template <int N> __host__ __device__ view(const T (&array)[N]) : data(array), count(N) {}
};

struct body {
  __host__ __device__ double operator()(int i) const {
    list numbers{ i, i + 1, i * i };
    couple both(i, 0.5 * i);
    double raw[] = { 1.5, 2.5, double(i) };
    view seen(raw);
    auto total = both.first + both.second;
    for (auto each : numbers.items)
      total += each;
    for (int k = 0; k < seen.count; k++)
      total += seen.data[k];
    decltype(total) doubled = total * 2;
    decltype(auto) again = (numbers.items[1]);
    again = 5;
    return doubled + numbers.size() + numbers.items[1];
  }
};

int main() {
  same_on_both<double>(body{});
  return result();
}
