/* SPDX-License-Identifier: MIT */
/*
 * states - kernels whose threads meet in warps, or at barriers that not all of them reach at once, as one work-item
 * that runs the threads of a block in turn.
 *
 *     for (;;) {
 *       each thread that waits for nothing: switch (its state) { goto behind where it stopped }   ... the text ...
 *       a warp whose threads all wait for the same: exchange; they go on
 *       else all threads wait at a barrier: they go on; or none is left: the end; or nobody can: a trap
 *     }
 *
 * A thread stops at each shuffle, vote and barrier: what it still needs of its values goes into its frame. Threads that
 * have returned are not waited for, as on GPUs. Arrays of the thread's own lie in its frame.
 */
#ifndef KERNELC_STATES_H
#define KERNELC_STATES_H

#include "writer.h"

/* Whether the kernel has operations of warps, meets other blocks, or, if writer->stops_at_barriers, has barriers: clear
 * from the start. */
bool kc_states_known(kc_writer *writer, LLVMValueRef function);

/* The same, or barriers that not all threads seem to reach (uniform.h). Values and blocks get new names. */
bool kc_states_wanted(kc_writer *writer, LLVMValueRef function);

/* The frames' struct, on the module's level, and the variables and loops around the kernel's text. */
void kc_states_struct(kc_writer *writer, LLVMValueRef function);
void kc_states_begin(kc_writer *writer, LLVMValueRef function);
void kc_states_end(kc_writer *writer, LLVMValueRef function);

/* A place where a thread stops, as a statement; false: the call is none, or the kernel at work has no states. */
bool kc_states_stop(kc_writer *writer, LLVMValueRef call);

#endif
