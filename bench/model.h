/* SPDX-License-Identifier: MIT */
/*
 * model - what a look-up costs with more allocations than this machine has memory for, told by a model; and how well
 * the same model tells what can be measured.
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool model_run(const options *wanted);

#endif
