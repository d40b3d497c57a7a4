/* SPDX-License-Identifier: MIT */
/*
 * link - modules, objects and archives with relocatable code into one module, for libvptr-cudart, which opens this
 * library when a program links at run time, or loads a module that has to be linked (cuda/jit.h). Exported under
 * VPTR_NVRTC_PRIVATE_0, as translate.h is. No state, no locks.
 */
#ifndef VPTR_NVRTC_LINK_H
#define VPTR_NVRTC_LINK_H

#include "nvrtc/translate.h"

typedef struct vptr__nvrtc_input {
  const char *bytes;       /* length of them */
  size_t length;
  const char *suffix;      /* of a file with these bytes: ".ptx", ".o", ".a" */
} vptr__nvrtc_input;

/* Both outputs as vptr__nvrtc_translate() has them. Blocking: vptrcc works, as a child process. */
__attribute__((visibility("default"))) vptr__nvrtc_verdict
vptr__nvrtc_link(const vptr__nvrtc_input *inputs, size_t count, char **module_out, char **log_out);

#endif
