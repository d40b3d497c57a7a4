/* SPDX-License-Identifier: MIT */
/*
 * option - NVRTC's options, read.
 *
 * One table, in option.c, names them all. Those that vptr acts on go into vptr__nvrtc_options. Most others are checked
 * and have no effect, so that programs keep theirs: --std, --ftz, --prec-div and --prec-sqrt are among them. Those that
 * ask for what vptr cannot make or do are refused: LTO-IR, OptiX-IR, precompiled headers, time traces, a check of the
 * syntax alone. No locks: what is read belongs to the call that reads it.
 */
#ifndef VPTR_NVRTC_OPTION_H
#define VPTR_NVRTC_OPTION_H

#include "nvrtc/text.h"

#include <vptr/cuda/nvrtc.h>

typedef struct vptr__nvrtc_options {
  vptr__nvrtc_list defines;  /* as translate.h has them: "-NAME" undefines */
  vptr__nvrtc_list folders;  /* -I */
  vptr__nvrtc_list includes; /* -include */
  vptr__nvrtc_list standards; /* --std, for clang: the last one counts */
  int arch;                  /* 0: not named */
  bool is_real;              /* sm_, not compute_ */
  bool default_device, no_fma, fast_math, no_warnings, no_source_folder;
  bool is_relocatable;       /* -rdc=true, -dc: the last one counts */
  bool finds_buffers;        /* --finds-buffers, vptr's own, or VPTR_FINDS_BUFFERS: as vptrcc's */
} vptr__nvrtc_options;

/* Errors: INVALID_INPUT (count), INVALID_OPTION (in words in the log), OUT_OF_MEMORY. To be freed in any case. */
nvrtcResult vptr__nvrtc_options_read(int count, const char *const *options, vptr__nvrtc_text *log,
                                     vptr__nvrtc_options *options_out);
void vptr__nvrtc_options_free(vptr__nvrtc_options *options);

#endif
