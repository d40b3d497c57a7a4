#!/bin/sh
# SPDX-License-Identifier: MIT
# jemalloc - a plain C program on PoCL works where jemalloc is, and so does one in C++: PoCL's compiler is C++, and a
# process that takes `new` from jemalloc and `free` from libc crashes in it, at the first kernel.
. "$srcdir/tests/install/stage.sh"
"$has_platform" "$pocl" || { echo 'left out: no PoCL here'; exit 77; }

$CC -std=c11 "$programs/kernel.c" $(flags --cflags --libs vptr-cudart) -o kernel || exit 1
VPTR_PLATFORM=$pocl
export VPTR_PLATFORM
./kernel || { echo '^ as it is'; exit 1; }
if [ -n "$CXX" ]; then
  $CXX -std=c++17 -x c++ "$programs/kernel.c" -x none $(flags --cflags --libs vptr-cudart) -o kernel_cpp || exit 1
  ./kernel_cpp || { echo '^ in C++'; exit 1; }
fi

library=$($CC -print-file-name=libjemalloc.so)
[ "$library" != libjemalloc.so ] || { echo 'left out in part: no jemalloc here'; exit 0; }
LD_PRELOAD=$library ./kernel || { echo '^ with jemalloc preloaded'; exit 1; }
