# SPDX-License-Identifier: MIT
#
# cublas-versions.awk - as cudart-versions.awk, for lib/cublas: cublasCreate_v2@@VPTR_CUBLAS_0 is also
# cublasCreate_v2@libcublas.so.12 and .13, and cublasLtCreate@libcublasLt.so.12 and .13.
BEGIN { print "VERSION { libcublas.so.12 { }; libcublas.so.13 { }; libcublasLt.so.12 { }; libcublasLt.so.13 { }; }" }

$2 == "T" && $3 ~ /^cublas[A-Z]/ {
  library = $3 ~ /^cublasLt[A-Z]/ ? "libcublasLt.so" : "libcublas.so"
  printf "\"%s@%s.12\" = %s;\n", $3, library, $3
  printf "\"%s@%s.13\" = %s;\n", $3, library, $3
}
