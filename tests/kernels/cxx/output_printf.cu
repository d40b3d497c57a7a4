/* SPDX-License-Identifier: MIT */
/* output_printf - printf() and assert() in templates: what is printed is compared by the program itself. */
#include "check.h"

#include <assert.h>
#include <unistd.h>

template <class T> __global__ void print(T value) {
  assert(value == value && "not a number");
  if (threadIdx.x == 1)
    printf("%s %d of %u: %5.2f %c%% %lld|%-4s|%x\n", "thread", (int)threadIdx.x, blockDim.x, double(value), 'x', -(1ll << 40), "ab", 255u);
}

int main() {
  char path[] = "/tmp/output_printf.XXXXXX", text[512] = "";
  int file = mkstemp(path), before = dup(1);
  EXPECT(file >= 0 && before >= 0);
  fflush(stdout);
  dup2(file, 1);
  print<<<1, 2>>>(2.5f);
  CALL(cudaDeviceSynchronize());
  print<<<1, 3>>>(-7);
  CALL(cudaDeviceSynchronize());
  fflush(stdout);
  dup2(before, 1);
  lseek(file, 0, SEEK_SET);
  EXPECT(read(file, text, sizeof text - 1) > 0);
  const char *wanted = "thread 1 of 2:  2.50 x% -1099511627776|ab  |ff\n"
                       "thread 1 of 3: -7.00 x% -1099511627776|ab  |ff\n";
  EXPECT(strcmp(text, wanted) == 0);
  close(file);
  unlink(path);
  return result();
}
