/* SPDX-License-Identifier: MIT */
/*
 * libraries - Thrust's sort and reduction, and CUB's scan: milliseconds for 2^26 elements.
 *
 *     nvcc -O3 -std=c++17 libraries.cu -o libraries && ./libraries 26       a line a call, on NVIDIA's runtime
 *     vptrcc -O3 -std=c++17 libraries.cu -o libraries && ./libraries 26     the same lines, to be compared
 *
 * The number is the logarithm of the elements; the second, 15 if it is not given, how many samples a figure is the
 * median of. What came out is compared with the host's before anything is measured.
 */
#include <cuda_runtime.h>

#include <cub/device/device_scan.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include "program.h"

typedef unsigned int word;
typedef unsigned long long wide;

static void row(const char *name, size_t elements, double microseconds) {
  printf("%-14s %12zu %12.3f\n", name, elements, microseconds / 1000);
  fflush(stdout);
}

static void expect(const char *name, bool holds) {
  if (holds)
    return;
  fprintf(stderr, "libraries: %s: the result is not the host's\n", name);
  exit(1);
}

/* What sort() costs alone: the keys are copied back to what they were before each, and that copy is measured too. */
static void measure_sort(const thrust::host_vector<word> &values, int samples) {
  thrust::device_vector<word> keys = values, sorted = keys;
  auto copy = [&] { thrust::copy(keys.begin(), keys.end(), sorted.begin()); };
  auto both = [&] {
    copy();
    thrust::sort(sorted.begin(), sorted.end());
  };
  both();
  thrust::host_vector<word> got = sorted;
  std::vector<word> expected(values.begin(), values.end());
  std::sort(expected.begin(), expected.end());
  expect("sort", std::equal(expected.begin(), expected.end(), got.begin()));
  double copied = median_of("copy", samples, copy);
  row("thrust::sort", values.size(), median_of("thrust::sort", samples, both) - copied);
}

static void measure_reduce(const thrust::host_vector<word> &values, int samples) {
  thrust::device_vector<word> keys = values;
  wide expected = 0, got = 0;
  for (size_t i = 0; i < values.size(); i++)
    expected += values[i];
  auto reduce = [&] { got = thrust::reduce(keys.begin(), keys.end(), (wide)0); };
  reduce();
  expect("reduce", got == expected);
  row("thrust::reduce", values.size(), median_of("thrust::reduce", samples, reduce));
}

static void measure_scan(const thrust::host_vector<word> &values, int samples) {
  int count = (int)values.size();
  thrust::device_vector<word> from = values, to(values.size());
  const word *in = thrust::raw_pointer_cast(from.data());
  word *out = thrust::raw_pointer_cast(to.data());
  size_t bytes = 0;
  must(cub::DeviceScan::InclusiveSum((void *)NULL, bytes, in, out, count), "DeviceScan");
  thrust::device_vector<unsigned char> room(bytes);
  void *temporary = thrust::raw_pointer_cast(room.data());
  auto scan = [&] { must(cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, count), "DeviceScan"); };
  scan();
  thrust::host_vector<word> got = to;
  word sum = 0;
  bool holds = true;
  for (int i = 0; i < count; i++) {
    sum += values[i];
    holds = holds && got[i] == sum;
  }
  expect("scan", holds);
  row("cub scan", values.size(), median_of("cub scan", samples, scan));
}

int main(int argc, char **argv) {
  int logarithm = argc > 1 ? atoi(argv[1]) : 20, samples = argc > 2 ? atoi(argv[2]) : 15;
  if (logarithm < 10 || logarithm > 28 || samples < 1) {
    fprintf(stderr, "usage: libraries [LOGARITHM [SAMPLES]], LOGARITHM from 10 to 28\n");
    return 2;
  }
  thrust::host_vector<word> values((size_t)1 << logarithm);
  word state = 1;
  for (size_t i = 0; i < values.size(); i++)
    values[i] = state = state * 1664525u + 1013904223u;
  printf("%-14s %12s %12s\n", "call", "elements", "ms");
  measure_reduce(values, samples);
  measure_scan(values, samples);
  measure_sort(values, samples);
  return 0;
}
