/* SPDX-License-Identifier: MIT */
/*
 * compile_text - the kernels that `vptr-bench compile` compiles: those of bench/kernels.cu that differ in size, a
 * program of a thousand lines, and a template, which vptr has compiled by clang.
 */
#ifndef BENCH_COMPILE_TEXT_H
#define BENCH_COMPILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { COMPILE_TEXTS = 5 };

typedef struct compile_text {
  const char *name;
  size_t lines;
  char *text;      /* to be freed */
  bool is_cxx;     /* it takes clang */
} compile_text;

/* False: memory is out. */
bool compile_text_make(size_t which, compile_text *text_out);

#endif
