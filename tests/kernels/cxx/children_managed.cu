/* SPDX-License-Identifier: MIT */
/* children_managed - managed variables of which only children know, and grandchildren; the host reads them behind its launch, and
 * sets them before the next. */
#include "check.h"

template <class T> struct stage {
  T limits[2];
  int count;
};

__managed__ stage<double> current = { { 1, 2 }, 3 };
static __managed__ int visits;

template <class T> __device__ T span(const stage<T> &of) { return of.limits[1] - of.limits[0]; }

template <int LEVEL> __global__ void narrow(double by) {
  current.limits[0] += span(current) * by;
  current.count += LEVEL;
  atomicAdd(&visits, 1);
  if constexpr (LEVEL > 0)
    narrow<LEVEL - 1><<<1, 1>>>(by);
}

__global__ void begin(double by, int children) {
  for (int i = 0; i < children; i++)
    narrow<2><<<1, 1>>>(by);
}

int main() {
  begin<<<1, 1>>>(0.5, 1);
  LAUNCHED();
  EXPECT(current.limits[0] == 1.875 && current.limits[1] == 2);
  EXPECT(current.count == 3 + 2 + 1);
  EXPECT(visits == 3);
  current = { { 0, 8 }, 0 };
  begin<<<1, 1>>>(0.25, 0);
  begin<<<1, 1>>>(0.5, 2);
  narrow<0><<<1, 1>>>(0);
  LAUNCHED();
  EXPECT(current.limits[0] == 8 - 8.0 / 64);
  EXPECT(current.count == 6);
  EXPECT(visits == 3 + 6 + 1);
  return result();
}
