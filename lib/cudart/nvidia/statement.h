/* SPDX-License-Identifier: MIT */
/*
 * statement - PTX text, statement by statement.
 *
 *     .version 9.0                                      LINE: ends with its line
 *     .global .align 4 .u32 x = 7;                      PLAIN, depth 0
 *     .visible .entry k(.param .u64 k_param_0)          HEADER
 *     {                                                 OPEN
 *       .reg .b32 %r<3>;                                PLAIN, depth 1
 *     $L_1:                                             LABEL
 *       @%p1 st.global.u32 [x], %r1;                    PLAIN
 *     }                                                 CLOSE
 *     .section .debug_str { ... }                       DEBUG, as .file, .loc and @@ lines are
 *
 * What reads the text and what writes it anew walk over the same statements, so that they cannot disagree about where
 * one ends. No locks: a walk is one call's. Used by survey.c, reference.c and writer.c.
 */
#ifndef VPTR_NVIDIA_STATEMENT_H
#define VPTR_NVIDIA_STATEMENT_H

#include "nvidia/token.h"

typedef enum vptr__ptx_statement_kind {
  VPTR__PTX_LINE, VPTR__PTX_DEBUG, VPTR__PTX_HEADER, VPTR__PTX_OPEN, VPTR__PTX_CLOSE, VPTR__PTX_LABEL,
  VPTR__PTX_PLAIN,
  VPTR__PTX_LAST,   /* there is no more */
  VPTR__PTX_BROKEN  /* it does not end, or braces do not match */
} vptr__ptx_statement_kind;

typedef struct vptr__ptx_walk {
  vptr__ptx_statement_kind kind;
  const char *begin, *end; /* of the statement: from its first token to behind its last */
  unsigned depth;          /* of braces around it */
  const char *at, *stop;   /* what is left of the text */
} vptr__ptx_walk;

vptr__ptx_walk vptr__ptx_walk_begin(const char *text, size_t length);

/* To the next statement; false: LAST or BROKEN. */
bool vptr__ptx_walk_next(vptr__ptx_walk *walk);

#endif
