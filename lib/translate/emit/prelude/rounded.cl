// Arithmetic rounded down, up or to zero: CUDA's _rd, _ru, _rz. OpenCL C 1.2 rounds to nearest only, and what would correct
// that afterwards hangs on the device (subnormals flushed, quotients a few units off) and on build options
// (-cl-fast-relaxed-math). So operands are taken apart, calculated with as integers and rounded once: the same bits
// everywhere. Methods: Muller et al., Handbook of Floating-Point Arithmetic (2nd ed., 2018), chapters 7 and 9; Ercegovac
// and Lang, Digital Arithmetic (2004), chapters 5 and 6. A bit is sticky if it is also set for anything nonzero below it.
//: parts
// A direction is the sign of the numbers that it rounds away from zero.
enum { VPTR_UP, VPTR_DOWN, VPTR_TO_ZERO };
// In the order in which one wins over another in a sum.
enum { VPTR_ZERO, VPTR_FINITE, VPTR_INFINITE, VPTR_NAN };
// If finite: (-1)^sign * (high + low / 2^64) * 2^exponent, and the topmost bit of high is set.
typedef struct {
  uint sign;
  int kind, exponent;
  ulong high, low;
} vptr_parts;
static vptr_parts vptr_parts_of(uint sign, int kind, ulong significand, int exponent) {
  int leading = significand != 0 ? (int)clz(significand) : 0;
  vptr_parts parts = { sign, kind, exponent - leading, significand << leading, 0 };
  return parts;
}
static vptr_parts vptr_negated(vptr_parts x) {
  x.sign ^= 1;
  return x;
}
// x / 2^n, n >= 0, its last bit sticky.
static ulong vptr_shifted(ulong x, int n) { return n > 63 ? x != 0 : x >> n | ((x & ((1UL << n) - 1)) != 0); }
//: parts_product parts
static vptr_parts vptr_product(vptr_parts x, vptr_parts y) {
  int least = min(x.kind, y.kind), most = max(x.kind, y.kind);
  vptr_parts p = { x.sign ^ y.sign, most, x.exponent + y.exponent + 64, mul_hi(x.high, y.high), x.high * y.high };
  if (least == VPTR_ZERO && most != VPTR_NAN)
    p.kind = most == VPTR_INFINITE ? VPTR_NAN : VPTR_ZERO;
  if (p.high >> 63 == 0) {
    p.high = p.high << 1 | p.low >> 63;
    p.low <<= 1;
    p.exponent--;
  }
  return p;
}
//: parts_sum parts
// Whether the kinds alone tell the sum, which then is put into x.
static bool vptr_sum_is_told(vptr_parts *x, vptr_parts y, uint direction) {
  if (x->kind == VPTR_FINITE && y.kind == VPTR_FINITE)
    return false;
  if (x->kind == y.kind && x->sign != y.sign) {
    x->kind = y.kind == VPTR_ZERO ? VPTR_ZERO : VPTR_NAN;
    x->sign = direction == VPTR_DOWN;
  } else if (y.kind > x->kind) {
    *x = y;
  }
  return true;
}
// Both finite. Only products have a low half, and they stand first: y's is 0.
static bool vptr_is_less(vptr_parts x, vptr_parts y) {
  return x.exponent != y.exponent ? x.exponent < y.exponent : x.high < y.high;
}
//: parts_sum_64 parts_sum
// The last 16 bits of each high are 0, and all of each low. So bits fall out of the smaller one only if it is shifted by
// more than 16; the sum then begins in the first three bits, and its sticky bit stays below those that are kept. The bit
// that the sticky one is added to or subtracted from is 0, so that it is sticky in the sum as well.
static vptr_parts vptr_sum_64(vptr_parts x, vptr_parts y, uint direction) {
  if (vptr_sum_is_told(&x, y, direction))
    return x;
  bool swap = vptr_is_less(x, y);
  vptr_parts big = swap ? y : x, small = swap ? x : y;
  ulong one = big.high >> 1, other = vptr_shifted(small.high, big.exponent - small.exponent + 1);
  ulong sum = big.sign == small.sign ? one + other : one - other;
  if (sum == 0)
    return vptr_parts_of(direction == VPTR_DOWN, VPTR_ZERO, 0, 0);
  return vptr_parts_of(big.sign, VPTR_FINITE, sum, big.exponent + 1);
}
//: parts_sum_128 parts_sum
// The same in 128 bits, the last 16 of which are 0. The sum keeps 64 of them.
static vptr_parts vptr_sum_128(vptr_parts x, vptr_parts y, uint direction) {
  if (vptr_sum_is_told(&x, y, direction))
    return x;
  bool swap = vptr_is_less(x, y);
  vptr_parts big = swap ? y : x, small = swap ? x : y;
  int n = big.exponent - small.exponent + 1;
  ulong high = big.high >> 1, low = big.high << 63 | big.low >> 1;
  ulong other_high = n < 64 ? small.high >> n : 0;
  ulong other_low = n < 64 ? small.high << (64 - n) | vptr_shifted(small.low, n)
                           : vptr_shifted(small.high, n - 64) | (small.low != 0);
  if (big.sign == small.sign) {
    low += other_low;
    high += other_high + (low < other_low);
  } else {
    high -= other_high + (low < other_low);
    low -= other_low;
  }
  if (high == 0 && low == 0)
    return vptr_parts_of(direction == VPTR_DOWN, VPTR_ZERO, 0, 0);
  if (high == 0)
    return vptr_parts_of(big.sign, VPTR_FINITE, low, big.exponent - 63);
  n = (int)clz(high);
  high = n > 0 ? high << n | low >> (64 - n) : high;
  return vptr_parts_of(big.sign, VPTR_FINITE, high | (low << n != 0), big.exponent + 1 - n);
}
//: parts_quotient parts
// Digit by digit; the first may be 0. The remainder is sticky.
static vptr_parts vptr_quotient(vptr_parts x, vptr_parts y, int digits) {
  if (x.kind == VPTR_NAN || y.kind == VPTR_NAN || (x.kind == y.kind && x.kind != VPTR_FINITE))
    return vptr_parts_of(0, VPTR_NAN, 0, 0);
  if (x.kind != y.kind)
    return vptr_parts_of(x.sign ^ y.sign, x.kind > y.kind ? VPTR_INFINITE : VPTR_ZERO, 0, 0);
  ulong rest = x.high >> 1, divisor = y.high >> 1, quotient = 0;
  for (int i = 0; i < digits; i++) {
    bool digit = rest >= divisor;
    quotient = quotient << 1 | digit;
    rest = (rest - (digit ? divisor : 0)) << 1;
  }
  return vptr_parts_of(x.sign ^ y.sign, VPTR_FINITE, quotient << 1 | (rest != 0), x.exponent - y.exponent - digits);
}
//: parts_root parts
// Digit by digit: each takes the next two bits of the square, whose exponent is made even.
static vptr_parts vptr_root(vptr_parts x, int digits) {
  if (x.kind == VPTR_ZERO || (x.kind == VPTR_INFINITE && x.sign == 0))
    return x;
  if (x.kind == VPTR_NAN || x.sign != 0)
    return vptr_parts_of(0, VPTR_NAN, 0, 0);
  int odd = x.exponent & 1;
  ulong square = x.high >> odd, rest = 0, root = 0;
  for (int i = 0; i < digits; i++) {
    ulong trial = root << 2 | 1;
    rest = rest << 2 | square >> 62;
    square <<= 2;
    bool digit = rest >= trial;
    root = root << 1 | digit;
    rest -= digit ? trial : 0;
  }
  return vptr_parts_of(0, VPTR_FINITE, root << 1 | (rest != 0), (x.exponent + odd) / 2 + 31 - digits);
}
//: parts_float parts
static vptr_parts vptr_parts_float(float x) {
  uint bits = as_uint(x), field = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
  int kind = field == 0xff ? (fraction != 0 ? VPTR_NAN : VPTR_INFINITE) : bits << 1 != 0 ? VPTR_FINITE : VPTR_ZERO;
  return vptr_parts_of(bits >> 31, kind, fraction | (uint)(field != 0) << 23, max((int)field, 1) - 150);
}
// The bit below those that are kept, which is sticky, tells whether the result is exact. A carry goes into the exponent.
static float vptr_round_float(vptr_parts x, uint direction) {
  uint sign = x.sign << 31, away = x.sign == direction;
  if (x.kind != VPTR_FINITE)
    return as_float(x.kind == VPTR_NAN ? 0x7fffffffu : x.kind == VPTR_INFINITE ? sign | 0x7f800000u : sign);
  int shift = max(40, -149 - x.exponent), exponent = x.exponent + shift;
  if (exponent > 104)
    return as_float((sign | 0x7f7fffffu) + away);
  uint kept = (uint)vptr_shifted(x.high | (x.low != 0), shift - 1);
  return as_float((sign | (uint)(exponent + 149) << 23) + (kept >> 1) + (kept & away));
}
//: parts_double parts
static vptr_parts vptr_parts_double(double x) {
  ulong bits = as_ulong(x), fraction = bits & 0xfffffffffffffUL;
  int field = (int)(bits >> 52) & 0x7ff;
  int kind = field == 0x7ff ? (fraction != 0 ? VPTR_NAN : VPTR_INFINITE) : bits << 1 != 0 ? VPTR_FINITE : VPTR_ZERO;
  return vptr_parts_of((uint)(bits >> 63), kind, fraction | (ulong)(field != 0) << 52, max(field, 1) - 1075);
}
static double vptr_round_double(vptr_parts x, uint direction) {
  ulong sign = (ulong)x.sign << 63, away = x.sign == direction;
  if (x.kind != VPTR_FINITE)
    return as_double(x.kind == VPTR_NAN ? 0xfff8UL << 48 : x.kind == VPTR_INFINITE ? sign | 0x7ffUL << 52 : sign);
  int shift = max(11, -1074 - x.exponent), exponent = x.exponent + shift;
  if (exponent > 971)
    return as_double((sign | 0x7fefffffffffffffUL) + away);
  ulong kept = vptr_shifted(x.high | (x.low != 0), shift - 1);
  return as_double((sign | (ulong)(exponent + 1074) << 52) + (kept >> 1) + (kept & away));
}
//: add_float_to parts_float parts_sum_64
static float vptr_add_float_to(float x, float y, uint direction) {
  return vptr_round_float(vptr_sum_64(vptr_parts_float(x), vptr_parts_float(y), direction), direction);
}
static float vptr_add_float_rd(float x, float y) { return vptr_add_float_to(x, y, VPTR_DOWN); }
static float vptr_add_float_ru(float x, float y) { return vptr_add_float_to(x, y, VPTR_UP); }
static float vptr_add_float_rz(float x, float y) { return vptr_add_float_to(x, y, VPTR_TO_ZERO); }
//: sub_float_to parts_float parts_sum_64
static float vptr_sub_float_to(float x, float y, uint direction) {
  return vptr_round_float(vptr_sum_64(vptr_parts_float(x), vptr_negated(vptr_parts_float(y)), direction), direction);
}
static float vptr_sub_float_rd(float x, float y) { return vptr_sub_float_to(x, y, VPTR_DOWN); }
static float vptr_sub_float_ru(float x, float y) { return vptr_sub_float_to(x, y, VPTR_UP); }
static float vptr_sub_float_rz(float x, float y) { return vptr_sub_float_to(x, y, VPTR_TO_ZERO); }
//: mul_float_to parts_float parts_product
static float vptr_mul_float_to(float x, float y, uint direction) {
  return vptr_round_float(vptr_product(vptr_parts_float(x), vptr_parts_float(y)), direction);
}
static float vptr_mul_float_rd(float x, float y) { return vptr_mul_float_to(x, y, VPTR_DOWN); }
static float vptr_mul_float_ru(float x, float y) { return vptr_mul_float_to(x, y, VPTR_UP); }
static float vptr_mul_float_rz(float x, float y) { return vptr_mul_float_to(x, y, VPTR_TO_ZERO); }
//: fma_float_to parts_float parts_product parts_sum_64
static float vptr_fma_float_to(float x, float y, float z, uint direction) {
  vptr_parts product = vptr_product(vptr_parts_float(x), vptr_parts_float(y));
  return vptr_round_float(vptr_sum_64(product, vptr_parts_float(z), direction), direction);
}
static float vptr_fma_float_rd(float x, float y, float z) { return vptr_fma_float_to(x, y, z, VPTR_DOWN); }
static float vptr_fma_float_ru(float x, float y, float z) { return vptr_fma_float_to(x, y, z, VPTR_UP); }
static float vptr_fma_float_rz(float x, float y, float z) { return vptr_fma_float_to(x, y, z, VPTR_TO_ZERO); }
//: divide_float_to parts_float parts_quotient
static float vptr_divide_float_to(float x, float y, uint direction) {
  return vptr_round_float(vptr_quotient(vptr_parts_float(x), vptr_parts_float(y), 25), direction);
}
static float vptr_divide_float_rd(float x, float y) { return vptr_divide_float_to(x, y, VPTR_DOWN); }
static float vptr_divide_float_ru(float x, float y) { return vptr_divide_float_to(x, y, VPTR_UP); }
static float vptr_divide_float_rz(float x, float y) { return vptr_divide_float_to(x, y, VPTR_TO_ZERO); }
//: reciprocal_float_to parts_float parts_quotient
static float vptr_reciprocal_float_to(float x, uint direction) {
  return vptr_round_float(vptr_quotient(vptr_parts_float(1), vptr_parts_float(x), 25), direction);
}
static float vptr_reciprocal_float_rd(float x) { return vptr_reciprocal_float_to(x, VPTR_DOWN); }
static float vptr_reciprocal_float_ru(float x) { return vptr_reciprocal_float_to(x, VPTR_UP); }
static float vptr_reciprocal_float_rz(float x) { return vptr_reciprocal_float_to(x, VPTR_TO_ZERO); }
//: sqrt_float_to parts_float parts_root
static float vptr_sqrt_float_to(float x, uint direction) {
  return vptr_round_float(vptr_root(vptr_parts_float(x), 24), direction);
}
static float vptr_sqrt_float_rd(float x) { return vptr_sqrt_float_to(x, VPTR_DOWN); }
static float vptr_sqrt_float_ru(float x) { return vptr_sqrt_float_to(x, VPTR_UP); }
static float vptr_sqrt_float_rz(float x) { return vptr_sqrt_float_to(x, VPTR_TO_ZERO); }
//: add_double_to parts_double parts_sum_128
static double vptr_add_double_to(double x, double y, uint direction) {
  return vptr_round_double(vptr_sum_128(vptr_parts_double(x), vptr_parts_double(y), direction), direction);
}
static double vptr_add_double_rd(double x, double y) { return vptr_add_double_to(x, y, VPTR_DOWN); }
static double vptr_add_double_ru(double x, double y) { return vptr_add_double_to(x, y, VPTR_UP); }
static double vptr_add_double_rz(double x, double y) { return vptr_add_double_to(x, y, VPTR_TO_ZERO); }
//: sub_double_to parts_double parts_sum_128
static double vptr_sub_double_to(double x, double y, uint direction) {
  return vptr_round_double(vptr_sum_128(vptr_parts_double(x), vptr_negated(vptr_parts_double(y)), direction), direction);
}
static double vptr_sub_double_rd(double x, double y) { return vptr_sub_double_to(x, y, VPTR_DOWN); }
static double vptr_sub_double_ru(double x, double y) { return vptr_sub_double_to(x, y, VPTR_UP); }
static double vptr_sub_double_rz(double x, double y) { return vptr_sub_double_to(x, y, VPTR_TO_ZERO); }
//: mul_double_to parts_double parts_product
static double vptr_mul_double_to(double x, double y, uint direction) {
  return vptr_round_double(vptr_product(vptr_parts_double(x), vptr_parts_double(y)), direction);
}
static double vptr_mul_double_rd(double x, double y) { return vptr_mul_double_to(x, y, VPTR_DOWN); }
static double vptr_mul_double_ru(double x, double y) { return vptr_mul_double_to(x, y, VPTR_UP); }
static double vptr_mul_double_rz(double x, double y) { return vptr_mul_double_to(x, y, VPTR_TO_ZERO); }
//: fma_double_to parts_double parts_product parts_sum_128
static double vptr_fma_double_to(double x, double y, double z, uint direction) {
  vptr_parts product = vptr_product(vptr_parts_double(x), vptr_parts_double(y));
  return vptr_round_double(vptr_sum_128(product, vptr_parts_double(z), direction), direction);
}
static double vptr_fma_double_rd(double x, double y, double z) { return vptr_fma_double_to(x, y, z, VPTR_DOWN); }
static double vptr_fma_double_ru(double x, double y, double z) { return vptr_fma_double_to(x, y, z, VPTR_UP); }
static double vptr_fma_double_rz(double x, double y, double z) { return vptr_fma_double_to(x, y, z, VPTR_TO_ZERO); }
//: divide_double_to parts_double parts_quotient
static double vptr_divide_double_to(double x, double y, uint direction) {
  return vptr_round_double(vptr_quotient(vptr_parts_double(x), vptr_parts_double(y), 54), direction);
}
static double vptr_divide_double_rd(double x, double y) { return vptr_divide_double_to(x, y, VPTR_DOWN); }
static double vptr_divide_double_ru(double x, double y) { return vptr_divide_double_to(x, y, VPTR_UP); }
static double vptr_divide_double_rz(double x, double y) { return vptr_divide_double_to(x, y, VPTR_TO_ZERO); }
//: reciprocal_double_to parts_double parts_quotient
static double vptr_reciprocal_double_to(double x, uint direction) {
  return vptr_round_double(vptr_quotient(vptr_parts_double(1), vptr_parts_double(x), 54), direction);
}
static double vptr_reciprocal_double_rd(double x) { return vptr_reciprocal_double_to(x, VPTR_DOWN); }
static double vptr_reciprocal_double_ru(double x) { return vptr_reciprocal_double_to(x, VPTR_UP); }
static double vptr_reciprocal_double_rz(double x) { return vptr_reciprocal_double_to(x, VPTR_TO_ZERO); }
//: sqrt_double_to parts_double parts_root
static double vptr_sqrt_double_to(double x, uint direction) {
  return vptr_round_double(vptr_root(vptr_parts_double(x), 53), direction);
}
static double vptr_sqrt_double_rd(double x) { return vptr_sqrt_double_to(x, VPTR_DOWN); }
static double vptr_sqrt_double_ru(double x) { return vptr_sqrt_double_to(x, VPTR_UP); }
static double vptr_sqrt_double_rz(double x) { return vptr_sqrt_double_to(x, VPTR_TO_ZERO); }
