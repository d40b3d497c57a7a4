/* SPDX-License-Identifier: MIT */
/*
 * translate - how long the translator takes for CUDA text, by its lines: nvrtcCompileProgram() from beginning to end.
 */
#ifndef BENCH_TRANSLATE_H
#define BENCH_TRANSLATE_H

#include <stdbool.h>

#include "options.h"

/* Needs no device. False if something failed, which has been said on stderr. */
bool translate_run(const options *wanted);

#endif
