#!/bin/sh
# SPDX-License-Identifier: MIT
# vptrcc_headers - headers of others beside a kernel: those in the folders that the host's compiler knows by itself, and
# C++ libraries that are large. No device is asked.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
vptrcc=${VPTR_TEST_VPTRCC:-$PWD/tools/vptrcc/vptrcc}
headers=$(cd "$srcdir/include" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
VPTRCC_TEST_INCLUDE=$headers:$PWD/include VPTRCC_TEST_LIB=$PWD/.libs VPTRCC_CXX=$CXX VPTRCC_CC=$CC TMPDIR=$work
export VPTRCC_TEST_INCLUDE VPTRCC_TEST_LIB VPTRCC_CXX VPTRCC_CC TMPDIR
cd "$work" || exit 1
status=0
kernel='__global__ void twice(int n, float *a) { int i = threadIdx.x; if (i < n) a[i] *= 2; }
void go(float *a) { twice<<<1, 32>>>(32, a); }'

# takes NAME ARGUMENT...: vptrcc compiles NAME.cu and has nothing to say.
takes() {
  name=$1
  shift
  "$vptrcc" -c -o "$name.o" "$name.cu" "$@" >"$name.log" 2>&1 && [ ! -s "$name.log" ] && return
  echo "vptrcc $* $name.cu: $(head -5 "$name.log")"
  status=1
}

# ---- the host's own folders, which CPLUS_INCLUDE_PATH lengthens ----
mkdir -p sys/frame own
cat >sys/frame/frame.h <<'END'
#pragma once
#include "frame/part.h"
struct text { const char *at; };
inline text operator"" _text(const char *at, decltype(sizeof 0)) { return text{ at }; }
#define TEST(group, name) static void group##_##name()
#define NAMED(name) #name##_text
END
echo 'template <class T> struct part { T value; };' >sys/frame/part.h
cat >quoted.cu <<END
#include "frame/frame.h"
#if !__has_include(<frame/frame.h>) || !__has_include("frame/part.h") || !__has_include(<filesystem>)
#error "what the host's compiler has"
#endif
#if __has_include(<frame/none.h>) || __has_include("frame/none.h")
#error "what nobody has"
#endif
part<int> one;
TEST(group, of_one) { one.value = 1; }
void go() { group_of_one(); }
$kernel
END
CPLUS_INCLUDE_PATH=$work/sys
export CPLUS_INCLUDE_PATH
takes quoted
unset CPLUS_INCLUDE_PATH
cat >literal.cu <<END
#include <frame/frame.h>
text one() { return NAMED(one); }
text two() { return "two"_text; }
$kernel
END
takes literal -Isys
printf '#include "stdlib.h"\n#include "sys/types.h"\n%s\n' "$kernel" >there.cu
takes there -I/usr/include
takes there -I/usr/include/
printf '#ifdef __CUDA_ARCH__\n#include "frame/none.h"\n#endif\n%s\n' "$kernel" >missing.cu
"$vptrcc" -c missing.cu 2>err && { echo 'a missing header is taken'; status=1; }
grep -q 'missing.cu:2:.*"frame/none.h" was not found' err || { echo "missing.cu: $(cat err)"; status=1; }

# ---- libraries, those that are here: as the system has them, and in a folder of the program's ----
# library NAME HEADER [DEFINE...]
library() {
  name=$1 header=$2
  shift 2
  printf '#include "%s"\n%s\n' "$header" "$kernel" >"$name.cu"
  printf '#include "%s"\n' "$header" | $CXX "$@" -fsyntax-only -x c++ - 2>/dev/null || { echo "not here: $header"; return; }
  takes "$name" "$@"
  mkdir -p copies
  [ -e "/usr/include/$header" ] && cp -r "/usr/include/${header%%/*}" copies/ && takes "$name" -Icopies "$@"
}
library gtest gtest/gtest.h
library catch catch2/catch.hpp
library doctest doctest/doctest.h
library zlib zlib.h
library json nlohmann/json.hpp
library eigen eigen3/Eigen/Dense
library fmt fmt/format.h -DFMT_HEADER_ONLY

# ---- headers of CUDA's that are not here ----
mkdir -p inner cub
cat >absent.cu <<'END'
#ifndef __CUDA_ARCH__
#include <mma.h>
#endif
#include "inner/part.h"
#include <cooperative_groups.h>
#include <no_such.h>
#include <cub/own.h>
#include "helper_cuda.h"
__global__ void k(int *o) { *o = 1; }
END
echo '#include <cuda/atomic>' >inner/part.h
: >cub/own.h
"$vptrcc" --front-end=own -I. -c absent.cu >absent.log 2>&1 && { echo 'a file without its headers is compiled'; status=1; }
for words in "absent.cu:2:1: error: 'mma.h' is not here: tensor cores" "inner/part.h:1:1: error: 'cuda/atomic' is not here: libcu++" \
    "absent.cu:5:1: error: 'cooperative_groups.h' is not here: cooperative groups are not supported" \
    "absent.cu:8:1: error: 'helper_cuda.h' is not here: this is of CUDA's samples"; do
  grep -qF "$words" absent.log || { echo "no '$words' in: $(cat absent.log)"; status=1; }
done
[ "$(grep -c 'is not here' absent.log)" -eq 4 ] || { echo "more than what is CUDA's: $(cat absent.log)"; status=1; }
# What clang has a header for is not told where clang is at work.
"$vptrcc" --front-end=clang -I. -c absent.cu >absent.log 2>&1 && { echo 'a file without its headers is compiled'; status=1; }
grep -q 'vptrcc: error: ' absent.log || {
  ! grep -q "cooperative_groups.h' is not here" absent.log && grep -qF "'helper_cuda.h' is not here" absent.log ||
    { echo "by clang: $(cat absent.log)"; status=1; }
}
exit $status
