/* SPDX-License-Identifier: MIT */
/*
 * systems - many small dense systems at once, as codes for chemistry solve them: cuBLAS's getrfBatched and getrsBatched.
 *
 * Each cell has three substances that react with each other, at speeds that differ by nine orders of magnitude
 * (Robertson's problem), and a temperature of its own, which scales the slow reaction. A step of implicit Euler's is
 * solved by Newton's method: kernels write what is left over and its derivative, a matrix of 3 by 3 for each cell, and
 * cuBLAS factors and solves all of them. The CPU does the same by Cramer's rule; concentrations must agree, and add up
 * to 1.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

enum { CELLS = 2000, STEPS = 12, ROUNDS = 5, SIDE = 3 };

#define CHECK(call)                                                                                                   \
  do {                                                                                                                \
    int status_ = (int)(call);                                                                                        \
    if (status_ != 0) {                                                                                               \
      fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                  \
      exit(1);                                                                                                        \
    }                                                                                                                 \
  } while (0)

/* What is left over of a step, negated, and its derivative, by columns. */
__host__ __device__ static void linearize(const double *y, const double *old, double slow, double step, double *a,
                                          double *b) {
  const double middle = 1e4, fast = 3e7;
  double forth = slow * y[0], back = middle * y[1] * y[2], away = fast * y[1] * y[1];
  b[0] = -(y[0] - old[0] - step * (back - forth));
  b[1] = -(y[1] - old[1] - step * (forth - back - away));
  b[2] = -(y[2] - old[2] - step * away);
  a[0] = 1 + step * slow;
  a[1] = -step * slow;
  a[2] = 0;
  a[3] = -step * middle * y[2];
  a[4] = 1 + step * (middle * y[2] + 2 * fast * y[1]);
  a[5] = -step * 2 * fast * y[1];
  a[6] = -step * middle * y[1];
  a[7] = step * middle * y[1];
  a[8] = 1;
}

__host__ __device__ static double slow_rate(int cell) {
  return 0.04 * (0.5 + cell / (double)CELLS);
}

__global__ void point_at(double *a, double *b, double **as, double **bs) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < CELLS) {
    as[cell] = a + cell * SIDE * SIDE;
    bs[cell] = b + cell * SIDE;
  }
}

__global__ void write_systems(const double *y, const double *old, double step, double *a, double *b) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < CELLS)
    linearize(y + cell * SIDE, old + cell * SIDE, slow_rate(cell), step, a + cell * SIDE * SIDE, b + cell * SIDE);
}

__global__ void add_solutions(double *y, const double *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CELLS * SIDE)
    y[i] += b[i];
}

static double determinant(const double *a) {
  return a[0] * (a[4] * a[8] - a[7] * a[5]) - a[3] * (a[1] * a[8] - a[7] * a[2]) + a[6] * (a[1] * a[5] - a[4] * a[2]);
}

static void step_on_cpu(double *y, int cell, double step) {
  double old[SIDE] = { y[0], y[1], y[2] }, a[SIDE * SIDE], b[SIDE], change[SIDE];
  for (int round = 0; round < ROUNDS; round++) {
    linearize(y, old, slow_rate(cell), step, a, b);
    double whole = determinant(a);
    for (int i = 0; i < SIDE; i++) {
      double kept[SIDE];
      for (int j = 0; j < SIDE; j++) {
        kept[j] = a[i * SIDE + j];
        a[i * SIDE + j] = b[j];
      }
      change[i] = determinant(a) / whole;
      for (int j = 0; j < SIDE; j++)
        a[i * SIDE + j] = kept[j];
    }
    for (int i = 0; i < SIDE; i++)
      y[i] += change[i];
  }
}

int main() {
  const int threads = 64, cell_blocks = (CELLS + threads - 1) / threads,
            blocks = (CELLS * SIDE + threads - 1) / threads;
  std::vector<double> host(CELLS * SIDE, 0.0), got(CELLS * SIDE);
  std::vector<int> infos(CELLS);
  for (int cell = 0; cell < CELLS; cell++)
    host[cell * SIDE] = 1;
  double *y, *old, *a, *b, **as, **bs;
  int *pivots, *info, solved = 0;
  size_t bytes = host.size() * sizeof(double);
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  CHECK(cudaMalloc(&y, bytes));
  CHECK(cudaMalloc(&old, bytes));
  CHECK(cudaMalloc(&a, bytes * SIDE));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc(&as, CELLS * sizeof(double *)));
  CHECK(cudaMalloc(&bs, CELLS * sizeof(double *)));
  CHECK(cudaMalloc(&pivots, CELLS * SIDE * sizeof(int)));
  CHECK(cudaMalloc(&info, CELLS * sizeof(int)));
  CHECK(cudaMemcpy(y, host.data(), bytes, cudaMemcpyHostToDevice));
  point_at<<<cell_blocks, threads>>>(a, b, as, bs);

  double step = 1e-3;
  for (int i = 0; i < STEPS; i++, step *= 3) {
    CHECK(cudaMemcpyAsync(old, y, bytes, cudaMemcpyDeviceToDevice));
    for (int round = 0; round < ROUNDS; round++) {
      write_systems<<<cell_blocks, threads>>>(y, old, step, a, b);
      CHECK(cublasDgetrfBatched(handle, SIDE, as, SIDE, pivots, info, CELLS));
      CHECK(cublasDgetrsBatched(handle, CUBLAS_OP_N, SIDE, 1, as, SIDE, pivots, bs, SIDE, &solved, CELLS));
      add_solutions<<<blocks, threads>>>(y, b);
    }
    for (int cell = 0; cell < CELLS; cell++)
      step_on_cpu(&host[cell * SIDE], cell, step);
  }
  CHECK(cudaMemcpy(got.data(), y, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(infos.data(), info, CELLS * sizeof(int), cudaMemcpyDeviceToHost));

  double worst = 0, lost = 0;
  int singular = 0;
  for (int cell = 0; cell < CELLS; cell++) {
    const double *it = &got[cell * SIDE];
    for (int i = 0; i < SIDE; i++)
      worst = fmax(worst, fabs(it[i] - host[cell * SIDE + i]));
    lost = fmax(lost, fabs(it[0] + it[1] + it[2] - 1));
    singular += infos[cell] != 0;
  }
  printf("%d cells, %d steps of %d systems each: the first cell ends at %.6f %.3e %.6f\n", CELLS, STEPS, ROUNDS, got[0],
         got[1], got[2]);
  printf("the largest difference from the CPU is %.1e, of the sum from 1 %.1e; %d matrices were singular\n", worst, lost,
         singular);
  CHECK(cublasDestroy(handle));
  cudaFree(y), cudaFree(old), cudaFree(a), cudaFree(b), cudaFree(as), cudaFree(bs), cudaFree(pivots), cudaFree(info);
  return !(worst < 1e-9 && lost < 1e-9 && singular == 0 && got[0] < 0.999);
}
