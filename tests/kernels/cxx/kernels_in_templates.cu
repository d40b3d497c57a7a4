/* SPDX-License-Identifier: MIT */
/* kernels_in_templates - launches from templates, members and operators, with grids, shared memory and streams. */
#include "check.h"

template <class T> __global__ void reversed(T *out, const T *in) {
  extern __shared__ unsigned char bytes[];
  T *room = reinterpret_cast<T *>(bytes);
  unsigned i = threadIdx.x, count = blockDim.x, first = blockIdx.x * count;
  room[i] = in[first + i];
  __syncthreads();
  out[first + i] = room[count - 1 - i];
}

template <class T, int N> class pipeline {
  items<T, N> in_, out_;
  cudaStream_t stream_;

public:
  pipeline() { CALL(cudaStreamCreate(&stream_)); }
  ~pipeline() { cudaStreamDestroy(stream_); }
  template <class F> pipeline &fill(F f) {
    for (int i = 0; i < N; i++)
      in_.host[i] = f(i);
    in_.send();
    return *this;
  }
  template <int Blocks> pipeline &run() {
    reversed<<<dim3(Blocks), dim3(N / Blocks), N / Blocks * sizeof(T), stream_>>>(out_.device, in_.device);
    CALL(cudaStreamSynchronize(stream_));
    return *this;
  }
  void operator()(int blocks) {
    out_.fetch();
    int size = N / blocks;
    EXPECT_EACH(N, out_[i] == in_[i / size * size + size - 1 - i % size]);
  }
};

int main() {
  pipeline<double, 64> a;
  a.fill([](int i) { return i * 0.5; }).run<2>()(2);
  pipeline<char, 96> b;
  b.fill([](int i) { return char(i); }).run<3>()(3);
  pipeline<long long, 32> c;
  c.fill([](int i) { return i * 1000000007ll; }).run<1>()(1);
  return result();
}
