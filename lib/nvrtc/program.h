/* SPDX-License-Identifier: MIT */
/*
 * program - what an nvrtcProgram is: a text and its headers, and what the last compilation made of them.
 *
 * The mutex of a program guards all of it. Each call that is given one holds it, so while a thread compiles a program,
 * others that ask for its log wait. Only nvrtcDestroyProgram() does not: as with NVRTC, no other call may use the
 * program then.
 */
#ifndef VPTR_NVRTC_PROGRAM_H
#define VPTR_NVRTC_PROGRAM_H

#include <pthread.h>

#include "nvrtc/text.h"

#include <vptr/cuda/nvrtc.h>

struct _nvrtcProgram {
  pthread_mutex_t mutex;
  char *source, *name;
  vptr__nvrtc_list headers, header_names; /* as many */
  vptr__nvrtc_list expressions;
  vptr__nvrtc_list lowered; /* one each expression, after a compilation that succeeded */
  char *module;             /* NULL: none */
  size_t module_length;
  bool was_compiled;        /* with success or without */
  bool is_real;             /* for a real architecture */
  vptr__nvrtc_text log;
};

/* name.c: finds what became of the expressions in the module. */
nvrtcResult vptr__nvrtc_read_lowered(nvrtcProgram program);

#endif
