/* SPDX-License-Identifier: MIT */
/*
 * startup - what vptr adds to a program's start: from the system's exec to the end of cudaFree(0), beside a program
 * that makes the same OpenCL device ready by hand (startup_child.h); and threads and memory that either has then. And
 * how long it takes to the end of a process's first kernel that was built before, beside a program that has the
 * driver's binary in a file (startup_bare_launch.c).
 */
#ifndef BENCH_STARTUP_H
#define BENCH_STARTUP_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool startup_run(const options *wanted);

#endif
