/* SPDX-License-Identifier: MIT */
/* language_inline - inline variables and functions, extern "C" kernels, default arguments, overloaded kernels. */
#include "check.h"

inline constexpr int step = 6;
struct settings {
  static inline constexpr double factor = 0.25;
};
inline int launches = 0;

extern "C" __global__ void plain_name(int *out) {
  out[threadIdx.x] += step;
}
inline __host__ __device__ int shifted(int x, int by = step, bool is_left = true) {
  return is_left ? x << by : x >> by;
}
__global__ void change(int *out, int by) {
  out[threadIdx.x] += by;
}
__global__ void change(double *out, double by) {
  out[threadIdx.x] += by * settings::factor;
}
__global__ void change(int *out) {
  out[threadIdx.x] += shifted(1) + shifted(256, 4, false) + shifted(3, 2);
}
static __host__ __device__ __noinline__ int apart(int x) {
  return x * 3;
}
__global__ void mixed(int *out, int (*)[2] = nullptr) {
  out[threadIdx.x] = apart(out[threadIdx.x]);
}

int main() {
  items<int, 8> whole;
  items<double, 8> real;
  plain_name<<<1, 8>>>(whole.device), launches++;
  change<<<1, 8>>>(whole.device, 100), launches++;
  change<<<1, 8>>>(whole.device), launches++;
  change<<<1, 8>>>(real.device, 10.0), launches++;
  mixed<<<1, 8>>>(whole.device, nullptr), launches++;
  whole.fetch();
  real.fetch();
  EXPECT_EACH(8, whole[i] == (6 + 100 + 64 + 16 + 12) * 3 && real[i] == 2.5);
  EXPECT(launches == 5);
  return result();
}
