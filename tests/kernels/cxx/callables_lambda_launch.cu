/* SPDX-License-Identifier: MIT */
/* callables_lambda_launch - launches within host lambdas and by std::function, with kernels of templates. */
#include "check.h"

#include <functional>

template <class T> __global__ void add(T *x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

template <class T> void check() {
  items<T, 64> x;
  auto launch = [&](unsigned blocks, T by) { add<<<blocks, 64 / blocks>>>(x.device, by); };
  launch(1, T(1));
  launch(4, T(2));
  std::function<void(int)> again = [&](int times) {
    if (times > 0) {
      add<T><<<2, 32>>>(x.device, T(10));
      again(times - 1);
    }
  };
  again(3);
  auto generic = [](auto *pointer, auto by) { add<<<8, 8>>>(pointer, by); };
  generic(x.device, T(100));
  x.fetch();
  EXPECT_EACH(64, x[i] == T(133));
}

int main() {
  check<int>();
  check<float>();
  check<unsigned long long>();
  return result();
}
