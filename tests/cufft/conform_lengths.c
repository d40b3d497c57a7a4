/* SPDX-License-Identifier: MIT */
/*
 * conform_lengths - cuFFT against FFTW: types, dimensions, and lengths: 1, primes that need another algorithm, the
 * product of small primes.
 *
 * Lengths are small, so that a driver that is slow at compiling has little to build.
 */
#include "fft_check.h"

static const transform transforms[] = {
  { "one", CUFFT_C2C, 1, { 1 }, 2, { 0 }, { 0 }, false, CUFFT_INVERSE, 1 },
  { "prime", CUFFT_C2C, 1, { 17 }, 2, { 0 }, { 0 }, false, CUFFT_FORWARD, 1 },
  { "odd reals", CUFFT_R2C, 1, { 15 }, 1, { 0 }, { 0 }, false, CUFFT_FORWARD, 2 },
  { "to odd reals", CUFFT_Z2D, 1, { 5 }, 2, { 0 }, { 0 }, false, CUFFT_INVERSE, 1 },
  { "inverse", CUFFT_Z2Z, 1, { 6 }, 2, { 0 }, { 0 }, true, CUFFT_INVERSE, 0 },
  { "rows of rows",
    CUFFT_D2Z,
    2,
    { 3, 4 },
    2,
    { true, { 3, 6 }, 1, 19 },
    { true, { 3, 3 }, 1, 9 },
    false,
    CUFFT_FORWARD,
    1 },
  { "planes",
    CUFFT_C2C,
    3,
    { 2, 3, 4 },
    1,
    { true, { 2, 3, 4 }, 1, 24 },
    { true, { 2, 4, 5 }, 1, 40 },
    false,
    CUFFT_FORWARD,
    1 },
  { "planes to reals", CUFFT_C2R, 3, { 2, 3, 4 }, 1, { 0 }, { 0 }, true, CUFFT_INVERSE, 1 },
};

int main(void) {
  for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
    check_transform(&transforms[i]);
  return verdict("conform_lengths");
}
