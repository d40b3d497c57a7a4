/* SPDX-License-Identifier: MIT */
/* barrier_roles - warps that make and warps that use, by a pair of cuda::barriers for each of two rooms. */
#include <cuda/barrier>

#include "check.h"

typedef cuda::barrier<cuda::thread_scope_block> barrier;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { MAKERS = 32, USERS = 64, THREADS = MAKERS + USERS, ROOM = 64, PARTS = 7 };

__device__ void make(barrier *ready, barrier *filled, float (*rooms)[ROOM], const float *in) {
  for (int part = 0; part < PARTS; part++) {
    ready[part % 2].arrive_and_wait();
    for (int i = (int)threadIdx.x; i < ROOM; i += MAKERS)
      rooms[part % 2][i] = in[part * ROOM + i] * 2.0f;
    (void)filled[part % 2].arrive();
  }
}
__device__ void use(barrier *ready, barrier *filled, float (*rooms)[ROOM], float *out) {
  int i = (int)threadIdx.x - MAKERS;
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  for (int part = 0; part < PARTS; part++) {
    filled[part % 2].arrive_and_wait();
    out[part * ROOM + i] = rooms[part % 2][ROOM - 1 - i];
    (void)ready[part % 2].arrive();
  }
}

__global__ void run(const float *in, float *out) {
  __shared__ barrier ready[2], filled[2];
  __shared__ float rooms[2][ROOM];
  if (threadIdx.x < 2)
    init(&ready[threadIdx.x], THREADS);
  else if (threadIdx.x < 4)
    init(&filled[threadIdx.x - 2], THREADS);
  __syncthreads();
  if (threadIdx.x < MAKERS)
    make(ready, filled, rooms, in);
  else
    use(ready, filled, rooms, out);
}

int main() {
  items<float, PARTS * ROOM> in, out;
  for (int i = 0; i < PARTS * ROOM; i++)
    in.host[i] = (float)i;
  in.send();
  run<<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(PARTS * ROOM, out[i] == (float)(i / ROOM * ROOM + ROOM - 1 - i % ROOM) * 2.0f);
  return result();
}
