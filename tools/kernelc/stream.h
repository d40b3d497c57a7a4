/* SPDX-License-Identifier: MIT */
/*
 * stream - kernels whose accesses are found once a block, in place of once an access.
 *
 * A look-up in each access (kc_byte_at(), vptr_reach()) keeps the driver's compiler from making vectors of neighbouring
 * threads: a kernel in which a thread has one word took three times as long by it. So a kernel whose addresses all grow
 * evenly with threadIdx has its text twice. In front of both stands what each address is at the block's first thread,
 * and by how much it grows along x, y and z; that tells the least and the greatest address of the block. Where each
 * access stays within memory that lies as it is addressed (vptr_stream() in emit/prelude/reach.cl) the text without
 * look-ups runs, which adds one number to each address, the same for the block; else the other one does. Every address
 * is the same in both.
 *
 * Threads that a condition leaves out are counted as if they accessed, which can only lead to the text with look-ups:
 * a block at the end of the data, or whose numbers wrap around at 32 bits. The same goes for anything that is not known
 * to grow evenly: the kernel is written once then.
 *
 * Called by kernel.c, which writes both, and by memory.c, where an access is written.
 */
#ifndef KERNELC_STREAM_H
#define KERNELC_STREAM_H

#include "writer.h"

/* If the kernel at work, which has no states, can have both texts: writes what decides, and the beginning of the first,
 * up to `{`. All values have their names. False: nothing is written. */
bool kc_stream_begin(kc_writer *writer, LLVMValueRef function);

/* Whether the text at work is the first one, and the pointer is one whose place is known there; and, behind such a
 * pointer, what is added to it. */
bool kc_stream_knows(const kc_writer *writer, LLVMValueRef pointer);
void kc_stream_add(kc_writer *writer, LLVMValueRef pointer);

/* Between both texts, and behind the second one. */
void kc_stream_else(kc_writer *writer);
void kc_stream_end(kc_writer *writer);

#endif
