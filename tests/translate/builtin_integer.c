/* SPDX-License-Identifier: MIT */
/*
 * builtin_integer - references for functions of integers and for atomic operations, as the CUDA C++ Programming Guide
 * and the CUDA Math API words them, bit by bit where that is plainer. No state.
 */
#include <stddef.h>

#include "translate/builtin_value.h"

#define FUNCTION(name, expression)                                                                                   \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    const uint64_t x = in[0].bits;                                                                                   \
    (void)x, (void)rounding;                                                                                         \
    builtin_value_set_bits(out, expression);                                                                         \
  }
#define Y (in[1].bits)
#define Z (in[2].bits)

static uint64_t reversed(uint64_t x, int width) {
  uint64_t result = 0;
  for (int i = 0; i < width; i++)
    if (x >> i & 1)
      result |= (uint64_t)1 << (width - 1 - i);
  return result;
}

static uint64_t ones(uint64_t x) {
  uint64_t count = 0;
  for (int i = 0; i < 64; i++)
    count += x >> i & 1;
  return count;
}

static uint64_t leading_zeros(uint64_t x, int width) {
  uint64_t count = 0;
  for (int i = width - 1; i >= 0 && (x >> i & 1) == 0; i--)
    count++;
  return count;
}

/* From 1; 0: there is none. */
static uint64_t first_one(uint64_t x) {
  for (uint64_t i = 0; i < 64; i++)
    if (x >> i & 1)
      return i + 1;
  return 0;
}

static uint64_t permuted(uint64_t low, uint64_t high, uint64_t selector) {
  unsigned char bytes[8], chosen[4];
  for (int i = 0; i < 4; i++) {
    bytes[i] = (unsigned char)(low >> 8 * i);
    bytes[4 + i] = (unsigned char)(high >> 8 * i);
  }
  for (int i = 0; i < 4; i++)
    chosen[i] = bytes[selector >> 4 * i & 7];
  return chosen[0] | (uint64_t)chosen[1] << 8 | (uint64_t)chosen[2] << 16 | (uint64_t)chosen[3] << 24;
}

/* The upper half of (high:low) << shift, and the lower of (high:low) >> shift, by single steps. */
static uint64_t funnel_left(uint64_t low, uint64_t high, uint64_t shift) {
  uint64_t both = high << 32 | low;
  while (shift-- > 0)
    both <<= 1;
  return both >> 32;
}

static uint64_t funnel_right(uint64_t low, uint64_t high, uint64_t shift) {
  uint64_t both = high << 32 | low;
  while (shift-- > 0)
    both >>= 1;
  return both;
}

static uint64_t at_most(uint64_t shift, uint64_t limit) {
  return shift < limit ? shift : limit;
}

static int64_t low_24(uint64_t x) {
  int64_t low = (int64_t)(x & 0xffffff);
  return low >= 0x800000 ? low - 0x1000000 : low;
}

static uint64_t distance(int64_t x, int64_t y) {
  return (uint64_t)(x > y ? x - y : y - x);
}

/* The upper 64 bits of the product, by halves, as on paper. */
static uint64_t upper_product(uint64_t x, uint64_t y) {
  uint64_t x0 = x & 0xffffffff, x1 = x >> 32, y0 = y & 0xffffffff, y1 = y >> 32;
  uint64_t carried = (x0 * y0 >> 32) + (x1 * y0 & 0xffffffff) + (x0 * y1 & 0xffffffff);
  return x1 * y1 + (x1 * y0 >> 32) + (x0 * y1 >> 32) + (carried >> 32);
}

/* A negative number stands for itself and 2^64. */
static uint64_t upper_signed_product(uint64_t x, uint64_t y) {
  return upper_product(x, y) - ((int64_t)x < 0 ? y : 0) - ((int64_t)y < 0 ? x : 0);
}

FUNCTION(brev, reversed(x, 32))
FUNCTION(brevll, reversed(x, 64))
FUNCTION(byte_perm, permuted(x, Y, Z))
FUNCTION(clz, leading_zeros(x, 32))
FUNCTION(clzll, leading_zeros(x, 64))
FUNCTION(ffs_of_any, first_one(x))
FUNCTION(funnelshift_l, funnel_left(x, Y, Z % 32))
FUNCTION(funnelshift_lc, funnel_left(x, Y, at_most(Z, 32)))
FUNCTION(funnelshift_r, funnel_right(x, Y, Z % 32))
FUNCTION(funnelshift_rc, funnel_right(x, Y, at_most(Z, 32)))
FUNCTION(hadd, (uint64_t)(((int64_t)x + (int64_t)Y) >> 1))
FUNCTION(rhadd, (uint64_t)(((int64_t)x + (int64_t)Y + 1) >> 1))
FUNCTION(mul24, (uint64_t)(low_24(x) * low_24(Y)))
FUNCTION(umul24, (x & 0xffffff) * (Y & 0xffffff))
FUNCTION(mulhi, (uint64_t)((int64_t)x *(int64_t)Y >> 32))
FUNCTION(umulhi, x *Y >> 32)
FUNCTION(mul64hi, upper_signed_product(x, Y))
FUNCTION(umul64hi, upper_product(x, Y))
FUNCTION(popc, ones(x & 0xffffffff))
FUNCTION(popcll, ones(x))
FUNCTION(sad, distance((int64_t)x, (int64_t)Y) + Z)
FUNCTION(usad, distance((int64_t)x, (int64_t)Y) + Z)

/* Of integers and real numbers; the least integer is its own. */
static void absolute(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  if (builtin_type_is_real(out->type))
    out->real = __builtin_fabsl(in->real);
  else
    builtin_value_set_bits(out, (int64_t)in->bits < 0 ? 0 - in->bits : in->bits);
}

/* C++ converts both to the result's type first. */
static bool is_less(const builtin_value *x, const builtin_value *y) {
  return builtin_type_is_signed(x->type) ? (int64_t)x->bits < (int64_t)y->bits : x->bits < y->bits;
}

static void pick_extreme(const builtin_value *in, builtin_value *out, bool wants_greater) {
  builtin_value x = *out, y = *out;
  if (builtin_type_is_real(out->type)) {
    out->real = wants_greater ? __builtin_fmaxl(in[0].real, in[1].real) : __builtin_fminl(in[0].real, in[1].real);
    out->any_zero = true;
    return;
  }
  builtin_value_set_bits(&x, in[0].bits);
  builtin_value_set_bits(&y, in[1].bits);
  builtin_value_set_bits(out, is_less(&x, &y) == wants_greater ? y.bits : x.bits);
}

static void greater(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  pick_extreme(in, out, true);
}

static void lesser(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  pick_extreme(in, out, false);
}

const builtin_reference builtin_integer_references[] = {
  { .name = "__brev", .compute = brev },
  { .name = "__brevll", .compute = brevll },
  { .name = "__byte_perm", .compute = byte_perm },
  { .name = "__clz", .compute = clz },
  { .name = "__clzll", .compute = clzll },
  { .name = "__ffs", .compute = ffs_of_any },
  { .name = "__ffsll", .compute = ffs_of_any },
  { .name = "__funnelshift_l", .compute = funnelshift_l },
  { .name = "__funnelshift_lc", .compute = funnelshift_lc },
  { .name = "__funnelshift_r", .compute = funnelshift_r },
  { .name = "__funnelshift_rc", .compute = funnelshift_rc },
  { .name = "__hadd", .compute = hadd },
  { .name = "__uhadd", .compute = hadd },
  { .name = "__rhadd", .compute = rhadd },
  { .name = "__urhadd", .compute = rhadd },
  { .name = "__mul24", .compute = mul24 },
  { .name = "__umul24", .compute = umul24 },
  { .name = "__mulhi", .compute = mulhi },
  { .name = "__umulhi", .compute = umulhi },
  { .name = "__mul64hi", .compute = mul64hi },
  { .name = "__umul64hi", .compute = umul64hi },
  { .name = "__popc", .compute = popc },
  { .name = "__popcll", .compute = popcll },
  { .name = "__sad", .compute = sad },
  { .name = "__usad", .compute = usad },
  { .name = "abs", .compute = absolute },
  { .name = "labs", .compute = absolute },
  { .name = "llabs", .compute = absolute },
  { .name = "max", .compute = greater },
  { .name = "llmax", .compute = greater },
  { .name = "ullmax", .compute = greater },
  { .name = "umax", .compute = greater },
  { .name = "fmax", .compute = greater },
  { .name = "min", .compute = lesser },
  { .name = "llmin", .compute = lesser },
  { .name = "ullmin", .compute = lesser },
  { .name = "umin", .compute = lesser },
  { .name = "fmin", .compute = lesser },
  { .name = NULL },
};

/* ---- atomic operations ------------------------------------------------------------------------------------ */

/* What was there is given back; what is there afterwards is the expression. */
#define ATOMIC(name, expression)                                                                                     \
  static void name(const builtin_value *in, builtin_value *out, int rounding) {                                      \
    const uint64_t x = in[0].bits;                                                                                   \
    (void)rounding;                                                                                                  \
    out[0] = in[0];                                                                                                  \
    builtin_value_set_bits(&out[1], expression);                                                                     \
  }

ATOMIC(atomic_and, x &Y)
ATOMIC(atomic_or, x | Y)
ATOMIC(atomic_xor, x ^ Y)
ATOMIC(atomic_sub, x - Y)
ATOMIC(atomic_swap_if_same, x == Y ? Z : x)
ATOMIC(atomic_count_up, x >= Y ? 0 : x + 1)
ATOMIC(atomic_count_down, x == 0 || x > Y ? Y : x - 1)
ATOMIC(atomic_greater, is_less(&in[0], &in[1]) ? Y : x)
ATOMIC(atomic_lesser, is_less(&in[1], &in[0]) ? Y : x)

static void atomic_sum(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out[0] = in[0];
  volatile float narrow = (float)in[0].real + (float)in[1].real;
  volatile double wide = (double)in[0].real + (double)in[1].real;
  if (builtin_type_is_real(in->type))
    out[1].real = in->type == 'f' ? (long double)narrow : (long double)wide;
  else
    builtin_value_set_bits(&out[1], in[0].bits + in[1].bits);
}

static void atomic_exchange(const builtin_value *in, builtin_value *out, int rounding) {
  (void)rounding;
  out[0] = in[0];
  out[1] = in[1];
}

const builtin_reference builtin_atomic_references[] = {
  { .name = "atomicAdd", .compute = atomic_sum },        { .name = "atomicSub", .compute = atomic_sub },
  { .name = "atomicAnd", .compute = atomic_and },        { .name = "atomicOr", .compute = atomic_or },
  { .name = "atomicXor", .compute = atomic_xor },        { .name = "atomicCAS", .compute = atomic_swap_if_same },
  { .name = "atomicExch", .compute = atomic_exchange },  { .name = "atomicInc", .compute = atomic_count_up },
  { .name = "atomicDec", .compute = atomic_count_down }, { .name = "atomicMax", .compute = atomic_greater },
  { .name = "atomicMin", .compute = atomic_lesser },     { .name = NULL },
};
