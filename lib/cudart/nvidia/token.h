/* SPDX-License-Identifier: MIT */
/*
 * token - PTX text, cut into words, numbers, strings and marks.
 *
 * A word is what has a meaning as a whole: a directive (.global), an instruction (ld.global.u32), a register (%rd1,
 * %tid.x), a name. Blanks and comments are between tokens. Tokens are views into the text, which nothing changes. No
 * data, no locks. vptr-kernelc has the file in it, too, for PTX in line. Used by the files of lib/cudart/nvidia.
 */
#ifndef VPTR_NVIDIA_TOKEN_H
#define VPTR_NVIDIA_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum vptr__ptx_token_kind {
  VPTR__PTX_END,    /* of the text */
  VPTR__PTX_WORD,
  VPTR__PTX_NUMBER, /* 7, 0x7f, 0f3F800000, 1.5 */
  VPTR__PTX_STRING, /* with its quotes */
  VPTR__PTX_MARK    /* one character */
} vptr__ptx_token_kind;

typedef struct vptr__ptx_token {
  vptr__ptx_token_kind kind;
  const char *begin, *end;
} vptr__ptx_token;

/* The token at *at, which moves behind it. */
vptr__ptx_token vptr__ptx_next(const char **at, const char *end);

bool vptr__ptx_is(const vptr__ptx_token *token, const char *text);

/* Whether an instruction or a directive begins so: "ld.const" of ld.const.u32. */
bool vptr__ptx_begins(const vptr__ptx_token *token, const char *text);

/* A number without a point or exponent, in any base of PTX's; false if it is none. */
bool vptr__ptx_integer(const vptr__ptx_token *token, uint64_t *number_out);

#endif
