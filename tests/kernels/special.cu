/* SPDX-License-Identifier: MIT */
/*
 * special - Bessel functions, the normal distribution and inverse error functions, on points in rows, beside references
 * in long double, and at most as far off as CUDA's guide says. Near a root of J or Y the reference is Taylor's series
 * about it, since the host's functions lose their digits there; inverses are found by bisection. Edges are a table.
 * The host's versions, of those that are not the C library's, are held against the same.
 */
#include "kernels.h"

#include <float.h>

#define FUNCTIONS(one)                                                                                        \
  one(j0) one(j1) one(y0) one(y1) one(cyl_bessel_i0) one(cyl_bessel_i1) one(erfcx) one(normcdf) one(erfinv)   \
  one(erfcinv) one(normcdfinv)
#define NUMBER(name) OF_##name,
#define NAME(name) #name,
enum functions { FUNCTIONS(NUMBER) OF_jn, OF_yn };
static const char *const names[] = { FUNCTIONS(NAME) "jn", "yn" };

enum { POINTS = 1024, HOST_UNITS = 2 };

/* Whether the host's version is ours. */
#ifdef __VPTRCC__
#define SIDES __host__ __device__
static bool is_on_host(int function) { return function >= OF_cyl_bessel_i0 && function <= OF_normcdfinv; }
#else
#define SIDES __device__
static bool is_on_host(int function) { return false; }
#endif

#define CALL_FLOAT(name)                                                                                     \
  case OF_##name: return name##f(x);
#define CALL_DOUBLE(name)                                                                                    \
  case OF_##name: return name(x);

SIDES static float call(int function, int order, float x) {
  switch (function) {
    FUNCTIONS(CALL_FLOAT)
    case OF_jn: return jnf(order, x);
    case OF_yn: return ynf(order, x);
  }
  return 0;
}

SIDES static double call(int function, int order, double x) {
  switch (function) {
    FUNCTIONS(CALL_DOUBLE)
    case OF_jn: return jn(order, x);
    case OF_yn: return yn(order, x);
  }
  return 0;
}

__global__ void run_float(int function, int order, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = call(function, order, in[i]);
}

__global__ void run_double(int function, int order, const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = call(function, order, in[i]);
}

/* ---- references ------------------------------------------------------------------------------------------ */

typedef long double wide;
static const wide pi = 3.14159265358979323846264338327950288L;

/* Roots below 9, each in two parts. */
static const struct { int function; double high, low; } roots[] = {
  { OF_j0, 2.404825557695773, -1.176691651530894e-16 }, { OF_j0, 5.520078110286311, 8.088597146146722e-17 },
  { OF_j1, 3.8317059702075125, -1.5269184090088067e-16 }, { OF_j1, 7.015586669815619, -9.414165653410389e-17 },
  { OF_y0, 0.8935769662791675, 2.6596231539720385e-17 }, { OF_y0, 3.957678419314858, -1.0764340697562706e-16 },
  { OF_y0, 7.086051060301773, -8.835285723085408e-17 }, { OF_y1, 2.197141326031017, -4.8259835876454966e-17 },
  { OF_y1, 5.429681040794135, 4.162514026670377e-16 },
};
enum { ROOT_COUNT = sizeof roots / sizeof *roots };

/* A solution of Bessel's equation (A&S 9.1.1) about its root, with that slope there: it gives the coefficients. */
static wide near_root(int order, wide root, wide slope, wide d) {
  wide before2 = 0, before = 0, c = 0, next = slope, power = d, sum = slope * d;
  for (int k = 0; k < 60; k++) {
    wide known = root * (k + 1) * (2 * k + 1) * next + (k * k + root * root - order * order) * c;
    wide after = -(known + 2 * root * before + before2) / (root * root * (k + 2) * (k + 1));
    before2 = before, before = c, c = next, next = after;
    power *= d;
    sum += after * power;
  }
  return sum;
}

static wide bessel(int function, wide x) {
  for (size_t i = 0; i < ROOT_COUNT; i++) {
    wide root = roots[i].high, d = (fabsl(x) - root) - roots[i].low;
    if (roots[i].function != function || fabsl(d) > 0.25L)
      continue;
    switch (function) {
      case OF_j0: return near_root(0, root, -j1l(root), d);
      case OF_j1: return near_root(1, root, j0l(root), d) * (x < 0 ? -1 : 1);
      case OF_y0: return near_root(0, root, -y1l(root), d);
      default: return near_root(1, root, y0l(root), d);
    }
  }
  return function == OF_j0 ? j0l(x) : function == OF_j1 ? j1l(x) : function == OF_y0 ? y0l(x) : y1l(x);
}

/* A&S 9.6.10, and 9.7.1 where the series is long. */
static wide modified(int order, wide x) {
  wide term = order == 0 ? 1 : x / 2, sum = 0;
  if (fabsl(x) <= 40) {
    for (int k = 1; fabsl(term) > fabsl(sum) * 1e-22L; k++) {
      sum += term;
      term *= x * x / 4 / k / (k + order);
    }
    return sum;
  }
  term = 1;
  for (int k = 1; k < 60; k++) {
    sum += term;
    term *= -(4.0L * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * k * fabsl(x));
  }
  sum *= expl(fabsl(x)) / sqrtl(2 * pi * fabsl(x));
  return x < 0 && order == 1 ? -sum : sum;
}

/* exp(factor x^2): x in two parts, the square of the greater exact. */
static wide exp_square(wide factor, wide x) {
  wide high = (float)x, rest = (x - high) * (x + high);
  return expl(factor * high * high) * expl(factor * rest);
}

static wide scaled(wide x) {
  if (x < 9)
    return exp_square(1, x) * erfcl(x);
  wide sum = 0, term = 1;
  for (int k = 0; k < 30; k++) { /* A&S 7.1.23 */
    sum += term;
    term *= -(2 * k + 1) / (2 * x * x);
  }
  return sum / x / sqrtl(pi);
}

static wide normal(wide x) {
  return x > 0 ? 1 - normal(-x) : exp_square(-0.5L, x) * scaled(-x / sqrtl(2)) / 2;
}

/* Where erfl(), or erfcl(), is `value`: by halves. */
static wide inverse(bool complement, wide value) {
  wide low = 0, high = 30;
  for (int i = 0; i < 110; i++) {
    wide middle = (low + high) / 2;
    if ((complement ? erfcl(middle) > value : erfl(middle) < value))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static wide inverse_erf(wide x) {
  wide size = fabsl(x);
  wide value = size < 1e-7L   ? sqrtl(pi) / 2 * (size + pi / 12 * size * size * size)
               : size < 0.5L ? inverse(false, size)
                             : inverse(true, 1 - size);
  return x < 0 ? -value : value;
}
static wide inverse_erfc(wide x) {
  return x < 0.5L ? inverse(true, x) : inverse_erf(1 - x);
}

static wide reference(int function, int order, wide x) {
  switch (function) {
    case OF_cyl_bessel_i0: return modified(0, x);
    case OF_cyl_bessel_i1: return modified(1, x);
    case OF_erfcx: return scaled(x);
    case OF_normcdf: return normal(x);
    case OF_erfinv: return inverse_erf(x);
    case OF_erfcinv: return inverse_erfc(x);
    case OF_normcdfinv: return -sqrtl(2) * inverse_erfc(2 * x);
    case OF_jn: return jnl(order, x);
    case OF_yn: return ynl(order, x);
  }
  return bessel(function, x);
}

/* ---- rows of points -------------------------------------------------------------------------------------- */

enum spacing { EVEN, GEOMETRIC, NEAR_ROOTS };

/* Allowed: that many units in the last place, or, where that is 0, an absolute error; -1: not in float. */
static const struct row {
  int function, order;
  enum spacing spacing;
  double low, high;
  int float_units, double_units;
} rows[] = {
  { OF_j0, 0, EVEN, -8, 8, 9, 7 },
  { OF_j0, 0, GEOMETRIC, 1e-30, 8, 9, 7 },
  { OF_j0, 0, EVEN, 8, 300, 0, 0 },
  { OF_j0, 0, GEOMETRIC, 8, 1e30, 0, 0 },
  { OF_j1, 0, EVEN, -8, 8, 9, 7 },
  { OF_j1, 0, GEOMETRIC, 1e-30, 8, 9, 7 },
  { OF_j1, 0, EVEN, 8, 300, 0, 0 },
  { OF_j1, 0, GEOMETRIC, -8, -1e30, 0, 0 },
  { OF_y0, 0, EVEN, 0.01, 8, 9, 7 },
  { OF_y0, 0, GEOMETRIC, 1e-30, 8, 9, 7 },
  { OF_y0, 0, EVEN, 8, 300, 0, 0 },
  { OF_y0, 0, GEOMETRIC, 8, 1e30, 0, 0 },
  { OF_y1, 0, EVEN, 0.01, 8, 9, 7 },
  { OF_y1, 0, GEOMETRIC, 1e-30, 8, 9, 7 },
  { OF_y1, 0, EVEN, 8, 300, 0, 0 },
  { OF_y1, 0, GEOMETRIC, 8, 1e30, 0, 0 },
  { OF_j0, 0, NEAR_ROOTS, 0, 8, 9, 7 },
  { OF_j1, 0, NEAR_ROOTS, 0, 8, 9, 7 },
  { OF_y0, 0, NEAR_ROOTS, 0, 8, 9, 7 },
  { OF_y1, 0, NEAR_ROOTS, 0, 8, 9, 7 },
  { OF_jn, 2, EVEN, -40, 40, 0, 0 },
  { OF_jn, 3, GEOMETRIC, 1e-20, 1e4, 0, 0 },
  { OF_jn, 7, EVEN, -40, 40, 0, 0 },
  { OF_jn, 30, EVEN, 0, 100, 0, 0 },
  { OF_jn, 128, EVEN, 0, 400, 0, 0 },
  { OF_yn, 2, EVEN, 0.1, 2, 7, 7 },
  { OF_yn, 2, EVEN, 3, 40, 0, 0 },
  { OF_yn, 3, GEOMETRIC, 1e-4, 3, 10, 10 },
  { OF_yn, 3, GEOMETRIC, 4.5, 1e4, 0, 0 },
  { OF_yn, 30, EVEN, 45, 200, 0, 0 },
  { OF_cyl_bessel_i0, 0, EVEN, -20, 20, 6, 6 },
  { OF_cyl_bessel_i0, 0, EVEN, 7.5, 90, 6, 6 },
  { OF_cyl_bessel_i0, 0, EVEN, 88, 91.9, 6, 6 },
  { OF_cyl_bessel_i0, 0, EVEN, 690, 713.9, -1, 6 },
  { OF_cyl_bessel_i1, 0, EVEN, -20, 20, 6, 6 },
  { OF_cyl_bessel_i1, 0, GEOMETRIC, 1e-30, 90, 6, 6 },
  { OF_cyl_bessel_i1, 0, EVEN, -91.9, -88, 6, 6 },
  { OF_cyl_bessel_i1, 0, EVEN, 690, 713.9, -1, 6 },
  { OF_erfcx, 0, EVEN, -9.3, 12, 4, 4 },
  { OF_erfcx, 0, GEOMETRIC, 1e-10, 1e37, 4, 4 },
  { OF_erfcx, 0, GEOMETRIC, 1e37, 1e307, -1, 4 },
  { OF_erfcx, 0, EVEN, -26.6, -9, -1, 4 },
  { OF_normcdf, 0, EVEN, -12.9, 9, 5, 5 },
  { OF_normcdf, 0, EVEN, -14, -12, 5, 5 },
  { OF_normcdf, 0, EVEN, -37.5, -9, -1, 5 },
  { OF_normcdf, 0, GEOMETRIC, -1e-20, -1, 5, 5 },
  { OF_erfinv, 0, EVEN, -0.99999, 0.99999, 2, 5 },
  { OF_erfinv, 0, GEOMETRIC, 1e-30, 0.5, 2, 5 },
  { OF_erfinv, 0, EVEN, 0.999, 0.9999999, 2, 5 },
  { OF_erfinv, 0, EVEN, -0.9999999999, -0.9999999, -1, 5 },
  { OF_erfcinv, 0, EVEN, 0.001, 1.999, 4, 6 },
  { OF_erfcinv, 0, GEOMETRIC, 1.2e-38, 1, 4, 6 },
  { OF_erfcinv, 0, GEOMETRIC, 1.4e-45, 1e-37, 4, 6 },
  { OF_erfcinv, 0, GEOMETRIC, 5e-324, 1e-30, -1, 6 },
  { OF_normcdfinv, 0, EVEN, 0.001, 0.999, 5, 7 },
  { OF_normcdfinv, 0, GEOMETRIC, 1.2e-38, 0.5, 5, 7 },
  { OF_normcdfinv, 0, GEOMETRIC, 1e-307, 1e-30, -1, 7 },
};

static wide point_between(const struct row *row, int i) {
  if (row->spacing == EVEN)
    return row->low + ((wide)row->high - row->low) * i / (POINTS - 1);
  return row->low * powl((wide)row->high / row->low, (wide)i / (POINTS - 1));
}

/* Each root of the function in turn, from both sides, nearer and nearer. */
static wide point_at_root(const struct row *row, int i) {
  size_t at = 0;
  for (int n = 0; n < i % 4 || roots[at % ROOT_COUNT].function != row->function; at++)
    n += roots[at % ROOT_COUNT].function == row->function;
  wide root = roots[at % ROOT_COUNT].high, d = ldexpl(0.25L, -(i / 8 % 56));
  return i / 4 % 2 == 0 ? root + d : root - d;
}

/* In units in the last place of the type: how far `seen` is off. */
static double units_off(bool is_float, double seen, wide exact) {
  int digits = is_float ? FLT_MANT_DIG : DBL_MANT_DIG, least = is_float ? FLT_MIN_EXP : DBL_MIN_EXP, exponent;
  frexpl(exact, &exponent);
  return (double)(fabsl(seen - exact) / ldexpl(1, (exponent < least ? least : exponent) - digits));
}

static void run_floats(int function, int order, const double *in, double *out) {
  static float values[POINTS];
  float *from, *to;
  for (int i = 0; i < POINTS; i++)
    values[i] = (float)in[i];
  CHECK(cudaMalloc((void **)&from, sizeof values));
  CHECK(cudaMalloc((void **)&to, sizeof values));
  CHECK(cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice));
  run_float<<<POINTS / 64, 64>>>(function, order, from, to);
  CHECK(cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
  for (int i = 0; i < POINTS; i++)
    out[i] = values[i];
}

static void run_doubles(int function, int order, const double *in, double *out) {
  double *from, *to;
  size_t size = POINTS * sizeof *in;
  CHECK(cudaMalloc((void **)&from, size));
  CHECK(cudaMalloc((void **)&to, size));
  CHECK(cudaMemcpy(from, in, size, cudaMemcpyHostToDevice));
  run_double<<<POINTS / 64, 64>>>(function, order, from, to);
  CHECK(cudaMemcpy(out, to, size, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}

static void run(int function, int order, bool is_float, const double *in, double *out) {
  (is_float ? run_floats : run_doubles)(function, order, in, out);
}

static void run_on_host(int function, int order, bool is_float, const double *in, double *out) {
#ifdef __VPTRCC__
  for (int i = 0; i < POINTS; i++)
    out[i] = is_float ? call(function, order, (float)in[i]) : call(function, order, in[i]);
#endif
}

/* NVIDIA's own functions (CUDA 13.0, H100) miss their limits here and there: jn(5, 0) is NaN, j0(0) not quite 1, and
 * erfinvf 2.4 units off where 2 are promised. There it is observed, and printed. */
static void note_wrong(bool wrong) {
#ifdef __VPTRCC__
  failures += wrong;
#else
  if (wrong)
    puts("  (observed)");
#endif
}

typedef void runner(int function, int order, bool is_float, const double *in, double *out);

static void check_row(const struct row *row, bool is_float, int units, double absolute, runner *run_all) {
  static double in[POINTS], out[POINTS];
  for (int i = 0; i < POINTS; i++) {
    wide x = row->spacing == NEAR_ROOTS ? point_at_root(row, i) : point_between(row, i);
    in[i] = is_float ? (float)x : (double)x;
  }
  run_all(row->function, row->order, is_float, in, out);
  double worst = 0, limit = units > 0 ? units : absolute;
  int at = 0, wrong = 0;
  for (int i = 0; i < POINTS; i++) {
    wide exact = reference(row->function, row->order, in[i]);
    double off = units > 0 ? units_off(is_float, out[i], exact) : (double)fabsl(out[i] - exact);
    wrong += !(off <= limit);
    if (!(off <= worst))
      worst = off, at = i;
  }
  if (wrong != 0 || getenv("SPECIAL_VERBOSE") != NULL)
    printf("%s of order %d in %s%s, %g to %g: %d of %d wrong; at %.17g %.17g, %.3g%s off, %.3g allowed\n",
           names[row->function], row->order, is_float ? "float" : "double", run_all == run ? "" : " on the host",
           row->low, row->high, wrong, POINTS, in[at], out[at], worst, units > 0 ? " units" : "", limit);
  note_wrong(wrong != 0);
}

/* ---- edges ----------------------------------------------------------------------------------------------- */

static const double infinite = HUGE_VAL, none = NAN;

static const struct { int function, order; double x, expected; } edges[] = {
  { OF_j0, 0, 0, 1 }, { OF_j0, 0, infinite, 0 }, { OF_j0, 0, -infinite, 0 }, { OF_j0, 0, none, none },
  { OF_j1, 0, 0, 0 }, { OF_j1, 0, -0.0, -0.0 }, { OF_j1, 0, infinite, 0 }, { OF_j1, 0, -infinite, -0.0 },
  { OF_j1, 0, none, none },
  { OF_y0, 0, 0, -infinite }, { OF_y0, 0, -0.0, -infinite }, { OF_y0, 0, -1, none }, { OF_y0, 0, infinite, 0 },
  { OF_y0, 0, none, none }, { OF_y0, 0, -infinite, none },
  { OF_y1, 0, 0, -infinite }, { OF_y1, 0, -0.0, -infinite }, { OF_y1, 0, -1, none }, { OF_y1, 0, infinite, 0 },
  { OF_y1, 0, none, none },
  { OF_jn, 0, 0, 1 }, { OF_jn, 5, 0, 0 }, { OF_jn, -1, 1, none }, { OF_jn, -2, infinite, none },
  { OF_jn, 3, infinite, 0 }, { OF_jn, 4, none, none },
  { OF_yn, 0, 0, -infinite }, { OF_yn, 2, 0, -infinite }, { OF_yn, 3, -0.5, none }, { OF_yn, -1, 1, none },
  { OF_yn, 5, infinite, 0 }, { OF_yn, 2, none, none },
#ifdef __VPTRCC__ /* of no interest to CUDA: its loops go on to that order */
  { OF_jn, 2000000000, 1e6, 0 }, { OF_yn, 2000000000, 1, -infinite },
#endif
  { OF_cyl_bessel_i0, 0, 0, 1 }, { OF_cyl_bessel_i0, 0, infinite, infinite },
  { OF_cyl_bessel_i0, 0, -infinite, infinite }, { OF_cyl_bessel_i0, 0, none, none },
  { OF_cyl_bessel_i1, 0, 0, 0 }, { OF_cyl_bessel_i1, 0, -0.0, -0.0 }, { OF_cyl_bessel_i1, 0, infinite, infinite },
  { OF_cyl_bessel_i1, 0, -infinite, -infinite }, { OF_cyl_bessel_i1, 0, none, none },
  { OF_erfcx, 0, 0, 1 }, { OF_erfcx, 0, infinite, 0 }, { OF_erfcx, 0, -infinite, infinite },
  { OF_erfcx, 0, none, none }, { OF_erfcx, 0, -30, infinite },
  { OF_normcdf, 0, 0, 0.5 }, { OF_normcdf, 0, infinite, 1 }, { OF_normcdf, 0, -infinite, 0 },
  { OF_normcdf, 0, none, none }, { OF_normcdf, 0, -100, 0 }, { OF_normcdf, 0, 100, 1 },
  { OF_erfinv, 0, 0, 0 }, { OF_erfinv, 0, -0.0, -0.0 }, { OF_erfinv, 0, 1, infinite }, { OF_erfinv, 0, -1, -infinite },
  { OF_erfinv, 0, 1.5, none }, { OF_erfinv, 0, -infinite, none }, { OF_erfinv, 0, none, none },
  { OF_erfcinv, 0, 0, infinite }, { OF_erfcinv, 0, -0.0, infinite }, { OF_erfcinv, 0, 1, 0 },
  { OF_erfcinv, 0, 2, -infinite }, { OF_erfcinv, 0, -0.5, none }, { OF_erfcinv, 0, 2.5, none },
  { OF_erfcinv, 0, none, none },
  { OF_normcdfinv, 0, 0, -infinite }, { OF_normcdfinv, 0, -0.0, -infinite }, { OF_normcdfinv, 0, 0.5, 0 },
  { OF_normcdfinv, 0, 1, infinite }, { OF_normcdfinv, 0, -0.5, none }, { OF_normcdfinv, 0, 2, none },
  { OF_normcdfinv, 0, none, none },
};

static void check_edge(size_t at, bool is_float, runner *run_all) {
  static double in[POINTS], out[POINTS];
  double expected = edges[at].expected;
  for (int i = 0; i < POINTS; i++)
    in[i] = edges[at].x;
  run_all(edges[at].function, edges[at].order, is_float, in, out);
  if (isnan(expected) ? isnan(out[0]) : out[0] == expected && signbit(out[0]) == signbit(expected))
    return;
  printf("%s(%g) of order %d in %s%s: %g, not %g\n", names[edges[at].function], edges[at].x, edges[at].order,
         is_float ? "float" : "double", run_all == run ? "" : " on the host", out[0], expected);
  note_wrong(true);
}

/* ---- C++'s overloads: a float's function is the float one -------------------------------------------------- */

#define COMPARE(name) seen += sizeof name(x) == sizeof(float) && __float_as_int(name(x)) == __float_as_int(name##f(x));

__global__ void overloads(float x, int *count) {
  int seen = 0;
  FUNCTIONS(COMPARE)
  seen += sizeof jn(2, x) == sizeof(float) && __float_as_int(jn(2, x)) == __float_as_int(jnf(2, x));
  seen += sizeof yn(2, x) == sizeof(float) && __float_as_int(yn(2, x)) == __float_as_int(ynf(2, x));
  *count = seen;
}

#ifdef __VPTRCC__
#define COMPARE_ON_HOST(name) seen += sizeof name(x) == sizeof(float) && name(x) == name##f(x);

static int overloads_on_host(float x) {
  int seen = 0;
  FUNCTIONS(COMPARE_ON_HOST)
  seen += sizeof jn(2, x) == sizeof(float) && jn(2, x) == jnf(2, x);
  seen += sizeof yn(2, x) == sizeof(float) && yn(2, x) == ynf(2, x);
  return seen;
}
#endif

static void check_overloads(void) {
  int *count, seen = 0;
  CHECK(cudaMalloc((void **)&count, sizeof seen));
  overloads<<<1, 1>>>(0.625f, count);
  CHECK(cudaMemcpy(&seen, count, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(count));
  EXPECT(seen, sizeof names / sizeof *names);
#ifdef __VPTRCC__
  EXPECT(overloads_on_host(0.625f), sizeof names / sizeof *names);
#endif
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].float_units >= 0)
      check_row(&rows[i], true, rows[i].float_units, 2.2e-6, run);
    check_row(&rows[i], false, rows[i].double_units, 5e-12, run);
    if (is_on_host(rows[i].function) && rows[i].float_units >= 0)
      check_row(&rows[i], true, HOST_UNITS, 0, run_on_host);
    if (is_on_host(rows[i].function))
      check_row(&rows[i], false, HOST_UNITS, 0, run_on_host);
  }
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    check_edge(i, true, run);
    check_edge(i, false, run);
    if (is_on_host(edges[i].function)) {
      check_edge(i, true, run_on_host);
      check_edge(i, false, run_on_host);
    }
  }
  check_overloads();
  return verdict("special");
}
