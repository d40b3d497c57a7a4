/* SPDX-License-Identifier: MIT */
/* again: VPTR_THREADS=items */
/* output_flood - printf() in C++ whose threads exchange values: more than its buffer has room for, each line whole, and each
 * warp's in its order. Where kernels take plain memory (CPUs) nothing is missing. */
#include "check.h"

#include <unistd.h>

constexpr int BLOCKS = 64, ROUNDS = 320;

template <class T> struct named {
  const char *name;
  T value;
  __device__ int tell(int round) const {
    return printf("%s of block %d: round %d, sum %lld, %.1f%%, %s\n", name, int(blockIdx.x), round, (long long)value, round / 4.0,
                  round % 2 ? "odd" : "even");
  }
};

template <class T> __global__ void tell_sums(const char *name, T *counts) {
  for (int round = 0; round < ROUNDS; round++) {
    T sum = threadIdx.x + round;
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0)
      counts[blockIdx.x] += named<T>{ name, sum }.tell(round);
  }
}

static bool keeps_all() {
#ifdef VPTR_CUDA_API
  int takes = 0;
  CALL(cudaDeviceGetAttribute(&takes, cudaDevAttrPageableMemoryAccess, 0));
  return takes != 0;
#else
  return false;
#endif
}

int main() {
  int before = dup(1), seen = 0, wrong = 0, next[BLOCKS] = {};
  char line[256], wanted[256];
  char *name;
  items<int, BLOCKS> counts;
  FILE *file = tmpfile();
  EXPECT(file != nullptr && before >= 0);
  CALL(cudaMalloc(&name, 16));
  CALL(cudaMemcpy(name, "a long name", 12, cudaMemcpyHostToDevice));
  fflush(stdout);
  dup2(fileno(file), 1);
  tell_sums<<<BLOCKS, 32>>>(name, counts.device);
  counts.fetch();
  fflush(stdout);
  dup2(before, 1);
  rewind(file);
  for (int block = -1, round; fgets(line, sizeof line, file) != nullptr; seen++) {
    bool is_known = sscanf(line, "a long name of block %d: round %d,", &block, &round) == 2 && block >= 0 && block < BLOCKS;
    wrong += !is_known || round < next[block];
    if (!is_known)
      continue;
    next[block] = round + 1;
    snprintf(wanted, sizeof wanted, "a long name of block %d: round %d, sum %d, %.1f%%, %s\n", block, round, 32 * round + 496, round / 4.0,
             round % 2 ? "odd" : "even");
    wrong += strcmp(line, wanted) != 0;
  }
  EXPECT(wrong == 0);
  EXPECT(seen == BLOCKS * ROUNDS || (!keeps_all() && seen > 0));
  for (int block = 0; block < BLOCKS; block++)
    EXPECT(counts[block] == 6 * ROUNDS);
  fclose(file);
  return result();
}
