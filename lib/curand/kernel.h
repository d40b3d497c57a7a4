/* SPDX-License-Identifier: MIT */
/*
 * kernel - the library's own kernels (lib/curand/kernels), found and sent.
 *
 * They are one module, whose text the library carries; it is read when the first kernel is wanted, and a kernel is
 * built when it is first sent, as those of programs are, and kept on disk.
 *
 * The lock is that of library/kernel.h, of rank UNIT, while a kernel is looked for.
 */
#ifndef VPTR_CURAND_KERNEL_H
#define VPTR_CURAND_KERNEL_H

#include <vptr/vptr.h>

#include "curand/number.h"
#include "stream/stream.h"

/* One thread for each of `threads`, at least 1, in a line; `arguments` are the address of each. `call` is for words. */
vptr_status vptr__rand_launch(const char *call, vptr__stream *stream, const char *kernel, uint64_t threads,
                              void *const *arguments);

/* The kernel that fills memory with a generator's numbers: xorwow_words and its kin. */
vptr_status vptr__rand_launch_fill(const char *call, vptr__stream *stream, const char *generator,
                                   vptr__rand_number number, uint64_t threads, void *const *arguments);

#endif
