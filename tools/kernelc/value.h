/* SPDX-License-Identifier: MIT */
/* value - operands: what stands in an expression for a value that LLVM has. */
#ifndef KERNELC_VALUE_H
#define KERNELC_VALUE_H

#include "writer.h"

/* A primary or parenthesized expression for that leaf of the value. */
void kc_value(kc_writer *writer, LLVMValueRef value, unsigned leaf);

/* The same, an integer, as signed. */
void kc_signed_value(kc_writer *writer, LLVMValueRef value, unsigned leaf);

/* The name of a variable of the module, which the kernel at work uses from now on. */
const char *kc_global_name(LLVMValueRef global);
void kc_use_global(kc_writer *writer, LLVMValueRef global);

/* The address space of a pointer, or of what it is an offset from; KC_GENERIC: LLVM does not know. */
unsigned kc_space_of(LLVMValueRef pointer);

/* What a pointer is an offset from, and by how many bytes if that is constant; false: it is not. */
LLVMValueRef kc_base_of(LLVMValueRef pointer);
bool kc_constant_offset(kc_writer *writer, LLVMValueRef pointer, LLVMValueRef *base_out,
                        unsigned long long *bytes_out);

/* The characters of a constant string; NULL: it is none. The caller's. */
char *kc_string_of(kc_writer *writer, LLVMValueRef pointer, size_t *length_out);

/* Whether a node of LLVM's metadata is that word. */
bool kc_is_word(LLVMValueRef node, const char *word);

/* As a literal of C. */
void kc_print_string(kc_writer *writer, const char *text, size_t length);

#endif
