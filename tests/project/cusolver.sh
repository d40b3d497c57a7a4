#!/bin/sh
# SPDX-License-Identifier: MIT
# cusolver - doc/cusolver-coverage.md is what its table makes, and the table is what our headers declare and
# libvptr-cusolver.so exports. Where NVIDIA's headers are installed (CUDA_HOME), the table has all of their functions,
# our prototypes are theirs, and our enumerators have their values; and the programs of tests/cusolver that conform to
# cuSOLVER compile against them.
library=cusolver noun=cuSOLVER
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"
include='#include <cusolverDn.h>'

check_document
check_declared "$(printf '%s\n' "$include" | $CC -E -P -I"$ours" -I"$srcdir/include" - |
  grep -oE '\(?cusolver[A-Z][A-Za-z0-9_]*\)?\(' | tr -d '()' | grep -v '_t$' | sort -u)"
check_exports '^cusolver[A-Z][A-Za-z0-9_]*@(@VPTR_CUSOLVER_[0-9]+|libcusolver\.so\.1[12])$'

need_theirs cusolverDn.h
check_prototypes "$include" 100
check_rows "$(their_functions)"
check_values "$(enumerators 'CUSOLVER[A-Z0-9_]+ = ' cusolver_common.h cusolverDn.h)" "$include" \
  'CUSOLVER_VERSION == 12004'
check_programs
exit $status
