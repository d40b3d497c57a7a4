/* SPDX-License-Identifier: MIT */
/*
 * reach - what a kernel of a PTX text uses, itself or by the functions that it calls. No locks: a vptr__ptx_reach is a
 * variable of one call's. Used by writer.c.
 */
#ifndef VPTR_NVIDIA_REACH_H
#define VPTR_NVIDIA_REACH_H

#include "nvidia/survey.h"

typedef struct vptr__ptx_reach {
  bool *is_reached;      /* each symbol */
  uint32_t *waiting;     /* those whose references were not followed yet */
  uint32_t count;
  /* of the kernel that was asked for last */
  unsigned reasons;      /* VPTR__PTX_READS_TEXTURES ... */
  uint64_t shared;       /* static, at most: alignment may need less */
  bool is_dynamic, prints;
} vptr__ptx_reach;

/* OUT_OF_HOST_MEMORY; whatever comes back, free comes after it. */
vptr_status vptr__ptx_reach_begin(const vptr__ptx_survey *survey, vptr__ptx_reach *reach_out);
void vptr__ptx_reach_free(vptr__ptx_reach *reach);

void vptr__ptx_reach_follow(const vptr__ptx_survey *survey, uint32_t kernel, vptr__ptx_reach *reach);

#endif
