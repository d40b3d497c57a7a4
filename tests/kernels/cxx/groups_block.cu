/* SPDX-License-Identifier: MIT */
/* groups_block - thread_block: ranks, sizes and places in blocks of three dimensions, and its barrier. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct place {
  unsigned rank, size, threads;
  unsigned index[3], own[3], dim[3];
  unsigned by_function, size_by_function;
};

__global__ void where(place *out) {
  cg::thread_block block = cg::this_thread_block();
  place *p = out + blockIdx.x * block.size() + block.thread_rank();
  p->rank = block.thread_rank();
  p->size = block.size();
  p->threads = block.num_threads();
  p->index[0] = block.group_index().x, p->index[1] = block.group_index().y, p->index[2] = block.group_index().z;
  p->own[0] = block.thread_index().x, p->own[1] = block.thread_index().y, p->own[2] = block.thread_index().z;
  dim3 dim = block.dim_threads();
  p->dim[0] = dim.x, p->dim[1] = dim.y, p->dim[2] = block.group_dim().z;
  p->by_function = (unsigned)cg::thread_rank(block);
  p->size_by_function = (unsigned)cg::group_size(block);
}

/* A tree in shared memory, with the group's barrier in a function that is given it. */
__device__ int sum_of(const cg::thread_block &block, int *room, int x) {
  unsigned rank = block.thread_rank();
  room[rank] = x;
  for (unsigned step = block.size() / 2; step > 0; step /= 2) {
    block.sync();
    if (rank < step)
      room[rank] += room[rank + step];
  }
  cg::sync(block);
  return room[0];
}
__global__ void sum(int *out) {
  __shared__ int room[128];
  cg::thread_block block = cg::this_thread_block();
  out[blockIdx.x * 128 + block.thread_rank()] = sum_of(block, room, (int)(block.thread_rank() + blockIdx.x));
}

int main() {
  items<place, 2 * 5 * 3 * 4> places;
  where<<<2, dim3(5, 3, 4)>>>(places.device);
  places.fetch();
  for (unsigned i = 0; i < 120; i++) {
    const place &p = places[(int)i];
    unsigned rank = i % 60;
    EXPECT(p.rank == rank && p.size == 60 && p.threads == 60 && p.by_function == rank && p.size_by_function == 60);
    EXPECT(p.index[0] == i / 60 && p.index[1] == 0 && p.index[2] == 0);
    EXPECT(p.own[0] == rank % 5 && p.own[1] == rank / 5 % 3 && p.own[2] == rank / 15);
    EXPECT(p.dim[0] == 5 && p.dim[1] == 3 && p.dim[2] == 4);
  }
  items<int, 3 * 128> sums;
  sum<<<3, 128>>>(sums.device);
  sums.fetch();
  EXPECT_EACH(3 * 128, sums[i] == 127 * 64 + i / 128 * 128);
  return result();
}
