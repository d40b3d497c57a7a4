/* SPDX-License-Identifier: MIT */
/* templates - kernels that are templates of each kind, launched with arguments that choose what they become. */
#include <cstdio>
#include <type_traits>

template <class T> struct scale_by {
  T factor;
  __host__ __device__ T operator()(T x) const { return factor * x; }
};

/* by type, by value, by a class that is called */
template <class T, int Unroll, class Operation> __global__ void each(T *out, const T *in, int count, Operation operation) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll;
#pragma unroll
  for (int i = 0; i < Unroll; i++)
    if (first + i < count)
      out[first + i] = operation(in[first + i]);
}

/* a pack, folded */
template <class... Numbers> __global__ void sum_of(double *out, Numbers... numbers) {
  *out = (static_cast<double>(numbers) + ... + 0.0);
}

/* specialised, in whole and in part */
template <class T> struct name_of { static constexpr int value = 0; };
template <> struct name_of<float> { static constexpr int value = 1; };
template <class T> struct name_of<T *> { static constexpr int value = 10 + name_of<T>::value; };
template <class T> __global__ void named(int *out) { *out = name_of<T>::value; }

/* SFINAE, and if constexpr */
template <class T> __device__ typename std::enable_if<std::is_integral<T>::value, T>::type half_of(T x) { return x / 2; }
template <class T> __device__ typename std::enable_if<!std::is_integral<T>::value, T>::type half_of(T x) {
  return x * T(0.5);
}
template <class T> __global__ void halve(T *x) {
  if constexpr (sizeof(T) >= 4)
    x[threadIdx.x] = half_of(x[threadIdx.x]);
}

/* a template of a template, shared memory of its size */
template <class T, int Size> struct tile {
  T at[Size][Size + 1];
  __device__ T &operator()(int y, int x) { return at[y][x]; }
};
template <template <class, int> class Tile, class T, int Size>
__global__ void __launch_bounds__(Size *Size) transpose(T *out, const T *in, int width) {
  __shared__ Tile<T, Size> block;
  block(threadIdx.y, threadIdx.x) = in[(blockIdx.y * Size + threadIdx.y) * width + blockIdx.x * Size + threadIdx.x];
  __syncthreads();
  out[(blockIdx.x * Size + threadIdx.y) * width + blockIdx.y * Size + threadIdx.x] = block(threadIdx.x, threadIdx.y);
}

/* a static polymorph, and a recursion of the compiler's */
template <class Derived> struct shape {
  __device__ float twice() const { return 2.0f * static_cast<const Derived *>(this)->area(); }
};
struct square : shape<square> {
  float side;
  __device__ float area() const { return side * side; }
};
template <int N> struct factorial { static constexpr long long value = N * factorial<N - 1>::value; };
template <> struct factorial<0> { static constexpr long long value = 1; };
__global__ void areas(float *out, square s) { *out = s.twice() + factorial<5>::value; }

constexpr int table_size = 8;
struct squares {
  int at[table_size];
  constexpr squares() : at() {
    for (int i = 0; i < table_size; i++)
      at[i] = i * i;
  }
};
__constant__ squares constant_squares;
__global__ void read_table(int *out) {
  constexpr squares here;
  out[threadIdx.x] = here.at[threadIdx.x % table_size] + constant_squares.at[threadIdx.x % table_size];
}

template <class T> void run(T *out, const T *in, int count) {
  each<T, 4><<<(count + 1023) / 1024, 256>>>(out, in, count, scale_by<T>{ T(3) });
}

int main() {
  float *floats = nullptr;
  double *doubles = nullptr;
  int *ints = nullptr;
  cudaMalloc(&floats, 4096);
  cudaMalloc(&doubles, 4096);
  cudaMalloc(&ints, 4096);
  run(floats, floats, 100);
  run(doubles, doubles, 100);
  sum_of<<<1, 1>>>(doubles, 1, 2.5f, 3u, 4.0);
  named<float *><<<1, 1>>>(ints);
  halve<<<1, 32>>>(ints);
  halve<<<1, 32>>>(floats);
  transpose<tile, float, 16><<<dim3(2, 2), dim3(16, 16)>>>(floats, floats, 32);
  areas<<<1, 1>>>(floats, square());
  read_table<<<1, table_size>>>(ints);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
