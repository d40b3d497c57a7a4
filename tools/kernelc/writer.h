/* SPDX-License-Identifier: MIT */
/*
 * writer - what the files of this program share: the module that is read, the kernel at work, and where text goes.
 *
 * vptr-kernelc reads the LLVM IR that clang makes of a CUDA file's device half and writes *kernel C*: CUDA C of one
 * function for each kernel, in which memory is bytes, values are numbers of a known width, and pointers are char *. The
 * project's own translator reads that as it reads what people write, so that address spaces, barriers, launches and
 * checks exist once.
 *
 * One thread, one module, one process, which ends after it. Nothing here is freed: the process ends.
 */
#ifndef KERNELC_WRITER_H
#define KERNELC_WRITER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The address spaces of LLVM's NVPTX. */
enum { KC_GENERIC = 0, KC_GLOBAL = 1, KC_SHARED = 3, KC_CONSTANT = 4, KC_PRIVATE = 5 };

typedef struct kc_kernel {
  LLVMValueRef function;
  unsigned long long max_threads, min_blocks; /* of __launch_bounds__; 0: not given */
  bool is_refused; /* before it was written */
} kc_kernel;

typedef struct kc_writer {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef data;
  LLVMTargetMachineRef machine; /* tells LLVM\'s passes what address spaces mean; NULL: it has no NVPTX */
  kc_kernel *kernels;
  size_t kernel_count;
  FILE *out;                /* the text at work; who redirects it puts it back */
  const kc_kernel *kernel;  /* at work */
  LLVMValueRef instruction; /* at work, for the place of messages; may be NULL */
  LLVMValueRef *globals;    /* variables that the kernel at work uses */
  size_t global_count;
  struct kc_graph *graph;   /* of the kernel at work */
  struct kc_kept *kept;     /* likewise, if it has states */
  struct kc_stream *stream; /* likewise: the text at work looks nothing up (stream.h); NULL: it does */
  bool has_states;          /* the kernel at work: its threads stop where they meet (states.h) */
  bool has_grid;            /* likewise: its blocks meet (grid.h) */
  bool is_native;           /* the form at work is the other one, for devices with warps (native.h) */
  bool uses_heap;           /* some kernel does, by malloc() or free() */
  bool has_freeze;          /* likewise: sums may have overflowed in it (wrap.h) */
  bool finds_buffers;       /* accesses of global memory look up where that is: __vptr_reach() */
  bool stops_at_barriers;   /* kernels with barriers have states, too: some threads may not reach them */
  jmp_buf refused;
  int errors;
} kc_writer;

/* Appends to writer->out. */
void kc_print(kc_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports an error at the instruction at work and gives the kernel up; others are still written. */
_Noreturn void kc_refuse(kc_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of `size` bytes, zeroed; ends the process where there is no memory. */
void *kc_allocate(size_t count, size_t size);

/* A text in memory for writer->out: kc_begin() returns what was there before, kc_end() puts it back. */
typedef struct kc_text {
  char *text;
  size_t length;
  FILE *before;
} kc_text;
void kc_begin(kc_writer *writer, kc_text *text);
void kc_end(kc_writer *writer, kc_text *text);

bool kc_starts(const char *text, const char *prefix);

#endif
