typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/* ---- memory that is not aligned ---- */

#ifdef VPTR_REACH
#define vptr_at(p) __vptr_reach(p)
static __device__ inline void vptr_move(char *to, const char *from, u64 n) {
  if (__vptr_number(to) <= __vptr_number(from))
    for (u64 i = 0; i < n; i++)
      *(u8 *)vptr_at(to + i) = *(const u8 *)vptr_at(from + i);
  else
    for (u64 i = n; i > 0; i--)
      *(u8 *)vptr_at(to + i - 1) = *(const u8 *)vptr_at(from + i - 1);
}
static __device__ inline void vptr_set(char *to, u32 value, u64 n) {
  for (u64 i = 0; i < n; i++)
    *(u8 *)vptr_at(to + i) = (u8)value;
}
#else
#define vptr_at(p) (p)
#endif

static __device__ inline u64 vptr_load16(const char *p) { return (u64)(*(const u8 *)vptr_at(p) | (u32) * (const u8 *)vptr_at(p + 1) << 8); }
static __device__ inline u64 vptr_load32(const char *p) { return vptr_load16(p) | vptr_load16(p + 2) << 16; }
static __device__ inline u64 vptr_load64(const char *p) { return vptr_load32(p) | vptr_load32(p + 4) << 32; }
static __device__ inline u64 vptr_load24(const char *p) { return vptr_load16(p) | (u32) * (const u8 *)vptr_at(p + 2) << 16; }
static __device__ inline u64 vptr_load40(const char *p) { return vptr_load32(p) | (u64) * (const u8 *)vptr_at(p + 4) << 32; }
static __device__ inline u64 vptr_load48(const char *p) { return vptr_load32(p) | vptr_load16(p + 4) << 32; }
static __device__ inline u64 vptr_load56(const char *p) { return vptr_load32(p) | vptr_load24(p + 4) << 32; }
static __device__ inline void vptr_store16(char *p, u64 x) { *(u8 *)vptr_at(p) = (u8)x; *(u8 *)vptr_at(p + 1) = (u8)(x >> 8); }
static __device__ inline void vptr_store32(char *p, u64 x) { vptr_store16(p, x); vptr_store16(p + 2, x >> 16); }
static __device__ inline void vptr_store64(char *p, u64 x) { vptr_store32(p, x); vptr_store32(p + 4, x >> 32); }
static __device__ inline void vptr_store24(char *p, u64 x) { vptr_store16(p, x); *(u8 *)vptr_at(p + 2) = (u8)(x >> 16); }
static __device__ inline void vptr_store40(char *p, u64 x) { vptr_store32(p, x); *(u8 *)vptr_at(p + 4) = (u8)(x >> 32); }
static __device__ inline void vptr_store48(char *p, u64 x) { vptr_store32(p, x); vptr_store16(p + 4, x >> 32); }
static __device__ inline void vptr_store56(char *p, u64 x) { vptr_store32(p, x); vptr_store24(p + 4, x >> 32); }
static __device__ inline u32 vptr_memcmp(const char *p, const char *q, u64 n) {
  for (u64 i = 0; i < n; i++)
    if (*(const u8 *)vptr_at(p + i) != *(const u8 *)vptr_at(q + i))
      return (u32)*(const u8 *)vptr_at(p + i) - *(const u8 *)vptr_at(q + i);
  return 0u;
}

/* NULL has no mark. NVIDIA's devices have a shared variable at 0, too: a pointer to it that is mixed with others is NULL. */
static __device__ inline u64 vptr_marked(u64 own, u64 mark) { return own == 0 ? 0 : own | mark; }

/* ---- integers ---- */

static __device__ inline u32 vptr_ctz32(u32 x) { return x == 0 ? 32u : (u32)__ffs((int)x) - 1u; }
static __device__ inline u64 vptr_ctz64(u64 x) { return x == 0 ? 64u : (u64)__ffsll((long long)x) - 1u; }
static __device__ inline u64 vptr_bswap64(u64 x) { return (u64)__byte_perm((u32)x, 0u, 0x123u) << 32 | __byte_perm((u32)(x >> 32), 0u, 0x123u); }
static __device__ inline u64 vptr_fshl64(u64 a, u64 b, u64 s) { s &= 63; return s ? a << s | b >> (64 - s) : a; }
static __device__ inline u64 vptr_fshr64(u64 a, u64 b, u64 s) { s &= 63; return s ? a << (64 - s) | b >> s : b; }
static __device__ inline u16 vptr_fshl16(u16 a, u16 b, u16 s) { return (u16)((((u32)a << 16 | b) << (s & 15)) >> 16); }
static __device__ inline u16 vptr_fshr16(u16 a, u16 b, u16 s) { return (u16)(((u32)a << 16 | b) >> (s & 15)); }
static __device__ inline u8 vptr_fshl8(u8 a, u8 b, u8 s) { return (u8)((((u32)a << 8 | b) << (s & 7)) >> 8); }
static __device__ inline u8 vptr_fshr8(u8 a, u8 b, u8 s) { return (u8)(((u32)a << 8 | b) >> (s & 7)); }
static __device__ inline u32 vptr_bfe(u32 x, u32 at, u32 n) { at &= 255; n &= 255; x = at > 31 ? 0u : x >> at; return n > 31 ? x : x & ((1u << n) - 1u); }
static __device__ inline u64 vptr_bfe64(u64 x, u32 at, u32 n) { at &= 255; n &= 255; x = at > 63 ? 0u : x >> at; return n > 63 ? x : x & ((1ull << n) - 1u); }
static __device__ inline u32 vptr_bfe_signed(u32 x, u32 at, u32 n) {
  at &= 255;
  n &= 255;
  if (n == 0)
    return 0;
  u32 top = at + n - 1 > 31 ? 31 : at + n - 1, sign = (u32)((int)(x << (31 - top)) >> 31);
  u32 bits = vptr_bfe(x, at, n), have = at > 31 ? 0 : top - at + 1;
  return have > 31 ? bits : bits | sign << have;
}
static __device__ inline u32 vptr_bfi(u32 a, u32 b, u32 at, u32 n) {
  at &= 255;
  n &= 255;
  if (at > 31 || n == 0)
    return b;
  u32 mask = (n > 31 ? ~0u : (1u << n) - 1u) << at;
  return (b & ~mask) | (a << at & mask);
}
static __device__ inline u64 vptr_bfi64(u64 a, u64 b, u32 at, u32 n) {
  at &= 255;
  n &= 255;
  if (at > 63 || n == 0)
    return b;
  u64 mask = (n > 63 ? ~0ull : (1ull << n) - 1u) << at;
  return (b & ~mask) | (a << at & mask);
}
static __device__ inline u64 vptr_bfe64_signed(u64 x, u32 at, u32 n) {
  at &= 255;
  n &= 255;
  if (n == 0)
    return 0;
  u32 top = at + n - 1 > 63 ? 63 : at + n - 1, have = at > 63 ? 0 : top - at + 1;
  u64 sign = (u64)((long long)(x << (63 - top)) >> 63), bits = vptr_bfe64(x, at, n);
  return have > 63 ? bits : bits | sign << have;
}
static __device__ inline u32 vptr_bfind_shift(u32 x) { return x == 0u ? ~0u : (u32)__clz((int)x); }
static __device__ inline u32 vptr_bfind_shift64(u64 x) { return x == 0u ? ~0u : (u32)__clzll((long long)x); }
static __device__ inline u8 vptr_uadd_sat8(u8 a, u8 b) { return (u8)((u32)a + b > 255u ? 255u : (u32)a + b); }
static __device__ inline u16 vptr_uadd_sat16(u16 a, u16 b) { return (u16)((u32)a + b > 65535u ? 65535u : (u32)a + b); }
static __device__ inline u32 vptr_uadd_sat32(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
static __device__ inline u64 vptr_uadd_sat64(u64 a, u64 b) { return a + b < a ? ~0ull : a + b; }
static __device__ inline u32 vptr_cut(long long x, long long low, long long high) { return (u32)(x < low ? low : x > high ? high : x); }
static __device__ inline u8 vptr_sadd_sat8(int a, int b) { return (u8)vptr_cut((long long)a + b, -128, 127); }
static __device__ inline u8 vptr_ssub_sat8(int a, int b) { return (u8)vptr_cut((long long)a - b, -128, 127); }
static __device__ inline u16 vptr_sadd_sat16(int a, int b) { return (u16)vptr_cut((long long)a + b, -32768, 32767); }
static __device__ inline u16 vptr_ssub_sat16(int a, int b) { return (u16)vptr_cut((long long)a - b, -32768, 32767); }
static __device__ inline u32 vptr_sadd_sat32(int a, int b) { return vptr_cut((long long)a + b, -2147483647 - 1, 2147483647); }
static __device__ inline u32 vptr_ssub_sat32(int a, int b) { return vptr_cut((long long)a - b, -2147483647 - 1, 2147483647); }
static __device__ inline u32 vptr_sadd_overflows64(long long a, long long b) { u64 s = (u64)a + (u64)b; return (u32)((~((u64)a ^ (u64)b) & ((u64)a ^ s)) >> 63); }
static __device__ inline u32 vptr_ssub_overflows64(long long a, long long b) { u64 s = (u64)a - (u64)b; return (u32)((((u64)a ^ (u64)b) & ((u64)a ^ s)) >> 63); }
static __device__ inline u64 vptr_sadd_sat64(long long a, long long b) { return vptr_sadd_overflows64(a, b) ? (a < 0 ? 1ull << 63 : ~0ull >> 1) : (u64)a + (u64)b; }
static __device__ inline u64 vptr_ssub_sat64(long long a, long long b) { return vptr_ssub_overflows64(a, b) ? (a < 0 ? 1ull << 63 : ~0ull >> 1) : (u64)a - (u64)b; }
static __device__ inline u32 vptr_sadd_overflows32(int a, int b) { long long s = (long long)a + b; return (u32)(s != (long long)(int)s); }
static __device__ inline u32 vptr_ssub_overflows32(int a, int b) { long long s = (long long)a - b; return (u32)(s != (long long)(int)s); }
static __device__ inline u32 vptr_smul_overflows32(int a, int b) { long long s = (long long)a * b; return (u32)(s != (long long)(int)s); }
static __device__ inline u32 vptr_smul_overflows64(long long a, long long b) { return (u32)(__mul64hi(a, b) != (long long)((u64)a * (u64)b) >> 63); }
static __device__ inline u32 vptr_umul_overflows32(u32 a, u32 b) { return (u32)(__umulhi(a, b) != 0u); }
static __device__ inline u32 vptr_umul_overflows64(u64 a, u64 b) { return (u32)(__umul64hi(a, b) != 0u); }

/* ---- integers of any width: the lowest bits of 64 ---- */

static __device__ inline u64 vptr_low(u64 x, u32 width) { return x & ~0ull >> (64u - width); }
static __device__ inline long long vptr_extended(u64 x, u32 width) { return (long long)(x << (64u - width)) >> (64u - width); }
static __device__ inline u64 vptr_ctlz(u64 x, u32 width) { return (u64)__clzll((long long)x) - (64u - width); }
static __device__ inline u64 vptr_cttz(u64 x, u32 width) { return x == 0 ? width : vptr_ctz64(x); }
static __device__ inline u64 vptr_fshl(u64 a, u64 b, u64 s, u32 width) { s %= width; return s ? vptr_low(a << s | b >> (width - s), width) : a; }
static __device__ inline u64 vptr_fshr(u64 a, u64 b, u64 s, u32 width) { s %= width; return s ? vptr_low(a << (width - s) | b >> s, width) : b; }
static __device__ inline u32 vptr_uadd_overflows(u64 a, u64 b, u32 width) { return (u32)(vptr_low(a + b, width) < a); }
static __device__ inline u32 vptr_umul_overflows(u64 a, u64 b, u32 width) { return (u32)(__umul64hi(a, b) != 0u || vptr_low(a * b, width) != a * b); }
static __device__ inline u32 vptr_sadd_overflows(long long a, long long b, u32 width) { u64 s = (u64)a + (u64)b; return (u32)(vptr_sadd_overflows64(a, b) || vptr_extended(s, width) != (long long)s); }
static __device__ inline u32 vptr_ssub_overflows(long long a, long long b, u32 width) { u64 s = (u64)a - (u64)b; return (u32)(vptr_ssub_overflows64(a, b) || vptr_extended(s, width) != (long long)s); }
static __device__ inline u32 vptr_smul_overflows(long long a, long long b, u32 width) { u64 s = (u64)a * (u64)b; return (u32)(vptr_smul_overflows64(a, b) || vptr_extended(s, width) != (long long)s); }
static __device__ inline u64 vptr_end_of(u32 is_negative, u32 width) { return is_negative ? 1ull << (width - 1u) : vptr_low(~0ull, width) >> 1; }
static __device__ inline u64 vptr_uadd_sat(u64 a, u64 b, u32 width) { return vptr_low(vptr_uadd_overflows(a, b, width) ? ~0ull : a + b, width); }
static __device__ inline u64 vptr_sadd_sat(long long a, long long b, u32 width) { return vptr_sadd_overflows(a, b, width) ? vptr_end_of(a < 0, width) : vptr_low((u64)a + (u64)b, width); }
static __device__ inline u64 vptr_ssub_sat(long long a, long long b, u32 width) { return vptr_ssub_overflows(a, b, width) ? vptr_end_of(a < 0, width) : vptr_low((u64)a - (u64)b, width); }

/* ---- integers of 128 bits: a low and a high half ---- */

struct __align__(16) vptr_wide { u64 low, high; };
struct vptr_divided { u64 quotient_low, quotient_high, rest_low, rest_high; };

static __device__ inline u64 vptr_wide_sign(u64 high) { return (u64)((long long)high >> 63); }
static __device__ inline u32 vptr_wide_less(u64 a, u64 A, u64 b, u64 B) { return (u32)(A < B || (A == B && a < b)); }
static __device__ inline u32 vptr_wide_less_signed(u64 a, u64 A, u64 b, u64 B) { return (u32)((long long)A < (long long)B || (A == B && a < b)); }
static __device__ inline u64 vptr_wide_left_low(u64 a, u64 s) { s &= 127u; return s < 64u ? a << s : 0ull; }
static __device__ inline u64 vptr_wide_left_high(u64 a, u64 A, u64 s) { s &= 127u; return s == 0u ? A : s < 64u ? A << s | a >> (64u - s) : a << (s - 64u); }
static __device__ inline u64 vptr_wide_right_low(u64 a, u64 A, u64 sign, u64 s) {
  s &= 127u;
  return s == 0u ? a : s < 64u ? a >> s | A << (64u - s) : s == 64u ? A : A >> (s - 64u) | sign << (128u - s);
}
static __device__ inline u64 vptr_wide_right_high(u64 A, u64 sign, u64 s) { s &= 127u; return s == 0u ? A : s < 64u ? A >> s | sign << (64u - s) : sign; }
static __device__ inline u32 vptr_wide_add_overflows(u64 a, u64 A, u64 b, u64 B) { u64 H = A + B; return (u32)(H < A || (H == ~0ull && a + b < a)); }
static __device__ inline u32 vptr_wide_mul_overflows(u64 a, u64 A, u64 b, u64 B) {
  if ((A && B) || __umul64hi(a, B) || __umul64hi(A, b))
    return 1u;
  u64 cross = a * B + A * b; /* one of them is 0 */
  return (u32)(__umul64hi(a, b) + cross < cross);
}
static __device__ inline u32 vptr_wide_mul_overflows_signed(u64 a, u64 A, u64 b, u64 B) {
  u64 s = A >> 63, t = B >> 63, n = s ? 0ull - a : a, N = s ? ~A + (u64)(a == 0ull) : A, m = t ? 0ull - b : b, M = t ? ~B + (u64)(b == 0ull) : B;
  if (vptr_wide_mul_overflows(n, N, m, M))
    return 1u;
  u64 P = __umul64hi(n, m) + n * M + N * m;
  return (u32)(s != t ? P > 1ull << 63 || (P == 1ull << 63 && n * m != 0ull) : P >> 63 != 0ull);
}
/* By shifts and subtractions, as many as the quotient has bits. */
static __device__ struct vptr_divided vptr_wide_divide(u64 a, u64 A, u64 b, u64 B) {
  struct vptr_divided is;
  is.quotient_low = is.quotient_high = is.rest_high = 0;
  if (A == 0ull && B == 0ull) {
    is.quotient_low = a / b;
    is.rest_low = a % b;
    return is;
  }
  is.rest_low = a;
  is.rest_high = A;
  int most = A ? __clzll((long long)A) : 64 + __clzll((long long)a), least = B ? __clzll((long long)B) : 64 + __clzll((long long)b);
  for (int s = least - most; s >= 0; s--) {
    u64 d = vptr_wide_left_low(b, (u64)s), D = vptr_wide_left_high(b, B, (u64)s);
    u64 fits = (u64)(vptr_wide_less(is.rest_low, is.rest_high, d, D) == 0u);
    if (fits) {
      is.rest_high = is.rest_high - D - (u64)(is.rest_low < d);
      is.rest_low = is.rest_low - d;
    }
    is.quotient_high = is.quotient_high << 1 | is.quotient_low >> 63;
    is.quotient_low = is.quotient_low << 1 | fits;
  }
  return is;
}
static __device__ inline struct vptr_divided vptr_wide_divide_signed(u64 a, u64 A, u64 b, u64 B) {
  u64 s = A >> 63, t = B >> 63;
  struct vptr_divided is = vptr_wide_divide(s ? 0ull - a : a, s ? ~A + (u64)(a == 0ull) : A, t ? 0ull - b : b, t ? ~B + (u64)(b == 0ull) : B);
  if (s != t) {
    is.quotient_high = ~is.quotient_high + (u64)(is.quotient_low == 0ull);
    is.quotient_low = 0ull - is.quotient_low;
  }
  if (s) {
    is.rest_high = ~is.rest_high + (u64)(is.rest_low == 0ull);
    is.rest_low = 0ull - is.rest_low;
  }
  return is;
}
/* The highest 64 bits and one that says whether more follow are rounded once. */
static __device__ inline u64 vptr_wide_top(u64 a, u64 A) {
  u64 s = (u64)__clzll((long long)A);
  return vptr_wide_left_high(a, A, s) | (u64)(a << s != 0ull);
}
static __device__ inline double vptr_wide_to_double(u64 a, u64 A) {
  return A == 0ull ? (double)a : ldexp((double)vptr_wide_top(a, A), 64 - __clzll((long long)A));
}
static __device__ inline float vptr_wide_to_float(u64 a, u64 A) {
  return A == 0ull ? (float)a : ldexpf((float)vptr_wide_top(a, A), 64 - __clzll((long long)A));
}
static __device__ inline double vptr_wide_signed_to_double(u64 a, u64 A) {
  return A >> 63 ? -vptr_wide_to_double(0ull - a, ~A + (u64)(a == 0ull)) : vptr_wide_to_double(a, A);
}
static __device__ inline float vptr_wide_signed_to_float(u64 a, u64 A) {
  return A >> 63 ? -vptr_wide_to_float(0ull - a, ~A + (u64)(a == 0ull)) : vptr_wide_to_float(a, A);
}
static __device__ inline u64 vptr_wide_high_of(double x) { return (u64)(x * 5.421010862427522170037e-20); }
static __device__ inline u64 vptr_wide_low_of(double x) { return (u64)(x - (double)vptr_wide_high_of(x) * 18446744073709551616.0); }
static __device__ inline u64 vptr_wide_signed_low_of(double x) { u64 a = vptr_wide_low_of(fabs(x)); return x < 0.0 ? 0ull - a : a; }
static __device__ inline u64 vptr_wide_signed_high_of(double x) {
  u64 A = vptr_wide_high_of(fabs(x));
  return x < 0.0 ? ~A + (u64)(vptr_wide_low_of(fabs(x)) == 0ull) : A;
}

/* ---- reals ---- */

static __device__ inline u32 vptr_to_u32(double x) { return x != x || x < 0.0 ? 0u : x > 4294967295.0 ? ~0u : (u32)x; }
static __device__ inline u64 vptr_to_u64(double x) { return x != x || x < 0.0 ? 0ull : x >= 18446744073709551616.0 ? ~0ull : (u64)x; }
static __device__ inline u8 vptr_to_u8(double x) { return (u8)(x != x || x < 0.0 ? 0u : x > 255.0 ? 255u : (u32)x); }
static __device__ inline u16 vptr_to_u16(double x) { return (u16)(x != x || x < 0.0 ? 0u : x > 65535.0 ? 65535u : (u32)x); }
static __device__ inline int vptr_to_s32(double x) { return x != x ? 0 : x < -2147483648.0 ? -2147483647 - 1 : x > 2147483647.0 ? 2147483647 : (int)x; }
static __device__ inline int vptr_to_s8(double x) { return x != x ? 0 : x < -128.0 ? -128 : x > 127.0 ? 127 : (int)x; }
static __device__ inline int vptr_to_s16(double x) { return x != x ? 0 : x < -32768.0 ? -32768 : x > 32767.0 ? 32767 : (int)x; }
static __device__ inline long long vptr_to_s64(double x) { return x != x ? 0ll : x < -9223372036854775808.0 ? -9223372036854775807ll - 1 : x >= 9223372036854775808.0 ? 9223372036854775807ll : (long long)x; }
static __device__ inline u64 vptr_to_unsigned(double x, u32 width) { u64 n = vptr_to_u64(x); return vptr_low(n, width) == n ? n : vptr_low(~0ull, width); }
static __device__ inline u64 vptr_to_signed(double x, u32 width) { long long n = vptr_to_s64(x); return vptr_extended((u64)n, width) == n ? vptr_low((u64)n, width) : vptr_end_of(n < 0, width); }
/* The bits of llvm.is.fpclass: signaling and quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. */
static __device__ inline u32 vptr_class_of(u32 is_negative, u32 is_nan, u32 is_quiet, u32 is_infinite, u32 is_zero, u32 is_subnormal) {
  if (is_nan)
    return is_quiet ? 2u : 1u;
  u32 away = is_infinite ? 3u : is_zero ? 0u : is_subnormal ? 1u : 2u;
  return is_negative ? 1u << (5 - away) : 1u << (6 + away);
}
static __device__ inline u32 vptr_class32(u32 x, u32 mask) {
  u32 e = x >> 23 & 255u, m = x & 0x7fffffu;
  return (u32)((vptr_class_of(x >> 31, e == 255u && m != 0u, m >> 22, e == 255u, e == 0u && m == 0u, e == 0u) & mask) != 0u);
}
static __device__ inline u32 vptr_class64(u64 x, u32 mask) {
  u32 e = (u32)(x >> 52) & 2047u;
  u64 m = x & 0xfffffffffffffull;
  return (u32)((vptr_class_of((u32)(x >> 63), e == 2047u && m != 0u, (u32)(m >> 51), e == 2047u, e == 0u && m == 0u, e == 0u) & mask) != 0u);
}
static __device__ inline float vptr_half_to_float(u16 h) {
  u32 sign = (u32)(h & 0x8000u) << 16, e = h >> 10 & 31u, m = h & 0x3ffu;
  if (e == 31u)
    return __uint_as_float(sign | 0x7f800000u | m << 13);
  if (e == 0u)
    return (sign ? -1.0f : 1.0f) * (float)m * 5.9604644775390625e-8f;
  return __uint_as_float(sign | (e + 112u) << 23 | m << 13);
}
static __device__ inline u16 vptr_float_to_half(float f) {
  u32 x = __float_as_uint(f), sign = x >> 16 & 0x8000u, a = x & 0x7fffffffu;
  if (a > 0x7f800000u)
    return (u16)0x7fffu;
  if (a >= 0x477ff000u)
    return (u16)(sign | 0x7c00u);
  if (a < 0x38800000u) {
    if (a < 0x33000000u)
      return (u16)sign;
    u32 shift = 126u - (a >> 23), m = (a & 0x7fffffu) | 0x800000u, q = m >> shift, rest = m & ((1u << shift) - 1u), half = 1u << (shift - 1u);
    return (u16)(sign | (q + (u32)(rest > half || (rest == half && (q & 1u)))));
  }
  u32 q = (a - 0x38000000u) >> 13, rest = a & 0x1fffu;
  return (u16)(sign | (q + (u32)(rest > 0x1000u || (rest == 0x1000u && (q & 1u)))));
}

/* ---- PTX's instructions that CUDA has no function for ---- */

static __device__ inline u32 vptr_lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 x = 0;
  if (table & 1u) x |= ~a & ~b & ~c;
  if (table & 2u) x |= ~a & ~b & c;
  if (table & 4u) x |= ~a & b & ~c;
  if (table & 8u) x |= ~a & b & c;
  if (table & 16u) x |= a & ~b & ~c;
  if (table & 32u) x |= a & ~b & c;
  if (table & 64u) x |= a & b & ~c;
  if (table & 128u) x |= a & b & c;
  return x;
}
static __device__ inline u32 vptr_prmt(u32 a, u32 b, u32 selector) {
  u64 bytes = (u64)b << 32 | a;
  u32 x = 0;
  for (u32 i = 0; i < 4u; i++) {
    u32 nibble = selector >> 4u * i & 15u, byte = (u32)(bytes >> 8u * (nibble & 7u)) & 255u;
    x |= (nibble & 8u ? (byte & 128u ? 255u : 0u) : byte) << 8u * i;
  }
  return x;
}
static __device__ inline u32 vptr_prmt_backwards(u32 i) { return i == 0u ? 0x5670u : i == 1u ? 0x6701u : i == 2u ? 0x7012u : 0x0123u; }
static __device__ inline u32 vptr_prmt_clamp(u32 i, u32 is_left) {
  u32 x = 0;
  for (u32 k = 0; k < 4u; k++)
    x |= (is_left ? (k < i ? i : k) : (k > i ? i : k)) << 4u * k;
  return x;
}
static __device__ inline int vptr_part(u32 x, u32 at, u32 bits, u32 is_signed) {
  x = x >> at << (32u - bits);
  return is_signed ? (int)x >> (32u - bits) : (int)(x >> (32u - bits));
}
static __device__ inline u32 vptr_dp4a(u32 a, u32 b, u32 c, u32 is_signed, u32 is_b_signed) {
  for (u32 at = 0; at < 32u; at += 8u)
    c += (u32)(vptr_part(a, at, 8u, is_signed) * vptr_part(b, at, 8u, is_b_signed));
  return c;
}
static __device__ inline u32 vptr_dp2a(u32 a, u32 b, u32 c, u32 is_signed, u32 is_b_signed) {
  return c + (u32)(vptr_part(a, 0u, 16u, is_signed) * vptr_part(b, 0u, 8u, is_b_signed)) + (u32)(vptr_part(a, 16u, 16u, is_signed) * vptr_part(b, 8u, 8u, is_b_signed));
}
static __device__ inline u32 vptr_video(u32 kind, u32 bits, u32 is_signed, u32 a, u32 b) {
  u32 all = 0, ones = (1u << bits) - 1u;
  for (u32 at = 0; at < 32u; at += bits) {
    int x = vptr_part(a, at, bits, is_signed), y = vptr_part(b, at, bits, is_signed);
    int z = kind == 0u ? x + y : kind == 1u ? x - y : kind == 2u ? (x + y + (int)(x + y >= 0)) >> 1 : kind == 3u ? (x < y ? y - x : x - y) : kind == 4u ? (x < y ? x : y) : (x > y ? x : y);
    all |= ((u32)z & ones) << at;
  }
  return all;
}
static __device__ inline u32 vptr_video_sum(u32 parts, u32 bits, u32 is_signed, u32 sum) {
  for (u32 at = 0; at < 32u; at += bits)
    sum += (u32)vptr_part(parts, at, bits, is_signed);
  return sum;
}
static __device__ inline u16 vptr_float_to_half_by(float f, u32 way) { /* 1: towards zero, 2: down, 3: up */
  u16 h = vptr_float_to_half(f);
  float back = vptr_half_to_float(h);
  if (f != f || back == f)
    return h;
  u32 is_negative = __float_as_uint(f) >> 31;
  u32 is_away = (back > f) == (is_negative == 0u) ? 1u : 0u; /* |h| is more than |f| */
  u32 to_away = way == 2u ? is_negative : way == 3u ? 1u - is_negative : 0u;
  return is_away == to_away ? h : (u16)(is_away ? h - 1 : h + 1);
}
static __device__ inline u16 vptr_float_to_bfloat16(float f, u32 way) { /* 0: nearest, 1: towards zero */
  u32 x = __float_as_uint(f);
  if ((x & 0x7fffffffu) > 0x7f800000u)
    return (u16)0x7fffu;
  return (u16)((way != 0u ? x : x + 0x7fffu + (x >> 16 & 1u)) >> 16);
}

/* ---- atomic operations that CUDA has no function for: loops ---- */

#define VPTR_ATOMIC(name, T, W, from, to, now)                                                                        \
  static __device__ inline T vptr_atomic_##name(char *p, T x) {                                                       \
    W before = *(volatile W *)p, seen;                                                                                \
    do {                                                                                                              \
      seen = before;                                                                                                  \
      T old = from(seen);                                                                                             \
      before = atomicCAS((W *)p, seen, to(now));                                                                      \
    } while (before != seen);                                                                                         \
    return from(seen);                                                                                                \
  }
#define VPTR_SAME(x) (x)
#define VPTR_D_OF(x) __longlong_as_double((long long)(x))
#define VPTR_OF_D(x) ((u64)__double_as_longlong(x))
VPTR_ATOMIC(sub32, u32, u32, VPTR_SAME, VPTR_SAME, old - x)
VPTR_ATOMIC(sub64, u64, u64, VPTR_SAME, VPTR_SAME, old - x)
VPTR_ATOMIC(inc64, u64, u64, VPTR_SAME, VPTR_SAME, old >= x ? 0ull : old + 1ull)
VPTR_ATOMIC(dec64, u64, u64, VPTR_SAME, VPTR_SAME, old == 0ull || old > x ? x : old - 1ull)
VPTR_ATOMIC(nand32, u32, u32, VPTR_SAME, VPTR_SAME, ~(old & x))
VPTR_ATOMIC(nand64, u64, u64, VPTR_SAME, VPTR_SAME, ~(old & x))
VPTR_ATOMIC(fsub_float, float, u32, __uint_as_float, __float_as_uint, old - x)
VPTR_ATOMIC(fmax_float, float, u32, __uint_as_float, __float_as_uint, fmaxf(old, x))
VPTR_ATOMIC(fmin_float, float, u32, __uint_as_float, __float_as_uint, fminf(old, x))
VPTR_ATOMIC(fsub_double, double, u64, VPTR_D_OF, VPTR_OF_D, old - x)
VPTR_ATOMIC(fmax_double, double, u64, VPTR_D_OF, VPTR_OF_D, fmax(old, x))
VPTR_ATOMIC(fmin_double, double, u64, VPTR_D_OF, VPTR_OF_D, fmin(old, x))
VPTR_ATOMIC(exchange_double, double, u64, VPTR_D_OF, VPTR_OF_D, x)

/* The word around, of which only the part changes. */
#define VPTR_ATOMIC_PART(name, T, S, now)                                                                             \
  static __device__ inline T vptr_atomic_##name(char *p, T x) {                                                       \
    u32 at = (u32)(__vptr_number(p) & 3u);                                                                            \
    u32 *word = (u32 *)(p - at);                                                                                      \
    u32 before = *(volatile u32 *)word, seen;                                                                         \
    T old;                                                                                                            \
    do {                                                                                                              \
      seen = before;                                                                                                  \
      old = (T)(seen >> 8 * at);                                                                                      \
      before = atomicCAS(word, seen, (seen & ~((u32)(T)~0u << 8 * at)) | (u32)(T)(now) << 8 * at);                    \
    } while (before != seen);                                                                                         \
    return old;                                                                                                       \
  }
#define VPTR_ATOMIC_PARTS(bits, T, S)                                                                                 \
  VPTR_ATOMIC_PART(exchange##bits, T, S, x)                                                                           \
  VPTR_ATOMIC_PART(add##bits, T, S, old + x)                                                                          \
  VPTR_ATOMIC_PART(sub##bits, T, S, old - x)                                                                          \
  VPTR_ATOMIC_PART(and##bits, T, S, old & x)                                                                          \
  VPTR_ATOMIC_PART(nand##bits, T, S, ~(old & x))                                                                      \
  VPTR_ATOMIC_PART(or##bits, T, S, old | x)                                                                           \
  VPTR_ATOMIC_PART(xor##bits, T, S, old ^ x)                                                                          \
  VPTR_ATOMIC_PART(max##bits, T, S, (S)old > (S)x ? old : x)                                                          \
  VPTR_ATOMIC_PART(min##bits, T, S, (S)old < (S)x ? old : x)                                                          \
  VPTR_ATOMIC_PART(umax##bits, T, S, old > x ? old : x)                                                               \
  VPTR_ATOMIC_PART(umin##bits, T, S, old < x ? old : x)                                                               \
  VPTR_ATOMIC_PART(inc##bits, T, S, old >= x ? 0u : old + 1u)                                                         \
  VPTR_ATOMIC_PART(dec##bits, T, S, old == 0u || old > x ? x : old - 1u)                                              \
  static __device__ inline T vptr_atomic_cas##bits(char *p, T expected, T x) {                                        \
    u32 at = (u32)(__vptr_number(p) & 3u);                                                                            \
    u32 *word = (u32 *)(p - at);                                                                                      \
    u32 before = *(volatile u32 *)word, seen;                                                                         \
    do {                                                                                                              \
      seen = before;                                                                                                  \
      if ((T)(seen >> 8 * at) != expected)                                                                            \
        return (T)(seen >> 8 * at);                                                                                   \
      before = atomicCAS(word, seen, (seen & ~((u32)(T)~0u << 8 * at)) | (u32)x << 8 * at);                           \
    } while (before != seen);                                                                                         \
    return expected;                                                                                                  \
  }
VPTR_ATOMIC_PARTS(8, u8, signed char)
VPTR_ATOMIC_PARTS(16, u16, short)

/* ---- where a thread is ---- */

static __device__ inline u32 vptr_thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
static __device__ inline u32 vptr_threads() { return blockDim.x * blockDim.y * blockDim.z; }
#define VPTR_RETURN return

/* ---- threads as states: one work-item runs those of a block, which stop where they meet ---- */

struct vptr_three { u32 x, y, z; };
enum { VPTR_IN_WARP = 1, VPTR_AT_BARRIER = 2, VPTR_LEFT = 3, VPTR_AT_SOME = 4, VPTR_PAUSED = 5, VPTR_AT_GRID = 6 }; /* kinds; 0: it runs */
enum { VPTR_ENDED = 0, VPTR_GO_ON = 1, VPTR_STUCK = 2, VPTR_MET = 3 };
enum {
  VPTR_UP, VPTR_DOWN, VPTR_BUTTERFLY, VPTR_INDEX, VPTR_ALL, VPTR_ANY, VPTR_UNI, VPTR_BALLOT, VPTR_BALLOT_OWN, VPTR_ACTIVE,
  VPTR_MATCH_ANY, VPTR_MATCH_ALL, VPTR_WARP, VPTR_SUM, VPTR_LEAST, VPTR_MOST, VPTR_LEAST_SIGNED, VPTR_MOST_SIGNED,
  VPTR_BITS_AND, VPTR_BITS_OR, VPTR_BITS_XOR, VPTR_BARRIER, VPTR_COUNT, VPTR_AND, VPTR_OR,
  VPTR_BARRIER_SOME, VPTR_ARRIVE, VPTR_PAUSE, VPTR_GRID
};
struct vptr_wait {
  u32 state, kind, operation, mask, lane, clamp, found, came; /* came: bits of barriers that wait for others */
  u64 value, sum;
};

/* Which lane a shuffle reads, and whether there is one: as PTX has it, with clamp = segment mask << 8 | clamp. */
static __device__ inline u32 vptr_source(struct vptr_wait *wait, u32 lane) {
  u32 segment = wait->clamp >> 8 & 31u, clamp = wait->clamp & 31u, by = wait->lane & 31u, least = lane & segment;
  u32 most = least | (clamp & ~segment), from;
  if (wait->operation == VPTR_UP) {
    from = lane - by;
    wait->found = (u32)((int)from >= (int)most);
  } else {
    from = wait->operation == VPTR_DOWN ? lane + by
           : wait->operation == VPTR_BUTTERFLY ? lane ^ by : least | (by & ~segment);
    wait->found = (u32)(from <= most);
  }
  return wait->found ? from & 31u : lane;
}
static __device__ inline u32 vptr_reduced(u32 operation, u32 a, u32 b) {
  switch (operation) {
  case VPTR_SUM: return a + b;
  case VPTR_LEAST: return min(a, b);
  case VPTR_MOST: return max(a, b);
  case VPTR_LEAST_SIGNED: return (u32)min((int)a, (int)b);
  case VPTR_MOST_SIGNED: return (u32)max((int)a, (int)b);
  case VPTR_BITS_AND: return a & b;
  case VPTR_BITS_OR: return a | b;
  default: return a ^ b;
  }
}
/* What each lane of the mask gets of what all have given. */
static __device__ inline void vptr_exchange(struct vptr_wait *waits, u32 mask) {
  u64 given[32];
  u32 ballot = 0, first = (u32)__ffs((int)mask) - 1u, operation = waits[first].operation;
  u32 all = (u32)waits[first].value;
  for (u32 lane = 0; lane < 32u; lane++)
    if (mask >> lane & 1u) {
      given[lane] = waits[lane].value;
      ballot |= (u32)(given[lane] != 0u) << lane;
      if (operation >= VPTR_SUM && lane != first)
        all = vptr_reduced(operation, all, (u32)given[lane]);
    }
  for (u32 lane = 0; lane < 32u; lane++) {
    struct vptr_wait *wait = &waits[lane];
    u32 same = 0;
    if (!(mask >> lane & 1u))
      continue;
    if (operation == VPTR_MATCH_ANY || operation == VPTR_MATCH_ALL)
      for (u32 other = 0; other < 32u; other++)
        same |= (u32)((mask >> other & 1u) && given[other] == given[lane]) << other;
    if (operation <= VPTR_INDEX) {
      u32 from = vptr_source(wait, lane);
      wait->value = mask >> from & 1u ? given[from] : given[lane];
    } else if (operation == VPTR_ALL) {
      wait->value = (u64)(ballot == mask);
    } else if (operation == VPTR_ANY) {
      wait->value = (u64)(ballot != 0u);
    } else if (operation == VPTR_UNI) {
      wait->value = (u64)(ballot == mask || ballot == 0u);
    } else if (operation == VPTR_BALLOT) {
      wait->value = ballot;
    } else if (operation == VPTR_BALLOT_OWN) { /* those that gave the same */
      wait->value = given[lane] != 0u ? ballot : ~ballot;
    } else if (operation == VPTR_ACTIVE) {
      wait->value = mask;
    } else if (operation == VPTR_MATCH_ANY) {
      wait->value = same;
    } else if (operation == VPTR_MATCH_ALL) {
      wait->found = (u32)(same == mask);
      wait->value = same == mask ? mask : 0u;
    } else if (operation >= VPTR_SUM) {
      wait->value = all;
    }
    wait->kind = 0;
  }
}
/* Those lanes that wait for the same as the first, if all are there that it waits for; 0: some are not. Who has left is
 * not waited for. */
static __device__ inline u32 vptr_meeting(struct vptr_wait *waits, u32 here, u32 gone, u32 first) {
  u32 operation = waits[first].operation, wanted = waits[first].mask & ~gone, there = 0;
  for (u32 lane = 0; lane < 32u; lane++)
    if ((here >> lane & 1u) && waits[lane].operation == operation &&
        (operation == VPTR_ACTIVE ? waits[lane].state == waits[first].state : (waits[lane].mask & ~gone) == wanted))
      there |= 1u << lane;
  return operation == VPTR_ACTIVE || (there & wanted) == wanted ? there : 0u;
}
static __device__ inline u32 vptr_run_warp(struct vptr_wait *waits, u32 count) {
  u32 here = 0, gone = count >= 32u ? 0u : ~((1u << count) - 1u), has_met = 0;
  for (u32 lane = 0; lane < count; lane++) {
    here |= (u32)(waits[lane].kind == VPTR_IN_WARP) << lane;
    gone |= (u32)(waits[lane].kind == VPTR_LEFT) << lane;
  }
  while (here != 0u) {
    u32 first = (u32)__ffs((int)here) - 1u, meeting = vptr_meeting(waits, here, gone, first);
    here &= ~(meeting | 1u << first);
    if (meeting != 0u) {
      vptr_exchange(waits, meeting);
      has_met = 1;
    }
  }
  return has_met;
}
/* Barriers with a number: as many threads have come as each of them says. A warp of which some have come counts with those
 * that have left, and with lanes that it does not have. Devices have 16 barriers, tiles of more than 32 threads take 32. */
static __device__ inline u32 vptr_is_at(struct vptr_wait *wait, u32 number) {
  return (u32)(wait->kind == VPTR_AT_SOME && (wait->lane & 31u) == number) | (wait->came >> number & 1u);
}
static __device__ inline u32 vptr_count_at(struct vptr_wait *waits, u32 count, u32 number) {
  u32 there = 0;
  for (u32 warp = 0; warp < count; warp += 32u) {
    u32 have_come = 0, are_away = 0;
    for (u32 i = warp; i < warp + 32u; i++)
      if (i < count && vptr_is_at(&waits[i], number))
        have_come++;
      else
        are_away += (u32)(i >= count || waits[i].kind == VPTR_LEFT);
    there += have_come != 0u ? have_come + are_away : 0u;
  }
  return there;
}
/* Who only arrives goes on at once, and counts until the barrier is over; it waits if it has come to the same one before. */
static __device__ inline u32 vptr_run_some(struct vptr_wait *waits, u32 count) {
  u32 wanted[32], is_over = 0, has_met = 0;
  for (u32 number = 0; number < 32u; number++)
    wanted[number] = 0;
  for (u32 i = 0; i < count; i++)
    if (waits[i].kind == VPTR_AT_SOME)
      wanted[waits[i].lane & 31u] = waits[i].clamp != 0u ? waits[i].clamp : (count + 31u) & ~31u;
  for (u32 number = 0; number < 32u; number++)
    is_over |= (u32)(wanted[number] != 0u && vptr_count_at(waits, count, number) >= wanted[number]) << number;
  for (u32 i = 0; i < count; i++) {
    struct vptr_wait *wait = &waits[i];
    u32 bit = 1u << (wait->lane & 31u);
    if (wait->kind == VPTR_AT_SOME && ((is_over & bit) || (wait->operation == VPTR_ARRIVE && !(wait->came & bit)))) {
      wait->came |= is_over & bit ? 0u : bit;
      wait->kind = 0;
      has_met = 1;
    }
    wait->came &= ~is_over;
  }
  return has_met;
}
/* When no thread can run: lets those go on that have met, and those that paused. Who waits for ever is found by that: the
 * others are at the barrier, or have left. */
static __device__ inline u32 vptr_go_on(struct vptr_wait *waits, u32 count) {
  u32 goes_on = vptr_run_some(waits, count), there = 0, left = 0, votes = 0, met = 0;
  for (u32 at = 0; at < count; at += 32u)
    goes_on |= vptr_run_warp(waits + at, min(count - at, 32u));
  for (u32 i = 0; i < count; i++) {
    if (waits[i].kind == VPTR_PAUSED) {
      waits[i].kind = 0;
      goes_on = 1;
    }
    there += (u32)(waits[i].kind == VPTR_AT_BARRIER);
    left += (u32)(waits[i].kind == VPTR_LEFT);
    met += (u32)(waits[i].kind == VPTR_AT_GRID);
    votes += (u32)(waits[i].kind == VPTR_AT_BARRIER && waits[i].value != 0u);
  }
  if (goes_on)
    return VPTR_GO_ON;
  if (left == count)
    return VPTR_ENDED;
  if (left + met == count)
    return VPTR_MET;
  if (there + left != count)
    return VPTR_STUCK;
  for (u32 i = 0; i < count; i++)
    if (waits[i].kind == VPTR_AT_BARRIER) {
      waits[i].value = waits[i].operation == VPTR_COUNT ? votes
                       : (u64)(waits[i].operation == VPTR_AND ? votes == there : votes != 0u);
      waits[i].kind = 0;
    }
  return VPTR_GO_ON;
}
/* ---- the blocks of a grid, which one work-item runs, too: what a block has lies in the grid's room while others run ---- */

/* Behind all blocks have met; 0: the block has ended. */
static __device__ inline u32 vptr_wake(struct vptr_wait *waits, u32 count) {
  u32 is_there = 0;
  for (u32 i = 0; i < count; i++)
    if (waits[i].kind == VPTR_AT_GRID) {
      waits[i].kind = 0;
      is_there = 1;
    }
  return is_there;
}

/* The first that waits for others than the block's barrier has. */
static __device__ inline u32 vptr_first_stuck(struct vptr_wait *waits, u32 count) {
  u32 i = 0;
  while (i + 1u < count && (waits[i].kind == VPTR_AT_BARRIER || waits[i].kind == VPTR_LEFT))
    i++;
  return i;
}
