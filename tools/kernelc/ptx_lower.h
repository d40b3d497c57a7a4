/* SPDX-License-Identifier: MIT */
/*
 * ptx_lower - inline assembler becomes instructions of LLVM before LLVM optimises: it is seen through, a shuffle in it
 * is a stop as any other, and a pointer in it keeps its memory.
 */
#ifndef KERNELC_PTX_LOWER_H
#define KERNELC_PTX_LOWER_H

#include "ptx.h"

/* Whether any function has assembler with a translation: then LLVM has to have its variables as values first. */
bool kc_ptx_found(kc_writer *writer);

/* Of all functions. What has no translation stays, and is refused where it is written, if a kernel still has it then;
 * what has one with other operands is refused now. Makes functions that are to be inlined. */
void kc_ptx_lower(kc_writer *writer);

/* What it is in the text that has no translation; NULL: all has one. */
const char *kc_ptx_problem(const kc_ptx_text *text);

#endif
