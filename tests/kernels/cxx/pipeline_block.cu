/* SPDX-License-Identifier: MIT */
/* pipeline_block - cuda::pipeline of a block: all threads fill and use its stages, which go round several times. */
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "check.h"

namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { THREADS = 96, PARTS = 11 };

template <int Stages> __global__ void run(const float *in, float *out) {
  __shared__ float rooms[Stages][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int i = (int)block.thread_rank();
  for (int part = 0, filled = 0; part < PARTS; part++) {
    for (; filled < PARTS && filled < part + Stages; filled++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, rooms[filled % Stages], in + filled * THREADS, sizeof(float) * THREADS, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[part * THREADS + i] = rooms[part % Stages][(i + 50) % THREADS] + (float)part;
    pipe.consumer_release();
  }
}

template <int Stages> void check() {
  items<float, PARTS * THREADS> in, out;
  for (int i = 0; i < PARTS * THREADS; i++)
    in.host[i] = (float)(i * 2);
  in.send();
  run<Stages><<<1, THREADS>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(PARTS * THREADS, out[i] == (float)((i / THREADS * THREADS + (i % THREADS + 50) % THREADS) * 2 + i / THREADS));
}

int main() {
  check<1>();
  check<2>();
  check<4>();
  return result();
}
