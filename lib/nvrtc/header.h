/* SPDX-License-Identifier: MIT */
/*
 * header - where #include finds its file during run-time compilation: a name in quotes beside the file that includes
 * it; then among the headers that came with the program; then in the folders of -I, in their order. A path from the
 * root is opened as it is.
 *
 * What is read from the disk is kept in a vptr__nvrtc_headers, the caller's variable, until the translation is over. No
 * state beyond that, and no lock but the program's mutex, which who compiles a program holds.
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
