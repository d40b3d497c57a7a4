# SPDX-License-Identifier: MIT
#
# cusolver-versions.awk - as cudart-versions.awk, for lib/cusolver: cusolverDnCreate@@VPTR_CUSOLVER_0 is also
# cusolverDnCreate@libcusolver.so.11 and .12, those of CUDA 12 and 13.
BEGIN { print "VERSION { libcusolver.so.11 { }; libcusolver.so.12 { }; }" }

$2 == "T" && $3 ~ /^cusolver[A-Z]/ {
  printf "\"%s@libcusolver.so.11\" = %s;\n", $3, $3
  printf "\"%s@libcusolver.so.12\" = %s;\n", $3, $3
}
