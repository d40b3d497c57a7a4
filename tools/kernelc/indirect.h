/* SPDX-License-Identifier: MIT */
/*
 * indirect - calls through pointers: virtual functions, and pointers to functions that are chosen at run time.
 *
 * OpenCL C has neither, but all functions that such a call can reach are in the module. Each whose address is used gets
 * a number, which takes the address's place, and the call becomes one of a function of ours that has a switch over the
 * numbers that fit: for a virtual function those in the same place of a table, otherwise those of the same type.
 */
#ifndef KERNELC_INDIRECT_H
#define KERNELC_INDIRECT_H

#include "writer.h"

/* Once: numbers in the place of the addresses of functions. */
void kc_indirect_number(kc_writer *writer);

/* Makes direct calls of indirect ones, which are to be inlined then. False: there is none. */
bool kc_indirect_resolve(kc_writer *writer);

/* Last: functions are nobody's any more. */
void kc_indirect_end(kc_writer *writer);

/* Whether a kernel's parameter is a function's number for all that is done with it: it is compared with constants. A
 * launch would look for memory behind a pointer, so it is passed as a number. */
bool kc_indirect_is_number(LLVMValueRef value);

/* The number that such a one is compared with; false: it is none. */
bool kc_indirect_constant(LLVMValueRef value, unsigned long long *number_out);

#endif
