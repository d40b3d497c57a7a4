/* SPDX-License-Identifier: MIT */
/* check - what the C++ programs of this folder share: arrays that lie on both sides, and words for what is wrong. */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

inline int failures = 0;

inline void check_that(bool is_so, const char *what, const char *file, int line) {
  if (!is_so && failures++ < 10)
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
}

inline void check_call(cudaError_t error, const char *what, const char *file, int line) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
    exit(1);
  }
}

inline void check_item(bool is_same, int item, const char *what, const char *file, int line) {
  if (!is_same && failures++ < 10)
    fprintf(stderr, "%s:%d: item %d differs: %s\n", file, line, item, what);
}

#define EXPECT(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define EXPECT_EACH(count, condition)                                                                                 \
  for (int i = 0; i < (int)(count); i++)                                                                              \
  check_item((condition), i, #condition, __FILE__, __LINE__)
#define CALL(call) check_call((call), #call, __FILE__, __LINE__)
#define LAUNCHED() (CALL(cudaGetLastError()), CALL(cudaDeviceSynchronize()))

/* The host's N items, and N of the device's, which fetch() brings. */
template <class T, int N> struct items {
  T host[N], *device;
  items() {
    memset(static_cast<void *>(host), 0, sizeof host);
    CALL(cudaMalloc(&device, sizeof host));
    send();
  }
  ~items() { cudaFree(device); }
  items(const items &) = delete;
  items &operator=(const items &) = delete;
  void send() { CALL(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice)); }
  void fetch() {
    LAUNCHED();
    CALL(cudaMemcpy(static_cast<void *>(host), device, sizeof host, cudaMemcpyDeviceToHost));
  }
  const T &operator[](int i) const { return host[i]; }
};

/* Runs a body for each item on both sides: the values must be the same. */
template <class T, class Body> __global__ void run_each(T *out, int count, Body body) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    out[i] = body(i);
}
template <class T, int N = 64, class Body>
void same_on_both(Body body, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  items<T, N> out;
  run_each<<<(N + 31) / 32, 32>>>(out.device, N, body);
  out.fetch();
  for (int i = 0; i < N; i++)
    check_item(out[i] == body(i), i, "the device's value is not the host's", file, line);
}

inline int result() { return failures == 0 ? 0 : 1; }

#endif
