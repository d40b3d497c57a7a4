/* SPDX-License-Identifier: MIT */
/*
 * together.cu - a program with kernels in C beside libraries with kernels in C++ of the same name: `together` has been linked
 * with two of them, `together LIBRARY FUNCTION LIBRARY FUNCTION` opens them. Their work is done in turns.
 */
#include <dlfcn.h>
#include <stdio.h>

typedef int run(int n);

#ifdef LINKED
extern "C" run run_three, run_five;
#endif

__device__ int launches;

__global__ void same(int *a, int factor) {
  a[threadIdx.x] *= factor;
  if (threadIdx.x == 0)
    launches += 1000;
}

static int run_own(int n) {
  static int before;
  int host[64], *a = NULL, counted = 0, i;
  for (i = 0; i < 64; i++)
    host[i] = i;
  if (cudaMalloc((void **)&a, sizeof host) != cudaSuccess ||
      cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess)
    return 1;
  same<<<1, 64>>>(a, n);
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess || cudaFree(a) != cudaSuccess)
    return 2;
  for (i = 0; i < 64; i++)
    if (host[i] != n * i)
      return 3;
  before += 1000;
  return cudaMemcpyFromSymbol(&counted, launches, sizeof counted) == cudaSuccess && counted == before ? 0 : 4;
}

static run *opened(const char *path, const char *function) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  run *found = library != NULL ? (run *)dlsym(library, function) : NULL;
  if (found == NULL)
    fprintf(stderr, "%s\n", dlerror());
  return found;
}

int main(int count, char **arguments) {
  run *all[3] = { run_own, NULL, NULL };
#ifdef LINKED
  all[1] = run_three;
  all[2] = run_five;
#endif
  if (count == 5) {
    all[1] = opened(arguments[1], arguments[2]);
    all[2] = opened(arguments[3], arguments[4]);
  }
  if (all[1] == NULL || all[2] == NULL)
    return 1;
  for (int turn = 0; turn < 9; turn++) {
    int code = all[turn % 3](turn + 1);
    if (code != 0) {
      fprintf(stderr, "turn %d: %d\n", turn, code);
      return 1;
    }
  }
  return 0;
}
