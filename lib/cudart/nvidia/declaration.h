/* SPDX-License-Identifier: MIT */
/*
 * declaration - one variable or parameter of a PTX text.
 *
 *     .visible .global .attribute(.managed) .align 4 .u32 x[2][3] = {1, 2};
 *     .param .align 8 .b8 k_param_0[24]
 *
 * No data, no locks: a declaration is its caller's, and points into the text. Used by survey.c and writer.c.
 */
#ifndef VPTR_NVIDIA_DECLARATION_H
#define VPTR_NVIDIA_DECLARATION_H

#include "nvidia/token.h"

/* What shared memory of as many bytes, at least, is aligned to: a driver's compiler that does not know where it will
 * lie then loads four numbers at once, as NVIDIA's own does. */
enum { VPTR__PTX_SHARED_ALIGNMENT = 16 };

typedef struct vptr__ptx_declaration {
  vptr__ptx_token name;
  uint64_t size, align;    /* bytes; size is 0 of an array whose size is not said */
  /* of shared memory that is aligned to more than it says, for loads of several numbers: the number that it says; else
   * NULL */
  const char *raised, *raised_end;
  unsigned width;          /* of an element */
  bool is_shared, is_constant, is_managed, is_extern;
  bool is_strange;         /* it has something that is not understood; size, align and width say nothing then */
  const char *value, *value_end; /* what is behind its equals sign; NULL: nothing */
} vptr__ptx_declaration;

/* False if it declares neither: a pragma, a register. */
bool vptr__ptx_declaration_read(const char *begin, const char *end, vptr__ptx_declaration *declaration_out);

#endif
