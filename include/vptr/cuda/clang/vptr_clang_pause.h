/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_pause - what a thread does in each round of a loop in which it waits for what another writes.
 *
 * On devices where one work-item runs the threads of a block in turn, this is where it goes on with the others.
 */
#ifndef VPTR_CUDA_CLANG_PAUSE_H
#define VPTR_CUDA_CLANG_PAUSE_H

#include <sched.h>

VPTR_CLANG_BOTH void vptr_clang_pause() {
#ifdef __CUDA_ARCH__
  ::__nanosleep(20);
#else
  ::sched_yield();
#endif
}

#endif
