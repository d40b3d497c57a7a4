/* SPDX-License-Identifier: MIT */
/*
 * program - what the programs of this folder have in common that any CUDA compiler builds: kernels.cu, plain.cu,
 * warps.cu, libraries.cu, products.cu, apart.cu and divided.cu.
 *
 * A sample is one run of work sent again and again, and the wait for it, as often as takes 20 ms; a figure is the
 * median of the samples, in microseconds for one time. C++11, for the host. A call that fails ends the program.
 */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static inline void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static inline double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static inline double median(std::vector<double> &samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

/* Microseconds a time of `times` times of `send`, which sends work and does not wait. */
template <typename Send>
double sample_of(const char *name, int times, const Send &send) {
  double begin = now();
  for (int i = 0; i < times; i++)
    send();
  must(cudaGetLastError(), name);
  must(cudaDeviceSynchronize(), name);
  return (now() - begin) / times;
}

/* The median of so many samples, behind one that warms up. */
template <typename Send>
double median_of(const char *name, int samples, const Send &send) {
  std::vector<double> all;
  sample_of(name, 1, send);
  int times = std::max(1, (int)(20000 / sample_of(name, 2, send)));
  for (int i = 0; i < samples; i++)
    all.push_back(sample_of(name, times, send));
  return median(all);
}

#endif
