# SPDX-License-Identifier: MIT
#
# cusparse-versions.awk - as cudart-versions.awk, for lib/cusparse: cusparseSpMV@@VPTR_CUSPARSE_0 is also
# cusparseSpMV@libcusparse.so.12, the name that NVIDIA's library has in CUDA 12 and 13.
BEGIN { print "VERSION { libcusparse.so.12 { }; }" }

$2 == "T" && $3 ~ /^cusparse[A-Z]/ { printf "\"%s@libcusparse.so.12\" = %s;\n", $3, $3 }
