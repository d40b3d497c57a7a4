/* SPDX-License-Identifier: MIT */
/* standard_type_traits - <type_traits>: what types are and become, used for choices in kernels. */
/* options: --expt-relaxed-constexpr */
#include "check.h"

#include <type_traits>

template <class T> __host__ __device__ int described() {
  using bare = std::remove_cv_t<std::remove_reference_t<T>>;
  int bits = std::is_integral_v<bare> | std::is_signed_v<bare> << 1 | std::is_floating_point_v<bare> << 2;
  bits |= std::is_const_v<std::remove_reference_t<T>> << 3 | std::is_reference_v<T> << 4 | std::is_pointer_v<bare> << 5;
  bits |= std::is_class_v<bare> << 6 | std::is_trivially_copyable_v<bare> << 7 | std::is_array_v<bare> << 8;
  return bits | std::is_convertible_v<bare, double> << 9 | std::is_enum_v<bare> << 10 | std::is_empty_v<bare> << 11;
}
enum colour { red };
struct nothing {};
struct base {
  int f;
};
struct derived : base {};

template <class T> __host__ __device__ auto unsigned_of(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}
template <class A, class B> __host__ __device__ auto joined(A a, B b) {
  std::common_type_t<A, B> sum = a;
  return sum + b;
}

struct body {
  __host__ __device__ long long operator()(int i) const {
    long long all = described<int>() + 3 * described<const float &>() + 5 * described<nothing>() + 7 * described<colour>();
    all += described<int[3]>() * 11 + described<char *const>() * 13 + std::is_base_of<base, derived>::value * 1000000;
    std::conditional_t<(sizeof(long) > 4), long, long long> wide = i;
    std::decay_t<const int &> copy = i;
    std::underlying_type_t<colour> number = 3;
    copy += std::extent_v<int[4][7], 1> + std::rank<int[2][2][2]>::value;
    return all + (unsigned char)unsigned_of((signed char)-i) + (long long)joined(i, 0.5) + wide + copy + number +
           std::integral_constant<int, 9>() + std::alignment_of<double>::value;
  }
};

int main() {
  same_on_both<long long>(body{});
  return result();
}
