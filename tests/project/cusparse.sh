#!/bin/sh
# SPDX-License-Identifier: MIT
# cusparse - doc/cusparse-coverage.md is what its table makes, and the table is what libvptr-cusparse.so exports, under
# our version and NVIDIA's. Where NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our
# prototypes are its, and our enumerators have its values; and the programs of tests/cusparse compile against it.
library=cusparse noun=cuSPARSE
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"
include='#include <cusparse.h>'

check_document
check_declared "$(grep -oE 'cusparse[A-Z][A-Za-z0-9_]*\(' "$ours/cusparse.h" | tr -d '(' | sort -u)"
check_exports '^cusparse[A-Z][A-Za-z0-9_]*@(@VPTR_CUSPARSE_[0-9]+|libcusparse\.so\.12)$'

need_theirs cusparse.h
check_prototypes "$include" 60
check_rows "$(grep -oE '^ *cusparse[A-Z][A-Za-z0-9_]*\(' "$theirs/cusparse.h" | tr -d ' (' | sort -u)"
check_values "$(enumerators 'CUSPARSE_[A-Z0-9_]+ = ' cusparse.h)" "$include" 'CUSPARSE_VERSION == 12603'
check_programs
exit $status
