/* SPDX-License-Identifier: MIT */
/* numbers_narrow - arithmetic on 8 and 16 bits: what wraps, what is promoted, signs, compound assignments, stores. */
#include "check.h"

template <class T> struct body {
  __host__ __device__ int operator()(int i) const {
    T a = T(i * 37 + 11), b = T(i * 91 - 5), c = a;
    c += b;
    T d = T(a * b), e = T(a - b), f = T(a << 3), g = T(a >> 2);
    int promoted = a * b + (a << 4) - (b >> 1) + (a < b) + (T(~a) > b) * 2;
    a++;
    b--;
    c = T(-c);
    T q = T(a / (b == 0 ? T(1) : b)), r = T(a % (b == 0 ? T(1) : b));
    T list[4] = { d, e, f, g };
    list[i % 4] = T(list[i % 4] * 3);
    int all = promoted;
    for (T each : list)
      all = all * 5 + each;
    return all + a + b * 2 + c * 3 + q * 4 + r * 5;
  }
};

template <class T> __global__ void change(T *x, T by) {
  x[threadIdx.x] = T(x[threadIdx.x] * by + T(threadIdx.x));
}
template <class T> void check_stored(T by) {
  items<T, 64> x;
  for (int i = 0; i < 64; i++)
    x.host[i] = T(i * 5);
  x.send();
  change<<<1, 64>>>(x.device, by);
  x.fetch();
  EXPECT_EACH(64, x[i] == T(T(i * 5) * by + i));
}

int main() {
  same_on_both<int, 256>(body<signed char>{});
  same_on_both<int, 256>(body<unsigned char>{});
  same_on_both<int, 256>(body<short>{});
  same_on_both<int, 256>(body<unsigned short>{});
  check_stored<signed char>(-3);
  check_stored<unsigned char>(77);
  check_stored<short>(-1234);
  check_stored<unsigned short>(54321);
  check_stored<bool>(true);
  return result();
}
