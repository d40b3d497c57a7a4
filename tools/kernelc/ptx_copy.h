/* SPDX-License-Identifier: MIT */
/*
 * ptx_copy - PTX's cp.async: copies of 4, 8 and 16 bytes from global to shared memory, and groups of them.
 *
 * They are made at once: a program that has to wait for a copy cannot tell, and one that does not wait knows nothing of
 * the memory meanwhile. So groups are nothing.
 */
#ifndef KERNELC_PTX_COPY_H
#define KERNELC_PTX_COPY_H

#include "ptx_value.h"

/* Whether the instruction is one of these; not in bulk, nor those that barriers count. */
bool kc_ptx_is_copy(const kc_ptx_instruction *instruction);

/* Of the instruction at work. */
void kc_ptx_copy(kc_ptx_work *work);

#endif
