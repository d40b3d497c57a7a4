// Operations on bits and integers that OpenCL 1.2 has not, or means otherwise.
//: popc
static int vptr_popc(uint x) { return (int)popcount(x); }
//: popcll
static int vptr_popcll(ulong x) { return (int)popcount(x); }
//: clzll
static int vptr_clzll(long x) { return (int)clz(x); }
//: ffs
static int vptr_ffs(int x) { return x == 0 ? 0 : 32 - (int)clz((uint)x & -(uint)x); }
//: ffsll
static int vptr_ffsll(long x) { return x == 0 ? 0 : 64 - (int)clz((ulong)x & -(ulong)x); }
//: brev
static uint vptr_brev(uint x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}
//: brevll brev
static ulong vptr_brevll(ulong x) { return (ulong)vptr_brev((uint)x) << 32 | vptr_brev((uint)(x >> 32)); }
//: byte_perm
static uint vptr_byte_perm(uint low, uint high, uint selector) {
  ulong bytes = (ulong)high << 32 | low;
  uint result = 0;
  for (uint i = 0; i < 32; i += 8, selector >>= 4)
    result |= (uint)(bytes >> 8 * (selector & 7u) & 0xffu) << i;
  return result;
}
//: funnelshift_l
static uint vptr_funnelshift_l(uint low, uint high, uint shift) {
  return (uint)((((ulong)high << 32 | low) << (shift & 31u)) >> 32);
}
//: funnelshift_r
static uint vptr_funnelshift_r(uint low, uint high, uint shift) {
  return (uint)(((ulong)high << 32 | low) >> (shift & 31u));
}
//: funnelshift_lc
static uint vptr_funnelshift_lc(uint low, uint high, uint shift) {
  return shift >= 32u ? low : (uint)((((ulong)high << 32 | low) << shift) >> 32);
}
//: funnelshift_rc
static uint vptr_funnelshift_rc(uint low, uint high, uint shift) {
  return shift >= 32u ? high : (uint)(((ulong)high << 32 | low) >> shift);
}
//: mul24
static int vptr_mul24(int x, int y) {
  return (int)((uint)((int)((uint)x << 8) >> 8) * (uint)((int)((uint)y << 8) >> 8));
}
//: umul24
static uint vptr_umul24(uint x, uint y) { return (x & 0xffffffu) * (y & 0xffffffu); }
//: sad
static uint vptr_sad(int x, int y, uint z) { return abs_diff(x, y) + z; }
//: usad
static uint vptr_usad(uint x, uint y, uint z) { return abs_diff(x, y) + z; }
//: abs_int
static int vptr_abs_int(int x) { return (int)abs(x); }
//: abs_long
static long vptr_abs_long(long x) { return (long)abs(x); }
