/* SPDX-License-Identifier: MIT */
/* pipeline_primitives - __pipeline_memcpy_async() and its kin: 4, 8 and 16 bytes, zeros at the end, stages ahead. */
#include <cuda_pipeline.h>

#include "check.h"

enum { THREADS = 64, PARTS = 6 };

__global__ void stages(const int *in, int *out) {
  __shared__ int rooms[2][THREADS];
  int i = (int)threadIdx.x;
  __pipeline_memcpy_async(&rooms[0][i], in + i, sizeof(int));
  __pipeline_commit();
  for (int part = 0; part < PARTS; part++) {
    if (part + 1 < PARTS)
      __pipeline_memcpy_async(&rooms[(part + 1) % 2][i], in + (part + 1) * THREADS + i, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[part * THREADS + i] = rooms[part % 2][(i * 5 + 3) % THREADS];
    __syncthreads();
  }
}

__global__ void sizes(const int *in, int *out) {
  __shared__ __align__(16) int room[THREADS][4];
  __shared__ __align__(8) int pairs[THREADS][2];
  int i = (int)threadIdx.x;
  for (int k = 0; k < 4; k++)
    room[i][k] = -1;
  __pipeline_memcpy_async(room[i], in + i * 4, 16, (size_t)(i % 4) * 4);
  __pipeline_memcpy_async(pairs[i], in + i * 2, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < 4; k++)
    out[i * 6 + k] = room[i ^ 3][k];
  out[i * 6 + 4] = pairs[i ^ 1][0];
  out[i * 6 + 5] = pairs[i ^ 1][1];
}

int main() {
  items<int, PARTS * THREADS> in, out;
  for (int i = 0; i < PARTS * THREADS; i++)
    in.host[i] = i + 100;
  in.send();
  stages<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(PARTS * THREADS, out[i] == i / THREADS * THREADS + (i % THREADS * 5 + 3) % THREADS + 100);
  sizes<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < THREADS; i++) {
    const int *row = &out[i * 6], other = i ^ 3;
    for (int k = 0; k < 4; k++)
      EXPECT(row[k] == (k < 4 - other % 4 ? other * 4 + k + 100 : 0));
    EXPECT(row[4] == (i ^ 1) * 2 + 100 && row[5] == (i ^ 1) * 2 + 101);
  }
  return result();
}
