/* SPDX-License-Identifier: MIT */
/*
 * option - NVRTC's options, read.
 *
 * One table names them all. Most mean nothing to OpenCL's compiler, and are checked and let pass, so that programs keep
 * theirs; what would change the result and cannot be done is refused. No state, no locks.
 */
#ifndef VPTR_NVRTC_OPTION_H
#define VPTR_NVRTC_OPTION_H

#include "nvrtc/text.h"

#include <vptr/cuda/nvrtc.h>

typedef struct vptr__nvrtc_options {
  vptr__nvrtc_list defines;  /* as translate.h has them: "-NAME" undefines */
  vptr__nvrtc_list folders;  /* -I */
  vptr__nvrtc_list includes; /* -include */
  int arch;                  /* 0: not named */
  bool is_real;              /* sm_, not compute_ */
  bool default_device, no_fma, fast_math, no_warnings, no_source_folder;
} vptr__nvrtc_options;

/* Errors: INVALID_INPUT (count), INVALID_OPTION (in words in the log), OUT_OF_MEMORY. To be freed in any case. */
nvrtcResult vptr__nvrtc_options_read(int count, const char *const *options, vptr__nvrtc_text *log,
                                     vptr__nvrtc_options *options_out);
void vptr__nvrtc_options_free(vptr__nvrtc_options *options);

#endif
