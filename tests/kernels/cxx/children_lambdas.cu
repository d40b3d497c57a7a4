/* SPDX-License-Identifier: MIT */
/* children_lambdas - children of lambdas of the host's functions, which are arguments of kernels: what a launch in them uses
 * is captured, in both halves alike. */
/* options: --extended-lambda */
#include "check.h"

struct two {
  int first, second;
};

__global__ void add(int *to, int what) { atomicAdd(to, what); }
__global__ void add_two(int *to, two what, int times) { atomicAdd(to, times * (what.first + what.second)); }

template <class Body> __global__ void run(Body body) { body((int)threadIdx.x); }
template <class Body> __global__ void run_with(Body body, int *behind) {
  body(0);
  atomicAdd(behind, 1);
}

struct counter {
  int *to;
  __device__ auto operator()(int i) const {
    run<<<1, 1>>>([to = to, i](int j) { atomicAdd(to, 1 + i + j); });
    return i;
  }
};

int main() {
  items<int, 8> out;
  int *p = out.device;
  const int constant = 5;
  int variable = 7;
  run<<<1, 2>>>([=] __device__(int i) { add<<<1, 1>>>(p + i, 10); });
  run_with<<<1, 1>>>([=] __device__(int) { add<<<1, 1>>>(p + 2, constant); }, p + 3);
  run_with<<<1, 1>>>([=] __device__(int i) { add_two<<<dim3(1 + i), variable - 6>>>(p + 4, { variable, constant }, 3); },
                     p + 3);
  run_with<<<1, 1>>>(counter{ p + 5 }, p + 3);
  auto launch_on_host = [=] { add<<<1, 2>>>(p + 6, variable); };
  launch_on_host();
  out.fetch();
  EXPECT(out[0] == 10 && out[1] == 10);
  EXPECT(out[2] == 5);
  EXPECT(out[3] == 3);
  EXPECT(out[4] == 3 * 12);
  EXPECT(out[5] == 1);
  EXPECT(out[6] == 14);
  return result();
}
