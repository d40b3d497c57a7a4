#!/bin/sh
# SPDX-License-Identifier: MIT
# test_headers - what the CUDA headers must accept in silence, and what they must diagnose.
#
# CC, CXX: the compilers; top_srcdir: the source tree. Each header is compiled alone, in every language standard
# the compilers know, with every warning an error; then come calls that are mistakes. It runs in the build tree, where
# vptr/version.h is.
top_srcdir=${top_srcdir:-$(dirname "$0")/../..}
CC=${CC:-cc}
CXX=${CXX:-c++}
headers=$top_srcdir/include/vptr/cuda
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror'
failed=0 all='' old=''

fail() {
  echo "FAILED: $*"
  failed=1
}

# compiles COMPILER LANGUAGE STANDARD FLAGS: the program on standard input, silently
compiles() {
  # the compilers and flags are lists of words
  # shellcheck disable=SC2086
  $1 -x "$2" -std="$3" $4 -I"$headers" -I"$top_srcdir/include" -Iinclude $OPENCL_CFLAGS -fsyntax-only - 2>/dev/null
}

# a program is not empty: ISO C
including() {
  printf '#include <%s>\nextern int something;\n' "$1"
}

for standard in c++11 c++17 c++20; do
  including vptr/pointer_mapper.hpp | compiles "$CXX" c++ $standard "$strict -Wold-style-cast" ||
    fail "pointer_mapper.hpp as $standard"
done
# Each alone in a standard of each language, and all of them in one file in the others.
for path in "$headers"/*.h "$headers"/*.hpp; do
  header=$(basename "$path")
  [ "$header" = cublas.h ] || all="$all $header"
  including "$header" | compiles "$CC" c c11 "$strict -Wstrict-prototypes" || fail "$header as c11"
  including "$header" | compiles "$CXX" c++ c++11 "$strict -Wold-style-cast" || fail "$header as c++11"
  # what is vptr's own begins with vptr_, and may be newer than the names of NVIDIA's
  case $header in vptr_*) continue ;; esac
  [ "$header" = cublas.h ] || old="$old $header"
  including "$header" | compiles "$CC" c c89 -pedantic-errors || fail "$header as c89"
  including "$header" | compiles "$CXX" c++ c++98 -pedantic-errors || fail "$header as c++98"
done

# in_one COMPILER LANGUAGE FLAGS HEADERS STANDARD...
in_one() {
  compiler=$1 language=$2 flags=$3 names=$4
  shift 4
  for standard in "$@"; do
    # shellcheck disable=SC2086 # names are words
    printf '#include <%s>\n' $names | compiles "$compiler" "$language" "$standard" "$flags" ||
      fail "all headers in one file as $standard"
  done
}
for legacy in '' cublas.h; do # which refuses to be beside cublas_v2.h
  in_one "$CC" c "$strict -Wstrict-prototypes" "${legacy:-$all}" c17 gnu11
  in_one "$CXX" c++ "$strict -Wold-style-cast" "${legacy:-$all}" c++17 c++20
  in_one "$CC" c -pedantic-errors "${legacy:-$old}" gnu89 c99
  in_one "$CXX" c++ -pedantic-errors "${legacy:-$old}" gnu++98
done
printf '%s\n' '#include <cuda_runtime.h>' 'int main(void) {' '  float *p = NULL; char4 v = make_char4(1, 2, 3, 4);' \
  '  return cudaMalloc(&p, 4 * sizeof v) != cudaSuccess || cudaFree(p) != cudaSuccess;' '}' |
  compiles "$CC" c c89 '-pedantic-errors -Werror' || fail 'a program in C89'
printf '%s\n' '#include <cuda_runtime.h>' '__global__ void __launch_bounds__(128, 2) kernel(int *);' 'int main() {' \
  '  float *p = 0; dim3 block(4); int grid = 0, size = 0; cudaMalloc(&p, 4);' \
  '  return cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel) != cudaSuccess || block.y != 1;' '}' |
  compiles "$CXX" c++ c++98 '-pedantic-errors -Werror' || fail 'a program in C++98'

# program LINE: a C program of one call
program() {
  printf '#include <cuda_runtime.h>\nint main(void) {\n  float *p = NULL;\n  %s\n  (void)p;\n  return 0;\n}\n' "$1"
}

program 'cudaMalloc(&p, 4);' | compiles "$CC" c c11 "$strict" || fail 'the right call is refused'
while read -r mistake; do
  program "$mistake" | compiles "$CC" c c11 -Werror && fail "accepted: $mistake"
done <<'EOF'
int i = 5; cudaMalloc(i, 4);
long i = 5; cudaMalloc(i, 4);
cudaMalloc(5, 4);
cudaMalloc(1.5, 4);
float *const fixed = NULL; cudaMalloc(&fixed, 4);
struct { int a; } s = { 1 }; cudaMalloc(s, 4);
cudaMalloc(&p);
cudaMalloc(&p, 4, 5);
EOF

# Helper headers ask for the guards of NVIDIA's headers, to see what was included before them.
while read -r header guard; do
  printf '#include <%s>\n#ifndef %s\n#error no guard\n#endif\nextern int something;\n' "$header" "$guard" |
    compiles "$CC" c c11 "$strict" || fail "$header does not define $guard"
done <<'EOF'
channel_descriptor.h __CHANNEL_DESCRIPTOR_H__
cuda.h __cuda_cuda_h__
cuda_profiler_api.h __CUDA_PROFILER_API_H__
cuda_runtime.h __CUDA_RUNTIME_H__
cuda_runtime_api.h __CUDA_RUNTIME_API_H__
device_launch_parameters.h __DEVICE_LAUNCH_PARAMETERS_H__
driver_functions.h __DRIVER_FUNCTIONS_H__
driver_types.h __DRIVER_TYPES_H__
host_defines.h __HOST_DEFINES_H__
nvrtc.h __NVRTC_H__
surface_types.h __SURFACE_TYPES_H__
texture_types.h __TEXTURE_TYPES_H__
vector_functions.h __VECTOR_FUNCTIONS_H__
vector_types.h __VECTOR_TYPES_H__
cuda_runtime.h __CUDA_RUNTIME_API_H__
cuda_runtime.h __DRIVER_TYPES_H__
cuda_runtime.h __VECTOR_TYPES_H__
cuda_runtime.h __VECTOR_FUNCTIONS_H__
cuda_runtime.h __DRIVER_FUNCTIONS_H__
cuda_runtime.h __CHANNEL_DESCRIPTOR_H__
cuda_runtime.h __TEXTURE_TYPES_H__
cuda_runtime.h __SURFACE_TYPES_H__
cuda_runtime.h __HOST_DEFINES_H__
cuComplex.h CU_COMPLEX_H_
math_constants.h __MATH_CONSTANTS_H__
library_types.h __LIBRARY_TYPES_H__
cuda_occupancy.h __cuda_occupancy_h__
device_functions.h __DEVICE_FUNCTIONS_H__
math_functions.h __MATH_FUNCTIONS_H__
sm_35_intrinsics.h __SM_35_INTRINSICS_H__
vector_functions.hpp __VECTOR_FUNCTIONS_HPP__
EOF

# Kernels have two of them built in: the same names.
names_of() {
  sed -n 's/^#define \(CUDART_[A-Z0-9_]*\) .*/\1/p; s/.* \(\(make_cu\|cu[A-Z]\)[A-Za-z]*\)(.*) {.*/\1/p' "$1" | sort -u
}
for header in math_constants.h cuComplex.h; do
  built_in=$(names_of "$top_srcdir/lib/translate/preprocessor/headers/$header")
  if [ -z "$built_in" ] || [ "$built_in" != "$(names_of "$headers/$header")" ]; then
    fail "$header and what kernels have of it differ"
  fi
done

# who defines a function of that name can do without the macro
printf '%s\n' '#define VPTR_CUDA_NO_C_MACROS' '#include <cuda_runtime.h>' \
  'cudaError_t cudaMalloc(void **p, size_t n) { *p = NULL; return n ? cudaErrorUnknown : cudaSuccess; }' |
  compiles "$CC" c c11 "$strict" || fail 'an interposer does not compile'

exit $failed
