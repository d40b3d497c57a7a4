/* SPDX-License-Identifier: MIT */
/*
 * step - code that counts on the threads of a warp running in step, which they do not here: told of by a warning.
 *
 * Such code stores to volatile shared memory and loads from there what other threads have stored, without a barrier in
 * between. On old devices the ends of reductions and scans were written so. CUDA itself no longer promises anything of
 * the kind, so it is no error to translate it; but it will most likely compute something else.
 *
 * It is a warning, so what is likely decides. A load is told of if, on some way from a store to the same variable, no
 * barrier stands, and if the element may be another thread's:
 *   - where the two indices are written differently and one differs between threads, but for `t * 4 + i` and
 *     `t * 4 + j`, pieces of each thread's own, and for elements that the thread itself has stored to since the
 *     barrier;
 *   - where the indices are the same for all threads, and the store is under a condition that is not, without the load.
 * Shared memory without volatile is left alone: compilers keep that in registers, so that such code relies on barriers.
 */
#ifndef VPTR_TRANSLATE_LOWER_STEP_H
#define VPTR_TRANSLATE_LOWER_STEP_H

#include "translate/infer/infer.h"

/* One warning a function. instance->has_barrier must be right. */
void vptr__step_check(vptr__unit *unit, const vptr__inference *inference);

#endif
