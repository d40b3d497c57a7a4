#!/bin/sh
# SPDX-License-Identifier: MIT
# curand - doc/curand-coverage.md is what its table makes, and the table is what libvptr-curand.so exports, under our
# version and NVIDIA's. Where NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our
# prototypes are its, and our enumerators have its values; and the programs of tests/curand compile against it.
library=curand noun=cuRAND
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"
include='#include <curand.h>'

check_document
check_declared "$(grep -oE 'curand[A-Z][A-Za-z0-9]*\(' "$ours/curand.h" | tr -d '(' | sort -u)"
check_exports '^curand[A-Z][A-Za-z0-9]*@(@VPTR_CURAND_[0-9]+|libcurand\.so\.10)$'

need_theirs curand.h
check_prototypes "$include" 15
check_rows "$(their_functions)"
check_values "$(enumerators 'CURAND_[A-Z0-9_]+ = ' curand.h)" "$include" 'CURAND_VERSION == 10400'
check_programs
exit $status
