/* SPDX-License-Identifier: MIT */
/*
 * kernels - saxpy, a stencil, and products of matrices, plain, behind a guard and by tiles: microseconds a launch.
 *
 *     nvcc -O3 kernels.cu -o kernels && ./kernels 8            a line a kernel, on NVIDIA's runtime
 *     vptrcc -O3 kernels.cu -o kernels && ./kernels 8          the same lines, to be compared
 *     vptr-bench-kernels                                       beside the same kernels by hand, in turns
 *
 * The number scales sizes: vectors are 2^20 elements times its square, matrices 256 rows times it. A sample is one run of launches and the wait
 * for them, as many as take 20 ms; the figure is the median of 15, or as many as the second number says. The last line
 * is what the guard costs, `if (row >= n || column >= n) return;`: on CPUs it decides in what form a kernel runs.
 */
#include <cuda_runtime.h>

#include "kernels.h"
#include "program.h"

#include <cmath>

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float part[BLOCK + 2 * RADIUS];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  part[t + RADIUS] = in[i];
  if (t < RADIUS) {
    part[t] = i < RADIUS ? 0 : in[i - RADIUS];
    part[t + RADIUS + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k <= 2 * RADIUS; k++)
    sum += part[t + k];
  out[i] = sum;
}

__global__ void matmul(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void guarded(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void tiled(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    as[y][x] = a[row * n + first + x];
    bs[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

static const char *const names[KERNELS] = { "saxpy", "stencil", "matmul", "guarded", "tiled" };
static sizes size;
static float *a, *b, *c;

static void launch(int which) {
  dim3 grid(size.matrix / TILE, size.matrix / TILE), block(TILE, TILE);
  switch (which) {
  case SAXPY: saxpy<<<size.vector / BLOCK, BLOCK>>>(size.vector, 0.5f, a, c); break;
  case STENCIL: stencil<<<size.vector / BLOCK, BLOCK>>>(a, c, size.vector); break;
  case MATMUL: matmul<<<grid, block>>>(size.matrix, a, b, c); break;
  case GUARDED: guarded<<<grid, block>>>(size.matrix, a, b, c); break;
  default: tiled<<<grid, block>>>(size.matrix, a, b, c); break;
  }
}

/* Microseconds a launch. */
static double sample(int which, int count, bool by_hand) {
  double begin = now();
#ifdef BY_HAND
  if (by_hand) {
    for (int i = 0; i < count; i++)
      if (!by_hand_launch(which))
        exit(1);
    if (!by_hand_wait())
      exit(1);
    return (now() - begin) / count;
  }
#endif
  (void)by_hand;
  for (int i = 0; i < count; i++)
    launch(which);
  must(cudaGetLastError(), names[which]);
  must(cudaDeviceSynchronize(), names[which]);
  return (now() - begin) / count;
}

/* Both have done the same work: the same numbers must have come out. */
static void compare(int which, size_t count) {
#ifdef BY_HAND
  std::vector<float> ours(count), theirs(count);
  must(cudaMemcpy(ours.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (!by_hand_read(theirs.data(), count))
    exit(1);
  for (size_t i = 0; i < count; i++)
    if (std::fabs(ours[i] - theirs[i]) > 1e-4f * std::max(1.0f, std::fabs(ours[i]))) {
      fprintf(stderr, "kernels: %s: element %zu is %g, and %g by hand\n", names[which], i, ours[i], theirs[i]);
      exit(1);
    }
#else
  (void)which;
  (void)count;
#endif
}

/* Gives back microseconds. */
static double measure(int which, int repetitions) {
  std::vector<double> ours, theirs;
  size_t square = (size_t)size.matrix * size.matrix, count = which < MATMUL ? (size_t)size.vector : square;
  for (int turn = 0; turn < 2; turn++)
    sample(which, 1, turn == 1);
  compare(which, count);
  int launches = std::max(1, (int)(20000 / sample(which, 2, false)));
  for (int i = 0; i < repetitions; i++) {
    double by_hand = 0, cuda;
#ifdef BY_HAND
    if (i % 2 == 0)
      by_hand = sample(which, launches, true);
    cuda = sample(which, launches, false);
    if (i % 2 == 1)
      by_hand = sample(which, launches, true);
#else
    cuda = sample(which, launches, false);
#endif
    ours.push_back(cuda);
    theirs.push_back(by_hand);
  }
  double cuda = median(ours);
  printf("%-8s %12zu %12.2f", names[which], count, cuda);
#ifdef BY_HAND
  double by_hand = median(theirs);
  printf(" %12.2f %7.3f", by_hand, cuda / by_hand);
#endif
  printf("\n");
  fflush(stdout);
  return cuda;
}

int main(int argc, char **argv) {
  int scale = argc > 1 ? atoi(argv[1]) : 1, repetitions = argc > 2 ? atoi(argv[2]) : 15;
  if (scale < 1 || scale > 64 || repetitions < 1) {
    fprintf(stderr, "usage: kernels [SCALE [REPETITIONS]], SCALE from 1 to 64\n");
    return 2;
  }
  size.vector = std::min((long long)scale * scale << 20, 1ll << 30);
  size.matrix = 256 * scale;
  size_t count = std::max((size_t)size.vector, (size_t)size.matrix * size.matrix);
  std::vector<float> x(count), y(count);
  for (size_t i = 0; i < count; i++) {
    x[i] = (float)(i % 17) / 16 - 0.5f;
    y[i] = (float)(i % 13) / 16 - 0.25f;
  }
  must(cudaMalloc((void **)&a, 3 * count * sizeof(float)), "cudaMalloc");
  b = a + count;
  c = b + count;
  must(cudaMemcpy(a, x.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  must(cudaMemcpy(b, y.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  must(cudaMemcpy(c, y.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
#ifdef BY_HAND
  if (!by_hand_open(size, x.data(), y.data()))
    return 1;
  printf("%-8s %12s %12s %12s %7s\n", "kernel", "elements", "CUDA C us", "by hand us", "ratio");
#else
  printf("%-8s %12s %12s\n", "kernel", "elements", "us");
#endif
  double cuda[KERNELS];
  for (int which = 0; which < KERNELS; which++)
    cuda[which] = measure(which, repetitions);
  printf("guarded / matmul %.3f\n", cuda[GUARDED] / cuda[MATMUL]);
#ifdef BY_HAND
  by_hand_close();
#endif
  must(cudaFree(a), "cudaFree");
  return 0;
}
