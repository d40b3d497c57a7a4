/* SPDX-License-Identifier: MIT */
/*
 * products - cuBLAS's products of square matrices, and cuFFT's transforms: milliseconds of a call, to its end.
 *
 *     nvcc -O2 products.cu -lcublas -lcufft -o products && ./products         a line a call, on NVIDIA's libraries
 *     vptrcc -O2 products.cu -lcublas -lcufft -o products && ./products       the same lines, to be compared
 *
 * The first number is the largest order, 8192 without it; the second the logarithm of the longest transform, 24; the
 * third, 9, how many samples a figure is the median of. Orders begin at 256. Rows of transforms have 2^20 numbers
 * together, longer ones go alone. Of each product one element is compared with the host's.
 */
#include <cmath>
#include <string>

#include <cublas_v2.h>
#include <cufft.h>

#include "program.h"

static void require(bool holds, const char *name) {
  if (holds)
    return;
  fprintf(stderr, "products: %s failed, or its result is not the host's\n", name);
  exit(1);
}

static void row(const std::string &name, double microseconds) {
  printf("%-28s %12.4f\n", name.c_str(), microseconds / 1000);
  fflush(stdout);
}

template <typename Real> struct matrices {
  std::vector<Real> host;
  Real *a, *b, *c;
  size_t order;

  explicit matrices(size_t order) : host(order * order), order(order) {
    for (size_t i = 0; i < host.size(); i++)
      host[i] = (Real)((int)(i * 2654435761u >> 7) % 7 - 3);
    for (Real **each : { &a, &b, &c })
      must(cudaMalloc((void **)each, host.size() * sizeof(Real)), "cudaMalloc");
    for (Real *each : { a, b })
      must(cudaMemcpy(each, host.data(), host.size() * sizeof(Real), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

  ~matrices() {
    for (Real *each : { a, b, c })
      cudaFree(each);
  }

  /* Row 1, column 2 of A A; sums of small integers are exact. */
  bool is_right() const {
    Real got = 0, expected = 0;
    must(cudaMemcpy(&got, c + 1 + 2 * order, sizeof got, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < order; i++)
      expected += host[1 + i * order] * host[i + 2 * order];
    return got == expected;
  }
};

template <typename Real, typename Multiply>
static void measure_product(const char *name, size_t order, int samples, const Multiply &multiply) {
  matrices<Real> of(order);
  const Real one = 1, zero = 0;
  const int n = (int)order;
  auto send = [&] { require(multiply(n, &one, of.a, of.b, &zero, of.c) == CUBLAS_STATUS_SUCCESS, name); };
  double took = median_of(name, samples, send);
  require(of.is_right(), name);
  row(std::string(name) + " of " + std::to_string(order), took);
}

static void measure_products(size_t most, int samples) {
  cublasHandle_t handle;
  const cublasOperation_t plain = CUBLAS_OP_N;
  require(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  for (size_t order = 256; order <= most; order *= 2) {
    measure_product<float>("sgemm", order, samples,
                           [&](int n, const float *one, float *a, float *b, const float *zero, float *c) {
                             return cublasSgemm(handle, plain, plain, n, n, n, one, a, n, b, n, zero, c, n);
                           });
    measure_product<double>("dgemm", order, samples,
                            [&](int n, const double *one, double *a, double *b, const double *zero, double *c) {
                              return cublasDgemm(handle, plain, plain, n, n, n, one, a, n, b, n, zero, c, n);
                            });
  }
  cublasDestroy(handle);
}

template <typename Complex, typename Transform>
static void measure_transform(const char *name, cufftType type, int logarithm, int samples, const Transform &run) {
  const size_t length = (size_t)1 << logarithm, all = std::max(length, (size_t)1 << 20);
  Complex *from, *to;
  cufftHandle plan;
  must(cudaMalloc((void **)&from, all * sizeof(Complex)), "cudaMalloc");
  must(cudaMalloc((void **)&to, all * sizeof(Complex)), "cudaMalloc");
  must(cudaMemset(from, 0, all * sizeof(Complex)), "cudaMemset");
  require(cufftPlan1d(&plan, (int)length, type, (int)(all / length)) == CUFFT_SUCCESS, "cufftPlan1d");
  auto send = [&] { require(run(plan, from, to) == CUFFT_SUCCESS, name); };
  row(std::string(name) + " of 2^" + std::to_string(logarithm), median_of(name, samples, send));
  cufftDestroy(plan);
  cudaFree(from);
  cudaFree(to);
}

int main(int argc, char **argv) {
  const size_t most = argc > 1 ? (size_t)atoi(argv[1]) : 8192;
  const int longest = argc > 2 ? atoi(argv[2]) : 24, samples = argc > 3 ? atoi(argv[3]) : 9;
  measure_products(most, samples);
  for (int logarithm = 10; logarithm <= longest; logarithm += 2) {
    measure_transform<cufftComplex>("c2c", CUFFT_C2C, logarithm, samples,
                                    [](cufftHandle plan, cufftComplex *from, cufftComplex *to) {
                                      return cufftExecC2C(plan, from, to, CUFFT_FORWARD);
                                    });
    measure_transform<cufftDoubleComplex>("z2z", CUFFT_Z2Z, logarithm, samples,
                                          [](cufftHandle plan, cufftDoubleComplex *from, cufftDoubleComplex *to) {
                                            return cufftExecZ2Z(plan, from, to, CUFFT_FORWARD);
                                          });
  }
  return 0;
}
