/* SPDX-License-Identifier: MIT */
/* templates_tags - dispatch by tags and policies, and traits that classes carry. */
#include "check.h"

struct any_order {};
struct random_order : any_order {};
struct in_order : random_order {};

struct forwards {
  using order = in_order;
  static __host__ __device__ int at(int i, int) { return i; }
};
struct backwards {
  using order = random_order;
  static __host__ __device__ int at(int i, int count) { return count - 1 - i; }
};
struct hashed {
  using order = any_order;
  static __host__ __device__ int at(int i, int count) { return (i * 7 + 3) % count; }
};

template <class Policy> __host__ __device__ int cost(Policy, any_order) {
  return 100;
}
template <class Policy> __host__ __device__ int cost(Policy, in_order) {
  return 1;
}

template <class Policy, int Count> __global__ void copy(int *out, const int *in) {
  int i = (int)threadIdx.x;
  out[i] = in[Policy::at(i, Count)] + cost(Policy(), typename Policy::order());
}

template <class Policy> void check(int price) {
  items<int, 32> in, out;
  for (int i = 0; i < 32; i++)
    in.host[i] = i * 1000;
  in.send();
  copy<Policy, 32><<<1, 32>>>(out.device, in.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == Policy::at(i, 32) * 1000 + price);
}

int main() {
  check<forwards>(1);
  check<backwards>(100);
  check<hashed>(100);
  return result();
}
