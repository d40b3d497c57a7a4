/* SPDX-License-Identifier: MIT */
/*
 * parser - from tokens to a tree.
 *
 * A file of CUDA is two programs in one text, and this reads the device's. At namespace level, what says __global__,
 * __device__, __constant__, __managed__ or __shared__ must be understood; types, enumerations, typedefs, `using`,
 * constants and prototypes are read if they can be, since kernels may need them. What cannot be is skipped to its end,
 * and remembered by name as VPTR__HOST_ONLY, so that a kernel that uses it is told where it stands and that it belongs
 * to the host. Bodies of host functions are skipped unread.
 *
 * Templates, classes with members that are functions, lambdas and asm are refused where the
 * device's code has them, each with what to write instead.
 */
#ifndef VPTR_TRANSLATE_SYNTAX_PARSER_H
#define VPTR_TRANSLATE_SYNTAX_PARSER_H

#include "translate/preprocessor/preprocessor.h"
#include "translate/syntax/tree.h"

/* Reads to the end. Errors are in the source. default_device: functions without a word are the device's
 * (-default-device). */
vptr__unit *vptr__parser_run(vptr__source *source, vptr__preprocessor *preprocessor, bool default_device);

#endif
