/* SPDX-License-Identifier: MIT */
/*
 * formats - printf() whose format is known only when the kernel runs: chosen among literals, in memory of each kind,
 * and a parameter of a function. What the device prints must be what the host prints. For formats.cu and
 * cxx/output_formats.cu.
 */
#ifndef FORMATS_H
#define FORMATS_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__constant__ char constant_format[32] = "constant %d %5.2f|%-6s|\n";
__device__ char module_format[32] = "module %lld %x %c\n";

__host__ __device__ inline int say(const char *format, int a, double b, const char *text) {
  return printf(format, a, b, text);
}

/* Which part of a value is printed is the format's to say. */
#define LINES(n, text)                                                                                        \
  printf(n > 0 ? "more %d %s\n" : "less %d\n", n, text);                                                     \
  printf(n == 2 ? "%hd %hhu %ld %p\n" : "%d %u %lx\n", n * 70000 + 1, 300 + n, -5l, (void *)0);              \
  printf(n & 1 ? "%10.3e %s%%\n" : "%g %.2s|\n", n * 1.5, text);                                             \
  printf(n & 1 ? "%*d|%-*d|\n" : "%0*d|%+*d\n", 6, n, 5, n + 1);                                              \
  printf(n & 1 ? "%-*s|%.*s|\n" : "%*s|%.*s|\n", 7, text, 3, text);                                           \
  printf(n == 1 ? "%f %f\n" : "%5.1f %a\n", n + 0.25f, n + 0.5)

__global__ void print_chosen(const char *text) {
  for (int n = 0; n < 4; n++) {
    LINES(n, text);
  }
}

__global__ void print_memory(const char *format, const char *text) {
  __shared__ char shared[32];
  char own[32];
  const char *from = "own %d %s\n";
  int i = 0;
  for (; from[i] != 0; i++)
    shared[i] = own[i] = from[i];
  shared[i] = own[i] = 0;
  shared[0] = 'O';
  printf(constant_format, 7, 2.5, text);
  printf(module_format, 1ll << 40, 0xbeefu, 'q');
  printf(format, text, text + 4);
  printf(own, 11, text);
  printf(shared, 12, "literal");
}

__global__ void print_counts(int *counts, const char *format, const char *text) {
  counts[0] = say("%d %f %s\n", 1, 2.0, text);
  counts[1] = say("%d\n", 1, 2.0, text);
  counts[2] = say("none\n", 1, 2.0, text);
  counts[3] = say("%d %g\n", 5, 2.0, text);
  counts[4] = printf(format, text, text + 4);
  counts[5] = printf((const char *)0, 1);
}

/* What fd took while `work` ran. */
static void captured(void (*work)(void), char *text, size_t room) {
  FILE *file = tmpfile();
  fflush(stdout);
  int saved = dup(1);
  dup2(fileno(file), 1);
  work();
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  rewind(file);
  text[fread(text, 1, room - 1, file)] = 0;
  fclose(file);
}

static char *format_given, *text_given;

static void on_host(void) {
  const char *text = "some text";
  for (int n = 0; n < 4; n++) {
    LINES(n, text);
  }
  printf("constant 7  2.50|some text|\nmodule 1099511627776 beef q\n<some text> %p\n", (void *)(text_given + 4));
  printf("own 11 some text\n");
  printf("Own 12 literal\n");
}

static void on_device(void) {
  print_chosen<<<1, 1>>>(text_given);
  print_memory<<<1, 1>>>(format_given, text_given);
  cudaDeviceSynchronize();
}

static int counts_differ(void) {
  static const int expected[6] = { 3, 1, 0, 2, 2, -1 };
  int seen[6], *counts, wrong = 0;
  cudaMalloc((void **)&counts, sizeof seen);
  print_counts<<<1, 1>>>(counts, format_given, text_given);
  cudaMemcpy(seen, counts, sizeof seen, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; i++)
    if (seen[i] != expected[i]) {
      printf("call %d: %d, not %d\n", i, seen[i], expected[i]);
      wrong++;
    }
  return wrong;
}

/* How much is not as it must be. */
static int formats_differ(void) {
  static char host[8192], device[8192];
  cudaMalloc((void **)&format_given, 32);
  cudaMalloc((void **)&text_given, 16);
  cudaMemcpy(format_given, "<%s> %p\n", 9, cudaMemcpyHostToDevice);
  cudaMemcpy(text_given, "some text", 10, cudaMemcpyHostToDevice);
  captured(on_host, host, sizeof host);
  captured(on_device, device, sizeof device);
  bool differs = strcmp(host, device) != 0;
  if (differs)
    printf("the host wrote:\n%s\nthe device wrote:\n%s\n", host, device);
  return differs + counts_differ() + (cudaGetLastError() != cudaSuccess);
}

#endif
