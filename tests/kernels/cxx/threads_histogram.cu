/* SPDX-License-Identifier: MIT */
/* threads_histogram - counts in shared memory that are merged, with a binning functor and a loop over atomicCAS(). */
#include "check.h"

template <class T> __device__ void atomic_multiply(T *address, T by) {
  static_assert(sizeof(T) == 4, "");
  unsigned *word = reinterpret_cast<unsigned *>(address), seen = *word, before;
  do {
    before = seen;
    T value;
    memcpy(&value, &before, sizeof value);
    value *= by;
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    seen = atomicCAS(word, before, bits);
  } while (seen != before);
}

template <int Bins, class T, class Bin> __global__ void histogram(int *out, const T *in, int count, Bin bin) {
  __shared__ int counts[Bins];
  for (int i = (int)threadIdx.x; i < Bins; i += (int)blockDim.x)
    counts[i] = 0;
  __syncthreads();
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += (int)(gridDim.x * blockDim.x))
    atomicAdd(&counts[bin(in[i])], 1);
  __syncthreads();
  for (int i = (int)threadIdx.x; i < Bins; i += (int)blockDim.x)
    atomicAdd(out + i, counts[i]);
}
__global__ void product(float *out) {
  atomic_multiply(out, threadIdx.x % 2 ? 2.0f : 0.5f);
  atomic_multiply(out + 1, 2.0f);
}
struct bin_of {
  float low, width;
  __host__ __device__ int operator()(float x) const { return (int)((x - low) / width); }
};

int main() {
  items<float, 300> in;
  items<int, 10> out;
  int wanted[10] = {};
  bin_of bin = { -5, 2 };
  for (int i = 0; i < 300; i++)
    in.host[i] = -5 + 0.0625f * (float)(i * 7 % 320), wanted[bin(in.host[i])]++;
  in.send();
  histogram<10><<<3, 32>>>(out.device, in.device, 300, bin);
  out.fetch();
  EXPECT_EACH(10, out[i] == wanted[i]);
  items<float, 2> p;
  p.host[0] = p.host[1] = 3;
  p.send();
  product<<<1, 16>>>(p.device);
  p.fetch();
  EXPECT(p[0] == 3 && p[1] == 3 * 65536);
  return result();
}
