/* SPDX-License-Identifier: MIT */
/* kernels_as_arguments - kernels as arguments of templates, and launched through them. */
#include "check.h"

__global__ void doubled(int *x) {
  x[threadIdx.x] *= 2;
}
__global__ void incremented(int *x) {
  x[threadIdx.x] += 1;
}
template <int By> __global__ void shifted(int *x) {
  x[threadIdx.x] += By * (int)threadIdx.x;
}
template <class T, T Value> __global__ void filled(T *x) {
  x[threadIdx.x] = Value;
}

template <void (*Kernel)(int *)> void launch(int *x, int count) {
  Kernel<<<1, count>>>(x);
}
template <void (*... Kernels)(int *)> void launch_all(int *x, int count) {
  (Kernels<<<1, count>>>(x), ...);
}
template <auto Kernel, class... A> void launch_any(dim3 threads, A... a) {
  Kernel<<<1, threads>>>(a...);
}

int main() {
  items<int, 16> x;
  launch<incremented>(x.device, 16);
  launch_all<doubled, shifted<3>, incremented>(x.device, 16);
  launch_any<shifted<100>>(8, x.device);
  x.fetch();
  EXPECT_EACH(16, x[i] == 3 + 3 * i + (i < 8 ? 100 * i : 0));
  launch_any<filled<int, -5>>(4, x.device);
  x.fetch();
  EXPECT_EACH(4, x[i] == -5);
  return result();
}
