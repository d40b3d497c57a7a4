/* SPDX-License-Identifier: MIT */
/* callables_lambda_class - lambdas that members launch: captures of copies of members and of the whole object. */
/* options: --extended-lambda */
#include "check.h"

template <class F> __global__ void run(int count, F f) {
  for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
    f(i);
}

class signal {
  items<float, 64> samples_;
  float gain_ = 2;

public:
  void fill(float start) {
    float *to = samples_.device, step = gain_;
    run<<<1, 16>>>(64, [=] __device__(int i) { to[i] = start + step * (float)i; });
  }
  template <class F> void map(F f) {
    float *to = samples_.device;
    run<<<1, 16>>>(64, [to, f] __device__(int i) { to[i] = f(to[i]); });
  }
  void check(float start) {
    samples_.fetch();
    EXPECT_EACH(64, samples_[i] == (start + gain_ * (float)i) * 3 - 1);
  }
};

struct scaled {
  float by;
  __device__ float offset(float x) const { return x - 1; }
  template <class T> void write(T *out) {
    run<<<1, 8>>>(8, [=, *this] __device__(int i) { out[i] = T(offset((float)i) * by); });
  }
};

struct triple {
  __device__ float operator()(float x) const { return x * 3 - 1; }
};

int main() {
  signal s;
  s.fill(10);
  s.map(triple());
  s.check(10);
  items<double, 8> out;
  scaled{ 0.5f }.write(out.device);
  out.fetch();
  EXPECT_EACH(8, out[i] == (i - 1) * 0.5);
  return result();
}
