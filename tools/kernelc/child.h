/* SPDX-License-Identifier: MIT */
/*
 * child - kernels that kernels launch.
 *
 * clang 19 refuses a kernel's name in device code. So a file that launches there is compiled with kernels that are
 * functions of both sides, marked by an annotation, and each launch is
 * `configure(grid, block, ...) ? (void)0 : k(arguments)` (tools/vptrcc/children.c). Here the marked functions become
 * kernels again, and the calls become records: what the translator makes of a launch in C
 * (lib/translate/syntax/launch.c), by the same functions of its header.
 */
#ifndef KERNELC_CHILD_H
#define KERNELC_CHILD_H

#include "writer.h"

/* Whether the function has the mark of a kernel. */
bool kc_child_is_marked(LLVMModuleRef module, LLVMValueRef function);

/* Marked functions of one file get what clang gives kernels: the linker sees them, and those that are the file's own
 * have its suffix, or clang's word for that, if there is one. */
void kc_child_name(LLVMModuleRef module, const char *suffix);

/* Makes records of all launches; the kernels are known. False: it was said what is no launch. */
bool kc_children_replace(kc_writer *writer);

#endif
