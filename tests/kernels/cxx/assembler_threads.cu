/* SPDX-License-Identifier: MIT */
/* assembler_threads - PTX in line: special registers, predicates and choices, shuffles, votes, matches and barriers. */
#include "check.h"

enum { THREADS = 64, BLOCKS = 2, RESULTS = 24 };

typedef unsigned int u32;

__global__ void run(u32 *all) {
  const int block = (int)(blockIdx.y * gridDim.x + blockIdx.x);
  const int i = (int)(threadIdx.y * blockDim.x + threadIdx.x);
  u32 *out = all + (block * THREADS + i) * RESULTS, a, b, c;
#define READ(n, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(out[n]))
  READ(0, "tid.x");
  READ(1, "tid.y");
  READ(2, "ntid.x");
  READ(3, "ntid.y");
  READ(4, "ctaid.y");
  READ(5, "nctaid.y");
  READ(6, "laneid");
  READ(7, "lanemask_lt");
  READ(8, "lanemask_ge");
  asm volatile("mov.u32 %0, WARP_SZ;" : "=r"(out[9]));
  unsigned long long then, now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(then) : : "memory");
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(out[10]) : "r"(i), "r"(5), "r"(31), "r"(0xffffffff));
  asm volatile(
      "{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 3, 0, 0xffffffff; @p add.u32 %0, %0, 1000; selp.u32 %1, 1, 0, p; }"
      : "=r"(a), "+r"(b = (u32)i));
  out[11] = a;
  out[12] = b;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 40; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(out[13])
               : "r"(i));
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 7; vote.sync.all.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(out[14])
               : "r"(i));
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 7; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(out[15])
               : "r"(i));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(out[16]) : "r"(i % 3));
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  asm volatile("barrier.sync 0;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 20; bar.red.popc.u32 %0, 0, p; }" : "=r"(out[17]) : "r"(i));
  asm("{ .reg .pred p, q, r; setp.gt.u32 r, %1, 10; setp.lt.and.u32 p|q, %1, 30, r;"
      " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; @!r add.u32 %0, %0, 4; }"
      : "=r"(out[18])
      : "r"(i));
  asm("{ .reg .pred p<3>; setp.eq.u32 p0, %1, 3; setp.gt.u32 p1, %1, 50; or.pred p2, p0, p1; not.pred p0, p2; "
      "selp.b32 %0, 9, 8, p0; }"
      : "=r"(out[19])
      : "r"(i));
  asm("set.lt.u32.s32 %0, %1, 20;" : "=r"(out[20]) : "r"(i));
  asm("{\n\t// a comment\n\t.reg .u32 t1, t2;\n\tmul.lo.u32 t1, %1, 3; /* another */\n\tadd.u32 t2, t1, "
      "%1;\n\tsub.u32 %0, t2, 1;\n\t}"
      : "=r"(out[21])
      : "r"(i));
  c = (u32)i;
  asm("add.u32 %0, %0, %1;" : "+r"(c) : "n"(17));
  out[22] = c;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
  out[23] = now >= then;
}

int main() {
  items<u32, BLOCKS * THREADS * RESULTS> out;
  run<<<dim3(1, BLOCKS), dim3(16, THREADS / 16)>>>(out.device);
  out.fetch();
  for (int k = 0; k < BLOCKS * THREADS; k++) {
    const int i = k % THREADS, lane = i % 32, warp = i / 32;
    u32 above = 0, same = 0;
    for (int other = 0; other < 32; other++) {
      above |= (u32)(warp * 32 + other > 40) << other;
      same |= (u32)((warp * 32 + other) % 3 == i % 3) << other;
    }
    const bool p = i < 30 && i > 10, q = i >= 30 && i > 10;
    const u32 wanted[RESULTS] = { (u32)i % 16,
                                  (u32)i / 16,
                                  16,
                                  THREADS / 16,
                                  (u32)(k / THREADS),
                                  BLOCKS,
                                  (u32)lane,
                                  (1u << lane) - 1,
                                  ~((1u << lane) - 1),
                                  32,
                                  (u32)(i ^ 5),
                                  (u32)(lane < 3 ? i : i - 3 + 1000),
                                  lane >= 3,
                                  above,
                                  warp == 1,
                                  warp == 0,
                                  same,
                                  20,
                                  (u32)p + 2 * (u32)q + 4 * (u32)(i <= 10),
                                  i == 3 || i > 50 ? 8u : 9u,
                                  i < 20 ? ~0u : 0,
                                  (u32)(i * 4 - 1),
                                  (u32)i + 17,
                                  1 };
    for (int n = 0; n < RESULTS; n++)
      if (out[k * RESULTS + n] != wanted[n] && failures++ < 20)
        fprintf(stderr, "thread %d: result %d is %08x, not %08x\n", k, n, out[k * RESULTS + n], wanted[n]);
  }
  return result();
}
