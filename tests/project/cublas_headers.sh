#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas_headers - our headers of cuBLAS beside NVIDIA's, where these are installed (CUDA_HOME): each function that ours
# declare has the same prototype there, and each enumerator the same value, but for the numbers of the version. And the
# programs that conform to cuBLAS compile against NVIDIA's headers, by nvcc where there is one.
library=cublas noun=cuBLAS
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"

need_theirs cublas_api.h 77
check_prototypes '#include <cublas_v2.h>' 400
check_prototypes '#include <cublas.h>' 400
check_prototypes '#include <cublasLt.h>' 30
check_values "$(enumerators 'CUBLAS(LT)?_[A-Za-z0-9_]+ = ' cublas_api.h cublasLt.h)" '#include <cublas_api.h>
#include <cublasLt.h>'
check_programs blas_c cblas.h
exit $status
