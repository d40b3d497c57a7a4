#!/bin/sh
# SPDX-License-Identifier: MIT
# cufft_coverage - doc/cufft-coverage.md is what its table makes, and the table is what libvptr-cufft.so exports, the
# headers declare, and NVIDIA's headers have, where they are installed (CUDA_HOME).
library=cufft noun=cuFFT
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"

check_document
check_declared "$(printf '#include <cufftXt.h>\n' | $CC -E -P -I"$ours" -I"$srcdir/include" - |
  grep -oE '(\(| )cufft[A-Z][A-Za-z0-9]+\)?\(' | tr -d '() ' | sort -u)"
check_exports '^cufft[A-Z][A-Za-z0-9]*@'

need_theirs cufft.h
check_rows "$(grep -ohE 'CUFFTAPI cufft[A-Za-z0-9]+' "$theirs/cufft.h" "$theirs/cufftXt.h" | cut -d ' ' -f 2 | sort -u)"
exit $status
