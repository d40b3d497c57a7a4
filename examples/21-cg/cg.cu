/* SPDX-License-Identifier: MIT */
/*
 * cg - conjugate gradients for a sparse matrix, as programs of the CUDA world are written around cuBLAS and cuSPARSE: no
 * kernel of their own, products by cusparseSpMV(), and scalars that come back to the host in each round.
 *
 * The matrix is that of heat in a plate with a round hole, whose rows have from one to five entries, in CSR; a part of
 * the plate conducts twenty times better. The same rounds run on the CPU in plain loops: the answers must agree, and
 * the CPU's product of the matrix and the device's answer must be the right side. Diagonal scaling is the
 * preconditioner, once without and once with it.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cusparse.h>

enum { SIDE = 48, MOST_ROUNDS = 2000 };
static const double TOLERANCE = 1e-10;

#define CHECK(call)                                                                                                   \
  do {                                                                                                                \
    int status_ = (int)(call);                                                                                        \
    if (status_ != 0) {                                                                                               \
      fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                  \
      exit(1);                                                                                                        \
    }                                                                                                                 \
  } while (0)

/* ---- the matrix ---------------------------------------------------------------------------------------------------- */

struct csr {
  int rows;
  std::vector<int> offsets, columns;
  std::vector<double> values;
};

static bool is_hole(int i, int j) {
  double x = i - 0.6 * SIDE, y = j - 0.4 * SIDE;
  return x * x + y * y < 0.04 * SIDE * SIDE;
}

static double conductance(int i, int j) {
  return i < SIDE / 3 ? 20 : 1;
}

/* Places beyond the edge have the temperature 0; into the hole nothing flows. */
static csr plate() {
  static const int steps[4][2] = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } };
  std::vector<int> number(SIDE * SIDE, -1);
  csr a = { 0, std::vector<int>(1, 0), std::vector<int>(), std::vector<double>() };
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      if (!is_hole(i, j))
        number[j * SIDE + i] = a.rows++;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      if (number[j * SIDE + i] < 0)
        continue;
      double diagonal = 0, weights[4];
      for (int k = 0; k < 4; k++) {
        int x = i + steps[k][0], y = j + steps[k][1];
        bool outside = x < 0 || y < 0 || x >= SIDE || y >= SIDE;
        double here = conductance(i, j), there = outside ? here : conductance(x, y);
        bool flows = outside || !is_hole(x, y);
        diagonal += flows ? 2 / (1 / here + 1 / there) : 0;
        weights[k] = flows && !outside ? 2 / (1 / here + 1 / there) : 0;
      }
      for (int k = 0; k < 5; k++) { /* two neighbours, the place itself, two more: columns ascend */
        int other = k < 2 ? k : k - 1, x = i + steps[other][0], y = j + steps[other][1];
        if (k != 2 && weights[other] == 0)
          continue;
        a.columns.push_back(k == 2 ? number[j * SIDE + i] : number[y * SIDE + x]);
        a.values.push_back(k == 2 ? diagonal : -weights[other]);
      }
      a.offsets.push_back((int)a.columns.size());
    }
  return a;
}

/* ---- the CPU's side ------------------------------------------------------------------------------------------------ */

static std::vector<double> multiply(const csr &a, const std::vector<double> &x) {
  std::vector<double> y(a.rows);
  for (int i = 0; i < a.rows; i++) {
    double sum = 0;
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; k++)
      sum += a.values[k] * x[a.columns[k]];
    y[i] = sum;
  }
  return y;
}

static double dot(const std::vector<double> &x, const std::vector<double> &y) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); i++)
    sum += x[i] * y[i];
  return sum;
}

static int solve_on_cpu(const csr &a, const std::vector<double> &b, const std::vector<double> &inverse,
                        std::vector<double> &x) {
  std::vector<double> r = b, z(a.rows), p(a.rows, 0.0);
  double old_product = 1, goal = TOLERANCE * TOLERANCE * dot(b, b);
  int round = 0;
  for (; round < MOST_ROUNDS && dot(r, r) > goal; round++) {
    for (int i = 0; i < a.rows; i++)
      z[i] = inverse[i] * r[i];
    double product = dot(r, z);
    for (int i = 0; i < a.rows; i++)
      p[i] = z[i] + (round == 0 ? 0 : product / old_product) * p[i];
    std::vector<double> q = multiply(a, p);
    double step = product / dot(p, q);
    for (int i = 0; i < a.rows; i++) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
    }
    old_product = product;
  }
  return round;
}

/* ---- the device's side ---------------------------------------------------------------------------------------------- */

template <typename T> static T *on_device(const std::vector<T> &from) {
  T *made;
  CHECK(cudaMalloc((void **)&made, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(made, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return made;
}

struct solver {
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t p_vector, q_vector;
  void *buffer;
  double *x, *r, *z, *p, *q, *inverse;
};

static int solve_on_device(const solver &it, int n) {
  const double one = 1, zero = 0;
  double square, product, old_product = 1, curvature;
  CHECK(cublasDdot(it.blas, n, it.r, 1, it.r, 1, &square));
  double goal = TOLERANCE * TOLERANCE * square;
  int round = 0;
  for (; round < MOST_ROUNDS && square > goal; round++) {
    /* z is r by the inverse of the diagonal, which a product with a diagonal matrix is. */
    CHECK(cublasDdgmm(it.blas, CUBLAS_SIDE_LEFT, n, 1, it.r, n, it.inverse, 1, it.z, n));
    CHECK(cublasDdot(it.blas, n, it.r, 1, it.z, 1, &product));
    if (round == 0) {
      CHECK(cublasDcopy(it.blas, n, it.z, 1, it.p, 1));
    } else {
      double growth = product / old_product;
      CHECK(cublasDscal(it.blas, n, &growth, it.p, 1));
      CHECK(cublasDaxpy(it.blas, n, &one, it.z, 1, it.p, 1));
    }
    CHECK(cusparseSpMV(it.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, it.a, it.p_vector, &zero, it.q_vector,
                       CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, it.buffer));
    CHECK(cublasDdot(it.blas, n, it.p, 1, it.q, 1, &curvature));
    double step = product / curvature, minus_step = -step;
    CHECK(cublasDaxpy(it.blas, n, &step, it.p, 1, it.x, 1));
    CHECK(cublasDaxpy(it.blas, n, &minus_step, it.q, 1, it.r, 1));
    CHECK(cublasDdot(it.blas, n, it.r, 1, it.r, 1, &square));
    old_product = product;
  }
  return round;
}

static double largest_difference(const std::vector<double> &a, const std::vector<double> &b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); i++)
    worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

static bool compare(solver &it, const csr &a, const std::vector<double> &b, bool scales) {
  std::vector<double> inverse(a.rows, 1.0), wanted(a.rows, 0.0), x(a.rows, 0.0);
  for (int i = 0; i < a.rows && scales; i++)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; k++)
      if (a.columns[k] == i)
        inverse[i] = 1 / a.values[k];
  size_t bytes = a.rows * sizeof(double);
  CHECK(cudaMemcpy(it.inverse, inverse.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(it.r, b.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(it.x, 0, bytes));
  int rounds = solve_on_device(it, a.rows), on_cpu = solve_on_cpu(a, b, inverse, wanted);
  CHECK(cudaMemcpy(x.data(), it.x, bytes, cudaMemcpyDeviceToHost));
  double apart = largest_difference(x, wanted), left = largest_difference(multiply(a, x), b);
  printf("%-24s %d rounds, the CPU's %d; answers differ by %.1e, A x from b by %.1e\n",
         scales ? "with diagonal scaling:" : "without:", rounds, on_cpu, apart, left);
  /* Sums in another order round otherwise, and the rounds follow that. */
  return rounds < MOST_ROUNDS && 20 * abs(rounds - on_cpu) <= on_cpu + 60 && apart < 1e-8 && left < 1e-7;
}

int main() {
  const csr a = plate();
  const double one = 1, zero = 0;
  std::vector<double> b(a.rows, 1.0), nothing(a.rows, 0.0);
  int *offsets = on_device(a.offsets), *columns = on_device(a.columns);
  double *values = on_device(a.values);
  solver it;
  it.x = on_device(nothing), it.r = on_device(nothing), it.z = on_device(nothing);
  it.p = on_device(nothing), it.q = on_device(nothing), it.inverse = on_device(nothing);
  CHECK(cublasCreate(&it.blas));
  CHECK(cusparseCreate(&it.sparse));
  CHECK(cusparseCreateCsr(&it.a, a.rows, a.rows, (int64_t)a.values.size(), offsets, columns, values,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&it.p_vector, a.rows, it.p, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&it.q_vector, a.rows, it.q, CUDA_R_64F));
  size_t room = 0;
  CHECK(cusparseSpMV_bufferSize(it.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, it.a, it.p_vector, &zero,
                                it.q_vector, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &room));
  CHECK(cudaMalloc(&it.buffer, room > 0 ? room : 1));
  printf("a plate with a hole: %d unknowns, %d entries\n", a.rows, (int)a.values.size());

  bool plain = compare(it, a, b, false), scaled = compare(it, a, b, true);

  CHECK(cusparseDestroySpMat(it.a));
  CHECK(cusparseDestroyDnVec(it.p_vector));
  CHECK(cusparseDestroyDnVec(it.q_vector));
  CHECK(cusparseDestroy(it.sparse));
  CHECK(cublasDestroy(it.blas));
  cudaFree(offsets), cudaFree(columns), cudaFree(values), cudaFree(it.buffer), cudaFree(it.x), cudaFree(it.r);
  cudaFree(it.z), cudaFree(it.p), cudaFree(it.q), cudaFree(it.inverse);
  return !(plain && scaled);
}
