/* SPDX-License-Identifier: MIT */
/* children_arguments - what children are given, and by which names kernels launch them: overloads, namespaces, templates,
 * static ones, from device functions, member functions, lambdas and macros. */
#include "check.h"

struct part {
  char letter;
  double *place;
  short numbers[3];
};
struct __align__(16) wide {
  float4 four;
  char last;
};
struct nothing {};

__global__ void take_all(char c, part p, int4 four, double d, int *out, const void *pointer, bool flag, wide w, nothing,
                         unsigned long long big) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = (int)threadIdx.x;
  __syncthreads();
  out[0] = c;
  out[1] = p.letter + p.numbers[0] + p.numbers[2];
  out[2] = four.x + 10 * four.y + 100 * four.z + 1000 * four.w;
  out[3] = (int)d;
  out[4] = pointer == nullptr;
  out[5] = flag;
  out[6] = (int)(gridDim.x + 10 * gridDim.y + 100 * blockDim.x + 1000 * blockDim.y);
  out[7] = shared[blockDim.x - 1];
  out[8] = (int)w.four.z + w.last;
  out[9] = (int)(big >> 40);
  *p.place = d / 2;
}

__device__ void launch_all(int *out, double *place, bool flag) {
  part p = { 'a', place + 1, { 1, 2, 3 } };
  take_all<<<dim3(2, 3), 4 << 1 >> 1, sizeof(int) * 4>>>('x', p, make_int4(1, 2, 3, 4), flag ? 7.5 : 8.5, out, nullptr,
                                                       flag && p.letter == 'a', wide{ { 1, 2, 3, 4 }, 5 }, nothing{},
                                                       3ull << 40);
}

__global__ void launch_from_function(int *out, double *place) {
  if (threadIdx.x == 1)
    launch_all(out, place, blockDim.x == 2);
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static __global__ void add(int *to, int what) { atomicAdd(to, what); }
__global__ void add(float *to, float what) { atomicAdd(to, what); }
namespace outer {
namespace {
__global__ void add(int *to, int what) { atomicAdd(to, 100 * what); }
} // namespace
inline namespace inner {
template <int BY, class T> __global__ void add_times(T *to, T what) { atomicAdd(to, BY * what); }
} // namespace inner
} // namespace outer

template <class T> struct adder {
  T *to;
  __device__ void operator()(T what) const {
    add<<<1, 1>>>(to, what);
    outer::add_times<3><<<1, 2>>>(to, what);
  }
};

template <void (*KERNEL)(int *, int)> __device__ void launch_kernel(int *to, int what) { KERNEL<<<1, 1>>>(to, what); }

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

template <class T> __global__ void launch_by_names(T *out, float *floats, int from) {
  if (from == 0)
    add<<<1, 1>>>(out, 1);
  else
    outer::add<<<1, 1>>>(out, from);
  ::outer::inner::add_times<1000, T><<<dim3(1, 1, 1), dim3(1)>>>(&out[0], (T)(from ? 2 : 3));
  adder<T>{ out + 1 }(7);
  adder<float>{ floats }(0.5f);
  auto from_lambda = [&](int i) { add<<<i, 1>>>(out + 2, i); };
  for (int i = 1; i < 4; i++)
    from_lambda(i);
  launch_kernel<add>(out + 3, 11);
  LAUNCH(add, out + 4, from ? 5 : 6);
  threadIdx.x == 0 ? add<<<1, 1>>>(out + 5, 1) : add<<<1, 1>>>(out + 5, 2);
}

/* Which no kernel launches. */
template <class T> __global__ void only_by_host(T *out) { *out = sizeof(T); }

int main() {
  const int wanted[] = { 'x', 'a' + 4, 4321, 7, 1, 1, 2 + 30 + 400 + 1000, 3, 8, 3 };
  items<int, 10> out;
  items<double, 2> place;
  launch_from_function<<<1, 2>>>(out.device, place.device);
  out.fetch();
  place.fetch();
  EXPECT_EACH(10, out[i] == wanted[i]);
  EXPECT(place[1] == 3.75);

  for (int from = 0; from < 2; from++) {
    items<int, 6> sums;
    items<float, 1> floats;
    launch_by_names<<<1, 1>>>(sums.device, floats.device, from);
    sums.fetch();
    floats.fetch();
    EXPECT(sums[0] == (from ? 2100 : 3001));
    EXPECT(sums[1] == 7 + 3 * 7 * 2);
    EXPECT(sums[2] == 1 + 4 + 9);
    EXPECT(sums[3] == 11);
    EXPECT(sums[4] == (from ? 5 : 6));
    EXPECT(sums[5] == 1);
    EXPECT(floats[0] == 0.5f + 3 * 0.5f * 2);
  }
  items<short, 1> size;
  only_by_host<<<1, 1>>>(size.device);
  size.fetch();
  EXPECT(size[0] == 2);
  return result();
}
