/* SPDX-License-Identifier: MIT */
/* callables_standard - the objects of <functional> as arguments: plus, less and the rest are constexpr. */
/* options: --expt-relaxed-constexpr */
#include "check.h"

#include <functional>

template <class T, class Operation> __global__ void reduce(T *out, const T *in, int count, T start, Operation operation) {
  T all = start;
  for (int i = 0; i < count; i++)
    all = operation(all, in[(i + (int)threadIdx.x) % count]);
  out[threadIdx.x] = all;
}

template <class T, class Operation> void check(T start, Operation operation, T wanted) {
  items<T, 10> in;
  items<T, 4> out;
  for (int i = 0; i < 10; i++)
    in.host[i] = T(i + 1);
  in.send();
  reduce<<<1, 4>>>(out.device, in.device, 10, start, operation);
  out.fetch();
  EXPECT_EACH(4, out[i] == wanted);
}

struct longer {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return std::less<T>()(a, b) ? b : a; }
};

int main() {
  check(0, std::plus<int>(), 55);
  check(1.0, std::multiplies<>(), 3628800.0);
  check(0u, std::bit_or<unsigned>(), 15u);
  check(0, std::bit_xor<int>(), 11);
  check(0.5f, longer(), 10.0f);
  same_on_both<bool>(std::logical_not<int>());
  same_on_both<int>(std::negate<int>());
  return result();
}
