/* SPDX-License-Identifier: MIT */
/*
 * text - a message or a name as it is shown: in UTF-8, on one line, and of bounded length.
 *
 * What is longer is cut at a character and ends in "...". Control characters, which would break a line in two, are
 * blanks. A text is its caller's variable; no memory is taken, and nothing fails.
 */
#ifndef VPTR_NVTX_TEXT_H
#define VPTR_NVTX_TEXT_H

#include <stdint.h>
#include <wchar.h>

#include "nvtx/nvtx.h"

enum { VPTR__NVTX_TEXT_SIZE = 240 };

typedef struct vptr__nvtx_text {
  char bytes[VPTR__NVTX_TEXT_SIZE];
} vptr__nvtx_text;

/* NULL is "(no message)". */
vptr__nvtx_text vptr__nvtx_text_of_bytes(const char *bytes);
vptr__nvtx_text vptr__nvtx_text_of_wide(const wchar_t *wide);

/* What the attributes of an event or a resource say, by the type that they name. */
vptr__nvtx_text vptr__nvtx_text_of_message(int32_t type, nvtxMessageValue_t message);

#endif
