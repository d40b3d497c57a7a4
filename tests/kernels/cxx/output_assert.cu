/* SPDX-License-Identifier: MIT */
/* output_assert - an assertion that fails in a template's kernel is an error of the program, named on the host. */
#include "check.h"

#include <assert.h>
#include <unistd.h>

template <class T> __global__ void checked(T *x, T limit) {
  assert(x[threadIdx.x] < limit);
  x[threadIdx.x] += 1;
}

int main() {
  items<int, 8> x;
  checked<<<1, 8>>>(x.device, 5);
  x.fetch();
  EXPECT_EACH(8, x[i] == 1);
  FILE *elsewhere = tmpfile();
  fflush(stdout);
  int out = dup(1), errors = dup(2);
  dup2(fileno(elsewhere), 1), dup2(fileno(elsewhere), 2);
  checked<<<1, 8>>>(x.device, 1);
  cudaError_t error = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(out, 1), dup2(errors, 2);
  EXPECT(error == cudaErrorAssert);
  char text[512] = "";
  rewind(elsewhere);
  EXPECT(fread(text, 1, sizeof text - 1, elsewhere) > 0);
  EXPECT(strstr(text, "x[threadIdx.x] < limit") != nullptr);
  _exit(result());
}
