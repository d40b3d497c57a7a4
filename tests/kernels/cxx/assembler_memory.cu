/* SPDX-License-Identifier: MIT */
/* assembler_memory - PTX in line: loads, stores, atomic operations and reductions in each memory, at offsets, under guards. */
#include "check.h"

enum { THREADS = 64, BLOCKS = 4, ALL = THREADS * BLOCKS };

typedef unsigned int u32;
typedef unsigned long long u64;

struct sums {
  u32 count, most, bits, wrapped;
  int least;
  u32 taken;
  u64 wide, exchanged;
  float real;
  double precise;
  u32 guarded;
};

__constant__ int table[4] = { 5, 6, 7, 8 };

__global__ void atomics(sums *s, u32 *before) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  u32 old;
  u64 old_wide = 0;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(&s->count), "r"(1) : "memory");
  before[i] = old;
  asm volatile("red.global.max.u32 [%0], %1;" : : "l"(&s->most), "r"(i * 3) : "memory");
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" : : "l"(&s->bits), "r"(1 << i % 32) : "memory");
  asm volatile("atom.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(&s->wrapped) : "memory");
  asm volatile("red.global.min.s32 [%0], %1;" : : "l"(&s->least), "r"(-i) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(&s->taken), "r"(0), "r"(i + 1) : "memory");
  if (old == 0) {
    asm volatile("atom.global.exch.b64 %0, [%1], %2;"
                 : "=l"(old_wide)
                 : "l"(&s->exchanged), "l"(77ull << 40)
                 : "memory");
    before[i] += (u32)old_wide; /* nothing was there */
  }
  asm volatile("red.global.add.u64 [%0], %1;" : : "l"(&s->wide), "l"(1ull << 33) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" : : "l"(&s->real), "f"(0.5f) : "memory");
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(s[1].precise) : "l"(&s->precise), "d"(0.25) : "memory");
  asm volatile(
      "{ .reg .pred p; setp.lt.s32 p, %1, 10; @p red.global.add.u32 [%0], 1; @!p red.global.add.u32 [%0], 100; }"
      :
      : "l"(&s->guarded), "r"(i)
      : "memory");
}

__global__ void moved(const int *in, const unsigned char *bytes, const int *nothing, int *out) {
  __shared__ int tile[THREADS];
  const int i = (int)threadIdx.x;
  int a, b, c, d, *at = out + i * 16;
  asm volatile("ld.global.s32 %0, [%1+4];" : "=r"(a) : "l"(in + i));
  at[0] = a;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(in + 4 * (i % 8)));
  at[1] = a + 10 * b + 100 * c + 1000 * d;
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" : : "l"(at + 2), "r"(i), "r"(-i) : "memory");
  asm volatile("ld.volatile.global.u8 %0, [%1];" : "=r"(a) : "l"(bytes + i));
  at[4] = a;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(a) : "l"(bytes + i));
  at[5] = a;
  u32 address = (u32)__cvta_generic_to_shared(tile);
  asm volatile("st.shared.u32 [%0], %1;" : : "r"(address + 4u * (u32)i), "r"(i * 7) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1+8];" : "=r"(a) : "r"((u32)__cvta_generic_to_shared(&tile[(i + 3) % 32])));
  at[6] = a;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;"
               : "=r"(b)
               : "r"((u32)__cvta_generic_to_shared(&tile[THREADS - 1])), "r"(0)
               : "memory");
  at[7] = b;
  /* what the guard forbids is not read: the pointer is NULL for all but the first */
  const int *maybe = i == 0 ? in : nothing;
  asm volatile("{ .reg .pred p; setp.eq.u64 p, %1, 0; mov.u32 %0, 42; @!p ld.global.u32 %0, [%1]; }"
               : "=r"(a)
               : "l"(maybe));
  at[8] = a;
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 8; @!p st.global.u32 [%0], %1; }"
               :
               : "l"(at + 9), "r"(i)
               : "memory");
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(a) : "l"(__cvta_generic_to_constant(table + i % 4)));
  at[10] = a;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(a) : "l"(in + i) : "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(at + 11), "r"(a) : "memory");
  float f;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(f) : "l"((const float *)(in + 40)));
  asm volatile("st.global.f32 [%0], %1;" : : "l"((float *)(at + 12)), "f"(f) : "memory");
  asm volatile("{ .reg .u64 p; .reg .u32 t; add.u64 p, %1, 16; ld.u32 t, [p]; add.u32 %0, t, 1; }"
               : "=r"(a)
               : "l"(in));
  at[13] = a;
  asm volatile("prefetch.global.L2 [%0];" : : "l"(in));
  asm volatile("membar.gl;" ::: "memory");
}

int main() {
  items<sums, 2> s;
  items<u32, ALL> before;
  s.host[0].taken = 0;
  s.send();
  atomics<<<BLOCKS, THREADS>>>(s.device, before.device);
  s.fetch();
  before.fetch();
  const sums &all = s[0];
  EXPECT(all.count == ALL && all.most == 3 * (ALL - 1) && all.bits == ~0u && all.wrapped == ALL % 10);
  EXPECT(all.least == 1 - ALL && all.taken >= 1 && all.taken <= ALL && all.exchanged == 77ull << 40);
  EXPECT(all.wide == (u64)ALL << 33 && all.real == 0.5f * ALL && all.precise == 0.25 * ALL &&
         all.guarded == 10 + 100 * (ALL - 10));
  u64 sum = 0;
  for (int i = 0; i < ALL; i++)
    sum += before[i];
  EXPECT(sum == (u64)ALL * (ALL - 1) / 2);
  items<int, 96> in;
  items<unsigned char, THREADS> bytes;
  items<int, 16 * THREADS> out;
  for (int i = 0; i < 96; i++)
    in.host[i] = i * 3 - 5;
  for (int i = 0; i < THREADS; i++)
    bytes.host[i] = (unsigned char)(i * 5);
  in.send();
  bytes.send();
  moved<<<1, THREADS>>>(in.device, bytes.device, NULL, out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int *at = &out[i * 16], first = 4 * (i % 8);
    check_item(at[0] == in[i + 1] &&
                   at[1] == in[first] + 10 * in[first + 1] + 100 * in[first + 2] + 1000 * in[first + 3],
               i, "loads", __FILE__, __LINE__);
    check_item(at[2] == i && at[3] == -i && at[4] == bytes[i] && at[5] == (signed char)bytes[i], i, "words and bytes",
               __FILE__, __LINE__);
    check_item(at[6] == ((i + 3) % 32 + 2) * 7 && at[7] == (THREADS - 1) * 7, i, "shared memory", __FILE__, __LINE__);
    check_item(at[8] == (i == 0 ? in[0] : 42) && at[9] == (i < 8 ? i : 0), i, "guards", __FILE__, __LINE__);
    check_item(at[10] == 5 + i % 4 && at[11] == in[i] && at[12] == in[40] && at[13] == in[4] + 1, i, "others",
               __FILE__, __LINE__);
  }
  return result();
}
