/* SPDX-License-Identifier: MIT */
/*
 * header - where #include finds its file during run-time compilation: beside the file that includes it, among the
 * headers that came with the program, and in the folders of -I, in this order.
 *
 * What is read from the disk is kept until the translation is over. No state beyond that, no locks.
 */
#ifndef VPTR_NVRTC_HEADER_H
#define VPTR_NVRTC_HEADER_H

#include "nvrtc/option.h"
#include "nvrtc/program.h"
#include "translate/preprocessor/preprocessor.h"

typedef struct vptr__nvrtc_headers {
  nvrtcProgram program; /* NULL: only the folders */
  const vptr__nvrtc_options *options;
  vptr__nvrtc_list texts, paths; /* that were read */
  vptr__nvrtc_text searched;
  vptr__reader reader;
} vptr__nvrtc_headers;

/* Fills it in; program and options stay as long. */
void vptr__nvrtc_headers_begin(vptr__nvrtc_headers *headers, nvrtcProgram program,
                               const vptr__nvrtc_options *options);
void vptr__nvrtc_headers_end(vptr__nvrtc_headers *headers);

#endif
