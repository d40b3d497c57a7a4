/* SPDX-License-Identifier: MIT */
/*
 * kernel - a library's own kernels: a module that vptrcc made when the library was built, read when one is wanted.
 *
 * Thread-safe. Each library has one vptr__library_kernels, a static of its kernel.c: lib/cublas, lib/cufft, lib/curand
 * and lib/cusparse, whose kernel.c calls this. Its `lock`, of rank UNIT, since reading a module takes others, guards
 * `module`.
 */
#ifndef VPTR_LIBRARY_KERNEL_H
#define VPTR_LIBRARY_KERNEL_H

#include <stddef.h>

#include <vptr/vptr.h>

#include "base/lock.h"
#include "module/module.h"

typedef struct vptr__library_kernels {
  const char *library;  /* for words: "cublas" */
  const char *text;
  const size_t *length;
  vptr__lock lock;
  vptr__module *module; /* NULL: not read yet */
} vptr__library_kernels;

/* `text` is the array that lib/kernel-text.awk makes, beside which its length stands. */
#define VPTR__LIBRARY_KERNELS(library, text)                                                                           \
  { (library), (text), &text##_length, VPTR__LOCK_INIT(VPTR__RANK_UNIT), NULL }

/* Errors: those of vptr__module_load(); CORRUPT: there is no such kernel. */
VPTR_API vptr_status vptr__library_kernel(vptr__library_kernels *kernels, const char *name,
                                          vptr__function **function_out);

#endif
