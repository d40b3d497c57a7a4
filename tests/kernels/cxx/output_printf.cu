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

/* Text in memory of each kind, a width that is an argument, and what CUDA's printf() returns. */
template <class T> __global__ void print_text(T *counts, const char *given) {
  __shared__ char shared[8];
  char own[8] = { 'o', 'w', 'n', char('0' + threadIdx.x) };
  shared[threadIdx.x] = threadIdx.x < 3 ? char('a' + threadIdx.x) : 0;
  __syncthreads();
  if (threadIdx.x == 5)
    counts[0] = printf("%s|%*s|%-6s|%.*s|%s\n", own, int(threadIdx.x) + 1, shared, given, int(threadIdx.x) - 3, given,
                       counts[1] > 0 ? "yes" : "no");
  if (threadIdx.x == 6)
    counts[1] = printf("%*.*f|%-*g|%.*e\n", int(threadIdx.x) + 4, int(threadIdx.x) - 4, 2.345, int(threadIdx.x) + 2,
                       0.5f, int(threadIdx.x) - 5, 12345.0);
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
  items<int, 2> counts;
  char *given;
  CALL(cudaMalloc(&given, 8));
  CALL(cudaMemcpy(given, "given", 6, cudaMemcpyHostToDevice));
  print_text<<<1, 8>>>(counts.device, given);
  counts.fetch();
  EXPECT(counts[0] == 7 && counts[1] == 7);
  fflush(stdout);
  dup2(before, 1);
  lseek(file, 0, SEEK_SET);
  EXPECT(read(file, text, sizeof text - 1) > 0);
  const char *wanted = "thread 1 of 2:  2.50 x% -1099511627776|ab  |ff\n"
                       "thread 1 of 3: -7.00 x% -1099511627776|ab  |ff\n"
                       "own5|   abc|given |gi|no\n"
                       "      2.35|0.5     |1.2e+04\n";
  EXPECT(strcmp(text, wanted) == 0);
  close(file);
  unlink(path);
  return result();
}
