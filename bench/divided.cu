/* SPDX-License-Identifier: MIT */
/*
 * divided - launches that are divided among the members of one device, beside the same launches on one member of it:
 * microseconds of a launch, to its end, and the ratio.
 *
 *     vptrcc -O2 divided.cu -o divided && VPTR_STRIPE=all ./divided 9
 *     VPTR_PARTITION=2 VPTR_STRIPE=all ./divided 9         parts of one device, which one launch fills anyway
 *
 * The two take turns, and what is printed is the median of so many samples (9 if no number is given) and of their
 * ratios. Each has arrays of its own, which lie where its launches want them when the first, which is not counted, is
 * over. Both must compute the same.
 */
#include "program.h"

#include <vptr/cuda/vptr_kernel.h>

enum { WORDS = 32 << 20, BLOCK = 256, STEPS = 64 };

__global__ void stream(unsigned *to, const unsigned *from) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = to[i] * 31 + from[i];
}

__global__ void compute(unsigned *to, const unsigned *from) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, value = to[i];
  for (int k = 0; k < STEPS; k++)
    value = value * 1664525u + (from[i] ^ value >> 7);
  to[i] = value;
}

struct arrays {
  unsigned *to, *from;
};

static arrays make_arrays(const std::vector<unsigned> &values) {
  arrays it;
  for (unsigned **each : { &it.to, &it.from }) {
    must(cudaMalloc((void **)each, WORDS * sizeof(unsigned)), "cudaMalloc");
    must(cudaMemcpy(*each, values.data(), WORDS * sizeof(unsigned), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  return it;
}

static double launch_once(const void *kernel, arrays it, bool is_divided) {
  const size_t layer = is_divided ? BLOCK * sizeof(unsigned) : 0, bytes = WORDS * sizeof(unsigned);
  const vptr_cuda_range ranges[] = { { bytes, layer, VPTR_CUDA_ACCESS_READ_WRITE },
                                     { bytes, layer, VPTR_CUDA_ACCESS_READ } };
  void *arguments[] = { &it.to, &it.from };
  const double begin = now();
  must(vptr_cuda_launch_ranges(kernel, dim3(WORDS / BLOCK), dim3(BLOCK), arguments, ranges, 2, 0, NULL), "a launch");
  must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return now() - begin;
}

static void check_same(const unsigned *a, const unsigned *b) {
  std::vector<unsigned> one(WORDS), other(WORDS);
  must(cudaMemcpy(one.data(), a, WORDS * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
  must(cudaMemcpy(other.data(), b, WORDS * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (one != other) {
    fprintf(stderr, "divided: the results differ\n");
    exit(1);
  }
}

static void measure(const char *name, const void *kernel, const std::vector<unsigned> &values, int samples) {
  const arrays whole = make_arrays(values), divided = make_arrays(values);
  std::vector<double> one, all, ratio;
  launch_once(kernel, whole, false);
  launch_once(kernel, divided, true);
  for (int i = 0; i < samples; i++) {
    one.push_back(launch_once(kernel, whole, false));
    all.push_back(launch_once(kernel, divided, true));
    ratio.push_back(one.back() / all.back());
  }
  check_same(whole.to, divided.to);
  printf("%-12s %14.1f %14.1f %10.2f\n", name, median(one), median(all), median(ratio));
  for (unsigned *each : { whole.to, whole.from, divided.to, divided.from })
    must(cudaFree(each), "cudaFree");
}

int main(int argc, char **argv) {
  const int samples = argc > 1 ? atoi(argv[1]) : 9;
  std::vector<unsigned> values(WORDS);
  for (unsigned i = 0; i < WORDS; i++)
    values[i] = i * 2654435761u;
  printf("%-12s %14s %14s %10s\n", "kernel", "one member us", "divided us", "one/divided");
  measure("streams", (const void *)stream, values, samples);
  measure("computes", (const void *)compute, values, samples);
  return 0;
}
