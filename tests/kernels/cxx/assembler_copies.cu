/* SPDX-License-Identifier: MIT */
/* assembler_copies - PTX in line: copies to shared memory (cp.async) of each size, with fewer bytes, under guards. */
#include "check.h"

enum { THREADS = 32, ROUNDS = 4 };

typedef unsigned int u32;

__device__ inline u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }

/* The usual pipeline: the next tile is on its way while this one is summed. */
__global__ void piped(const int *in, int *out) {
  alignas(16) __shared__ int tiles[2][4 * THREADS];
  const int i = (int)threadIdx.x;
  int sum = 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(shared_address(&tiles[0][4 * i])), "l"(in + 4 * i)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int round = 0; round < ROUNDS; round++) {
    if (round + 1 < ROUNDS)
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;"
                   :
                   : "r"(shared_address(&tiles[(round + 1) & 1][4 * i])), "l"(in + 4 * (THREADS * (round + 1) + i)),
                     "n"(16)
                   : "memory");
    asm volatile("cp.async.commit_group;\n" ::: "memory");
    asm volatile("cp.async.wait_group %0;\n" ::"n"(1) : "memory");
    __syncthreads();
    for (int j = 0; j < 4; j++)
      sum += tiles[round & 1][(4 * i + 5 * j) % (4 * THREADS)] * (round + 1);
    __syncthreads();
  }
  out[i] = sum;
}

/* Bytes that are left out are zeros, and are not read: behind the data is nothing. */
__global__ void filled(const unsigned char *in, unsigned char *out, const unsigned char *nothing) {
  alignas(16) __shared__ unsigned char rows[THREADS][16];
  const int i = (int)threadIdx.x, size = i % 17;
  for (int j = 0; j < 16; j++)
    rows[i][j] = 0xee;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(shared_address(rows[i])), "l"(size == 0 ? nothing : in + 16 * i), "r"(size)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int j = 0; j < 16; j++)
    out[16 * i + j] = rows[i][j];
}

__global__ void guarded(const int *in, int *out, const int *nothing) {
  alignas(16) __shared__ int words[4][2 * THREADS];
  const int i = (int)threadIdx.x;
  words[0][i] = words[1][2 * i] = words[1][2 * i + 1] = words[2][i] = words[3][i] = -1;
  asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 4;" : : "r"(shared_address(&words[0][i])), "l"(in + i) : "memory");
  asm volatile("cp.async.ca.shared.global [%0+0], [%1+8], 8;"
               :
               : "r"(shared_address(&words[1][2 * i])), "l"(in + 2 * i)
               : "memory");
  const int *maybe = i < 8 ? in + i : nothing;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 8; @p cp.async.ca.shared.global [%0], [%1], 4; }"
               :
               : "r"(shared_address(&words[2][i])), "l"(maybe), "r"(i)
               : "memory");
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, 8; cp.async.ca.shared.global [%0], [%1], 4, p; }"
               :
               : "r"(shared_address(&words[3][i])), "l"(maybe), "r"(i)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[i] = words[0][i];
  out[THREADS + i] = words[1][2 * i] * 1000 + words[1][2 * i + 1];
  out[2 * THREADS + i] = words[2][i];
  out[3 * THREADS + i] = words[3][i];
}

static void tiles_are_piped() {
  items<int, 4 * THREADS * ROUNDS> in;
  items<int, THREADS> out;
  for (int i = 0; i < 4 * THREADS * ROUNDS; i++)
    in.host[i] = i * 7 % 1001;
  in.send();
  piped<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++)
      for (int j = 0; j < 4; j++)
        sum += in[4 * THREADS * round + (4 * i + 5 * j) % (4 * THREADS)] * (round + 1);
    check_item(out[i] == sum, i, "a sum of tiles", __FILE__, __LINE__);
  }
}

static void the_rest_is_zeros() {
  items<unsigned char, 16 * THREADS> in, out;
  for (int i = 0; i < 16 * THREADS; i++)
    in.host[i] = (unsigned char)(i * 3 + 1);
  in.send();
  filled<<<1, THREADS>>>(in.device, out.device, NULL);
  out.fetch();
  EXPECT_EACH(16 * THREADS, out[i] == (i % 16 < i / 16 % 17 ? in[i] : 0));
}

static void guards_are_heeded() {
  items<int, 2 * THREADS + 2> in;
  items<int, 4 * THREADS> out;
  for (int i = 0; i < 2 * THREADS + 2; i++)
    in.host[i] = i + 1;
  in.send();
  guarded<<<1, THREADS>>>(in.device, out.device, NULL);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    check_item(out[i] == in[i] && out[THREADS + i] == in[2 * i + 2] * 1000 + in[2 * i + 3], i, "words", __FILE__,
               __LINE__);
    check_item(out[2 * THREADS + i] == (i < 8 ? in[i] : -1), i, "under a guard", __FILE__, __LINE__);
    check_item(out[3 * THREADS + i] == (i < 8 ? in[i] : 0), i, "ignored", __FILE__, __LINE__);
  }
}

int main() {
  tiles_are_piped();
  the_rest_is_zeros();
  guards_are_heeded();
  return result();
}
