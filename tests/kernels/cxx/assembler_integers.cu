/* SPDX-License-Identifier: MIT */
/* assembler_integers - PTX in line: integers, products, extremes, fields of bits, shifts and permutations, each with values
 * that the host computes. */
#include "check.h"

enum { COUNT = 64, RESULTS = 64 };

typedef unsigned int u32;
typedef unsigned long long u64;

__host__ __device__ inline u32 number(int i, int k) {
  return (u32)(i * 2654435761u + k * 40503u * 65537u) ^ (u32)(k << 28);
}
__host__ __device__ inline u64 wide(int i, int k) {
  return (u64)number(i, k) << 32 | number(i + 1, k + 3);
}

#define ONE(n, text, a) asm(text : "=r"(out[n]) : "r"(a))
#define TWO(n, text, a, b) asm(text : "=r"(out[n]) : "r"(a), "r"(b))
#define THREE(n, text, a, b, c) asm(text : "=r"(out[n]) : "r"(a), "r"(b), "r"(c))
#define FOUR(n, text, a, b, c, d) asm(text : "=r"(out[n]) : "r"(a), "r"(b), "r"(c), "r"(d))

__global__ void run(u32 *all, u64 *all_wide) {
  const int i = (int)threadIdx.x;
  u32 *out = all + i * RESULTS;
  u64 *out_wide = all_wide + i * RESULTS;
  const u32 a = number(i, 0), b = number(i, 1), c = number(i, 2), at = (u32)i % 40, n = (u32)(i / 3) % 40;
  const u64 x = wide(i, 0), y = wide(i, 1), z = wide(i, 2);
  TWO(0, "add.u32 %0, %1, %2;", a, b);
  TWO(1, "sub.s32 %0, %1, %2;", a, b);
  TWO(2, "mul.lo.u32 %0, %1, %2;", a, b);
  TWO(3, "mul.hi.u32 %0, %1, %2;", a, b);
  TWO(4, "mul.hi.s32 %0, %1, %2;", a, b);
  THREE(5, "mad.lo.s32 %0, %1, %2, %3;", a, b, c);
  THREE(6, "mad.hi.u32 %0, %1, %2, %3;", a, b, c);
  TWO(7, "mul24.lo.u32 %0, %1, %2;", a, b);
  TWO(8, "mul24.lo.s32 %0, %1, %2;", a, b);
  TWO(9, "mul24.hi.u32 %0, %1, %2;", a, b);
  TWO(10, "div.u32 %0, %1, %2;", a, b | 1);
  TWO(11, "rem.s32 %0, %1, %2;", a, (b >> 8) | 1);
  TWO(12, "min.s32 %0, %1, %2;", a, b);
  TWO(13, "max.u32 %0, %1, %2;", a, b);
  ONE(14, "abs.s32 %0, %1;", a);
  ONE(15, "neg.s32 %0, %1;", a);
  THREE(16, "sad.u32 %0, %1, %2, %3;", a, b, c);
  THREE(17, "sad.s32 %0, %1, %2, %3;", a, b, c);
  TWO(18, "and.b32 %0, %1, %2;", a, b);
  TWO(19, "xor.b32 %0, %1, %2;", a, b);
  ONE(20, "not.b32 %0, %1;", a);
  ONE(21, "cnot.b32 %0, %1;", a & 1);
  TWO(22, "shl.b32 %0, %1, %2;", a, at);
  TWO(23, "shr.u32 %0, %1, %2;", a, at);
  TWO(24, "shr.s32 %0, %1, %2;", a, at);
  THREE(25, "bfe.u32 %0, %1, %2, %3;", a, at, n);
  THREE(26, "bfe.s32 %0, %1, %2, %3;", a, at, n);
  FOUR(27, "bfi.b32 %0, %1, %2, %3, %4;", a, b, at, n);
  ONE(28, "bfind.u32 %0, %1;", a >> at % 32);
  ONE(29, "bfind.s32 %0, %1;", a);
  ONE(30, "bfind.shiftamt.u32 %0, %1;", a >> at % 32);
  ONE(31, "brev.b32 %0, %1;", a);
  ONE(32, "clz.b32 %0, %1;", a >> at % 32);
  ONE(33, "popc.b32 %0, %1;", a);
  THREE(34, "lop3.b32 %0, %1, %2, %3, 0x96;", a, b, c);
  THREE(35, "lop3.b32 %0, %1, %2, %3, 0xe8;", a, b, c);
  THREE(36, "lop3.b32 %0, %1, %2, %3, 0x1b;", a, b, c);
  THREE(37, "shf.l.wrap.b32 %0, %1, %2, %3;", a, b, at);
  THREE(38, "shf.r.wrap.b32 %0, %1, %2, %3;", a, b, at);
  THREE(39, "shf.l.clamp.b32 %0, %1, %2, %3;", a, b, at);
  THREE(40, "shf.r.clamp.b32 %0, %1, %2, %3;", a, b, at);
  THREE(41, "prmt.b32 %0, %1, %2, %3;", a, b, c);
  THREE(42, "prmt.b32.f4e %0, %1, %2, %3;", a, b, c);
  THREE(43, "prmt.b32.b4e %0, %1, %2, %3;", a, b, c);
  THREE(44, "prmt.b32.rc8 %0, %1, %2, %3;", a, b, c);
  THREE(45, "prmt.b32.ecl %0, %1, %2, %3;", a, b, c);
  THREE(46, "prmt.b32.ecr %0, %1, %2, %3;", a, b, c);
  THREE(47, "prmt.b32.rc16 %0, %1, %2, %3;", a, b, c);
  THREE(48, "dp4a.u32.u32 %0, %1, %2, %3;", a, b, c);
  THREE(49, "dp4a.s32.s32 %0, %1, %2, %3;", a, b, c);
  THREE(50, "dp4a.s32.u32 %0, %1, %2, %3;", a, b, c);
  THREE(51, "dp2a.lo.s32.s32 %0, %1, %2, %3;", a, b, c);
  THREE(52, "dp2a.hi.u32.u32 %0, %1, %2, %3;", a, b, c);
  THREE(53, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", a, b, c);
  THREE(54, "vadd4.u32.u32.u32 %0, %1, %2, %3;", a, b, c);
  THREE(55, "vmin2.s32.s32.s32 %0, %1, %2, %3;", a, b, c);
  TWO(56, "add.sat.s32 %0, %1, %2;", a, b);
  THREE(57, "slct.u32.s32 %0, %1, %2, %3;", a, b, c);
  ONE(58, "{ .reg .u16 h, l; mov.b32 {l, h}, %1; mov.b32 %0, {h, l}; }", a);
  TWO(59, "mad24.lo.s32 %0, %1, %2, 7;", a, b);
  THREE(60, "vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;", a, at, c);
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(out_wide[0]) : "r"(a), "r"(b));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(out_wide[1]) : "r"(a), "r"(b));
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(out_wide[2]) : "r"(a), "r"(b), "l"(z));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(out_wide[3]) : "l"(x), "l"(y));
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(out_wide[4]) : "l"(x), "l"(y));
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(out_wide[5]) : "l"(x), "l"(y), "l"(z));
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(out_wide[6]) : "l"(x), "r"(at + 20), "r"(n));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(out_wide[7]) : "l"(x), "r"(at + 20), "r"(n));
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(out_wide[8]) : "l"(x), "l"(y), "r"(at + 20), "r"(n));
  asm("brev.b64 %0, %1;" : "=l"(out_wide[9]) : "l"(x));
  u32 count;
  asm("popc.b64 %0, %1;" : "=r"(count) : "l"(x));
  out_wide[10] = count;
  asm("clz.b64 %0, %1;" : "=r"(count) : "l"(x >> at));
  out_wide[11] = count;
  asm("mov.b64 %0, {%1, %2};" : "=l"(out_wide[12]) : "r"(a), "r"(b));
  u32 low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(x));
  out_wide[13] = low ^ (u64)high << 17;
  asm("shl.b64 %0, %1, %2;" : "=l"(out_wide[14]) : "l"(x), "r"(at * 2));
  asm("shr.s64 %0, %1, %2;" : "=l"(out_wide[15]) : "l"(x), "r"(at * 2));
  asm("min.s64 %0, %1, %2;" : "=l"(out_wide[16]) : "l"(x), "l"(y));
  short narrow;
  asm("mul.hi.s16 %0, %1, %2;" : "=h"(narrow) : "h"((short)a), "h"((short)b));
  out_wide[17] = (u64)narrow;
  asm("add.s16 %0, %1, -5;" : "=h"(narrow) : "h"((short)a));
  out_wide[18] = (u64)narrow;
}

static u32 field(u32 x, u32 at, u32 n) {
  u32 bits = 0;
  for (u32 k = 0; k < n && at + k < 32; k++)
    bits |= (x >> (at + k) & 1) << k;
  return bits;
}
static u64 field(u64 x, u32 at, u32 n) {
  u64 bits = 0;
  for (u32 k = 0; k < n && at + k < 64; k++)
    bits |= (x >> (at + k) & 1) << k;
  return bits;
}
template <class T> static T signed_field(T x, u32 at, u32 n) {
  const u32 width = 8 * sizeof(T);
  T bits = field(x, at, n);
  if (n == 0)
    return 0;
  const u32 top = at + n - 1 < width - 1 ? at + n - 1 : width - 1;
  for (u32 k = 0; k < width; k++)
    if (k >= n || at + k >= width)
      bits |= (x >> top & 1) << k;
  return bits;
}
template <class T> static T inserted(T a, T b, u32 at, u32 n) {
  for (u32 k = 0; k < n && at + k < 8 * sizeof(T); k++)
    b = (b & ~((T)1 << (at + k))) | (a >> k & 1) << (at + k);
  return b;
}
static u32 logic(u32 a, u32 b, u32 c, u32 table) {
  u32 x = 0;
  for (int k = 0; k < 32; k++)
    x |= (table >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
  return x;
}
static u32 permuted(u32 a, u32 b, u32 selector) {
  u32 x = 0;
  for (int k = 0; k < 4; k++) {
    const u32 nibble = selector >> 4 * k & 15, byte = (u32)(((u64)b << 32 | a) >> 8 * (nibble & 7)) & 255;
    x |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
  }
  return x;
}
static u32 reversed(u32 x) {
  u32 y = 0;
  for (int k = 0; k < 32; k++)
    y |= (x >> k & 1) << (31 - k);
  return y;
}
static u32 leading(u64 x, u32 width) {
  u32 k = 0;
  while (k < width && !(x >> (width - 1 - k) & 1))
    k++;
  return k;
}
static u32 ones(u64 x) {
  u32 k = 0;
  for (; x != 0; x &= x - 1)
    k++;
  return k;
}
static int low24(u32 x) {
  return (int)(x << 8) >> 8;
}
static u32 parts(u32 a, u32 b, bool is_a_signed, bool is_b_signed) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8)
    sum += (u32)((is_a_signed ? (signed char)(a >> k) : (int)(a >> k & 255)) *
                 (is_b_signed ? (signed char)(b >> k) : (int)(b >> k & 255)));
  return sum;
}

int main() {
  items<u32, COUNT * RESULTS> out;
  items<u64, COUNT * RESULTS> out_wide;
  run<<<1, COUNT>>>(out.device, out_wide.device);
  out.fetch();
  out_wide.fetch();
  for (int i = 0; i < COUNT; i++) {
    const u32 a = number(i, 0), b = number(i, 1), c = number(i, 2), at = (u32)i % 40, n = (u32)(i / 3) % 40,
              s = at % 32;
    const u64 x = wide(i, 0), y = wide(i, 1), z = wide(i, 2), ab = (u64)a | (u64)b << 32;
    const int sa = (int)a, sb = (int)b;
    const u32 forwards[] = { 0x3210, 0x4321, 0x5432, 0x6543 }, backwards[] = { 0x5670, 0x6701, 0x7012, 0x0123 };
    const u32 clamp_left[] = { 0x3210, 0x3211, 0x3222, 0x3333 }, clamp_right[] = { 0, 0x1110, 0x2210, 0x3210 };
    u32 differences = c, sums = 0, minima = 0;
    for (int k = 0; k < 32; k += 8) {
      differences += (u32)abs((int)(a >> k & 255) - (int)(b >> k & 255));
      sums |= ((a >> k) + (b >> k) & 255) << k;
    }
    for (int k = 0; k < 32; k += 16)
      minima |= (u32)(unsigned short)((short)(a >> k) < (short)(b >> k) ? a >> k : b >> k) << k;
    const long long sum = (long long)sa + sb;
    const u32 wanted[] = { a + b,
                           a - b,
                           a * b,
                           (u32)((u64)a * b >> 32),
                           (u32)((long long)sa * sb >> 32),
                           a * b + c,
                           (u32)((u64)a * b >> 32) + c,
                           (a & 0xffffff) * (b & 0xffffff),
                           (u32)((long long)low24(a) * low24(b)),
                           (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16),
                           a / (b | 1),
                           (u32)(sa % (int)((b >> 8) | 1)),
                           (u32)(sa < sb ? sa : sb),
                           a > b ? a : b,
                           sa < 0 ? 0 - a : a,
                           0 - a,
                           (a > b ? a - b : b - a) + c,
                           (sa > sb ? a - b : b - a) + c,
                           a & b,
                           a ^ b,
                           ~a,
                           !(a & 1),
                           at > 31 ? 0 : a << at,
                           at > 31 ? 0 : a >> at,
                           (u32)(sa >> (at > 31 ? 31 : at)),
                           field(a, at, n),
                           signed_field(a, at, n),
                           inserted(a, b, at, n),
                           31 - leading(a >> s, 32),
                           31 - leading(sa < 0 ? ~a : a, 32),
                           a >> s ? leading(a >> s, 32) : ~0u,
                           reversed(a),
                           leading(a >> s, 32),
                           ones(a),
                           logic(a, b, c, 0x96),
                           logic(a, b, c, 0xe8),
                           logic(a, b, c, 0x1b),
                           (u32)(ab << s >> 32),
                           (u32)(ab >> s),
                           at > 31 ? a : (u32)(ab << at >> 32),
                           at > 31 ? b : (u32)(ab >> at),
                           permuted(a, b, c),
                           permuted(a, b, forwards[c & 3]),
                           permuted(a, b, backwards[c & 3]),
                           permuted(a, b, 0x1111 * (c & 3)),
                           permuted(a, b, clamp_left[c & 3]),
                           permuted(a, b, clamp_right[c & 3]),
                           permuted(a, b, c & 1 ? 0x3232 : 0x1010),
                           parts(a, b, false, false) + c,
                           parts(a, b, true, true) + c,
                           parts(a, b, true, false) + c,
                           c + (u32)((short)a * (signed char)b) + (u32)((short)(a >> 16) * (signed char)(b >> 8)),
                           c + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24),
                           differences,
                           sums,
                           minima,
                           (u32)(sum > 2147483647        ? 2147483647
                                 : sum < -2147483647 - 1 ? -2147483647 - 1
                                                         : sum),
                           (int)c >= 0 ? a : b,
                           a << 16 | a >> 16,
                           (u32)((long long)low24(a) * low24(b)) + 7,
                           (at > 31 ? 0 : a << at) + c };
    for (int k = 0; k < (int)(sizeof wanted / sizeof *wanted); k++)
      if (out[i * RESULTS + k] != wanted[k] && failures++ < 20)
        fprintf(stderr, "item %d: instruction %d gives %08x, not %08x\n", i, k, out[i * RESULTS + k], wanted[k]);
    const u64 wide_wanted[] = { (u64)a * b,
                                (u64)((long long)sa * sb),
                                (u64)a * b + z,
                                (u64)((unsigned __int128)x * y >> 64),
                                (u64)((__int128)(long long)x * (long long)y >> 64),
                                x * y + z,
                                field(x, at + 20, n),
                                signed_field(x, at + 20, n),
                                inserted(x, y, at + 20, n),
                                (u64)reversed((u32)x) << 32 | reversed((u32)(x >> 32)),
                                ones(x),
                                leading(x >> at, 64),
                                ab,
                                (x & 0xffffffff) ^ (x >> 32) << 17,
                                at * 2 > 63 ? 0 : x << at * 2,
                                (u64)((long long)x >> (at * 2 > 63 ? 63 : at * 2)),
                                (long long)x < (long long)y ? x : y,
                                (u64)(((short)a * (short)b) >> 16),
                                (u64)(short)(a - 5) };
    for (int k = 0; k < (int)(sizeof wide_wanted / sizeof *wide_wanted); k++)
      if (out_wide[i * RESULTS + k] != wide_wanted[k] && failures++ < 20)
        fprintf(stderr, "item %d: wide instruction %d gives %llx, not %llx\n", i, k, out_wide[i * RESULTS + k],
                wide_wanted[k]);
  }
  return result();
}
