/* SPDX-License-Identifier: MIT */
/*
 * stuck - what a kernel with states (states.h) says of threads that wait for ever: the first of them, with its file and
 * line, the kernel's name and the thread's place in the grid.
 */
#ifndef KERNELC_STUCK_H
#define KERNELC_STUCK_H

#include "place.h"
#include "writer.h"

/* Where the kernel's threads stop, by the stop's number, from 0; a file of length 0: debug information has none. */
typedef struct kc_stuck {
  kc_place *places;
  unsigned count;
} kc_stuck;

/* Behind the loop over threads. */
void kc_stuck_print(kc_writer *writer, LLVMValueRef function, const kc_stuck *stuck);

#endif
