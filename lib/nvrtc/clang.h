/* SPDX-License-Identifier: MIT */
/*
 * clang - programs in C++, by clang: vptrcc does that, as a child process (tools/vptrcc/clang.h).
 */
#ifndef VPTR_NVRTC_CLANG_H
#define VPTR_NVRTC_CLANG_H

#include "nvrtc/option.h"
#include "nvrtc/program.h"

/* The module's text of a program, appended to *module, and what was said about it to *log. Errors: COMPILATION, also
 * where something has to be installed, which the log says; OUT_OF_MEMORY. */
nvrtcResult vptr__nvrtc_clang_compile(nvrtcProgram program, const vptr__nvrtc_options *options,
                                      vptr__nvrtc_text *module, vptr__nvrtc_text *log);

#endif
