/* SPDX-License-Identifier: MIT */
/* library - the C++ library and cuda::std in kernels, and functions that both sides call. */
#include <array>
#include <complex>
#include <limits>
#include <tuple>

#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <math_constants.h>

__global__ void containers(std::tuple<int, float> *tuples, std::array<double, 4> *arrays) {
  std::pair<int, int> pair(1, 2), other;
  other = pair;
  std::swap(pair.first, pair.second);
  tuples[0] = std::make_tuple(std::max(pair.first, other.second), std::numeric_limits<float>::max());
  auto [number, real] = tuples[1];
  (*arrays)[0] = number + real + arrays->size() + std::abs(-1.5) + std::pow(2.0f, 3) + std::isnan(real);
  std::complex<float> z(1, 2);
  z = z * z + std::exp(z);
  (*arrays)[1] = static_cast<double>(std::abs(z));
}

template <class T> __global__ void own_names(cuda::std::tuple<T, cuda::std::uint32_t> *tuples) {
  static_assert(cuda::std::is_same<T, int>::value && cuda::std::is_arithmetic_v<T>, "");
  cuda::std::array<T, 3> a = { 1, 2, 3 };
  cuda::std::get<0>(*tuples) = cuda::std::numeric_limits<T>::max() - a[1];
  cuda::std::swap(a[0], a[1]);
  cuda::std::complex<double> z(a[0], a[1]);
  cuda::std::get<1>(*tuples) = static_cast<unsigned>(cuda::std::sqrt(z.real()) + cuda::std::norm(z));
}

__global__ void counted(cuda::atomic<int, cuda::thread_scope_device> *counter, std::atomic<unsigned> *other) {
  counter->fetch_add(1, cuda::memory_order_relaxed);
  counter->fetch_max(5);
  (*other)++;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
}

__global__ void complex_vectors(cuFloatComplex *z) {
  z[0] = cuCmulf(z[0], make_cuFloatComplex(CUDART_PI_F, 1));
  z[1].x = cuCabsf(z[0]);
}

template <class T> __host__ __device__ double both_sides(T x) {
  double sine, cosine;
  sincospi(static_cast<double>(x), &sine, &cosine);
  return sine + cosine + rsqrt(x) + rcbrt(x) + erfinv(x) + normcdf(x) + erfcx(x) + sinpi(x) + cospi(x) + rhypot(x, x) +
         min(x, T(1)) + max(1u, 2) + norm3d(sine, cosine, 1.0) + exp10(x) + cyl_bessel_i0(x) + j0(x) +
         make_float4(1, 2, 3, 4).w;
}
__global__ void both(double *out) { *out = both_sides(0.25f) + both_sides(0.25); }

int main() {
  own_names<int><<<1, 1>>>(nullptr);
  return both_sides(0.25f) + both_sides(0.25) > 0 ? 0 : 1;
}
