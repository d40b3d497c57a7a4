/* SPDX-License-Identifier: MIT */
/*
 * passed - parameters that are structs passed by value.
 *
 * The launch writes the device's addresses into such a struct, where the type says that a member is a pointer. So the
 * parameter has a C struct with one member for each leaf, named by its offset, and a load of a leaf is a member. Where
 * the kernel does more with the struct than load members by constant offsets, it gets a copy as bytes, in which
 * pointers are what memory has.
 */
#ifndef KERNELC_PASSED_H
#define KERNELC_PASSED_H

#include "writer.h"

/* The C struct of that parameter's type, on the module's level. */
void kc_passed_struct(kc_writer *writer, LLVMValueRef function, unsigned parameter);

/* Whether it is copied. */
bool kc_passed_is_copied(kc_writer *writer, LLVMValueRef function, unsigned parameter);

/* At the kernel's beginning: the copy, if there has to be one, into an array or pointer c_NAME that is declared. */
void kc_passed_copy(kc_writer *writer, LLVMValueRef function, unsigned parameter);

/* Whether the pointer leads into a parameter by value that is not copied: loads through it are members, and it is never
 * written itself. */
bool kc_passed_is_path(kc_writer *writer, LLVMValueRef function, LLVMValueRef pointer);

/* Writes the member that a load of a leaf means; false: the load is of something else. */
bool kc_passed_load(kc_writer *writer, LLVMValueRef load, LLVMTypeRef leaf, unsigned long long offset);

#endif
