/* SPDX-License-Identifier: MIT */
/*
 * translate - CUDA C into a module of OpenCL C: the whole way, in one call.
 *
 *     text -> preprocessor (lexer) -> parser (syntax) -> types -> infer -> lower -> emit -> module
 *
 * Each pass stands on those before it and knows nothing of those behind. A pass that meets errors ends the way.
 * What a pass made can be dumped (dump/dump.h), also of a way that ended early.
 * No OpenCL, no device, no disk (files come from the reader), no state: any number of translations may run at once.
 */
#ifndef VPTR_TRANSLATE_TRANSLATE_H
#define VPTR_TRANSLATE_TRANSLATE_H

#include "translate/preprocessor/preprocessor.h"

enum { VPTR__TRANSLATE_DEFAULT_ARCH = 700 };

/* What an option says; 0: the default. */
static inline int vptr__translate_arch(int arch) {
  return arch != 0 ? arch : VPTR__TRANSLATE_DEFAULT_ARCH;
}

typedef struct vptr__translate_options {
  const char *const *defines;   /* "NAME", "NAME=value", or "-NAME" to undefine, in order; NULL behind the last; may be
                                   NULL */
  int arch;                     /* __CUDA_ARCH__; 0: VPTR__TRANSLATE_DEFAULT_ARCH */
  bool is_rtc;                  /* __CUDACC_RTC__ */
  bool default_device;
  bool no_fma, fast_math;
  bool is_kernel_c;             /* what tools/kernelc wrote: memory is bytes, which are seen as any type */
  bool finds_buffers;           /* kernels have a form that looks up accesses: allocations of buffers that lie apart */
  bool is_part;                 /* one file of a relocatable program: it is only judged, and the module is "" */
  bool no_warnings;             /* none in the log, nor the notes on them */
  const char *const *names;     /* name expressions to lower; NULL behind the last; may be NULL */
  size_t memory_limit;          /* bytes; 0: VPTR__ARENA_LIMIT */
  unsigned dump;                /* steps to dump, VPTR__DUMP_TREE ... (dump/dump.h) */
} vptr__translate_options;

typedef struct vptr__translation {
  char *module;                 /* NULL: there were errors */
  char *log;                    /* "" without messages */
  char **included;              /* paths, NULL behind the last */
  char **absent;                /* names of headers that were included and found nowhere; likewise */
  char *dump;                   /* "" where no step was asked for */
} vptr__translation;

/* Everything in *translation_out is the caller's, to be given back by vptr__translate_free(). False: host memory is
 * out and there is nothing to free. Blocking; thread-safe. */
bool vptr__translate(const char *name, const char *text, size_t length, const vptr__reader *reader,
                     const vptr__translate_options *options, vptr__translation *translation_out);
void vptr__translate_free(vptr__translation *translation);

#endif
