/* SPDX-License-Identifier: MIT */
/*
 * kernels - for programs that run each test's body on the host and on the device, and compare.
 *
 * A body is a __host__ __device__ function of an item's number; it puts values, any number of any arithmetic type up to
 * MOST, and the host's must be the device's: same type, same bits. TESTS lists the bodies; one kernel calls them all,
 * since drivers take their time with each kernel. Where bits may differ a program gives the distance in units in the
 * last place (put_near). Kernels with a life of their own compare what they wrote with expect().
 *
 * Any CUDA compiler builds these programs; nothing is asked of the library but the runtime's interface.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, ITEMS = 64 };

struct results {
  unsigned long long bits[MOST];
  unsigned char kind[MOST];
  unsigned char ulps[MOST];
  int count;
};

enum kinds { NONE, BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG, FLOAT, DOUBLE };

__host__ __device__ inline void put_bits(struct results *out, unsigned long long bits, int kind, int ulps = 0) {
  if (out->count < MOST) {
    out->bits[out->count] = bits;
    out->kind[out->count] = kind;
    out->ulps[out->count] = ulps;
  }
  out->count++;
}

__host__ __device__ inline unsigned long long bits_of(float value) {
#ifdef __CUDA_ARCH__
  return (unsigned)__float_as_int(value);
#else
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

__host__ __device__ inline unsigned long long bits_of(double value) {
#ifdef __CUDA_ARCH__
  return (unsigned long long)__double_as_longlong(value);
#else
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

/* The overload tells the type. */
__host__ __device__ inline void put(struct results *out, bool value) { put_bits(out, value, BOOL); }
__host__ __device__ inline void put(struct results *out, char value) { put_bits(out, (unsigned long long)value, CHAR); }
__host__ __device__ inline void put(struct results *out, signed char value) {
  put_bits(out, (unsigned long long)value, SCHAR);
}
__host__ __device__ inline void put(struct results *out, unsigned char value) { put_bits(out, value, UCHAR); }
__host__ __device__ inline void put(struct results *out, short value) {
  put_bits(out, (unsigned long long)value, SHORT);
}
__host__ __device__ inline void put(struct results *out, unsigned short value) { put_bits(out, value, USHORT); }
__host__ __device__ inline void put(struct results *out, int value) { put_bits(out, (unsigned long long)value, INT); }
__host__ __device__ inline void put(struct results *out, unsigned value) { put_bits(out, value, UINT); }
__host__ __device__ inline void put(struct results *out, long value) { put_bits(out, (unsigned long long)value, LONG); }
__host__ __device__ inline void put(struct results *out, unsigned long value) { put_bits(out, value, ULONG); }
__host__ __device__ inline void put(struct results *out, long long value) {
  put_bits(out, (unsigned long long)value, LLONG);
}
__host__ __device__ inline void put(struct results *out, unsigned long long value) { put_bits(out, value, ULLONG); }
__host__ __device__ inline void put(struct results *out, float value) { put_bits(out, bits_of(value), FLOAT); }
__host__ __device__ inline void put(struct results *out, double value) { put_bits(out, bits_of(value), DOUBLE); }
__host__ __device__ inline void put_near(struct results *out, float value, int ulps) {
  put_bits(out, bits_of(value), FLOAT, ulps);
}
__host__ __device__ inline void put_near(struct results *out, double value, int ulps) {
  put_bits(out, bits_of(value), DOUBLE, ulps);
}

/* ---- on the host ----------------------------------------------------------------------------------------- */

static int failures;

#define CHECK(call) check_call((call), #call, __FILE__, __LINE__)
static inline void check_call(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  printf("%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(1);
}

#define EXPECT(seen, expected) expect_value(seen, expected, #seen, __FILE__, __LINE__)
static inline void expect_value(long long seen, long long expected, const char *what, const char *file, int line) {
  if (seen == expected)
    return;
  if (failures++ < 20)
    printf("%s:%d: %s is %lld, not %lld\n", file, line, what, seen, expected);
}

static inline double value_of(unsigned long long bits, int kind) {
  if (kind == DOUBLE) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == FLOAT) {
    float value;
    unsigned low = (unsigned)bits;
    memcpy(&value, &low, sizeof value);
    return value;
  }
  return (double)(long long)bits;
}

/* Floating numbers in their order, as integers: neighbours differ by one. */
static inline long long rank_of(unsigned long long bits, int kind) {
  unsigned long long sign = kind == FLOAT ? 1ull << 31 : 1ull << 63;
  return (bits & sign) != 0 ? -(long long)(bits & ~sign) : (long long)bits;
}

static inline bool agrees(const struct results *seen, const struct results *expected, int at) {
  int kind = expected->kind[at];
  if (seen->kind[at] != kind)
    return false;
  if (seen->bits[at] == expected->bits[at])
    return true;
  if (kind != FLOAT && kind != DOUBLE)
    return false;
  double a = value_of(seen->bits[at], kind), b = value_of(expected->bits[at], kind);
  if (a != a || b != b)
    return a != a && b != b;
  unsigned long long apart =
      (unsigned long long)llabs(rank_of(seen->bits[at], kind) - rank_of(expected->bits[at], kind));
  return expected->ulps[at] > 0 && apart <= expected->ulps[at];
}

static inline void compare(const char *test, const struct results *seen, const struct results *expected) {
  int wrong = 0;
  for (int i = 0; i < ITEMS; i++) {
    int count = expected[i].count < MOST ? expected[i].count : MOST;
    if ((expected[i].count > MOST || expected[i].count != seen[i].count) && wrong++ < 3)
      printf("%s, item %d: %d values, and %d on the host (%d at most)\n", test, i, seen[i].count, expected[i].count,
             MOST);
    for (int at = 0; at < count; at++)
      if (!agrees(&seen[i], &expected[i], at) && wrong++ < 3)
        printf("%s, item %d, value %d: %.17g (0x%llx, kind %d), and %.17g (0x%llx, kind %d) on the host\n", test, i, at,
               value_of(seen[i].bits[at], seen[i].kind[at]), seen[i].bits[at], seen[i].kind[at],
               value_of(expected[i].bits[at], expected[i].kind[at]), expected[i].bits[at], expected[i].kind[at]);
  }
  failures += wrong != 0;
}

static inline int verdict(const char *program) {
  printf("%s: %s\n", program, failures == 0 ? "host and device agree" : "they differ");
  return failures != 0;
}

/* ---- the list of tests, as code -------------------------------------------------------------------------- */

#define TEST(name) __host__ __device__ static inline void name(int i, struct results *out)
#define KERNELS_NUMBER(name) NUMBER_OF_##name,
#define KERNELS_NAME(name) #name,
#define KERNELS_CALL(name)                                                                                   \
  case NUMBER_OF_##name: name(i, out); break;

/* Behind the bodies: PROGRAM(TESTS), where TESTS(x) is x(first) x(second) ... */
#define PROGRAM(tests)                                                                                       \
  enum { tests(KERNELS_NUMBER) TEST_COUNT };                                                                 \
  __host__ __device__ static void call_test(int test, int i, struct results *out) {                          \
    switch (test) { tests(KERNELS_CALL) }                                                                    \
  }                                                                                                          \
  __global__ void run_test(int test, struct results *out) {                                                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    call_test(test, i, out + i);                                                                             \
  }                                                                                                          \
  static void run_tests(void) {                                                                              \
    static const char *const names[] = { tests(KERNELS_NAME) };                                              \
    static struct results seen[ITEMS], expected[ITEMS];                                                      \
    struct results *on_device;                                                                               \
    CHECK(cudaMalloc((void **)&on_device, sizeof seen));                                                     \
    for (int test = 0; test < TEST_COUNT; test++) {                                                          \
      memset(expected, 0, sizeof expected);                                                                  \
      for (int i = 0; i < ITEMS; i++)                                                                        \
        call_test(test, i, &expected[i]);                                                                    \
      CHECK(cudaMemset(on_device, 0, sizeof seen));                                                          \
      run_test<<<ITEMS / 16, 16>>>(test, on_device);                                                         \
      CHECK(cudaGetLastError());                                                                             \
      CHECK(cudaMemcpy(seen, on_device, sizeof seen, cudaMemcpyDeviceToHost));                               \
      compare(names[test], seen, expected);                                                                  \
    }                                                                                                        \
    CHECK(cudaFree(on_device));                                                                              \
  }

#endif
