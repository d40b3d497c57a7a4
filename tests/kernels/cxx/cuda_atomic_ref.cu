/* SPDX-License-Identifier: MIT */
/* cuda_atomic_ref - before C++20: cuda::atomic_ref and cuda::atomic in shared memory, floating-point sums, orders, a queue. */
#include <cuda/atomic>

#include "check.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

template <class T> __global__ void sums(T *out) {
  __shared__ cuda::atomic<T, cuda::thread_scope_block> sum;
  if (threadIdx.x == 0)
    sum.store(T(0), cuda::memory_order_relaxed);
  __syncthreads();
  sum.fetch_add(T(threadIdx.x), cuda::memory_order_relaxed);
  cuda::atomic_ref<T, cuda::thread_scope_device> all(out[0]), most(out[1]), least(out[2]);
  all.fetch_add(T(1));
  most.fetch_max(T(threadIdx.x * 7 % 97));
  least.fetch_min(T(100) - T(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0)
    out[3] = sum.load();
}

/* A word is written, then the flag; who sees the flag sees the word. */
__global__ void handed(int *out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  __shared__ int word;
  if (threadIdx.x == 0)
    flag.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 32) {
    word = 99;
    flag.store(1, cuda::memory_order_release);
    flag.notify_all();
  } else if (threadIdx.x < 32) {
    flag.wait(0, cuda::memory_order_acquire);
    out[threadIdx.x] = word;
  }
}

/* What is added becomes the atomic's type first; to a pointer it is a distance. */
__global__ void converted(double *out, int *words, double more, float part) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(words[0]);
  cuda::atomic_ref<float, cuda::thread_scope_device> real(*reinterpret_cast<float *>(words + 1));
  cuda::atomic_ref<int *, cuda::thread_scope_device> place(*reinterpret_cast<int **>(words + 2));
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(*reinterpret_cast<unsigned char *>(words + 4));
  out[0] = (word += more);
  out[1] = word.fetch_sub(part);
  out[2] = real.fetch_add(0.1);
  out[3] = (real -= 0.1);
  place.store(words);
  out[4] = (double)((place += 3) - words);
  out[5] = (double)(place.fetch_sub(2) - words);
  out[6] = (double)(++place - words);
  out[7] = (double)(place-- - words);
  byte = 250;
  out[8] = (byte += 10);
  out[9] = byte--;
  out[10] = byte;
}

static void what_is_added_is_of_the_type() {
  static const double expected[] = { -1, -1, 0, 0, 3, 3, 2, 2, 4, 4, 3 };
  items<double, 11> out;
  items<int, 8> words;
  words.host[0] = -3;
  words.send();
  converted<<<1, 1>>>(out.device, words.device, 2.75, 1.5f);
  out.fetch();
  EXPECT_EACH(11, out[i] == expected[i]);
}

template <class T> void check() {
  items<T, 4> out;
  out.host[2] = T(1000);
  out.send();
  sums<T><<<1, 96>>>(out.device);
  out.fetch();
  T most = T(0);
  for (int i = 0; i < 96; i++)
    most = T(i * 7 % 97) > most ? T(i * 7 % 97) : most;
  EXPECT(out[0] == T(96) && out[1] == most && out[2] == T(5) && out[3] == T(95 * 48));
}

int main() {
  check<int>();
  check<unsigned long long>();
  check<float>();
  check<double>();
  items<int, 32> out;
  handed<<<1, 64>>>(out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == 99);
  what_is_added_is_of_the_type();
  return result();
}
