/* SPDX-License-Identifier: MIT */
/* saxpy - pointers and numbers as arguments, pointers into the middle, repeated launches, NULL, a freed pointer. */
#include "check.h"

#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void tell(const int *maybe, long long big, short small, bool flag, double real, double *out) {
  out[0] = maybe == nullptr;
  out[1] = (double)big;
  out[2] = small;
  out[3] = flag;
  out[4] = real;
}

int main() {
  const int n = 100003;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++)
    x[i] = (float)i, y[i] = 2.0f * i;
  float *dx = device_copy(x.data(), n), *dy = device_copy(y.data(), n);
  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, dx, dy);
  GOES(cudaGetLastError());
  for (int i = 0; i < 100; i++)
    saxpy<<<(n - 3 + 127) / 128, 128>>>(n - 3, 0.0f, dx, dy + 3);
  GOES(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    CHECK(y[i] == 3.0f * i + 2.0f * i);
  double *out;
  GOES(cudaMalloc(&out, 5 * sizeof *out));
  tell<<<1, 1>>>(nullptr, 1ll << 46, -7, true, 0.5, out);
  CHECK(value_at(out, 0) == 1 && value_at(out, 1) == (double)(1ll << 46) && value_at(out, 2) == -7);
  CHECK(value_at(out, 3) == 1 && value_at(out, 4) == 0.5);
  cudaFuncAttributes attributes;
  GOES(cudaFuncGetAttributes(&attributes, saxpy));
  CHECK(attributes.maxThreadsPerBlock >= 256);
  GOES(cudaFree(dx));
  GOES(cudaFree(dy));
  GOES(cudaFree(out));
  return 0;
}
