/* SPDX-License-Identifier: MIT */
/*
 * range - ranges that have a number, which one thread starts and any thread ends.
 *
 * A number is never 0, and no two ranges have the same one. Any thread.
 */
#ifndef VPTR_NVTX_RANGE_H
#define VPTR_NVTX_RANGE_H

#include "nvtx/event.h"

/* Its number, or 0 without memory. */
nvtxRangeId_t vptr__nvtx_range_start(const vptr__nvtx_event *event);

/* A number that no open range has is passed over: a program may end what it started before there was memory. */
void vptr__nvtx_range_end(nvtxRangeId_t number);

#endif
