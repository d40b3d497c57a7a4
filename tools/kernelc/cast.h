/* SPDX-License-Identifier: MIT */
/* cast - conversions: widths, numbers and reals, bits seen as another type, and pointers. */
#ifndef KERNELC_CAST_H
#define KERNELC_CAST_H

#include "writer.h"

/* False: the opcode is no conversion. */
bool kc_cast(kc_writer *writer, LLVMValueRef value, LLVMOpcode opcode, unsigned leaf);

/* A value's bits as those of another type of the same size. `from` and `to` are leaves' types. */
void kc_cast_bits_begin(kc_writer *writer, LLVMTypeRef from, LLVMTypeRef to);
void kc_cast_bits_end(kc_writer *writer, LLVMTypeRef from, LLVMTypeRef to);

/* A pointer as it lies in memory (mixed.h). */
void kc_cast_pointer_bits(kc_writer *writer, LLVMValueRef value, unsigned leaf);

#endif
