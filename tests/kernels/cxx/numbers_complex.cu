/* SPDX-License-Identifier: MIT */
/* numbers_complex - cuComplex.h: both precisions, products, quotients, sizes, arrays of them. */
#include "check.h"

#include <cuComplex.h>
#include <math.h>

__host__ __device__ cuDoubleComplex iterate(cuDoubleComplex c) {
  cuDoubleComplex z = make_cuDoubleComplex(0, 0);
  for (int i = 0; i < 4; i++)
    z = cuCadd(cuCmul(z, z), c);
  return z;
}
__global__ void run(cuDoubleComplex *out, const cuFloatComplex *in) {
  int i = (int)threadIdx.x;
  cuFloatComplex a = in[i], b = cuConjf(a), q = cuCdivf(cuCmulf(a, b), make_cuFloatComplex(2, 0));
  cuDoubleComplex z = iterate(cuComplexFloatToDouble(cuCsubf(a, make_cuFloatComplex(0.5f, 0))));
  out[i] = make_cuDoubleComplex(cuCreal(z) + cuCrealf(q) + cuCabsf(a), cuCimag(z) + cuCimagf(q));
}

int main() {
  items<cuFloatComplex, 16> in;
  items<cuDoubleComplex, 16> out;
  for (int i = 0; i < 16; i++)
    in.host[i] = make_cuFloatComplex(0.0625f * (float)i, 0.125f * (float)(i - 8));
  in.send();
  run<<<1, 16>>>(out.device, in.device);
  out.fetch();
  for (int i = 0; i < 16; i++) {
    double x = in[i].x, y = in[i].y;
    cuDoubleComplex z = iterate(make_cuDoubleComplex(x - 0.5, y));
    double real = z.x + (x * x + y * y) / 2 + sqrt(x * x + y * y);
    check_item(fabs(out[i].x - real) < 1e-6 && fabs(out[i].y - z.y) < 1e-6, i, "a complex number", __FILE__, __LINE__);
  }
  return result();
}
