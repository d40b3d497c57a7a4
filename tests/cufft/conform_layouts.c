/* SPDX-License-Identifier: MIT */
/*
 * conform_layouts - cuFFT against FFTW: sides that lie apart, between each other, in larger arrays, padded, in place,
 * and behind the beginning of their memory.
 *
 * All of one small length, so that a driver that is slow at compiling has few kernels to build.
 */
#include "fft_check.h"

enum { N = 4 };

static const transform transforms[] = {
  { "packed", CUFFT_C2C, 1, { N }, 3, { 0 }, { 0 }, false, CUFFT_FORWARD, 1 },
  { "in place", CUFFT_C2C, 1, { N }, 3, { 0 }, { 0 }, true, CUFFT_FORWARD, 1 },
  { "far apart",
    CUFFT_C2C,
    1,
    { N },
    3,
    { true, { N }, 1, N + 3 },
    { true, { N }, 1, N + 1 },
    false,
    CUFFT_FORWARD,
    2 },
  { "strided", CUFFT_C2C, 1, { N }, 3, { true, { N }, 2, 9 }, { true, { N }, 3, 14 }, false, CUFFT_FORWARD, 1 },
  { "columns", CUFFT_C2C, 1, { N }, 3, { true, { N }, 3, 1 }, { true, { N }, 3, 1 }, true, CUFFT_FORWARD, 0 },
  { "columns to rows",
    CUFFT_C2C,
    1,
    { N },
    3,
    { true, { N }, 3, 1 },
    { true, { N }, 1, N },
    false,
    CUFFT_FORWARD,
    1 },
  { "rows to columns",
    CUFFT_C2C,
    1,
    { N },
    3,
    { true, { N }, 1, N },
    { true, { N }, 3, 1 },
    false,
    CUFFT_FORWARD,
    3 },
  { "strided in place",
    CUFFT_C2C,
    1,
    { N },
    3,
    { true, { N }, 1, N },
    { true, { N }, 3, 1 },
    true,
    CUFFT_FORWARD,
    0 },
#ifndef ON_NVIDIA /* which refuses a distance of 0 */
  { "one for all", CUFFT_C2C, 1, { N }, 3, { true, { N }, 1, 0 }, { true, { N }, 1, N }, false, CUFFT_FORWARD, 0 },
#endif
  { "reals", CUFFT_R2C, 1, { N }, 3, { 0 }, { 0 }, false, CUFFT_FORWARD, 1 },
  { "reals in place", CUFFT_R2C, 1, { N }, 3, { 0 }, { 0 }, true, CUFFT_FORWARD, 1 },
  { "reals strided", CUFFT_R2C, 1, { N }, 3, { true, { N }, 2, 11 }, { true, { 3 }, 2, 7 }, false, CUFFT_FORWARD, 1 },
  { "reals in columns",
    CUFFT_R2C,
    1,
    { N },
    3,
    { true, { N }, 3, 1 },
    { true, { 3 }, 3, 1 },
    false,
    CUFFT_FORWARD,
    1 },
  { "reals at odd places",
    CUFFT_R2C,
    1,
    { N },
    3,
    { true, { N }, 1, N + 1 },
    { true, { 3 }, 1, 3 },
    false,
    CUFFT_FORWARD,
    3 },
  { "to reals", CUFFT_C2R, 1, { N }, 3, { 0 }, { 0 }, false, CUFFT_INVERSE, 1 },
  { "to reals in place", CUFFT_C2R, 1, { N }, 3, { 0 }, { 0 }, true, CUFFT_INVERSE, 1 },
  { "to reals strided",
    CUFFT_C2R,
    1,
    { N },
    3,
    { true, { 3 }, 2, 7 },
    { true, { N }, 2, 9 },
    false,
    CUFFT_INVERSE,
    1 },
};

int main(void) {
  for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
    check_transform(&transforms[i]);
  return verdict("conform_layouts");
}
