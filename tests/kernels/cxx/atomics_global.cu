/* SPDX-License-Identifier: MIT */
/*
 * atomics_global - each kind of atomic operation on each type that has it, in all three scopes, on global memory: many threads
 * at one word, what is left in the end, and that each value was given back once where the operation counts.
 */
#include "check.h"

enum { THREADS = 64, BLOCKS = 32, ALL = THREADS * BLOCKS };

/* ---- sums: each thread gets back a value that no other gets ---------------------------------------------------- */

template <class T> __global__ void add(T *sum, T *block_sum, T *before) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  before[i] = atomicAdd(sum, (T)1);
  atomicAdd_system(sum + 1, (T)3);
  atomicAdd_block(block_sum + blockIdx.x, (T)2);
}

template <class T> void sums(const char *name) {
  items<T, 2> sum;
  items<T, BLOCKS> block_sum;
  items<T, ALL> before;
  static bool is_seen[ALL];
  memset(is_seen, 0, sizeof is_seen);
  add<T><<<BLOCKS, THREADS>>>(sum.device, block_sum.device, before.device);
  sum.fetch();
  block_sum.fetch();
  before.fetch();
  check_that(sum[0] == (T)ALL && sum[1] == (T)(3 * ALL), name, __FILE__, __LINE__);
  EXPECT_EACH(BLOCKS, block_sum[i] == (T)(2 * THREADS));
  for (int i = 0; i < ALL; i++) {
    const int at = (int)before[i];
    check_item(at >= 0 && at < ALL && !is_seen[at], i, name, __FILE__, __LINE__);
    if (at >= 0 && at < ALL)
      is_seen[at] = true;
  }
}

/* ---- extremes and bits ----------------------------------------------------------------------------------------- */

/* Numbers that use the upper half of 64 bits, and the sign. */
template <class T> __host__ __device__ T number_of(int i) {
  return (T)((T)((i * 2654435761u) >> 4) * (T)(sizeof(T) == 8 ? 0x100000001ll : 1) - (T)(i % 7) * (T)100000000);
}

template <class T> __global__ void extremes(T *out) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const T x = number_of<T>(i);
  atomicMin(out, x);
  atomicMin_block(out + 1 + 6 * (int)blockIdx.x, x);
  atomicMin_system(out + 2, x);
  atomicMax(out + 3, x);
  atomicMax_block(out + 4 + 6 * (int)blockIdx.x, x);
  atomicMax_system(out + 5, x);
}

template <class T> __global__ void bits(T *out) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const T x = number_of<T>(i), bit = (T)1 << i % (8 * (int)sizeof(T));
  atomicAnd(out, ~bit | (T)(i % 3 == 0));
  atomicAnd_system(out + 1, ~(bit & (T)0x5555555555555555ll));
  atomicOr(out + 2, bit & (T)0x3333333333333333ll);
  atomicOr_system(out + 3, x);
  atomicXor(out + 4, x);
  atomicXor_system(out + 5, x * 3);
  if (blockIdx.x == 0) {
    atomicAnd_block(out + 6, ~bit);
    atomicOr_block(out + 7, bit);
    atomicXor_block(out + 8, x);
  }
}

template <class T> void words(const char *name) {
  static const int numbers = 6 * BLOCKS;
  items<T, numbers> out;
  items<T, 9> masks;
  T least = number_of<T>(0), most = least, block_least[BLOCKS], block_most[BLOCKS], ors[2] = { 0, 0 },
    xors[3] = { 0, 0, 0 };
  for (int i = 0; i < ALL; i++) {
    const T x = number_of<T>(i);
    const int block = i / THREADS;
    if (i % THREADS == 0)
      block_least[block] = block_most[block] = x;
    block_least[block] = x < block_least[block] ? x : block_least[block];
    block_most[block] = x > block_most[block] ? x : block_most[block];
    least = x < least ? x : least;
    most = x > most ? x : most;
    ors[1] |= x;
    xors[0] ^= x;
    xors[1] ^= x * 3;
    if (block == 0)
      xors[2] ^= x;
  }
  for (int i = 0; i < numbers; i++)
    out.host[i] = number_of<T>(5);
  for (int i = 0; i < 2; i++)
    masks.host[i] = ~(T)0;
  masks.host[6] = ~(T)0;
  out.send();
  masks.send();
  extremes<T><<<BLOCKS, THREADS>>>(out.device);
  bits<T><<<BLOCKS, THREADS>>>(masks.device);
  out.fetch();
  masks.fetch();
  check_that(out[0] == least && out[2] == least && out[3] == most && out[5] == most, name, __FILE__, __LINE__);
  for (int i = 0; i < BLOCKS; i++) {
    const T start = number_of<T>(5);
    check_item(out[1 + 6 * i] == (start < block_least[i] ? start : block_least[i]), i, name, __FILE__, __LINE__);
    check_item(out[4 + 6 * i] == (start > block_most[i] ? start : block_most[i]), i, name, __FILE__, __LINE__);
  }
  T odd = (T)0xaaaaaaaaaaaaaaaaull;
  check_that(masks[0] == (T)0 && masks[1] == odd, name, __FILE__, __LINE__);
  check_that(masks[2] == (T)0x3333333333333333ll && masks[3] == ors[1], name, __FILE__, __LINE__);
  check_that(masks[4] == xors[0] && masks[5] == xors[1] && masks[8] == xors[2], name, __FILE__, __LINE__);
  check_that(masks[6] == (T)0 || sizeof(T) == 4, name, __FILE__, __LINE__);
  check_that(masks[7] == (T) ~(T)0, name, __FILE__, __LINE__);
}

/* ---- exchange, and compare and exchange ------------------------------------------------------------------------ */

/* What goes around by exchanges is never lost: all that was given, and what is left, is what was there. */
template <class T> __global__ void exchange(T *word, T *before) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const T mine = (T)(i + 1);
  before[i] = i % 3 == 0 ? atomicExch(word, mine) : i % 3 == 1 ? atomicExch_system(word, mine) : mine;
  if (i % 3 == 2)
    before[i] = atomicExch(word, mine);
  if (threadIdx.x == 0)
    atomicExch_block(word + 1 + blockIdx.x, mine);
}

template <class T> void exchanges(const char *name) {
  items<T, 1 + BLOCKS> word;
  items<T, ALL> before;
  exchange<T><<<BLOCKS, THREADS>>>(word.device, before.device);
  word.fetch();
  before.fetch();
  double sum = (double)word[0];
  for (int i = 0; i < ALL; i++)
    sum += (double)before[i];
  check_that(sum == ALL * (ALL + 1.0) / 2, name, __FILE__, __LINE__);
  EXPECT_EACH(BLOCKS, word[1 + i] == (T)(i * THREADS + 1));
}

template <class T> __device__ void increase(T *word, T step, T (*compare)(T *, T, T)) {
  T seen = *word, wanted;
  do {
    wanted = seen;
    seen = compare(word, wanted, (T)(wanted + step));
  } while (seen != wanted);
}
template <class T> __global__ void counted(T *word) {
  increase<T>(word, 3, atomicCAS);
  increase<T>(word + 1, 1, atomicCAS_system);
  increase<T>(word + 2 + blockIdx.x, 5, atomicCAS_block);
}
template <> __global__ void counted<unsigned short>(unsigned short *word) { /* which has one scope */
  increase<unsigned short>(word, 3, atomicCAS);
  increase<unsigned short>(word + 1, 1, atomicCAS);
  increase<unsigned short>(word + 2 + blockIdx.x, 5, atomicCAS);
}

template <class T> void compared(const char *name) {
  items<T, 2 + BLOCKS> word;
  counted<T><<<BLOCKS, THREADS>>>(word.device);
  word.fetch();
  check_that(word[0] == (T)(3 * ALL) && word[1] == (T)ALL, name, __FILE__, __LINE__);
  EXPECT_EACH(BLOCKS, word[2 + i] == (T)(5 * THREADS));
}

/* ---- what only unsigned words have, and subtraction ------------------------------------------------------------- */

__global__ void wrapped(unsigned *word, int *whole) {
  atomicInc(word, 9);
  atomicInc_system(word + 1, 99);
  atomicDec(word + 2, 6);
  atomicDec_system(word + 3, 1000000);
  atomicInc_block(word + 4 + blockIdx.x, 12);
  atomicDec_block(word + 4 + BLOCKS + blockIdx.x, 4);
  atomicSub(whole, 2);
  atomicSub_system(whole + 1, 1);
  atomicSub(word + 4 + 2 * BLOCKS, 3u);
  atomicSub_block(whole + 2 + blockIdx.x, 1);
}

static void wraps() {
  items<unsigned, 5 + 2 * BLOCKS> word;
  items<int, 2 + BLOCKS> whole;
  word.host[3] = 500;
  word.send();
  wrapped<<<BLOCKS, THREADS>>>(word.device, whole.device);
  word.fetch();
  whole.fetch();
  EXPECT(word[0] == ALL % 10 && word[1] == ALL % 100 && word[2] == (7 - ALL % 7) % 7 &&
         word[3] == 1000001 + 500 - ALL);
  EXPECT_EACH(BLOCKS, word[4 + i] == THREADS % 13 && word[4 + BLOCKS + i] == (5 - THREADS % 5) % 5);
  EXPECT(whole[0] == -2 * ALL && whole[1] == -ALL && word[4 + 2 * BLOCKS] == 0u - 3u * ALL);
  EXPECT_EACH(BLOCKS, whole[2 + i] == -THREADS);
}

int main() {
  sums<int>("int");
  sums<unsigned>("unsigned");
  sums<unsigned long long>("unsigned long long");
  sums<float>("float");
  sums<double>("double");
  words<int>("int");
  words<unsigned>("unsigned");
  words<unsigned long long>("unsigned long long");
  words<long long>("long long");
  exchanges<int>("int");
  exchanges<unsigned>("unsigned");
  exchanges<unsigned long long>("unsigned long long");
  exchanges<float>("float");
  compared<int>("int");
  compared<unsigned>("unsigned");
  compared<unsigned long long>("unsigned long long");
  compared<unsigned short>("unsigned short");
  wraps();
  return result();
}
