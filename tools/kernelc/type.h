/* SPDX-License-Identifier: MIT */
/*
 * type - LLVM's types as kernel C has them.
 *
 * A value is one or more *leaves*: numbers or pointers that have a name in C. A number has one; a struct, an array and
 * a vector have those of their members. An integer of w bits lies zero-extended in the next of 8, 16, 32 and 64 bits
 * (one bit in 32), so that comparing and widening cost nothing. One of 128 bits has two leaves of 64.
 */
#ifndef KERNELC_TYPE_H
#define KERNELC_TYPE_H

#include "writer.h"

unsigned kc_leaf_count(kc_writer *writer, LLVMTypeRef type);
LLVMTypeRef kc_leaf_type(kc_writer *writer, LLVMTypeRef type, unsigned leaf);
unsigned long long kc_leaf_offset(kc_writer *writer, LLVMTypeRef type, unsigned leaf); /* bytes */

/* "unsigned int", of a leaf; refuses what kernel C has not. */
const char *kc_type_name(kc_writer *writer, LLVMTypeRef leaf);
const char *kc_signed_name(kc_writer *writer, LLVMTypeRef leaf);
unsigned kc_storage_bits(LLVMTypeRef integer);

bool kc_is_integer(LLVMTypeRef type);
bool kc_is_pointer(LLVMTypeRef type);
bool kc_is_floating(LLVMTypeRef type);
unsigned kc_width(LLVMTypeRef integer);

unsigned long long kc_size(kc_writer *writer, LLVMTypeRef type); /* bytes that an array has for each */

/* Of an alloca; refuses one whose size is not known. */
unsigned long long kc_array_bytes(kc_writer *writer, LLVMValueRef variable);

/* The struct of a parameter that is passed by value; NULL: it is none. */
LLVMTypeRef kc_passed_type(LLVMValueRef function, unsigned parameter);
unsigned long long kc_attribute(LLVMValueRef function, unsigned index, const char *name);

#endif
