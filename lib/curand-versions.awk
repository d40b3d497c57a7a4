# SPDX-License-Identifier: MIT
#
# curand-versions.awk - as cudart-versions.awk, for lib/curand: curandGenerate@@VPTR_CURAND_0 is also
# curandGenerate@libcurand.so.10.
BEGIN { print "VERSION { libcurand.so.10 { }; }" }

$2 == "T" && $3 ~ /^curand[A-Z]/ { printf "\"%s@libcurand.so.10\" = %s;\n", $3, $3 }
