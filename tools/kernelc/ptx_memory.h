/* SPDX-License-Identifier: MIT */
/* ptx_memory - PTX's loads, stores, atomic operations and reductions, and questions about addresses. */
#ifndef KERNELC_PTX_MEMORY_H
#define KERNELC_PTX_MEMORY_H

#include "ptx_value.h"

/* Each is of the instruction at work. */
void kc_ptx_load(kc_ptx_work *work);
void kc_ptx_store(kc_ptx_work *work);
void kc_ptx_atomic(kc_ptx_work *work); /* atom and red */
void kc_ptx_is_space(kc_ptx_work *work);
void kc_ptx_address(kc_ptx_work *work); /* cvta */

#endif
