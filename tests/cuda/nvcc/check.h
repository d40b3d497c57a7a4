/* SPDX-License-Identifier: MIT */
/* check - for programs that nvcc compiles and that check themselves: what is false ends them with a line of where. */
#ifndef VPTR_TESTS_NVCC_CHECK_H
#define VPTR_TESTS_NVCC_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      std::printf("%s:%d: %s is false; the last error is %s\n", __FILE__, __LINE__, #condition,                      \
                  cudaGetErrorString(cudaPeekAtLastError()));                                                        \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (0)

#define GOES(call) CHECK((call) == cudaSuccess)

/* Device memory with these values. */
template <class T> static T *device_copy(const T *values, size_t count) {
  T *memory;
  GOES(cudaMalloc(&memory, count * sizeof(T)));
  GOES(cudaMemcpy(memory, values, count * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T> static T value_at(const T *memory, size_t index) {
  T value;
  GOES(cudaMemcpy(&value, memory + index, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

#endif
