/* SPDX-License-Identifier: MIT */
/* language - statements, functions, references, names, and what C++ adds to C, in bodies that both sides run. */
#include "kernels.h"

#include <cstdint>

#define TWICE(x) ((x) + (x))
#define JOIN(a, b) a##b
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SUM(first, ...) (first + add_all(__VA_ARGS__))

/* ---- functions ------------------------------------------------------------------------------------------- */

__host__ __device__ static int add_all(int a, int b = 10, int c = 100) { return a + b + c; }
__host__ __device__ static int which(int) { return 1; }
__host__ __device__ static int which(float) { return 2; }
__host__ __device__ static int which(double) { return 3; }
__host__ __device__ static int which(const char *) { return 4; }
__host__ __device__ static int which(int, int) { return 5; }
__host__ __device__ static int which(unsigned char) { return 6; }
__host__ __device__ static void swap_them(int &a, int &b) {
  int c = a;
  a = b;
  b = c;
}
__host__ __device__ static int &larger(int &a, int &b) { return a > b ? a : b; }
__host__ __device__ static float total(const float (&values)[4]) { return values[0] + values[1] + values[2] + values[3]; }
__host__ __device__ static int depth(int n);
__host__ __device__ __forceinline__ static int plus_one(int n) { return n + 1; }
__host__ __device__ __noinline__ static int minus_one(int n) { return n - 1; }
__host__ __device__ static bool seen(int *calls, bool value) {
  ++*calls;
  return value;
}
__host__ __device__ static int from_optional(const int *p = nullptr) { return p ? *p : -1; }
__host__ __device__ constexpr int square(int x) { return x * x; }

namespace geometry {
constexpr float unit = 2.5f;
__host__ __device__ inline float area(float w, float h = unit) { return w * h; }
namespace solid {
__host__ __device__ inline float volume(float w) { return area(w) * unit; }
}
}

namespace g = geometry;

TEST(calls) {
  int a = i, b = 100;
  put(out, add_all(1));
  put(out, add_all(1, 2));
  put(out, add_all(1, 2, i));
  put(out, which(i) * 10000 + which(1.0f) * 1000 + which(2.0) * 100 + which("x") * 10 + which(1, 2));
  put(out, which('a') * 10 + which((unsigned char)3));
  swap_them(a, b);
  put(out, a - b);
  larger(a, b) = 5;
  put(out, a * 1000 + b);
  float values[4] = { 1, 2, 3, i / 2.0f };
  put(out, total(values));
  put(out, plus_one(minus_one(i)));
  put(out, from_optional());
  put(out, from_optional(&a));
  put(out, geometry::area(3));
  put(out, geometry::solid::volume(2));
  using geometry::area;
  put(out, area(i, 2));
  put(out, depth(i));
  put(out, SUM(1, 2, 3));
  put(out, TWICE(JOIN(plus_, one)(b)));
  put(out, g::unit);
}

__host__ __device__ static int depth(int n) {
  int levels = 0;
  while (n > 0) {
    n >>= 1;
    levels++;
  }
  return levels;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

__host__ __device__ static int chosen(int i) {
  switch (i % 9) {
  case 0: return 100;
  case 1:
  case 2: i += 1000;
  case 3: i += 50; break;
  case 'A' - 61: { /* 4 */
    int inner = i * 2;
    i = inner;
    break;
  }
  default: i = -i;
  case 7: i--;
  }
  return i;
}

TEST(statements) {
  put(out, chosen(i));
  int sum = 0;
  for (int a = 0, b = 10; a < b; a++, b--) {
    if (a == 3)
      continue;
    sum += a * b;
  }
  put(out, sum);
  do {
    sum -= 7;
    if (sum % 5 == 0)
      break;
  } while (sum > 0);
  put(out, sum);
  int n = i, steps = 0;
  while (n != 1 && steps < 30) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  put(out, steps);
  int tries = 0;
again:
  if (++tries < i % 4)
    goto again;
  put(out, tries);
  int found = -1;
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++)
      if (a * b == i % 13) {
        found = a * 10 + b;
        goto done;
      }
done:
  put(out, found);
  int calls = 0;
  bool both = seen(&calls, i % 2) && seen(&calls, i % 3);
  bool either = seen(&calls, i % 2) || seen(&calls, i % 3);
  put(out, calls);
  put(out, both);
  put(out, either);
  int x = (calls++, calls * 2);
  put(out, x);
  x = i % 2 ? x = 3, x + 1 : x;
  put(out, x);
  for (;;) {
    if (x++ > 40)
      break;
  }
  put(out, x);
  if (int half = i / 2)
    put(out, half);
  else
    put(out, -1);
#pragma unroll
  for (int a = 0; a < 4; a++)
    x += a * i;
  put(out, x);
  int y = 1;
  y += y++ * 0 + 2;
  {
    int y = 50;
    x += y;
  }
  put(out, x + y);
  switch (i & 1) {
  case 0:
    for (int a = 0; a < 3; a++) {
      if (a == 1)
        continue;
      x += a;
    }
    break;
  }
  put(out, x);
}

/* ---- types and values ------------------------------------------------------------------------------------ */

static_assert(sizeof(long long) == 8, "a long long has 64 bits");
static_assert(square(5) == 25, "known while compiling");
typedef int triple[3];
using real = float;
constexpr int LENGTH = square(3);
enum { FIRST = LENGTH, SECOND };
static const int table_length = 5;

TEST(values) {
  auto whole = i;
  auto broken = i * 0.5f;
  const auto &ref = whole;
  auto *at = &whole;
  *at += 1;
  put(out, ref);
  put(out, broken);
  real r = static_cast<real>(i) / 3;
  put(out, r);
  put(out, reinterpret_cast<int &>(r));
  const int fixed = 7;
  put(out, *const_cast<int *>(&fixed));
  put(out, int(2.9f) + float(i));
  put(out, unsigned(-1));
  put(out, int());
  triple t = { 1, 2 };
  put(out, t[0] + t[1] + t[2]);
  int grid[2][3] = { { 1, 2, 3 }, { 4, 5, i } };
  put(out, grid[1][2] + grid[0][i % 3]);
  int (*row)[3] = grid + 1;
  put(out, (*row)[1]);
  char text[] = "kernel";
  text[0] = 'c';
  put(out, text[i % 6]);
  put(out, sizeof text);
  put(out, "constant"[i % 8]);
  put(out, LENGTH + SECOND);
  int lengths[table_length] = { 0, 0, 5 };
  put(out, lengths[2] + lengths[4]);
  put(out, COUNT_OF(lengths));
  decltype(r) same = r;
  put(out, same);
  bool b = 5;
  b = b + i;
  put(out, b);
  int braces{ i };
  put(out, braces);
  put(out, sizeof(int[LENGTH]) + alignof(double));
}

/* ---- names that OpenCL keeps for itself ------------------------------------------------------------------ */

struct image2d_t {
  int half, read_only;
};
__host__ __device__ static int kernel(int global, int local) { return global - local; }
__host__ __device__ static int convert_int(int vec_step) { return vec_step + 1; }
__host__ __device__ static float mix(float constant, float uniform) { return constant * 2 + uniform; }

TEST(reserved) {
  int kernel_ = 1, event_t = 2, sampler_t = i, as_int = 4, half = 5, uint = 6, get_global_id = 7, private_ = 8;
  struct image2d_t constant = { half, uint };
  put(out, kernel(i, kernel_) + event_t + sampler_t + as_int + get_global_id + private_);
  put(out, constant.half * constant.read_only);
  put(out, convert_int(i));
  put(out, mix(1, i));
  int barrier = 1, dot = 2, length = 3, clamp = 4, float16 = 5, ulong = 6, __global = 7;
  put(out, barrier + dot + length + clamp + float16 + ulong + __global);
}

/* What <cstdint> says of the numbers must be the same on both sides. */
TEST(limits) {
  put(out, WCHAR_MIN);
  put(out, WCHAR_MAX);
  put(out, WINT_MAX - WINT_MIN);
  put(out, SIG_ATOMIC_MIN);
  put(out, INT_LEAST8_MIN + INT_LEAST16_MAX);
  put(out, INT_LEAST64_MAX);
  put(out, UINT_LEAST32_MAX);
  put(out, INT_FAST16_MIN);
  put(out, UINT_FAST32_MAX);
  put(out, UINT_FAST8_MAX);
}

TEST(orders) {
  put(out, __NV_ATOMIC_RELAXED + 10 * __NV_ATOMIC_CONSUME + 100 * __NV_ATOMIC_ACQUIRE + 1000 * __NV_ATOMIC_RELEASE);
  put(out, __NV_ATOMIC_ACQ_REL + 10 * __NV_ATOMIC_SEQ_CST);
  put(out, __NV_THREAD_SCOPE_THREAD + 10 * __NV_THREAD_SCOPE_BLOCK + 100 * __NV_THREAD_SCOPE_CLUSTER);
  put(out, __NV_THREAD_SCOPE_DEVICE + 10 * __NV_THREAD_SCOPE_SYSTEM);
}
static_assert(__NV_ATOMIC_SEQ_CST == 5 && __NV_THREAD_SCOPE_SYSTEM == 4, "");

#define TESTS(test) test(limits) test(orders) test(calls) test(statements) test(values) test(reserved)
PROGRAM(TESTS)

int main(void) {
  run_tests();
  return verdict("language");
}
