/* SPDX-License-Identifier: MIT */
/*
 * mixed - pointers whose memory their types do not say, made into what OpenCL C has: pointers to one memory, or
 * numbers.
 *
 * A pointer that lies in memory is a number there. One to global memory is the host's address; one to shared memory,
 * or to a variable of the thread, is the device's own address with a mark in the two bits on top, which no address has.
 * So the number carries its memory, and copies of bytes copy it.
 *
 *     a pointer that is loaded, and leads into shared memory alone       becomes a pointer to shared memory
 *     one that may lead into several (c ? &shared : argument)            stays a number; each access asks the mark
 */
#ifndef KERNELC_MIXED_H
#define KERNELC_MIXED_H

#include "writer.h"

#define KC_MARK_SHARED (1ull << 62)
#define KC_MARK_PRIVATE (2ull << 62)
#define KC_MARKS (3ull << 62)

/* Pointers that are loaded and lead into one memory that is not global; false: there are none. LLVM has to tell address
 * spaces anew then. */
bool kc_mixed_place(kc_writer *writer, LLVMValueRef function);

/* Those that are left, as numbers; the functions that access memory by them are to be inlined. Refuses what has no such
 * form. */
bool kc_mixed_split(kc_writer *writer, LLVMValueRef function);

#endif
