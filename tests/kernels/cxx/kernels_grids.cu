/* SPDX-License-Identifier: MIT */
/* kernels_grids - grids and blocks of three dimensions in templates, strides over the grid, many small launches. */
#include "check.h"

struct extent {
  unsigned x, y, z;
};
template <class F> __global__ void for_cells(extent e, F f) {
  unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < e.y; y += gridDim.y * blockDim.y)
    for (unsigned x = blockIdx.x * blockDim.x + threadIdx.x; x < e.x; x += gridDim.x * blockDim.x)
      if (z < e.z)
        f(x, y, z);
}
struct write_index {
  int *out;
  extent e;
  __device__ void operator()(unsigned x, unsigned y, unsigned z) const {
    out[(z * e.y + y) * e.x + x] += (int)(x + 100 * y + 10000 * z + 1);
  }
};
__global__ void add_sizes(int *out) {
  if (threadIdx.x == blockDim.x - 1 && threadIdx.y == 0)
    atomicAdd(out, (int)(gridDim.x * 100 + gridDim.y * 10 + blockDim.y));
}

int main() {
  const extent e = { 13, 7, 3 };
  items<int, 13 * 7 * 3> out;
  for (int times = 0; times < 20; times++)
    for_cells<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(e, write_index{ out.device, e });
  out.fetch();
  EXPECT_EACH(13 * 7 * 3, out[i] == 20 * (i % 13 + 100 * (i / 13 % 7) + 10000 * (i / 91) + 1));
  items<int, 1> sizes;
  add_sizes<<<dim3(3, 2), dim3(8, 4)>>>(sizes.device);
  sizes.fetch();
  EXPECT(sizes[0] == 6 * 324);
  return result();
}
