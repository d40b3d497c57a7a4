/* SPDX-License-Identifier: MIT */
/*
 * stack - the ranges that a thread has pushed and not yet popped.
 *
 * Each domain has levels of its own in each thread, from 0; the lines of all domains are indented together. What a
 * thread has not popped when it ends is forgotten. Times are of the thread's clock on the wall.
 */
#ifndef VPTR_NVTX_STACK_H
#define VPTR_NVTX_STACK_H

#include "nvtx/event.h"

enum { VPTR__NVTX_NO_LEVEL = -1 };

/* The level of the range, or NO_LEVEL without memory. */
int vptr__nvtx_stack_push(nvtxDomainHandle_t domain, const vptr__nvtx_event *event);

/* The level of the range that ends, or NO_LEVEL where the domain has none in this thread. */
int vptr__nvtx_stack_pop(nvtxDomainHandle_t domain);

/* How many ranges the thread has open, of all domains. */
size_t vptr__nvtx_stack_depth(void);

#endif
