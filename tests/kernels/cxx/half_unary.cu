/* SPDX-License-Identifier: MIT */
/* half_unary - functions of one number of 16 bits, of all 65,536: signs, kinds, whole numbers, mathematics. */
#include "half.h"

enum { FUNCTIONS = 22 };

template <class T> __global__ void run(unsigned short *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T a = kind_of<T>::of(i);
  unsigned short *at = out + i;
  int n = 0;
#define PUT(expression) at[n++ * ALL] = (unsigned short)bits_of(expression)
  PUT(__hneg(a));
  PUT(__habs(a));
  PUT(hceil(a));
  PUT(hfloor(a));
  PUT(hrint(a));
  PUT(htrunc(a));
  PUT(hsqrt(a));
  PUT(hrcp(a));
  PUT(hrsqrt(a));
  PUT(hsin(a));
  PUT(hcos(a));
  PUT(hexp(a));
  PUT(hexp2(a));
  PUT(hexp10(a));
  PUT(hlog(a));
  PUT(hlog2(a));
  PUT(hlog10(a));
  PUT(htanh(a));
  at[n++ * ALL] = (unsigned short)(__hisnan(a) + 2 * (__hisinf(a) + 1));
  PUT(h2exp(typename kind_of<T>::pair(a, kind_of<T>::of(0))).x);
  PUT(h2rcp(typename kind_of<T>::pair(kind_of<T>::of(0), a)).y);
  PUT(__habs2(typename kind_of<T>::pair(a, a)).y);
}

static double exact(int function, double x) {
  switch (function) {
  case 0:
    return -x;
  case 1:
  case 21:
    return fabs(x);
  case 2:
    return ceil(x);
  case 3:
    return floor(x);
  case 4:
    return rint(x);
  case 5:
    return trunc(x);
  case 6:
    return sqrt(x);
  case 7:
  case 20:
    return 1 / x;
  case 8:
    return 1 / sqrt(x);
  case 9:
    return sin(x);
  case 10:
    return cos(x);
  case 11:
  case 19:
    return exp(x);
  case 12:
    return exp2(x);
  case 13:
    return pow(10, x);
  case 14:
    return log(x);
  case 15:
    return log2(x);
  case 16:
    return log10(x);
  default:
    return tanh(x);
  }
}

/* Those up to rcp are rounded once. */
static bool is_right(format f, int function, unsigned bits, unsigned got) {
  const double x = value_of(f, bits);
  if (function == 18)
    return got == (unsigned)f.is_nan(bits) + 2u * (isinf(x) ? (x > 0 ? 2u : 0u) : 1u);
  const double y = exact(function, x);
  if (isnan(y))
    return f.is_nan(got);
  if (function >= 8 && function != 21 && f.exponent == 8 && fabs(y) < 0x1p-125)
    return fabs(value_of(f, got)) < 0x1p-124; /* CUDA's devices may make them 0 */
  return function <= 6 || function == 21 ? got == rounded(f, y, NEAREST) : is_close(f, got, y);
}

template <class T> static void all_of(const char *name) {
  static items<unsigned short, FUNCTIONS * ALL> *out;
  out = new items<unsigned short, FUNCTIONS * ALL>;
  run<T><<<ALL / 64, 64>>>(out->device);
  out->fetch();
  int others = 0;
  for (int n = 0; n < FUNCTIONS; n++)
    for (unsigned i = 0; i < ALL; i++) {
      const unsigned got = out->host[n * ALL + (int)i];
      if (!is_right(kind_of<T>::form(), n, i, got) && failures++ < 20)
        fprintf(stderr, "%s: function %d of %04x is %04x\n", name, n, i, got);
      const double y = exact(n, value_of(kind_of<T>::form(), i));
      others += n != 18 && !isnan(y) && got != rounded(kind_of<T>::form(), y, NEAREST);
    }
  if (getenv("HALF_COUNT") != NULL)
    printf("%s: %d results are not the nearest number\n", name, others);
  delete out;
}

int main() {
  all_of<__half>("__half");
  all_of<__nv_bfloat16>("__nv_bfloat16");
  return result();
}
