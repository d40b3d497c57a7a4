/* SPDX-License-Identifier: MIT */
/*
 * depend - the files that a compilation has read, and what is in them.
 */
#ifndef VPTR_NVRTC_DEPEND_H
#define VPTR_NVRTC_DEPEND_H

#include <time.h>

#include "nvrtc/text.h"

/* Appends the paths of a rule for make ("module: a.cu b.h"), but those in one folder. False: it is no rule. */
bool vptr__nvrtc_depend_read(const char *rule, const char *except, vptr__nvrtc_list *paths);

/* Appends the path of a program as it is called, searched for in PATH where it has no folder. False: there is none. */
bool vptr__nvrtc_depend_find(const char *program, vptr__nvrtc_list *paths);

/* Appends a line for each path: a hash of what is in the file. False: one cannot be read, or it was written after
 * `before` (which may be NULL) or shortly before. */
bool vptr__nvrtc_depend_state(const vptr__nvrtc_list *paths, const struct timespec *before, vptr__nvrtc_text *state);

#endif
