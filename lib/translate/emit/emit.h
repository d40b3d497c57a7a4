/* SPDX-License-Identifier: MIT */
/*
 * emit - the plan and the tree as a module: OpenCL C 1.2, with lines in front that say what is in it.
 *
 * The lines are read by lib/cudart/module (module/image.h has their grammar), the rest by the driver. `#line` names the
 * CUDA file, so that what a driver complains about can be found. Names that OpenCL has for itself are renamed; what a
 * driver does better than OpenCL 1.2 is behind macros that lib/cudart/module sets when it builds.
 */
#ifndef VPTR_TRANSLATE_EMIT_EMIT_H
#define VPTR_TRANSLATE_EMIT_EMIT_H

#include "translate/lower/plan.h"

typedef struct vptr__emit_options {
  bool no_fma;           /* -fmad=false */
  bool fast_math;        /* -use_fast_math */
  bool is_kernel_c;      /* memory is bytes, which are seen as any type */
  bool finds_buffers;    /* accesses of global memory look up where that is (emit/found.c); kernel C says so itself */
  int arch;              /* __CUDA_ARCH__ */
} vptr__emit_options;

/* The module's text, in the arena; NULL if there were errors. */
const char *vptr__emit_module(const vptr__plan *plan, const vptr__emit_options *options);

/* Itanium-ABI mangled name of a function or variable (extern "C": as it is), for lowered=. */
const char *vptr__emit_lowered_name(vptr__arena *arena, const vptr__declaration *declaration);

#endif
