/* SPDX-License-Identifier: MIT */
/*
 * split - the host's side of a CUDA file: what is left for the C++ compiler.
 *
 *     __global__ void k(float *x, int n) { body }     void k(float *x, int n) { launch with the addresses of x and n }
 *     __device__ float f(float x) { body }            float f(float x) { trap }
 *     __host__ __device__ float g(float x) { body }   float g(float x) { body }
 *     __constant__ float c[4] = { 1, 2 };             float c[4] = { 1, 2 };     its shadow on the host
 *     k<<<g, b>>>(x, n)                               (configure(g, b) ? (void)0 : k(x, n))
 *
 * It works on tokens and never parses C++: the compiler behind it converts arguments, resolves overloads and
 * complains, with the file's own lines. Kernels and variables are listed for registration; each has a function beside
 * it, in its own scope, that tells its address, so that what is overloaded, static or in an unnamed namespace is
 * reached from the end of the file.
 */
#ifndef VPTRCC_SPLIT_H
#define VPTRCC_SPLIT_H

#include "buffer.h"
#include "declarator.h"
#include "edit.h"

typedef struct cc_host_kernel {
  const char *path;        /* "a::k", as cc_lowered_path() has it */
  const char *teller;      /* "::a::vptr_stub_1": the function that tells its address */
  uint32_t parameter_count;
  const char *place;       /* "file:line", for words */
} cc_host_kernel;

typedef struct cc_host_variable {
  const char *path;
  const char *teller;
  unsigned words;
  const char *place;
} cc_host_variable;

typedef struct cc_split {
  vptr__arena *arena;
  cc_text text;
  cc_edits edits;
  cc_buffer out;           /* the host's text */
  cc_buffer messages;      /* a line each; "" if all is well */
  cc_host_kernel *kernels;
  cc_host_variable *variables;
  uint32_t kernel_count, kernel_capacity, variable_count, variable_capacity;
  uint32_t serial;         /* of tellers */
  uint32_t next;           /* the first token that no declaration had yet */
} cc_split;

/* False: there are messages. */
bool cc_split_text(cc_split *split, vptr__arena *arena, const char *bytes, size_t length);

/* ---- its parts ------------------------------------------------------------------------------------------- */

/* Spellings from token `first` to `last`, on one line. */
const char *cc_split_spell(const cc_split *split, uint32_t first, uint32_t last);
void cc_split_complain(cc_split *split, uint32_t token, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* `#` lines that switch a compiler's warnings off and on again around what we write. */
const char *cc_split_quiet(const cc_split *split, uint32_t token);
const char *cc_split_loud(const cc_split *split, uint32_t token);

/* stub.c */
void cc_split_kernel(cc_split *split, const cc_declaration *declaration);
void cc_split_device_function(cc_split *split, const cc_declaration *declaration);
void cc_split_variables(cc_split *split, const cc_declaration *declaration);

/* launch.c: a launch whose `<<<` begins at token `begin`. The token behind its `>>>`. */
bool cc_is_launch(const cc_text *text, uint32_t begin);
uint32_t cc_split_launch(cc_split *split, uint32_t begin);

/* The same of one that is read and never made: its kernel is not named, and all else is used as the kernel would. */
uint32_t cc_split_no_launch(cc_split *split, uint32_t begin);

#endif
