/* SPDX-License-Identifier: MIT */
/* ptx_row - the table of PTX's instructions that calculate: what each takes, and what it is in LLVM or in kernel C. */
#ifndef KERNELC_PTX_ROW_H
#define KERNELC_PTX_ROW_H

#include "ptx.h"

/*
 * The instruction's last part is its type, and one of `types`; the other parts are the name. "@" in a name is a
 * rounding, and in the text CUDA's word for it. The first operand is the result, unless the row begins with '-'.
 *
 *     T the type, W an integer of twice its width, p a predicate, h u l integers of 16, 32 and 64 bits
 *
 * A row has an opcode of LLVM's, or an expression of kernel C (template.h).
 */
typedef struct kc_ptx_row {
  const char *name, *types, *operands;
  int opcode; /* 0: none */
  const char *text;
} kc_ptx_row;

/* NULL: there is none. `rounding` is "rn", "rz", "rd", "ru", or NULL. */
const kc_ptx_row *kc_ptx_row_of(const kc_ptx_instruction *instruction, const char **type_out,
                                const char **rounding_out);

/* A special register: what reads it, an intrinsic of LLVM's or an expression of kernel C; NULL: unknown. */
const char *kc_ptx_special(const char *name, bool *is_wide_out, bool *is_text_out);

#endif
