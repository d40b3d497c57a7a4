/* SPDX-License-Identifier: MIT */
/*
 * expression - name expressions of a program that clang compiles: k<int>, &a::table.
 */
#ifndef VPTR_NVRTC_EXPRESSION_H
#define VPTR_NVRTC_EXPRESSION_H

#include "nvrtc/text.h"

#include <vptr/cuda/nvrtc.h>

/* Appends to a source what instantiates each, and leaves a trace of its name in the module. */
void vptr__nvrtc_expressions_write(const vptr__nvrtc_list *expressions, vptr__nvrtc_text *text);

/* Adds the module's lines that say what each is lowered to. Errors: OUT_OF_MEMORY. */
nvrtcResult vptr__nvrtc_expressions_read(const vptr__nvrtc_list *expressions, vptr__nvrtc_text *module);

#endif
