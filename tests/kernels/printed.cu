/* SPDX-License-Identifier: MIT */
/*
 * printed - what printf() has in CUDA beyond OpenCL's: text in each kind of memory, widths and precisions that are arguments,
 * addresses, and what it returns. The device's lines must be the host's, to the byte.
 */
#include "kernels.h"

#include <unistd.h>

enum { COUNTS = 16 };

struct values {
  int width, left, precision, none;
  int i, zero;
  unsigned u;
  long long least;
  unsigned long long most;
  short s;
  char text[12];
  char empty[4];
};

__constant__ char constant_text[16] = "of constants";
__device__ char module_text[16] = "of the module";
static const struct values example = { 7, -7, 3, -1, 1234, 0, 0xbeefu, (long long)(1ull << 63), ~0ull, -7, "a struct's", "" };

#define INTEGERS(w, p, v)                                                                                    \
  printf("%*d|%*u|%*x|%*X|%*o|%*i\n", w, v.i, w, v.u, w, v.u, w, v.u, w, v.u, w, -v.i);                      \
  printf("%-*d|%0*d|%+*d|% *d|%#*x|%#*o|%+-*d|%0*x\n", w, v.i, w, -v.i, w, v.i, w, v.i, w, v.u, w, v.u, w, v.i, w, v.u); \
  printf("%.*d|%.*u|%.*x|%.*o|%#.*x|%+.*d|%0.*d\n", p, v.i, p, v.u, p, v.u, p, v.u, p, v.u, p, -v.i, p, v.i); \
  printf("%*.*d|%-*.*d|%0*.*x|%#*.*o|%#*.*X\n", w, p, v.i, w, p, v.i, w, p, v.u, w, p, v.u, w, p, v.u);      \
  printf("%*.*d|%*.*u|%#*.*x|%#*.*o|%+*.*d\n", w, p, v.zero, w, p, v.zero, w, p, v.zero, w, p, v.zero, w, p, v.zero); \
  printf("%*lld|%*llu|%*.*llx|%0*llo|%*hd|%*hhu|%*ld\n", w, v.least, w, v.most, w, p, v.most, w, v.most, w,  \
         v.s + 65536, w, 300 + v.s, w, (long)v.least)

/* Each is much work for a driver's compiler. */
#define REALS(w, p, x, y)                                                                                    \
  printf("%*.*f|%-*.*e|%0*.*g|%+.*a|%#*.*g|% *E\n", w, p, x, w, p, x, w, p, x, p, x, w, p, x, w, x);        \
  printf("%0*.*F|%.*A\n", w, p, y, p, y)

#define TEXTS(w, p, v, a, b)                                                                                 \
  printf("<%s> <%s> <%s> <%s>\n", v.text, v.empty, a, b);                                                    \
  printf("<%20s> <%-20s> <%.3s> <%10.2s> <%-10.0s>\n", v.text, a, b, a, b);                                  \
  printf("<%*s> <%-*s> <%.*s> <%*.*s>\n", w, v.text, w, a, p, b, w, p, a);                                   \
  printf("<%*s> <%-*s> <%.*s> <%*.*s>\n", w, "one", w, "two", p, "three", w, p, "four");                     \
  printf("<%*c> <%-*c> 100%%, %d%% %s\n", w, 'x', w, 'y', v.i, v.text + 2);                                  \
  printf("<%s> <%s> <%-5s>\n", v.i > 0 ? "more" : "less", v.i < 0 ? a : b, w > 0 ? "w" : "")

/* Numbers that are known go into the format. */
#define KNOWN(v)                                                                                             \
  printf("%*d %-*d %.*f %*.*f %*s %.*s\n", 6, v.i, 6, v.i, 2, 1.5, -9, 1, 2.25, 5, "abc", 2, "abc");         \
  printf("%.*f %p %5p|%-12p|\n", -1, 0.5, (void *)0, (void *)0, (void *)0)

#define LINES(v, a, b)                                                                                       \
  for (int i = 0; i < 3; i++) {                                                                              \
    int w = i == 0 ? v.width : i == 1 ? v.left : v.zero, p = i == 0 ? v.precision : i == 1 ? v.none : v.zero; \
    INTEGERS(w, p, v);                                                                                       \
    TEXTS(w, p, v, a, b);                                                                                    \
  }                                                                                                          \
  KNOWN(v)

__global__ void print(struct values v) {
  if (threadIdx.x == 1) {
    LINES(v, constant_text, module_text);
  }
}

/* Ties, carries over all digits, the ends of the range, and what is no number. */
enum { REAL_COUNT = 30 };
struct reals {
  double wide[REAL_COUNT];
  float narrow[REAL_COUNT];
};
static const double some_reals[REAL_COUNT] = {
  0, -0.0, 1, -1.5, 2.5, 0.5, 0.125, 1e-4, 9.9999e-5, 123456789, 0.1, 999999.4, 9.995, 9.5, 99999.95, 1e15, 1e16, 1e17,
  1.7976931348623157e308, 2.2250738585072014e-308, 4.9406564584124654e-324, 1e-310, 3.4028234663852886e38, 1e-45,
  -123.456, 1e100, 5e-324, 6.02214076e23, INFINITY, -INFINITY };

__global__ void print_reals(struct reals *v, const int *sizes, int count) {
  for (int i = 0; i < REAL_COUNT; i++)
    for (int j = 0; j < count; j++) {
      REALS(sizes[2 * j], sizes[2 * j + 1], v->wide[i], v->narrow[i]);
    }
}

/* Text that is made where it is printed, and what came as an argument. */
__global__ void print_memory(struct values v, const char *given) {
  __shared__ char shared[16];
  char own[16];
  for (int i = 0; i < 15; i++)
    own[i] = (char)('a' + i);
  own[15] = 0;
  if (threadIdx.x < 16)
    shared[threadIdx.x] = threadIdx.x < 9 ? (char)('A' + threadIdx.x) : 0;
  __syncthreads();
  if (threadIdx.x == 0)
    printf("%s|%s|%s|%.*s|%p %20p\n", own, shared, given, v.precision, own + 5, given, given + 4);
  __syncthreads();
  if (threadIdx.x == 3)
    printf("%*s|%-*s|\n", v.width + 5, shared + 2, v.width + 5, given);
}

/* Drivers may leave such a function where it is. */
__device__ void print_tree(int depth, const char *name, int *counts) {
  for (int i = 0; i < depth; i++)
    counts[i % 2] += printf("%*s%s %d\n", 2 * i, "", name, i);
}

__global__ void print_twice(int *counts, const char *name) {
  print_tree(counts[2], name, counts);
  if (counts[3] > 0)
    print_tree(counts[3], "literal", counts);
}

__global__ void print_counts(int *counts, const char *given) {
  counts[0] = printf("none\n");
  counts[1] = printf("%d\n", 1);
  counts[2] = printf("%d %s %5.1f%%\n", 1, given, 2.0f);
  counts[3] = printf("%*d %.*s\n", counts[1] + 3, 5, counts[1] + 1, given);
  counts[4] = printf("");
}

/* What fd took while `work` ran. */
static void captured(int fd, void (*work)(void), char *text, size_t room) {
  FILE *file = tmpfile();
  fflush(stdout);
  int saved = dup(fd);
  dup2(fileno(file), fd);
  work();
  fflush(stdout);
  dup2(saved, fd);
  close(saved);
  rewind(file);
  text[fread(text, 1, room - 1, file)] = 0;
  fclose(file);
}

static char *given;

static void on_host(void) {
  struct values v = example;
  const char *constants = "of constants", *module = "of the module";
  LINES(v, constants, module);
  printf("abcdefghijklmno|ABCDEFGHI|given text|fgh|%p %20p\n", (void *)given, (void *)(given + 4));
  printf("     CDEFGHI|given text  |\n");
  printf("given text 0\n  given text 1\n    given text 2\nliteral 0\n  literal 1\n");
}

static void on_device(void) {
  static const int sizes[] = { 0, 0, 3, 2 };
  int *counts;
  CHECK(cudaMalloc((void **)&counts, sizeof sizes));
  CHECK(cudaMemcpy(counts, sizes, sizeof sizes, cudaMemcpyHostToDevice));
  print<<<1, 4>>>(example);
  print_memory<<<1, 32>>>(example, given);
  print_twice<<<1, 1>>>(counts, given);
  CHECK(cudaDeviceSynchronize());
}

static struct reals *reals;
static const int real_sizes[][2] = { { 0, 0 }, { 30, 1 }, { -25, 3 }, { 12, -1 }, { 1, 17 }, { 350, 330 }, { 5, 6 } };
enum { SIZES = sizeof real_sizes / sizeof *real_sizes };

static void reals_on_host(void) {
  for (int i = 0; i < REAL_COUNT; i++)
    for (int j = 0; j < SIZES; j++) {
      int w = real_sizes[j][0], p = real_sizes[j][1];
      REALS(w, p, reals->wide[i], reals->narrow[i]);
    }
}

static void reals_on_device(void) {
  struct reals *device;
  int *sizes;
  CHECK(cudaMalloc((void **)&device, sizeof *device));
  CHECK(cudaMalloc((void **)&sizes, sizeof real_sizes));
  CHECK(cudaMemcpy(device, reals, sizeof *reals, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(sizes, real_sizes, sizeof real_sizes, cudaMemcpyHostToDevice));
  print_reals<<<1, 1>>>(device, sizes, SIZES);
  CHECK(cudaDeviceSynchronize());
}

/* The first line that differs. */
static void compare_lines(const char *host, const char *device) {
  const char *line = host;
  size_t i = 0;
  for (; host[i] == device[i] && host[i] != 0; i++)
    if (host[i] == '\n')
      line = host + i + 1;
  if (host[i] == device[i])
    return;
  const char *other = device + (line - host);
  printf("the host wrote:\n%.*s\nthe device wrote:\n%.*s\n", (int)strcspn(line, "\n"), line,
         (int)strcspn(other, "\n"), other);
  failures++;
}

static void reals_tested(void) {
  static struct reals values;
  static char host[1 << 21], device[1 << 21];
  for (int i = 0; i < REAL_COUNT; i++) {
    values.wide[i] = some_reals[i];
    values.narrow[i] = (float)some_reals[i];
  }
  values.wide[REAL_COUNT - 1] = NAN;
  reals = &values;
  captured(1, reals_on_host, host, sizeof host);
  captured(1, reals_on_device, device, sizeof device);
  compare_lines(host, device);
}

static void counts_tested(void) {
  static const int expected[] = { 0, 1, 3, 4, 0 };
  int seen[COUNTS], *counts;
  CHECK(cudaMalloc((void **)&counts, sizeof seen));
  print_counts<<<1, 1>>>(counts, given);
  CHECK(cudaMemcpy(seen, counts, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 5; i++)
    EXPECT(seen[i], expected[i]);
}

int main(void) {
  static char host[16384], device[16384];
  CHECK(cudaMalloc((void **)&given, 16));
  CHECK(cudaMemcpy(given, "given text", 11, cudaMemcpyHostToDevice));
  captured(1, on_host, host, sizeof host);
  captured(1, on_device, device, sizeof device);
  if (strcmp(host, device) != 0) {
    printf("the host wrote:\n%s\nthe device wrote:\n%s\n", host, device);
    failures++;
  }
  counts_tested();
  reals_tested();
  return verdict("printed");
}
