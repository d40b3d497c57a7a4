/* SPDX-License-Identifier: MIT */
/*
 * solve - a dense system of equations by conjugate gradients and by LU, as programs with cuBLAS do it, on the device.
 *
 * A heat problem on a square: the matrix is symmetric and dense here, since it has a term of radiation between all
 * pairs of points. cuBLAS does the products, dot products and updates, with scalars on the device, so that the host
 * only looks at the residual now and then; a kernel of the program's own computes the quotients in between. Then a
 * batch of small systems is factored and solved at once. Both answers are checked on the CPU.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

enum { SIDE = 24, N = SIDE * SIDE, SMALL = 12, BATCH = 64 };

#define CHECK(call)                                                                                                   \
  do {                                                                                                                \
    int status_ = (int)(call);                                                                                        \
    if (status_ != 0) {                                                                                               \
      fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                  \
      exit(1);                                                                                                        \
    }                                                                                                                 \
  } while (0)

/* Scalars of an iteration, which stay on the device. */
struct scalars {
  double old_square, new_square, curvature, step, minus_step, growth, one;
};

__global__ void compute_step(scalars *it) {
  it->step = it->old_square / it->curvature;
  it->minus_step = -it->step;
}

__global__ void compute_growth(scalars *it) {
  it->growth = it->new_square / it->old_square;
  it->old_square = it->new_square;
}

static void fill_matrix(std::vector<double> &a) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      int rows = abs(i / SIDE - j / SIDE), columns = abs(i % SIDE - j % SIDE);
      double neighbour = rows + columns == 1 ? -1 : 0;
      a[i + (size_t)j * N] = i == j ? 4.5 : neighbour - 1e-4 / (rows * rows + columns * columns);
    }
}

/* The largest difference of A x and b. */
static double error_of(int n, const double *a, const double *x, const double *b) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i + (size_t)j * n] * x[j];
    worst = fmax(worst, fabs(sum - b[i]));
  }
  return worst;
}

/* x, r and p are columns of one allocation behind A. */
static int solve_by_gradients(cublasHandle_t blas, double *a, double *x, scalars *s) {
  double *r = x + N, *p = r + N, *q = p + N, residual = 1;
  double *zero = (double *)(s + 1);
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasDcopy(blas, N, r, 1, p, 1));
  CHECK(cublasDdot(blas, N, r, 1, r, 1, &s->old_square));
  int round = 0;
  while (residual > 1e-10 && round < 500) {
    for (int i = 0; i < 10; i++, round++) {
      CHECK(cublasDsymv(blas, CUBLAS_FILL_MODE_LOWER, N, &s->one, a, N, p, 1, zero, q, 1));
      CHECK(cublasDdot(blas, N, p, 1, q, 1, &s->curvature));
      compute_step<<<1, 1>>>(s);
      CHECK(cublasDaxpy(blas, N, &s->step, p, 1, x, 1));
      CHECK(cublasDaxpy(blas, N, &s->minus_step, q, 1, r, 1));
      CHECK(cublasDdot(blas, N, r, 1, r, 1, &s->new_square));
      compute_growth<<<1, 1>>>(s);
      CHECK(cublasDscal(blas, N, &s->growth, p, 1));
      CHECK(cublasDaxpy(blas, N, &s->one, r, 1, p, 1));
    }
    double square;
    CHECK(cudaMemcpy(&square, &s->new_square, sizeof square, cudaMemcpyDeviceToHost));
    residual = sqrt(square);
  }
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
  printf("conjugate gradients: %d unknowns, %d rounds, residual %.1e\n", N, round, residual);
  return residual <= 1e-10;
}

static int check_gradients(cublasHandle_t blas) {
  std::vector<double> a((size_t)N * N), b(N), x(N, 0.0);
  double *memory;
  scalars *s, begin = { 0, 0, 0, 0, 0, 0, 1 };
  double zero = 0;
  fill_matrix(a);
  for (int i = 0; i < N; i++)
    b[i] = sin(0.1 * i);
  CHECK(cudaMalloc((void **)&memory, ((size_t)N * N + 4 * N) * sizeof(double)));
  CHECK(cudaMalloc((void **)&s, sizeof *s + sizeof zero));
  double *dx = memory + (size_t)N * N;
  CHECK(cublasSetMatrix(N, N, sizeof(double), a.data(), N, memory, N));
  CHECK(cublasSetVector(N, sizeof(double), x.data(), 1, dx, 1));
  CHECK(cublasSetVector(N, sizeof(double), b.data(), 1, dx + N, 1));
  CHECK(cudaMemcpy(s, &begin, sizeof begin, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(s + 1, &zero, sizeof zero, cudaMemcpyHostToDevice));
  int is_solved = solve_by_gradients(blas, memory, dx, s);
  CHECK(cublasGetVector(N, sizeof(double), dx, 1, x.data(), 1));
  double error = error_of(N, a.data(), x.data(), b.data());
  printf("  on the CPU A x differs from b by %.1e\n", error);
  CHECK(cudaFree(memory));
  CHECK(cudaFree(s));
  return is_solved && error < 1e-8;
}

/* Many small systems: pointers to all of them lie on the device. */
static int check_batch(cublasHandle_t blas) {
  const int per = SMALL * SMALL + SMALL;
  std::vector<double> host((size_t)BATCH * per), got((size_t)BATCH * per);
  std::vector<double *> places(2 * BATCH);
  double *memory, **pointers;
  int *pivots, *infos, info = 0;
  unsigned state = 1;
  for (size_t i = 0; i < host.size(); i++) {
    state = state * 1664525u + 1013904223u;
    host[i] = (state >> 8) / 8388608.0 - 1;
  }
  CHECK(cudaMalloc((void **)&memory, host.size() * sizeof(double)));
  CHECK(cudaMalloc((void **)&pointers, places.size() * sizeof(double *)));
  CHECK(cudaMalloc((void **)&pivots, BATCH * (SMALL + 1) * sizeof(int)));
  infos = pivots + BATCH * SMALL;
  for (int i = 0; i < BATCH; i++) {
    places[i] = memory + (size_t)i * per;
    places[BATCH + i] = places[i] + SMALL * SMALL;
  }
  CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(pointers, places.data(), places.size() * sizeof(double *), cudaMemcpyHostToDevice));
  CHECK(cublasDgetrfBatched(blas, SMALL, pointers, SMALL, pivots, infos, BATCH));
  CHECK(cublasDgetrsBatched(blas, CUBLAS_OP_N, SMALL, 1, pointers, SMALL, pivots, pointers + BATCH, SMALL, &info,
                            BATCH));
  CHECK(cudaMemcpy(got.data(), memory, got.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int i = 0; i < BATCH; i++) {
    const double *a = &host[(size_t)i * per], *x = &got[(size_t)i * per + SMALL * SMALL];
    worst = fmax(worst, error_of(SMALL, a, x, a + SMALL * SMALL));
  }
  printf("LU: %d systems of %d, on the CPU they differ by %.1e at most\n", BATCH, SMALL, worst);
  CHECK(cudaFree(memory));
  CHECK(cudaFree(pointers));
  CHECK(cudaFree(pivots));
  return info == 0 && worst < 1e-9;
}

int main() {
  cublasHandle_t blas;
  CHECK(cublasCreate(&blas));
  int is_right = check_gradients(blas);
  is_right = check_batch(blas) && is_right;
  CHECK(cublasDestroy(blas));
  puts(is_right ? "solve: all right" : "solve: WRONG");
  return is_right ? 0 : 1;
}
