/* SPDX-License-Identifier: MIT */
/* barrier_copies - cuda::memcpy_async() that a barrier completes: by one thread and by a group. */
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "check.h"

namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> barrier;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { THREADS = 64, PARTS = 5 };

__global__ void by_group(const int *in, int *out) {
  __shared__ barrier meeting;
  __shared__ int room[THREADS];
  cg::thread_block block = cg::this_thread_block();
  int i = (int)block.thread_rank();
  if (i == 0)
    init(&meeting, block.size());
  block.sync();
  for (int part = 0; part < PARTS; part++) {
    cuda::memcpy_async(block, room, in + part * THREADS, sizeof(int) * block.size(), meeting);
    meeting.arrive_and_wait();
    out[part * THREADS + i] = room[THREADS - 1 - i];
    block.sync();
  }
}

__global__ void by_thread(const int *in, int *out) {
  __shared__ barrier meeting;
  __shared__ __align__(16) int room[THREADS * 4];
  int i = (int)threadIdx.x;
  if (i == 0)
    init(&meeting, THREADS);
  __syncthreads();
  cuda::memcpy_async(room + i * 4, in + (THREADS - 1 - i) * 4, cuda::aligned_size_t<16>(16), meeting);
  barrier::arrival_token token = meeting.arrive();
  meeting.wait(std::move(token));
  for (int k = 0; k < 4; k++)
    out[i * 4 + k] = room[(i ^ 1) * 4 + k];
}

int main() {
  items<int, THREADS * PARTS> in, out;
  for (int i = 0; i < THREADS * PARTS; i++)
    in.host[i] = i * 7;
  in.send();
  by_group<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(THREADS * PARTS, out[i] == (i / THREADS * THREADS + THREADS - 1 - i % THREADS) * 7);
  by_thread<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(THREADS * 4, out[i] == ((THREADS - 1 - (i / 4 ^ 1)) * 4 + i % 4) * 7);
  return result();
}
