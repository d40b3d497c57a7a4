// SPDX-License-Identifier: MIT
// instance - a kernel that is a template's: each file that launches it has its stub, and linkers keep one of them. ENTRY is the
// function to call; 0: all is as it should be, else what failed first.

template <int N>
__global__ void times(int *a) {
  a[threadIdx.x] *= N;
}

// Launched while the arguments of another launch are evaluated.
static int *prepared(int *a) {
  times<3><<<1, 2>>>(a);
  return a;
}

extern "C" int ENTRY() {
  int host[4] = { 1, 2, 3, 4 }, *a = nullptr;
  if (cudaMalloc((void **)&a, sizeof host) != cudaSuccess)
    return 1;
  if (cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess)
    return 2;
  times<3><<<1, 4>>>(prepared(a));
  if (cudaGetLastError() != cudaSuccess)
    return 3;
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess || cudaFree(a) != cudaSuccess)
    return 4;
  return host[0] == 9 && host[1] == 18 && host[2] == 9 && host[3] == 12 ? 0 : 5;
}
