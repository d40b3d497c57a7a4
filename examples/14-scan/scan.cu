/* SPDX-License-Identifier: MIT */
/*
 * scan - running sums of a long array in two ways, each checked against the CPU: by three kernels, and by one, in which
 * a block gets what is in front of it from the blocks in front of it.
 *
 *     nvcc or vptrcc -O2 -std=c++17 -o scan scan.cu && ./scan
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 250007, THREADS = 256, EACH = 4, TILE = THREADS * EACH, TILES = (N + TILE - 1) / TILE, WARP = 32 };

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
#define CHECK(call) check((call), #call)

/* ---- in a block ------------------------------------------------------------------------------------------ */

/* What the threads in front have, and the whole block has: shuffles in each warp, and among the warps' sums. */
__device__ int scan_of_block(int own, int *sum_out) {
  __shared__ int sums[THREADS / WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  int with = own;
  for (int step = 1; step < WARP; step *= 2) {
    const int before = __shfl_up_sync(~0u, with, step);
    with += lane >= step ? before : 0;
  }
  if (lane == WARP - 1)
    sums[warp] = with;
  __syncthreads();
  int before = 0, all = 0;
  for (int i = 0; i < THREADS / WARP; i++) {
    before += i < warp ? sums[i] : 0;
    all += sums[i];
  }
  __syncthreads(); /* the sums may be written again */
  *sum_out = all;
  return before + with - own;
}

/* A tile is EACH numbers a thread. Behind it are zeros. */
__device__ int scan_of_tile(const int *in, int count, int tile, int *own, int *sum_out) {
  const int first = tile * TILE + threadIdx.x * EACH;
  int sum = 0;
  for (int k = 0; k < EACH; k++)
    sum += own[k] = first + k < count ? in[first + k] : 0;
  return scan_of_block(sum, sum_out);
}

__device__ void write_tile(int *out, int count, int tile, const int *own, int before) {
  const int first = tile * TILE + threadIdx.x * EACH;
  for (int k = 0; k < EACH; k++)
    if (first + k < count)
      out[first + k] = before += own[k];
}

/* ---- three kernels --------------------------------------------------------------------------------------- */

__global__ void sum_tiles(const int *in, int count, int *sums) {
  int own[EACH], sum;
  scan_of_tile(in, count, blockIdx.x, own, &sum);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

/* One block, which makes of each tile's sum what is in front of it. */
__global__ void scan_sums(int *sums, int tiles) {
  int before = 0, sum;
  for (int first = 0; first < tiles; first += THREADS) {
    const int i = first + threadIdx.x, own = i < tiles ? sums[i] : 0, scanned = scan_of_block(own, &sum);
    if (i < tiles)
      sums[i] = before + scanned;
    before += sum;
  }
}

__global__ void add_sums(const int *in, int count, const int *sums, int *out) {
  int own[EACH], sum;
  const int before = scan_of_tile(in, count, blockIdx.x, own, &sum);
  write_tile(out, count, blockIdx.x, own, sums[blockIdx.x] + before);
}

/* ---- one kernel ------------------------------------------------------------------------------------------ */

/* What a block says to those behind it: nothing yet, its own sum, or that with all in front. State and sum are one
 * word, so that nobody sees one without the other. */
enum { NOTHING = 0, OWN = 1, WHOLE = 2 };
typedef unsigned long long word;

__device__ void say(word *states, int tile, int state, int sum) {
  atomicExch(&states[tile], (word)state << 32 | (unsigned)sum);
}

/* From the block in front back to the first one that knows all in front of it. */
__device__ int sum_in_front(word *states, int tile) {
  int sum = 0;
  for (int i = tile - 1; i >= 0; i--) {
    word seen;
    while ((seen = *(volatile word *)&states[i]) >> 32 == NOTHING)
      __nanosleep(50);
    sum += (int)(unsigned)seen;
    if (seen >> 32 == WHOLE)
      break;
  }
  return sum;
}

/* Blocks take tiles in the order in which they begin: those that one waits for have begun, and need none behind. */
__global__ void scan_at_once(const int *in, int count, word *states, int *ticket, int *out) {
  __shared__ int tile, in_front;
  if (threadIdx.x == 0)
    tile = atomicAdd(ticket, 1);
  __syncthreads();
  int own[EACH], sum;
  const int before = scan_of_tile(in, count, tile, own, &sum);
  if (threadIdx.x == 0) {
    say(states, tile, OWN, sum);
    in_front = sum_in_front(states, tile);
    say(states, tile, WHOLE, in_front + sum);
  }
  __syncthreads();
  write_tile(out, count, tile, own, in_front + before);
}

/* ---- main ------------------------------------------------------------------------------------------------ */

static bool told(const char *what, const int *device, const std::vector<int> &wanted) {
  std::vector<int> out(N);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), device, N * sizeof *device, cudaMemcpyDeviceToHost));
  printf("%-14s %s\n", what, out == wanted ? "as the CPU's" : "is WRONG");
  return out == wanted;
}

int main() {
  std::vector<int> in(N), wanted(N);
  for (int i = 0, sum = 0; i < N; i++)
    wanted[i] = sum += in[i] = i * 7919 % 1001 - 400;
  int *from, *to, *sums, *ticket;
  word *states;
  CHECK(cudaMalloc(&from, N * sizeof *from));
  CHECK(cudaMalloc(&to, N * sizeof *to));
  CHECK(cudaMalloc(&sums, TILES * sizeof *sums));
  CHECK(cudaMalloc(&states, TILES * sizeof *states));
  CHECK(cudaMalloc(&ticket, sizeof *ticket));
  CHECK(cudaMemcpy(from, in.data(), N * sizeof *from, cudaMemcpyHostToDevice));

  sum_tiles<<<TILES, THREADS>>>(from, N, sums);
  scan_sums<<<1, THREADS>>>(sums, TILES);
  add_sums<<<TILES, THREADS>>>(from, N, sums, to);
  bool is_good = told("three kernels", to, wanted);

  CHECK(cudaMemset(to, 0, N * sizeof *to));
  CHECK(cudaMemset(states, 0, TILES * sizeof *states));
  CHECK(cudaMemset(ticket, 0, sizeof *ticket));
  scan_at_once<<<TILES, THREADS>>>(from, N, states, ticket, to);
  is_good &= told("one kernel", to, wanted);
  for (void *memory : { (void *)from, (void *)to, (void *)sums, (void *)states, (void *)ticket })
    CHECK(cudaFree(memory));
  return is_good ? 0 : 1;
}
