#!/bin/sh
# SPDX-License-Identifier: MIT
# compiler - for the scripts beside it: the clangs that compile CUDA here, and how they are called.
#
# VPTR_CLANG is a C++ compiler to try in their place. The tests see the headers of the source tree alone: no file of
# NVIDIA's.

# The one to be best with first.
clangs=
for clang in ${VPTR_CLANG:-clang++-19 clang++-18 clang++-17 clang++-16 clang++-20 clang++-21 clang++-22}; do
  command -v "$clang" >/dev/null || continue
  version=$($clang -dumpversion)
  [ "${version%%.*}" -lt 16 ] || clangs="$clangs $clang"
done
[ -n "$clangs" ] || { echo 'left out: no clang of version 16 or later here (clang++-19, or VPTR_CLANG)'; exit 77; }
# shellcheck disable=SC2086 # a list
set -- $clangs
clang=$1

# half FLAGS...: compiles with $clang, for $1 (device or host)
half() {
  side=$1 variadic=
  shift
  version=$($clang -dumpversion)
  # the C++ library's traits are in part functions with any arguments, which older ones refuse to the device
  [ "${version%%.*}" -ge 19 ] || variadic='-Xclang -fcuda-allow-variadic-functions'
  $clang -x cuda "--cuda-$side-only" --cuda-gpu-arch="${arch:-sm_70}" -nocudainc -nocudalib \
    -Xclang -internal-isystem -Xclang "$($clang -print-resource-dir)/include/cuda_wrappers" \
    -I"$srcdir/include/vptr/cuda/clang" -I"$srcdir/include/vptr/cuda" -I"$srcdir/include" -Iinclude $OPENCL_CFLAGS \
    -include vptr_clang.h -Wno-unknown-cuda-version -Xclang -target-sdk-version=11.8 -fno-builtin-printf $variadic \
    "-std=${standard:-c++17}" "$@"
}
