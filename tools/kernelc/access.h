/* SPDX-License-Identifier: MIT */
/*
 * access - an access of memory by a number that carries its memory (mixed.h): a call of a function of ours that asks
 * the mark, and does the same access by a pointer to that memory.
 */
#ifndef KERNELC_ACCESS_H
#define KERNELC_ACCESS_H

#include "writer.h"

/* A load, a store, an atomic operation, or a call. */
bool kc_access_is(LLVMValueRef instruction);

/* By operand: the number in the place of a pointer, or NULL, and which memories (KC_IN_GLOBAL...) it may lead into.
 * The instruction goes; the call is in its place. */
LLVMValueRef kc_access_replace(kc_writer *writer, LLVMValueRef instruction, const LLVMValueRef *numbers,
                               const unsigned *sets);

#endif
