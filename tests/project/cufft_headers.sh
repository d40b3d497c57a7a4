#!/bin/sh
# SPDX-License-Identifier: MIT
# cufft_headers - our headers of cuFFT beside NVIDIA's, where these are installed (CUDA_HOME): each function that ours
# declare has the same prototype there, and each enumerator the same value, but for the numbers of the version. And the
# programs that conform to cuFFT compile against NVIDIA's headers, by nvcc where there is one.
library=cufft noun=cuFFT
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"

need_theirs cufftXt.h 77
check_prototypes '#include <cufftXt.h>' 30
names=$(enumerators '^  (typedef .*)?CUFFT_[A-Za-z0-9_]+ = |[{] CUFFT_[A-Za-z0-9_]+ = ' cufft.h | "$SED" 's/^[ {]*//')
check_values "$names
CUFFT_FORWARD
CUFFT_INVERSE
CUFFT_PLAN_NULL
MAX_CUFFT_ERROR" '#include <cufft.h>'
check_programs fft_check fftw3.h
exit $status
