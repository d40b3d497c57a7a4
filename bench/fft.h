/* SPDX-License-Identifier: MIT */
/*
 * fft - what a call of cuFFT's costs beside VkFFT's own call for the same transform.
 *
 * Sent: the host's share, as many calls in a row as a chunk has; what they sent is waited for outside of the time.
 * Waited for: each call to its end. Both sides compile before anything is measured, and VkFFT runs the same kernels for
 * both but that those of the library are told where a transform begins.
 */
#ifndef BENCH_FFT_H
#define BENCH_FFT_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool fft_run(const options *wanted);

#endif
