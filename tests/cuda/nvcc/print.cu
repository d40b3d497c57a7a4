/* SPDX-License-Identifier: MIT */
/* print - printf() of kernels, with numbers, text and none. */
#include "check.h"

#include <cstring>
#include <unistd.h>

__device__ const char *const names[2] = { "zero", "one" };

__global__ void print(int n) {
  if (threadIdx.x < n)
    printf("thread %d of %d: %s %.2f %llx\n", (int)threadIdx.x, n, names[threadIdx.x & 1], 0.5 * threadIdx.x,
           0x123456789abcull);
  if (threadIdx.x == 0)
    printf("plain\n");
}

int main() {
  FILE *file = tmpfile();
  CHECK(file != NULL);
  int before = dup(1);
  fflush(stdout);
  dup2(fileno(file), 1);
  print<<<1, 32>>>(2);
  cudaError_t error = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(before, 1);
  GOES(error);
  char text[1000] = "";
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  if (strstr(text, "thread 1 of 2: one 0.50 123456789abc\n") == NULL || strstr(text, "plain\n") == NULL ||
      strstr(text, "thread 0 of 2: zero 0.00 123456789abc\n") == NULL) {
    printf("printed:\n%s", text);
    return 1;
  }
  return 0;
}
