/* SPDX-License-Identifier: MIT */
/*
 * congruence - values that share one variable of C: a phi, and what comes into it, where they never hold two values at
 * once.
 *
 * LLVM's form gives each value a name of its own, so a sum in a loop is three: the phi at the loop's beginning, what is
 * calculated of it, and the phi behind the loop; each was a variable, copied to the next. Where the threads of a block
 * are a loop, each of the three is an array of the block, and each copy one more loop over the threads.
 *
 * Values are joined as V. C. Sreedhar, R. D.-C. Ju, D. M. Gillies and V. Santhanam, "Translating Out of Static Single
 * Assignment Form" (1999), do it: phi by phi, if no value of the one class is used behind the definition of one of the
 * other. Pointers stay apart, since the translator finds the memory of each variable; so do values of which only the
 * one differs between threads (uniform.h), since a variable that does cannot decide about a barrier.
 *
 * Called by kernel.c, for kernels without states.
 */
#ifndef KERNELC_CONGRUENCE_H
#define KERNELC_CONGRUENCE_H

#include "writer.h"

/* Gives values the names of the variables that they share (name.h). Of writer->graph and the names of kc_name_values();
 * differs[] is what kc_uniform_values() found. */
void kc_congruence_name(kc_writer *writer, LLVMValueRef function, const bool *differs);

#endif
