/* SPDX-License-Identifier: MIT */
/* groups_grid - grid_group and cluster_group: where a thread is in them. */
/* options: -arch=sm_90 */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct place {
  unsigned long long rank, size, blocks, block;
  unsigned x, y, z, threads, thread_x, thread_y, thread_z, x_of_cluster;
  unsigned cluster_blocks, cluster_rank, cluster_size, read;
};

__global__ void where(place *out) {
  __shared__ unsigned word;
  cg::grid_group grid = cg::this_grid();
  cg::cluster_group cluster = cg::this_cluster();
  place *p = out + grid.thread_rank();
  p->rank = grid.thread_rank();
  p->size = grid.size();
  p->blocks = grid.num_blocks();
  p->block = grid.block_rank();
  p->x = grid.block_index().x, p->y = grid.block_index().y, p->z = grid.dim_blocks().z;
  p->threads = grid.dim_threads().x * grid.dim_threads().y;
  p->thread_x = grid.thread_index().x, p->thread_y = grid.thread_index().y, p->thread_z = grid.thread_index().z;
  p->x_of_cluster = cluster.thread_index().x;
  p->cluster_blocks = cluster.num_blocks() + cluster.dim_blocks().x * 10 + cluster.block_rank() * 100;
  p->cluster_rank = cluster.thread_rank();
  p->cluster_size = cluster.num_threads();
  if (cluster.thread_rank() == 0)
    word = (unsigned)grid.block_rank() + 7;
  cluster.sync();
  p->read = *cluster.map_shared_rank(&word, 0);
  cluster.sync();
}

int main() {
  enum { BLOCKS = 3 * 2 * 2, THREADS = 8 * 5 };
  items<place, BLOCKS * THREADS> out;
  where<<<dim3(3, 2, 2), dim3(8, 5)>>>(out.device);
  out.fetch();
  for (int i = 0; i < BLOCKS * THREADS; i++) {
    const place &p = out[i];
    const unsigned block = (unsigned)i / THREADS;
    EXPECT(p.rank == (unsigned)i && p.size == BLOCKS * THREADS && p.blocks == BLOCKS && p.block == block);
    EXPECT(p.x == block % 3 && p.y == block / 3 % 2 && p.z == 2 && p.threads == 3 * 8 * 2 * 5);
    EXPECT(p.thread_x == block % 3 * 8 + (unsigned)i % 8 &&
           p.thread_y == block / 3 % 2 * 5 + (unsigned)i % THREADS / 8);
    EXPECT(p.thread_z == block / 6 && p.x_of_cluster == (unsigned)i % 8);
    EXPECT(p.cluster_blocks == 11 && p.cluster_rank == (unsigned)i % THREADS && p.cluster_size == THREADS);
    EXPECT(p.read == block + 7);
  }
  return result();
}
