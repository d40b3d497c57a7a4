/* SPDX-License-Identifier: MIT */
/*
 * compile - what run-time compilation costs: time and memory of nvrtcCompileProgram(), from a kernel of five lines to
 * a thousand lines and a template, beside NVIDIA's own libnvrtc where there is one. That needs no device.
 */
#ifndef BENCH_COMPILE_H
#define BENCH_COMPILE_H

#include "options.h"

/* Prints the report. False if something failed, which has been said on stderr. */
bool compile_run(const options *wanted);

#endif
