/* SPDX-License-Identifier: MIT */
/* memory_shared - shared memory in templates: arrays of any type, several, structs, static within members and lambdas. */
#include "check.h"

template <class T, int N> struct scratch {
  T items[N];
  int count;
};

template <class T, int N> __device__ T *room() {
  __shared__ T memory[N];
  return memory;
}

template <class T, int N> __global__ void run(T *out, const T *in) {
  __shared__ T row[N], column[N + 1];
  __shared__ scratch<T, N> s;
  int i = (int)threadIdx.x;
  row[i] = in[i];
  column[N - i] = in[i] + in[i];
  if (i == 0)
    s.count = N, column[0] = T(1);
  s.items[(i + 3) % N] = T(i);
  T *other = room<T, N>();
  other[i] = T(i * 2);
  __syncthreads();
  T *chosen = i % 2 ? row : other;
  out[i] = row[N - 1 - i] + column[i] + s.items[i] + T(s.count) + chosen[(i + 1) % N];
}

template <class T, int N> void check() {
  items<T, N> in, out;
  for (int i = 0; i < N; i++)
    in.host[i] = T(i % 5);
  in.send();
  run<T, N><<<1, N>>>(out.device, in.device);
  out.fetch();
  for (int i = 0; i < N; i++) {
    T column = i == 0 ? T(1) : T((N - i) % 5 * 2), chosen = i % 2 ? in[(i + 1) % N] : T((i + 1) % N * 2);
    T wanted = T(in[N - 1 - i] + column + T((i + N - 3) % N) + T(N) + chosen);
    check_item(out[i] == wanted, i, "what shared memory holds", __FILE__, __LINE__);
  }
}

/* LLVM makes a variable of each member. */
struct dozen {
  int a, b, c, d, e, f, g, h, i, j, k, l;
};

__global__ void add_members(int *out, const int *in) {
  __shared__ dozen s;
  if (threadIdx.x == 0) {
    s.a = in[0], s.b = in[1], s.c = in[2], s.d = in[3], s.e = in[4], s.f = in[5];
    s.g = in[6], s.h = in[7], s.i = in[8], s.j = in[9], s.k = in[10], s.l = in[11];
  }
  __syncthreads();
  out[threadIdx.x] = s.a + 2 * s.b + 3 * s.c + 4 * s.d + 5 * s.e + 6 * s.f + 7 * s.g + 8 * s.h + 9 * s.i + 10 * s.j +
                     11 * s.k + 12 * s.l;
}

void check_members() {
  items<int, 12> in, out;
  int wanted = 0;
  for (int i = 0; i < 12; i++) {
    in.host[i] = i * i + 1;
    wanted += (i + 1) * in.host[i];
  }
  in.send();
  add_members<<<1, 12>>>(out.device, in.device);
  out.fetch();
  for (int i = 0; i < 12; i++)
    check_item(out[i] == wanted, i, "the members of a struct in shared memory", __FILE__, __LINE__);
}

int main() {
  check_members();
  check<int, 32>();
  check<double, 16>();
  check<unsigned char, 40>();
  check<float, 33>();
  return result();
}
