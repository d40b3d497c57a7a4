/* SPDX-License-Identifier: MIT */
/*
 * rounded - arithmetic rounded down, up and to zero, against the host's in that mode, bit for bit: all triples of numbers
 * at the edges of the format, then drawn ones, steered to where sums cancel and results overflow or become subnormal.
 */
#include "kernels.h"

#include <fenv.h>

enum { BATCH = 1 << 14, BATCHES = 16, OPERATIONS = 8, DIRECTIONS = 3, FORMS = OPERATIONS * DIRECTIONS };

static const int modes[DIRECTIONS] = { FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
static const char *const directions[DIRECTIONS] = { "rd", "ru", "rz" };
static const char *const operations[2][OPERATIONS] = {
  { "__fadd", "__fsub", "__fmul", "__fdiv", "__frcp", "__fsqrt", "__fmaf", "__fmaf_ieee" },
  { "__dadd", "__dsub", "__dmul", "__ddiv", "__drcp", "__dsqrt", "__fma", "__fma" },
};

#define IN_EACH_DIRECTION(at, name, ...)                                                                     \
  out[(at) * DIRECTIONS] = name##_rd(__VA_ARGS__);                                                           \
  out[(at) * DIRECTIONS + 1] = name##_ru(__VA_ARGS__);                                                       \
  out[(at) * DIRECTIONS + 2] = name##_rz(__VA_ARGS__)

__global__ void calculate_floats(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i * 3], y = in[i * 3 + 1], z = in[i * 3 + 2];
  out += i * FORMS;
  IN_EACH_DIRECTION(0, __fadd, x, y);
  IN_EACH_DIRECTION(1, __fsub, x, y);
  IN_EACH_DIRECTION(2, __fmul, x, y);
  IN_EACH_DIRECTION(3, __fdiv, x, y);
  IN_EACH_DIRECTION(4, __frcp, x);
  IN_EACH_DIRECTION(5, __fsqrt, x);
  IN_EACH_DIRECTION(6, __fmaf, x, y, z);
  IN_EACH_DIRECTION(7, __fmaf_ieee, x, y, z);
}

__global__ void calculate_doubles(const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i * 3], y = in[i * 3 + 1], z = in[i * 3 + 2];
  out += i * FORMS;
  IN_EACH_DIRECTION(0, __dadd, x, y);
  IN_EACH_DIRECTION(1, __dsub, x, y);
  IN_EACH_DIRECTION(2, __dmul, x, y);
  IN_EACH_DIRECTION(3, __ddiv, x, y);
  IN_EACH_DIRECTION(4, __drcp, x);
  IN_EACH_DIRECTION(5, __dsqrt, x);
  IN_EACH_DIRECTION(6, __fma, x, y, z);
  IN_EACH_DIRECTION(7, __fma, x, y, z);
}

/* ---- the host's ------------------------------------------------------------------------------------------- */

/* In the direction that is set. volatile: the compiler may neither calculate beforehand nor move it behind another mode. */
static void expect_floats(const volatile float *in, volatile float *out) {
  for (int i = 0; i < BATCH; i++, in += 3, out += OPERATIONS) {
    out[0] = in[0] + in[1];
    out[1] = in[0] - in[1];
    out[2] = in[0] * in[1];
    out[3] = in[0] / in[1];
    out[4] = 1 / in[0];
    out[5] = sqrtf(in[0]);
    out[6] = fmaf(in[0], in[1], in[2]);
    out[7] = out[6];
  }
}

static void expect_doubles(const volatile double *in, volatile double *out) {
  for (int i = 0; i < BATCH; i++, in += 3, out += OPERATIONS) {
    out[0] = in[0] + in[1];
    out[1] = in[0] - in[1];
    out[2] = in[0] * in[1];
    out[3] = in[0] / in[1];
    out[4] = 1 / in[0];
    out[5] = sqrt(in[0]);
    out[6] = fma(in[0], in[1], in[2]);
    out[7] = out[6];
  }
}

/* ---- operands --------------------------------------------------------------------------------------------- */

typedef unsigned long long word;

/* Without their signs: zero, subnormals, powers of two and their neighbours, the greatest, infinity, NaN. */
enum { EDGES = 19 };
static const word edges[2][EDGES] = {
  { 0, 1, 2, 0x400000, 0x7fffff, 0x800000, 0x800001, 0x33800000, 0x34000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
    0x40400000, 0x4b800000, 0x5f800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000 },
  { 0, 1, 2, 0x8000000000000, 0xfffffffffffff, 0x10000000000000, 0x10000000000001, 0x3ca0000000000000,
    0x3cb0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x4008000000000000,
    0x4340000000000000, 0x5ff0000000000000, 0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
    0x7ff8000000000000 },
};

/* splitmix64 */
static word draw(void) {
  static word state = 2026;
  word x = state += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static int between(int least, int most) {
  return least + (int)(draw() % (word)(most - least + 1));
}

/* A float's or a double's measures. */
struct format {
  int fraction, bias, total;
};
static const struct format formats[2] = { { 23, 127, 32 }, { 52, 1023, 64 } };

/* Of about that exponent, as bits: one in four has few digits, one in four has them at the end. */
static word number(const struct format *format, int exponent) {
  word fraction = draw() & ((1ull << format->fraction) - 1);
  int shape = between(0, 3), field = exponent + format->bias;
  if (shape == 0)
    fraction = fraction >> (format->fraction - 4) << (format->fraction - 4);
  if (shape == 1)
    fraction >>= format->fraction - 4;
  if (field <= 0)
    fraction = (fraction | 1ull << format->fraction) >> (1 - field > format->fraction ? format->fraction : 1 - field);
  if (field < 0)
    field = 0;
  if (field > 2 * format->bias)
    field = 2 * format->bias;
  return (draw() & 1) << (format->total - 1) | (word)field << format->fraction | fraction;
}

static void draw_triple(const struct format *format, word *triple) {
  int top = format->bias, digits = format->fraction;
  int x = between(-top - digits, top), y = between(-top - digits, top), z = between(-top - digits, top);
  switch (between(0, 6)) {
  case 0: /* sums that cancel, and products as long as that */
    y = x + between(-3, 3);
    z = x + y + between(-2 * digits - 4, 2 * digits + 4);
    break;
  case 1:
    y = x + between(-digits - 4, digits + 4);
    z = x + y + between(-3, 3);
    break;
  case 2: /* subnormal products */
    y = -top - x + between(-2 * digits, 4);
    z = -top + between(-digits, digits);
    break;
  case 3: /* and quotients */
    y = x + top + between(-4, 2 * digits);
    break;
  case 4: /* products that overflow */
    y = top - x + between(-3, 3);
    z = top + between(-digits - 3, 0);
    break;
  case 5: /* and quotients */
    y = x - top + between(-3, 3);
    break;
  }
  triple[0] = number(format, x);
  triple[1] = number(format, y);
  triple[2] = number(format, z);
}

static void make_triple(int wide, int number, word *triple) {
  const int signed_edges = 2 * EDGES;
  for (int i = 0, rest = number; i < 3; i++, rest /= signed_edges)
    triple[i] = edges[wide][rest % signed_edges / 2] | (word)(rest & 1) << (formats[wide].total - 1);
  if (number >= signed_edges * signed_edges * signed_edges)
    draw_triple(&formats[wide], triple);
}

static void fill_floats(float *in, int first) {
  for (int i = 0; i < BATCH; i++, in += 3) {
    word triple[3];
    make_triple(0, first + i, triple);
    for (int k = 0; k < 3; k++) {
      unsigned bits = (unsigned)triple[k];
      memcpy(&in[k], &bits, sizeof bits);
    }
    if (i % 16 == 15)
      in[2] = -(in[0] * in[1]);
  }
}

static void fill_doubles(double *in, int first) {
  for (int i = 0; i < BATCH; i++, in += 3) {
    word triple[3];
    make_triple(1, first + i, triple);
    memcpy(in, triple, sizeof triple);
    if (i % 16 == 15)
      in[2] = -(in[0] * in[1]);
    if (i % 16 == 14) { /* x * y = 2^78 + 1, whose two bits are far apart: the lower may fall out where the upper fits */
      in[0] = 0x1p26 + 1;
      in[1] = 0x1p52 - 0x1p26 + 1;
      in[2] = ldexp(i % 32 < 16 ? 1 : -1, between(20, 160));
    }
  }
}

/* ---- comparing -------------------------------------------------------------------------------------------- */

static void judge(int wide, int form, const double *in, double seen, double expected) {
  bool same = seen != seen || expected != expected ? seen != seen && expected != expected
                                                   : bits_of(seen) == bits_of(expected);
  if (!same && failures++ < 20)
    printf("%s_%s of %a, %a, %a: %a, and %a on the host\n", operations[wide][form / DIRECTIONS],
           directions[form % DIRECTIONS], in[0], in[1], in[2], seen, expected);
}

static void run_floats(void) {
  static float in[BATCH * 3], seen[BATCH * FORMS], expected[DIRECTIONS][BATCH * OPERATIONS];
  float *from, *to;
  CHECK(cudaMalloc((void **)&from, sizeof in));
  CHECK(cudaMalloc((void **)&to, sizeof seen));
  for (int batch = 0; batch < BATCHES; batch++) {
    fill_floats(in, batch * BATCH);
    CHECK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    calculate_floats<<<BATCH / 64, 64>>>(from, to);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(seen, to, sizeof seen, cudaMemcpyDeviceToHost));
    for (int mode = 0; mode < DIRECTIONS; mode++) {
      fesetround(modes[mode]);
      expect_floats(in, expected[mode]);
    }
    fesetround(FE_TONEAREST);
    for (int k = 0; k < BATCH * FORMS; k++) {
      double operands[3] = { in[k / FORMS * 3], in[k / FORMS * 3 + 1], in[k / FORMS * 3 + 2] };
      judge(0, k % FORMS, operands, seen[k], expected[k % DIRECTIONS][k / DIRECTIONS]);
    }
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

static void run_doubles(void) {
  static double in[BATCH * 3], seen[BATCH * FORMS], expected[DIRECTIONS][BATCH * OPERATIONS];
  double *from, *to;
  CHECK(cudaMalloc((void **)&from, sizeof in));
  CHECK(cudaMalloc((void **)&to, sizeof seen));
  for (int batch = 0; batch < BATCHES; batch++) {
    fill_doubles(in, batch * BATCH);
    CHECK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    calculate_doubles<<<BATCH / 64, 64>>>(from, to);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(seen, to, sizeof seen, cudaMemcpyDeviceToHost));
    for (int mode = 0; mode < DIRECTIONS; mode++) {
      fesetround(modes[mode]);
      expect_doubles(in, expected[mode]);
    }
    fesetround(FE_TONEAREST);
    for (int k = 0; k < BATCH * FORMS; k++)
      judge(1, k % FORMS, in + k / FORMS * 3, seen[k], expected[k % DIRECTIONS][k / DIRECTIONS]);
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

int main(void) {
  run_floats();
  run_doubles();
  return verdict("rounded");
}
