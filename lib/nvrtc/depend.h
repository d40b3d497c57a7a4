/* SPDX-License-Identifier: MIT */
/*
 * depend - the files that a compilation has read, and what is in them.
 */
#ifndef VPTR_NVRTC_DEPEND_H
#define VPTR_NVRTC_DEPEND_H

#include <time.h>

#include "nvrtc/text.h"

/* Appends the paths that a rule for make names ("module: a.cu b.h"), but not those that lie in the folder `except`.
 * False: it is no rule, or there is no host memory; some paths may have been appended then. */
bool vptr__nvrtc_depend_read(const char *rule, const char *except, vptr__nvrtc_list *paths);

/* Appends the path by which a program is called: of a name without a folder, the first in PATH that can be executed.
 * False: there is none, or there is no host memory. */
bool vptr__nvrtc_depend_find(const char *program, vptr__nvrtc_list *paths);

/* Appends a line for each path: a hash of what is in the file, its size, and the path. False: one cannot be read or is
 * no regular file; or it was written after `before` (which may be NULL), or at most 0.1 s before; or there is no host
 * memory. What was appended is of no use then. */
bool vptr__nvrtc_depend_state(const vptr__nvrtc_list *paths, const struct timespec *before, vptr__nvrtc_text *state);

#endif
