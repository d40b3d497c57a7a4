/* SPDX-License-Identifier: MIT */
/*
 * groups - a sum by warps, a scan by tiles, and a loop in which all blocks of a grid wait for each other, by cooperative
 * groups of CUDA, each checked against the CPU.
 *
 *     nvcc or vptrcc -O2 -std=c++17 -o groups groups.cu && ./groups
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

enum { N = 1 << 16, THREADS = 256, TILE = 16, ROUNDS = 8, BLOCKS = 4 };

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
#define CHECK(call) check((call), #call)

/* Each warp adds its numbers up, and one lane adds that to the sum. */
__global__ void sum_by_warps(const int *in, unsigned long long *sum) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int all = cg::reduce(warp, i < N ? in[i] : 0, cg::plus<int>());
  if (warp.thread_rank() == 0)
    atomicAdd(sum, (unsigned long long)all);
}

/* Each tile scans its part, the tiles' sums go to the block, and those of blocks are added by the host. */
__global__ void scan_by_tiles(const int *in, int *out) {
  __shared__ int sums[THREADS / TILE];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<TILE>(block);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = cg::inclusive_scan(tile, in[i]);
  if (tile.thread_rank() == TILE - 1)
    sums[tile.meta_group_rank()] = own;
  block.sync();
  if (tile.meta_group_rank() == 0)
    sums[tile.thread_rank()] = cg::exclusive_scan(tile, sums[tile.thread_rank()]);
  block.sync();
  out[i] = own + sums[tile.meta_group_rank()];
}

/* A smoothing filter, round after round: each needs what other blocks have made in the last. */
__global__ void smooth(int *from, int *to) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < ROUNDS; round++) {
    for (unsigned long long i = grid.thread_rank(); i < N; i += grid.size())
      to[i] = (from[(i + N - 1) % N] + 2 * from[i] + from[(i + 1) % N]) / 4;
    grid.sync();
    int *other = from;
    from = to;
    to = other;
  }
}

static bool told(const char *what, bool is_same) {
  printf("%-12s %s\n", what, is_same ? "as the CPU's" : "is WRONG");
  return is_same;
}

int main() {
  std::vector<int> in(N), out(N), next(N);
  unsigned long long sum = 0, wanted = 0;
  int *a, *b;
  unsigned long long *total;
  for (int i = 0; i < N; i++)
    wanted += (unsigned long long)(in[i] = i * 7919 % 1000);
  CHECK(cudaMalloc(&a, N * sizeof *a));
  CHECK(cudaMalloc(&b, N * sizeof *b));
  CHECK(cudaMalloc(&total, sizeof *total));
  CHECK(cudaMemset(total, 0, sizeof *total));
  CHECK(cudaMemcpy(a, in.data(), N * sizeof *a, cudaMemcpyHostToDevice));

  sum_by_warps<<<N / THREADS, THREADS>>>(a, total);
  CHECK(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost));
  bool is_good = told("sum", sum == wanted);

  scan_by_tiles<<<N / THREADS, THREADS>>>(a, b);
  CHECK(cudaMemcpy(out.data(), b, N * sizeof *b, cudaMemcpyDeviceToHost));
  bool is_same = true;
  for (int i = 0, before = 0; i < N; i++) {
    before = (i % THREADS == 0 ? 0 : before) + in[i];
    is_same &= out[i] == before;
  }
  is_good &= told("scan", is_same);

  void *arguments[] = { &a, &b };
  CHECK(cudaLaunchCooperativeKernel((const void *)smooth, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  CHECK(cudaMemcpy(out.data(), ROUNDS % 2 == 0 ? a : b, N * sizeof *a, cudaMemcpyDeviceToHost));
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N; i++)
      next[i] = (in[(i + N - 1) % N] + 2 * in[i] + in[(i + 1) % N]) / 4;
    in.swap(next);
  }
  is_good &= told("smoothing", out == in);
  return is_good ? 0 : 1;
}
