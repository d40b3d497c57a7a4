/* SPDX-License-Identifier: MIT */
/* pipeline_own - a thread's own cuda::pipeline: stages ahead, waits for all but the last ones. */
#include <cuda/pipeline>

#include "check.h"

enum { THREADS = 64, PARTS = 9, STAGES = 3 };

__global__ void run(const int4 *in, int4 *out) {
  __shared__ int4 rooms[STAGES][THREADS];
  auto pipe = cuda::make_pipeline();
  int i = (int)threadIdx.x, filled = 0;
  for (int part = 0; part < PARTS; part++) {
    for (; filled < PARTS && filled < part + STAGES; filled++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&rooms[filled % STAGES][i], in + filled * THREADS + i, cuda::aligned_size_t<16>(sizeof(int4)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    int4 x = rooms[part % STAGES][THREADS - 1 - i];
    x.x++;
    out[part * THREADS + i] = x;
    __syncthreads();
    pipe.consumer_release();
  }
}

__global__ void prior(const int *in, int *out) {
  __shared__ int rooms[2][THREADS];
  auto pipe = cuda::make_pipeline();
  int i = (int)threadIdx.x;
  for (int part = 0; part < 2; part++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&rooms[part][i], in + part * THREADS + i, sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  __syncthreads();
  out[i] = rooms[0][i ^ 5];
  pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  out[THREADS + i] = rooms[1][i ^ 9];
  pipe.consumer_release();
  (void)pipe.quit();
}

int main() {
  items<int4, PARTS * THREADS> in, out;
  for (int i = 0; i < PARTS * THREADS; i++)
    in.host[i] = make_int4(i, i * 2, i * 3, -i);
  in.send();
  run<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < PARTS * THREADS; i++) {
    int k = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
    EXPECT(out[i].x == k + 1 && out[i].y == k * 2 && out[i].z == k * 3 && out[i].w == -k);
  }
  items<int, 2 * THREADS> words, back;
  for (int i = 0; i < 2 * THREADS; i++)
    words.host[i] = i * 11;
  words.send();
  prior<<<1, THREADS>>>(words.device, back.device);
  back.fetch();
  EXPECT_EACH(2 * THREADS, back[i] == (i < THREADS ? i ^ 5 : THREADS + ((i - THREADS) ^ 9)) * 11);
  return result();
}
