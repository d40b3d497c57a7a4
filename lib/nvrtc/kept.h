/* SPDX-License-Identifier: MIT */
/*
 * kept - modules of C++, kept on disk, since clang takes a second.
 *
 *     the program, its headers and options, the compilers' variables --> files that were read
 *     the same, with what is in those files now                      --> messages and module
 *
 * So a program whose headers changed is compiled, and one whose headers changed back is found. vptrcc, clang and
 * vptr-kernelc are among the files. Both are in the folder of VPTR_CACHE (base/binary.h); nothing here is an error.
 */
#ifndef VPTR_NVRTC_KEPT_H
#define VPTR_NVRTC_KEPT_H

#include <time.h>

#include "nvrtc/text.h"

/* What is known before anything is compiled: begin with this, and add all that the result depends on. */
void vptr__nvrtc_kept_begin(vptr__nvrtc_text *what);

/* Appends to both. False: nothing was kept of it, and both are as before. */
bool vptr__nvrtc_kept_load(const vptr__nvrtc_text *what, vptr__nvrtc_text *module, vptr__nvrtc_text *log);

/* began: when the compiler was started. */
void vptr__nvrtc_kept_store(const vptr__nvrtc_text *what, const vptr__nvrtc_list *files, const struct timespec *began,
                            const vptr__nvrtc_text *module, const vptr__nvrtc_text *log);

#endif
