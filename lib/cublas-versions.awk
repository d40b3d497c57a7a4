# SPDX-License-Identifier: MIT
#
# cublas-versions.awk - as cudart-versions.awk, for lib/cublas: cublasCreate_v2@@VPTR_CUBLAS_0 is also
# cublasCreate_v2@libcublas.so.12 and .13.
BEGIN { print "VERSION { libcublas.so.12 { }; libcublas.so.13 { }; }" }

$2 == "T" && $3 ~ /^cublas[A-Z]/ {
  printf "\"%s@libcublas.so.12\" = %s;\n", $3, $3
  printf "\"%s@libcublas.so.13\" = %s;\n", $3, $3
}
