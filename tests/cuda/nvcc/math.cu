/* SPDX-License-Identifier: MIT */
/* math - functions of the mathematical library, against the host's. */
#include "check.h"

#include <cmath>

__global__ void singles(const float *in, float *out) {
  float x = in[threadIdx.x];
  float *to = out + 12 * threadIdx.x;
  to[0] = sinf(x), to[1] = cosf(x), to[2] = expf(x), to[3] = logf(x), to[4] = powf(x, 1.5f), to[5] = sqrtf(x);
  to[6] = tanhf(x), to[7] = erff(x), to[8] = atan2f(x, 2), to[9] = fmodf(x, 0.7f), to[10] = cbrtf(x);
  to[11] = rsqrtf(x);
}

__global__ void doubles(const double *in, double *out) {
  double x = in[threadIdx.x];
  double *to = out + 6 * threadIdx.x;
  to[0] = sin(x * 1e6), to[1] = exp(x), to[2] = log(x), to[3] = pow(x, 2.5), to[4] = tgamma(x), to[5] = x / 3;
}

static bool is_near(double a, double b, double allowed) {
  return std::fabs(a - b) <= allowed * std::fmax(1, std::fabs(b));
}

int main() {
  enum { N = 32 };
  float x[N], y[12 * N];
  double u[N], v[6 * N];
  for (int i = 0; i < N; i++)
    u[i] = x[i] = 0.25f * (i + 1);
  float *dx = device_copy(x, N), *dy = device_copy(y, 12 * N);
  double *du = device_copy(u, N), *dv = device_copy(v, 6 * N);
  singles<<<1, N>>>(dx, dy);
  doubles<<<1, N>>>(du, dv);
  GOES(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
  GOES(cudaMemcpy(v, dv, sizeof v, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) {
    const float a = x[i], *at = y + 12 * i;
    const double b = u[i], *to = v + 6 * i;
    const float expected[] = { sinf(a),  cosf(a), expf(a),        logf(a),         powf(a, 1.5f), sqrtf(a),
                               tanhf(a), erff(a), atan2f(a, 2.0f), fmodf(a, 0.7f), cbrtf(a),      1 / sqrtf(a) };
    for (int k = 0; k < 12; k++)
      CHECK(is_near(at[k], expected[k], 2e-6));
    const double wide[] = { sin(b * 1e6), exp(b), log(b), pow(b, 2.5), tgamma(b), b / 3 };
    for (int k = 0; k < 6; k++)
      CHECK(is_near(to[k], wide[k], 1e-13));
  }
  return 0;
}
