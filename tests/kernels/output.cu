/* SPDX-License-Identifier: MIT */
/* output - printf: what comes out is what the host's printf writes of the same arguments. `output lines` writes what the device
 * does and nothing else, for any CUDA compiler's build of this to be held against; `output assert` fails an assertion. */
#include "kernels.h"

#include <assert.h>
#include <unistd.h>

struct values {
  int i;
  unsigned u;
  long long l;
  unsigned long long m;
  short s;
  unsigned char c;
  float f;
  double d;
  bool b;
};

/* %zu is none of the formats that CUDA documents for kernels. */
#if defined __VPTRCC__ || defined __VPTR__
#define PRINT_SIZE(v) printf("%zu\n", sizeof(v))
#else
#define PRINT_SIZE(v) printf("%lu\n", (unsigned long)sizeof(v))
#endif

#define LINES(v)                                                                                             \
  printf("plain\n");                                                                                         \
  printf("%d %i %u %x %X %o %c%%\n", v.i, -v.i, v.u, v.u, v.u, v.u, 'q');                                    \
  printf("%5d|%-6d|%06d|%+d|% d\n", v.i, v.i, v.i, v.i, v.i);                                                \
  printf("%ld %lld %llu %llx %lu\n", (long)v.l, v.l, v.m, v.m, (unsigned long)v.m);                          \
  printf("%d %d %d\n", v.s, v.c, v.b);                                                                       \
  printf("%f %.3f %8.2f %-8.1f| %e %g\n", v.f, v.d, v.f, v.d, v.d, v.f);                                     \
  printf("%s, %s\n", "a string", "another");                                                                 \
  PRINT_SIZE(v);                                                                                             \
  printf("no newline yet, ");                                                                                \
  printf("and %d arguments %s here %c %f\n", 4, "are", 'x', v.f * 2);                                        \
  printf("tab\tquote\" \\ octal \101\n")

__global__ void write(struct values v) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    LINES(v);
  }
}

__global__ void failing(int limit) { assert(threadIdx.x < limit); }

/* What fd 1 took while `work` ran. */
static size_t captured(void (*work)(void), char *text, size_t room) {
  FILE *file = tmpfile();
  fflush(stdout);
  int saved = dup(1);
  dup2(fileno(file), 1);
  work();
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  rewind(file);
  size_t length = fread(text, 1, room - 1, file);
  text[length] = 0;
  fclose(file);
  return length;
}

static const struct values example = { 1234, 0xbeefu, -(1ll << 40), 1ull << 63, -7, 200, 1.5f, -2.0625, true };

static void on_host(void) {
  struct values v = example;
  LINES(v);
}

static void on_device(void) {
  write<<<2, 4>>>(example);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "assert") == 0) {
    failing<<<1, 8>>>(8);
    CHECK(cudaDeviceSynchronize());
    failing<<<1, 8>>>(5);
    EXPECT(cudaDeviceSynchronize(), cudaErrorAssert);
    return verdict("output");
  }
  if (argc > 1 && strcmp(argv[1], "lines") == 0) {
    on_device();
    return 0;
  }
  static char host[4096], device[4096];
  captured(on_host, host, sizeof host);
  captured(on_device, device, sizeof device);
  if (strcmp(host, device) != 0) {
    printf("the host wrote:\n%s\nthe device wrote:\n%s\n", host, device);
    failures++;
  }
  return verdict("output");
}
