/* SPDX-License-Identifier: MIT */
/*
 * clang - programs in C++, by clang, and relocatable ones by whom vptrcc chooses: vptrcc does that, as a child process
 * (tools/vptrcc/clang.h).
 */
#ifndef VPTR_NVRTC_CLANG_H
#define VPTR_NVRTC_CLANG_H

#include "nvrtc/option.h"
#include "nvrtc/program.h"

/* The module's text of a program, appended to *module, and what was said about it to *log. Errors: COMPILATION, also
 * where something has to be installed, which the log says; OUT_OF_MEMORY. */
nvrtcResult vptr__nvrtc_clang_compile(nvrtcProgram program, const vptr__nvrtc_options *options,
                                      vptr__nvrtc_text *module, vptr__nvrtc_text *log);

/* Whether this process may start vptrcc: no set-uid program may. */
bool vptr__nvrtc_clang_is_allowed(void);

/* Whether it may, and there is one. */
bool vptr__nvrtc_clang_is_there(void);

/* vptrcc, by a path or by its name. */
const char *vptr__nvrtc_clang_driver(void);

/* Adds the files of who compiles and links, for kept.h. False: some are not found. The folder is for what it asks. */
bool vptr__nvrtc_clang_tools(const char *folder, vptr__nvrtc_list *files);

#endif
