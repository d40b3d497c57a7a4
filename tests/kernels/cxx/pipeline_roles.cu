/* SPDX-License-Identifier: MIT */
/* pipeline_roles - cuda::pipeline of a block in which one warp fills the stages and the others use them. */
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "check.h"

namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { FILLERS = 32, USERS = 64, THREADS = FILLERS + USERS, PARTS = 8, STAGES = 2, ROOM = USERS };

__global__ void run(const int *in, int *out, bool by_count) {
  __shared__ int rooms[STAGES][ROOM];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  cg::thread_block block = cg::this_thread_block();
  const bool fills = block.thread_rank() < FILLERS;
  auto role = fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = by_count ? cuda::make_pipeline(block, &state, (size_t)FILLERS) : cuda::make_pipeline(block, &state, role);
  auto warp = cg::tiled_partition<32>(block);
  if (fills) {
    for (int part = 0; part < PARTS; part++) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, rooms[part % STAGES], in + part * ROOM, sizeof(int) * ROOM, pipe);
      pipe.producer_commit();
    }
  } else {
    int i = (int)block.thread_rank() - FILLERS;
    for (int part = 0; part < PARTS; part++) {
      pipe.consumer_wait();
      out[part * ROOM + i] = rooms[part % STAGES][ROOM - 1 - i];
      pipe.consumer_release();
    }
  }
}

int main() {
  items<int, PARTS * ROOM> in;
  for (int i = 0; i < PARTS * ROOM; i++)
    in.host[i] = i * 5;
  in.send();
  for (int by_count = 0; by_count < 2; by_count++) {
    items<int, PARTS * ROOM> out;
    run<<<1, THREADS>>>(in.device, out.device, by_count != 0);
    out.fetch();
    EXPECT_EACH(PARTS * ROOM, out[i] == (i / ROOM * ROOM + ROOM - 1 - i % ROOM) * 5);
  }
  return result();
}
