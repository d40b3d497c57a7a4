/* SPDX-License-Identifier: MIT */
/*
 * foreign - a program with kernels for NVIDIA's driver alone: it starts, and is told what it has when it launches one.
 */
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

int plugin_start(int n);
const char *vptr_last_error(void);

int main(void) {
  if (cudaGetLastError() != cudaSuccess || plugin_start(1000) == 0 ||
      strstr(vptr_last_error(), "rebuild it with vptrcc") == NULL) {
    fprintf(stderr, "not as it should be: %s\n", vptr_last_error());
    return 1;
  }
  return 0;
}
