/* SPDX-License-Identifier: MIT */
/*
 * translate - CUDA text into a module, for libvptr-cudart, which opens this library when a program gives it such text
 * (cuda/jit.h). Exported under VPTR_NVRTC_PRIVATE_0; its number rises when this changes. No state, no locks.
 */
#ifndef VPTR_NVRTC_TRANSLATE_H
#define VPTR_NVRTC_TRANSLATE_H

#include <stddef.h>

/* For dlvsym(). */
#define VPTR__NVRTC_NODE "VPTR_NVRTC_PRIVATE_0"

typedef enum vptr__nvrtc_verdict {
  VPTR__NVRTC_DONE,
  VPTR__NVRTC_ERRORS,        /* in the log */
  VPTR__NVRTC_OUT_OF_MEMORY  /* and there is nothing to free */
} vptr__nvrtc_verdict;

/* Both outputs are texts, to be given to vptr__nvrtc_free(); without a module *module_out is NULL. */
__attribute__((visibility("default"))) vptr__nvrtc_verdict
vptr__nvrtc_translate(const char *text, size_t length, char **module_out, char **log_out);

__attribute__((visibility("default"))) void vptr__nvrtc_free(char *text);

#endif
