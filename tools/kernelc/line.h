/* SPDX-License-Identifier: MIT */
/*
 * line - which line of the program a piece of kernel C is, for the translator's messages and dumps.
 *
 * A #line counts on with each line behind it. So the text of a kernel has no other line ends than those of directives,
 * and all of it up to the next #line is one line of the program's: an instruction's own, or that of the kernel's
 * definition for what people did not write.
 */
#ifndef KERNELC_LINE_H
#define KERNELC_LINE_H

#include "place.h"
#include "writer.h"

/* Where an instruction was written, unless it is where the one before was: *last, which it becomes. */
void kc_line_of(kc_writer *writer, LLVMValueRef instruction, kc_place *last);

/* Where the kernel at work is defined. */
void kc_line_of_kernel(kc_writer *writer);

/* Appends a kernel's text without the line ends that no directive needs. */
void kc_line_join(kc_writer *writer, const char *text);

#endif
