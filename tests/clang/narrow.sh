#!/bin/sh
# SPDX-License-Identifier: MIT
# narrow - every function of cuda_fp16.h, cuda_bf16.h and cuda_fp8.h is there, with CUDA's types (narrow.txt): for clang's two
# halves, and what is the host's for the host's compiler.
. "$srcdir/tests/clang/compiler.sh"
status=0
program=tests/clang/narrow_calls

# calls TYPE NAME SIDES: a function for each name of the table, of the sides, which returns exactly what the table says
calls() {
  printf '#define S %s\n#define P %s2\n' "$1" "$1"
  awk -F' [|]' -v name="$2" -v sides="$3" '
    BEGIN { OFS = "" }
    /^#/ || index(sides, $1) == 0 { next }
    {
      result = $2; given = $3
      sub(/^ /, "", result); sub(/^ /, "", given)
      count = split(given, types, ", ")
      parameters = arguments = ""
      for (i = 1; i <= count; i++) {
        parameters = parameters (i > 1 ? ", " : "") types[i] " a" i
        arguments = arguments (i > 1 ? ", " : "") "a" i
      }
      names = split($4, called, " ")
      for (i = 1; i <= names; i++) {
        if (name != "half")
          gsub(/half/, name, called[i])
        call = called[i] "(" arguments ")"
        print (index("both once", $1) || ($1 == "mixed" && name == "half") ? "BOTH " : "DEVICE "), result, " call_", name, "_", ++number, "(", parameters, ") { ",
          "static_assert(std::is_same<decltype(", call, "), ", result, ">::value, \"", called[i], "\"); return ", call, "; }"
      }
    }' "$srcdir/tests/clang/narrow.txt"
  printf '#undef S\n#undef P\n'
}

# all SIDES: what the sides have of all types
all() {
  printf '#include <cuda_fp8.h>\n#include <type_traits>\n'
  printf '#ifdef __CUDACC__\n#define BOTH __host__ __device__\n#define DEVICE __device__\n#else\n#define BOTH\n#define DEVICE\n#endif\n'
  calls __half half "$1"
  calls __nv_bfloat16 bfloat16 "$(echo "$1" | sed 's/once//')"
}

all 'both mixed device once' >$program.cu
[ "$(grep -c call_ $program.cu)" -gt 470 ] || { echo 'few calls'; status=1; }
for clang in $clangs; do
  half host -Wall -Wextra -Werror -fsyntax-only $program.cu || { echo "^ for the host, with $clang"; status=1; }
  half device -Wall -Wextra -Werror -fsyntax-only $program.cu || { echo "^ with $clang"; status=1; }
done
if [ -n "$CXX" ]; then
  all 'both mixed once' >$program.cpp
  for standard in c++11 c++20; do
    $CXX "-std=$standard" -Wall -Wextra -Werror -I"$srcdir/include/vptr/cuda" -fsyntax-only $program.cpp ||
      { echo "^ for $CXX as $standard"; status=1; }
  done
fi

# Programs that want no conversions and no operators have none, and all else.
for macro in HALF BFLOAT16; do
  printf '#include <cuda_bf16.h>\n%s f(%s a) { return __hadd(a, a); }\n' __half __half __nv_bfloat16 __nv_bfloat16 >$program.cu
  half host "-D__CUDA_NO_${macro}_OPERATORS__" "-D__CUDA_NO_${macro}_CONVERSIONS__" "-D__CUDA_NO_${macro}2_OPERATORS__" \
    -Wall -Wextra -Werror -fsyntax-only $program.cu || status=1
done
printf '#include <cuda_fp16.h>\n__half f(__half a) { return a + a; }\n' |
  half host -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -fsyntax-only - 2>/dev/null &&
  { echo 'an operator is there that the program does not want'; status=1; }
rm -f $program.cu $program.cpp
exit $status
