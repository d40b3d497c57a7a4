/* SPDX-License-Identifier: MIT */
/* callables_functor - objects with operator() as arguments of kernels: with state, nested, and chosen by type. */
#include "check.h"

struct affine {
  float slope, offset;
  __host__ __device__ float operator()(float x) const { return slope * x + offset; }
};
struct clamped {
  float low, high;
  __host__ __device__ float operator()(float x) const { return x < low ? low : x > high ? high : x; }
};
template <class F, class G> struct composed {
  F f;
  G g;
  template <class T> __host__ __device__ auto operator()(T x) const -> decltype(f(g(x))) { return f(g(x)); }
};
template <class F, class G> composed<F, G> compose(F f, G g) {
  return { f, g };
}
struct counter {
  int calls;
  __host__ __device__ float operator()(float x) { return x + (float)++calls; }
};

template <class F> __global__ void transform(float *x, int count, F f) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    x[i] = f(x[i]);
}

template <class F> void check(F f) {
  items<float, 50> x;
  for (int i = 0; i < 50; i++)
    x.host[i] = 0.25f * (float)i;
  x.send();
  transform<<<2, 32>>>(x.device, 50, f);
  x.fetch();
  for (int i = 0; i < 50; i++) {
    F fresh = f;
    EXPECT(x[i] == fresh(0.25f * (float)i));
  }
}

int main() {
  check(affine{ 2, 1 });
  check(compose(clamped{ 2, 8 }, affine{ 0.5f, -1 }));
  check(compose(compose(affine{ 4, 0 }, clamped{ -1, 1 }), compose(affine{ 1, -5 }, affine{ 0.5f, 0 })));
  check(counter{ 41 });
  return result();
}
