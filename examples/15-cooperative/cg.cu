/* SPDX-License-Identifier: MIT */
/*
 * cg - conjugate gradients for Poisson's equation on a square, all of them in one launch: the blocks of a cooperative
 * grid wait for each other where a program without it would begin another kernel. Checked against the CPU.
 *
 *     nvcc or vptrcc -O2 -std=c++17 -o cg cg.cu && ./cg
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

enum { SIDE = 40, N = SIDE * SIDE, THREADS = 128, MOST_BLOCKS = 8, MOST_STEPS = 200 };
static const double TOLERANCE = 1e-10;

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
#define CHECK(call) check((call), #call)

/* Row i of the matrix times x: four times a point less its neighbours, and zeros around the square. */
__host__ __device__ inline double row_times(const double *x, int i) {
  const int column = i % SIDE;
  return 4 * x[i] - (column > 0 ? x[i - 1] : 0) - (column < SIDE - 1 ? x[i + 1] : 0) - (i >= SIDE ? x[i - SIDE] : 0) -
         (i < N - SIDE ? x[i + SIDE] : 0);
}

struct vectors {
  double *x, *r, *p, *q; /* the solution, what is missing of it, the direction, and the matrix times that */
  double *parts; /* a number for each block, twice: whoever reads one set need not wait for the other's writers */
  int *steps;
};

/* The sum of what all threads of the grid have, the same for each to the last bit, so that all blocks decide alike. */
__device__ double sum_of_grid(const cg::grid_group &grid, double own, double *parts) {
  __shared__ double warps[THREADS / 32];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  own = cg::reduce(warp, own, cg::plus<double>());
  if (warp.thread_rank() == 0)
    warps[warp.meta_group_rank()] = own;
  block.sync();
  if (block.thread_rank() == 0) {
    double sum = 0;
    for (int i = 0; i < THREADS / 32; i++)
      sum += warps[i];
    parts[grid.block_rank()] = sum;
  }
  grid.sync();
  double sum = 0;
  for (unsigned i = 0; i < grid.num_blocks(); i++)
    sum += parts[i];
  return sum;
}

__global__ void solve(vectors v) {
  const cg::grid_group grid = cg::this_grid();
  const int first = (int)grid.thread_rank(), stride = (int)grid.num_threads();
  double own = 0;
  for (int i = first; i < N; i += stride)
    own += v.r[i] * v.r[i];
  double square = sum_of_grid(grid, own, v.parts);
  int step = 0;
  for (; step < MOST_STEPS && square > TOLERANCE * TOLERANCE; step++) {
    own = 0;
    for (int i = first; i < N; i += stride) {
      v.q[i] = row_times(v.p, i);
      own += v.p[i] * v.q[i];
    }
    const double along = square / sum_of_grid(grid, own, v.parts + MOST_BLOCKS);
    own = 0;
    for (int i = first; i < N; i += stride) {
      v.x[i] += along * v.p[i];
      v.r[i] -= along * v.q[i];
      own += v.r[i] * v.r[i];
    }
    const double next = sum_of_grid(grid, own, v.parts);
    for (int i = first; i < N; i += stride)
      v.p[i] = v.r[i] + next / square * v.p[i];
    square = next;
    grid.sync(); /* neighbours read the direction */
  }
  if (first == 0)
    *v.steps = step;
}

/* ---- the CPU's ------------------------------------------------------------------------------------------- */

static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] * b[i];
  return sum;
}

static std::vector<double> solved_by_cpu(const std::vector<double> &b) {
  std::vector<double> x(N, 0), r = b, p = b, q(N);
  double square = dot(r, r);
  for (int step = 0; step < MOST_STEPS && square > TOLERANCE * TOLERANCE; step++) {
    for (int i = 0; i < N; i++)
      q[i] = row_times(p.data(), i);
    const double along = square / dot(p, q);
    for (int i = 0; i < N; i++) {
      x[i] += along * p[i];
      r[i] -= along * q[i];
    }
    const double next = dot(r, r);
    for (int i = 0; i < N; i++)
      p[i] = r[i] + next / square * p[i];
    square = next;
  }
  return x;
}

static double *on_device(const std::vector<double> &from) {
  double *at;
  CHECK(cudaMalloc(&at, from.size() * sizeof *at));
  CHECK(cudaMemcpy(at, from.data(), from.size() * sizeof *at, cudaMemcpyHostToDevice));
  return at;
}

/* As many as can run at once: the others could not wait for those that have not begun. */
static int blocks_at_once() {
  int is_there = 0, processors = 0, each = 0;
  CHECK(cudaDeviceGetAttribute(&is_there, cudaDevAttrCooperativeLaunch, 0));
  if (!is_there) {
    fprintf(stderr, "the device has no cooperative launches\n");
    exit(1);
  }
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, solve, THREADS, 0));
  return each * processors < MOST_BLOCKS ? each * processors : MOST_BLOCKS;
}

int main() {
  std::vector<double> b(N), x(N, 0);
  for (int i = 0; i < N; i++)
    b[i] = sin(0.05 * (i % SIDE)) * (i / SIDE % 7 - 3);
  vectors v = {
    on_device(x), on_device(b), on_device(b), on_device(x), on_device(std::vector<double>(2 * MOST_BLOCKS)), 0
  };
  CHECK(cudaMalloc(&v.steps, sizeof *v.steps));
  void *arguments[] = { &v };
  const int blocks = blocks_at_once();
  CHECK(cudaLaunchCooperativeKernel((const void *)solve, dim3(blocks), dim3(THREADS), arguments, 0, 0));
  CHECK(cudaMemcpy(x.data(), v.x, N * sizeof *v.x, cudaMemcpyDeviceToHost));
  int steps = 0;
  CHECK(cudaMemcpy(&steps, v.steps, sizeof steps, cudaMemcpyDeviceToHost));

  const std::vector<double> wanted = solved_by_cpu(b);
  double error = 0, residual = 0;
  for (int i = 0; i < N; i++) {
    error = fmax(error, fabs(x[i] - wanted[i]));
    residual = fmax(residual, fabs(b[i] - row_times(x.data(), i)));
  }
  const bool is_good = error < 1e-8 && residual < 1e-8 && steps > 0 && steps < MOST_STEPS;
  printf("%d unknowns, %d steps: %s\n", N, steps, is_good ? "as the CPU's" : "is WRONG");
  if (!is_good)
    printf("%g from the CPU's solution, %g from the right side\n", error, residual);
  for (void *memory : { (void *)v.x, (void *)v.r, (void *)v.p, (void *)v.q, (void *)v.parts, (void *)v.steps })
    CHECK(cudaFree(memory));
  return is_good ? 0 : 1;
}
