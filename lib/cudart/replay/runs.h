/* SPDX-License-Identifier: MIT */
/*
 * runs - steps of an executable graph that go as one launch: kernels of one block each, one behind the other, whose
 * kernels are built as one (module/chain.h).
 *
 * A run is of steps in one lane that nobody else waits for, but the last, and that wait for no other lane, but the
 * first. What it stands for is looked at in each launch: if a step has another kernel or shape now, or is switched off,
 * all runs are forgotten. A run that cannot be sent, be it that memory was freed, is sent step by step, so that an
 * error has its node's name.
 *
 * Building takes the driver as long as a thousand launches. So it is done when the graph is uploaded, which says that
 * launches will follow, or when as many kernels were launched as make it worth while.
 *
 * Lock: that of the executable graph that the steps are of, vptr__exec.lock, of rank EXEC, which the callers hold. Used
 * by exec.c, send.c and steps.c.
 */
#ifndef VPTR_REPLAY_RUNS_H
#define VPTR_REPLAY_RUNS_H

#include "replay/exec.h"

/* Finds and builds the runs of steps that are sent on a mapper's device, and of bodies below them. What cannot be built
 * stays as it is. */
void vptr__runs_prepare(vptr__steps *steps, vptr_mapper *mapper);

/* How many steps from one on were sent, as one launch. 0: it is to be sent by itself. Steps are asked for in order. */
uint32_t vptr__runs_send(vptr__steps *steps, uint32_t at, vptr__stream *stream);

/* Of bodies, too. */
void vptr__runs_free(vptr__steps *steps);

/* A kernel's launch. */
vptr__launch vptr__step_launch(const vptr__step *step);

#endif
