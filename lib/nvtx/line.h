/* SPDX-License-Identifier: MIT */
/*
 * line - a line about what the calling thread does: its name, or its number, and what is said.
 *
 * The name is what the program gave the thread (nvtxNameOsThread()); the number is the system's, as gettid() has it.
 */
#ifndef VPTR_NVTX_LINE_H
#define VPTR_NVTX_LINE_H

#include "nvtx/text.h"

/* The level of VPTR_VERBOSE that asks for lines. */
enum { VPTR__NVTX_LOG_LEVEL = 3 };

/* depth: of open ranges around it; two blanks each. */
void vptr__nvtx_line(size_t depth, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last name of a thread counts. Without memory it has none. */
void vptr__nvtx_thread_set_name(uint32_t thread, const vptr__nvtx_text *name);

#endif
