/* SPDX-License-Identifier: MIT */
/* variable - the module's variables: shared ones in each kernel, others once, with their initial bytes. */
#ifndef KERNELC_VARIABLE_H
#define KERNELC_VARIABLE_H

#include "writer.h"

/* The shared ones that the kernel at work uses, inside of its function. */
void kc_variables_of_kernel(kc_writer *writer);

/* Remembers the others that it uses, for kc_variables_write(). */
void kc_variables_note(kc_writer *writer);

/* Gives names that C can have to those that have none. Before anything is written. */
void kc_variables_name(kc_writer *writer);

/* All that were noted, and those that the host may ask for. */
void kc_variables_write(kc_writer *writer);

/* Whether a file defines it, and its host may ask for it. */
bool kc_variable_is_for_host(LLVMValueRef global);

/* Of the block's; 0 bytes: as many as the launch says. */
bool kc_variable_is_shared(LLVMValueRef global);
unsigned long long kc_variable_shared_bytes(kc_writer *writer, LLVMValueRef global);

#endif
