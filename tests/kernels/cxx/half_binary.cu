/* SPDX-License-Identifier: MIT */
/*
 * half_binary - functions of two and three numbers of 16 bits: arithmetic, its saturated and rectified forms, extremes,
 * comparisons, and their forms for pairs and operators, on edges and on numbers at random.
 */
#include "half.h"

enum { COUNT = 65536, ARITHMETIC = 19, COMPARISONS = 12 };

struct given {
  unsigned short a, b, c;
};

template <class T> __device__ unsigned compared(T a, T b) {
  unsigned all = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4;
  all |= __hge(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hleu(a, b) << 9;
  return all | __hgtu(a, b) << 10 | __hgeu(a, b) << 11;
}

/* The same for pairs: the first half of (a, b) with (b, a), as masks, ones and wholes, all as one number of bits. */
template <class P> __device__ unsigned compared_pairs(P x, P y, unsigned *whole) {
  unsigned first = 0, n = 0;
  *whole = 0;
#define PAIR(name)                                                                                                   \
  {                                                                                                                  \
    const unsigned mask = __h##name##2_mask(x, y);                                                                   \
    const P one = __h##name##2(x, y);                                                                                \
    if ((mask & 1) != (__low2float(one) == 1.0f) || (mask >> 16 & 1) != (__high2float(one) == 1.0f) ||               \
        __hb##name##2(x, y) != (mask == 0xffffffffu) || (mask & 0xffffu) % 0xffffu != 0)                             \
      *whole |= 1u << n;                                                                                             \
    first |= (mask & 1) << n++;                                                                                      \
  }
  PAIR(eq)
  PAIR(ne) PAIR(lt) PAIR(le) PAIR(gt) PAIR(ge) PAIR(equ) PAIR(neu) PAIR(ltu) PAIR(leu) PAIR(gtu)
      PAIR(geu) return first;
}

template <class T> __global__ void run(const given *in, unsigned short *out, unsigned *comparisons) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  typedef typename kind_of<T>::pair P;
  const T a = kind_of<T>::of(in[i].a), b = kind_of<T>::of(in[i].b), c = kind_of<T>::of(in[i].c);
  unsigned short *at = out + i;
  int n = 0;
  at[n++ * COUNT] = (unsigned short)bits_of(__hadd(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hsub(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmul(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hdiv(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hfma(a, b, c));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmax(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmin(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmax_nan(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmin_nan(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hadd_sat(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hsub_sat(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hmul_sat(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hfma_sat(a, b, c));
  at[n++ * COUNT] = (unsigned short)bits_of(__hfma_relu(a, b, c));
  at[n++ * COUNT] = (unsigned short)bits_of(__hadd_rn(a, b));
  at[n++ * COUNT] = (unsigned short)bits_of(__hfma2(P(b, a), P(a, b), P(a, c)).y);
  at[n++ * COUNT] = (unsigned short)bits_of((P(b, a) - P(a, b)).y);
  at[n++ * COUNT] = (unsigned short)bits_of(a * b);
  at[n++ * COUNT] = (unsigned short)bits_of(__h2div(P(a, c), P(b, c)).x);
  unsigned wrong;
  comparisons[i] = compared(a, b);
  comparisons[COUNT + i] = compared_pairs(P(a, b), P(b, a), &wrong);
  comparisons[2 * COUNT + i] = wrong;
}

/* What sums and products are, before they are rounded: odd where that takes more bits. */
static double exact(int n, double x, double y, double z) {
  static const char kinds[] = "+-*/fMmNn+-*ff+f-*/";
  switch (kinds[n]) {
  case '+':
    return odd_sum(x, y);
  case '-':
    return odd_sum(x, -y);
  case '*':
    return x * y;
  case '/':
    return x / y;
  default:
    return odd_sum(x * y, z);
  }
}

static unsigned extreme(format f, const given &in, bool is_max, bool is_nan_kept) {
  const double x = value_of(f, in.a), y = value_of(f, in.b);
  if (isnan(x) || isnan(y))
    return is_nan_kept || (isnan(x) && isnan(y)) ? 0x7fff : isnan(x) ? in.b : in.a;
  if (x == y)
    return is_max ? in.a & in.b : in.a | in.b;
  return (x > y) == is_max ? in.a : in.b;
}

static unsigned expected(format f, int n, const given &in) {
  if (n >= 5 && n <= 8)
    return extreme(f, in, n % 2 == 1, n >= 7);
  const double y = exact(n, value_of(f, in.a), value_of(f, in.b), value_of(f, in.c));
  const unsigned bits = rounded(f, y, NEAREST);
  if (n >= 9 && n <= 12)
    return isnan(y) || value_of(f, bits) <= 0 ? 0 : rounded(f, fmin(value_of(f, bits), 1), NEAREST);
  return n == 13 && value_of(f, bits) <= 0 ? 0 : bits;
}

static unsigned expected_comparison(double x, double y) {
  const bool is_unordered = isnan(x) || isnan(y), holds[] = { x == y, x < y || x > y, x<y, x <= y, x> y, x >= y };
  unsigned all = 0;
  for (int n = 0; n < 6; n++)
    all |= (unsigned)holds[n] << n | (unsigned)(holds[n] || is_unordered) << (n + 6);
  return all;
}

template <class T> static void sampled(const char *name, unsigned long long state) {
  const format f = kind_of<T>::form();
  static items<given, COUNT> *in;
  static items<unsigned short, ARITHMETIC * COUNT> *out;
  static items<unsigned, 3 * COUNT> *comparisons;
  in = new items<given, COUNT>;
  out = new items<unsigned short, ARITHMETIC * COUNT>;
  comparisons = new items<unsigned, 3 * COUNT>;
  for (unsigned i = 0; i < COUNT; i++) {
    unsigned a, b, c;
    sample(f, i, &state, &a, &b, &c);
    in->host[i] = { (unsigned short)a, (unsigned short)b, (unsigned short)c };
  }
  in->send();
  run<T><<<COUNT / 64, 64>>>(in->device, out->device, comparisons->device);
  out->fetch();
  comparisons->fetch();
  for (int i = 0; i < COUNT; i++) {
    const given &at = in->host[i];
    for (int n = 0; n < ARITHMETIC; n++) {
      const unsigned got = out->host[n * COUNT + i], wanted = expected(f, n, at);
      const bool is_quotient = n == 3 || n == 18; /* which CUDA's devices approximate */
      const double y = exact(n, value_of(f, at.a), value_of(f, at.b), value_of(f, at.c));
      if (got != wanted && !(is_quotient && !isnan(y) && is_close(f, got, y)) && failures++ < 20)
        fprintf(stderr, "%s: operation %d of %04x, %04x, %04x is %04x, not %04x\n", name, n, at.a, at.b, at.c, got,
                wanted);
    }
    const unsigned wanted = expected_comparison(value_of(f, at.a), value_of(f, at.b));
    check_item(comparisons->host[i] == wanted, i, "comparisons", __FILE__, __LINE__);
    check_item(comparisons->host[COUNT + i] == wanted, i, "comparisons of pairs", __FILE__, __LINE__);
    check_item(comparisons->host[2 * COUNT + i] == 0, i, "masks, ones and wholes agree", __FILE__, __LINE__);
  }
  delete in;
  delete out;
  delete comparisons;
}

int main() {
  sampled<__half>("__half", 1);
  sampled<__nv_bfloat16>("__nv_bfloat16", 2);
  return result();
}
