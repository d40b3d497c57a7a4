# SPDX-License-Identifier: MIT
#
# cufft-versions.awk - as cudart-versions.awk, for lib/cufft: cufftCreate@@VPTR_CUFFT_0 is also
# cufftCreate@libcufft.so.11 and .12, those of CUDA 12 and 13.
BEGIN { print "VERSION { libcufft.so.11 { }; libcufft.so.12 { }; }" }

$2 == "T" && $3 ~ /^cufft[A-Z]/ {
  printf "\"%s@libcufft.so.11\" = %s;\n", $3, $3
  printf "\"%s@libcufft.so.12\" = %s;\n", $3, $3
}
