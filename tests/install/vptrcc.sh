#!/bin/sh
# SPDX-License-Identifier: MIT
# vptrcc - programs built by the installed compiler, alone and by other build systems, run where there is a device that
# runs kernels.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
case $srcdir in /*) root=$srcdir ;; *) root=$PWD/$srcdir ;; esac
. "$srcdir/tests/install/stage.sh"

PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH
source=$programs/vptrcc.cu
complain() { echo "$1"; exit 1; }

# runs PROGRAM - on PoCL, where it is: the fake device runs no kernels.
runs() {
  "$has_platform" "$pocl" || return 0
  VPTR_PLATFORM=$pocl "$@" || complain "^ $*: exit status $?"
}

# The program itself: both files at once, one by one, and with shared device code.
vptrcc -O2 -Xcompiler -Wall,-Wextra,-Werror -c -o main.o "$source" || exit 1
vptrcc -O2 -DOTHER -c -o other.o "$source" && vptrcc -o whole main.o other.o || exit 1
runs ./whole
vptrcc -dc -DRDC -o main-rdc.o "$source" && vptrcc -dc -DRDC -DOTHER -o other-rdc.o "$source" || exit 1
vptrcc -o joined main-rdc.o other-rdc.o || exit 1
runs ./joined
ar rcs libother.a other-rdc.o && vptrcc -o archived main-rdc.o -L. -lother || exit 1
runs ./archived
vptrcc -dlink -o linked.o main-rdc.o other-rdc.o &&
  $CXX -o by-host main-rdc.o other-rdc.o linked.o $(flags --cflags --libs vptr-cudart) || exit 1
runs ./by-host
vptrcc -o missing main-rdc.o 2>missing.txt && complain 'a function that no file defines is no error'

# The same with the other file's kernels by clang, where that is installed.
if vptrcc --front-end=clang -dc -DRDC -DOTHER -o other-clang.o "$source" 2>clang.txt; then
  vptrcc -o mixed main-rdc.o other-clang.o && runs ./mixed || exit 1
  ar rcs libclang.a other-clang.o && vptrcc -o mixed-archive main-rdc.o -L. -lclang && runs ./mixed-archive || exit 1
  vptrcc -dlink -o linked-clang.o main-rdc.o other-clang.o &&
    $CXX -o mixed-by-host main-rdc.o other-clang.o linked-clang.o $(flags --cflags --libs vptr-cudart) || exit 1
  runs ./mixed-by-host
else
  grep -q 'C++ in kernels needs' clang.txt || { cat clang.txt; exit 1; }
fi

# A shared library that is opened and closed again; and the name that makefiles know.
"$stage$VPTR_TEST_LIBDIR/vptr/cuda/bin/nvcc" -shared -Xcompiler -fPIC -DOTHER -o libother.so "$source" || exit 1
vptrcc -o with-library "$source" -L. -lother -Xlinker -rpath,"$PWD" || exit 1
runs ./with-library

# What the documentation says. try NAME: writes the block that is marked so.
take() {
  awk -v name="<!-- try: $1 -->" '$0 == name { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next }
    inside' "$root/doc/vptrcc.md" >"$2/$1"
  [ -s "$2/$1" ] || complain "doc/vptrcc.md has no block $1"
}
project() {
  mkdir -p "$1" && cp "$source" "$1/main.cu" && { echo '#define OTHER'; cat "$source"; } >"$1/other.cu"
}
project make && take Makefile make && (cd make && make) >make.txt 2>&1 || { cat make.txt; exit 1; }
grep -q 'main.cu' make/main.d || complain 'no dependencies'
runs make/prog

if command -v cmake >/dev/null; then
  project cmake && take CMakeLists.txt cmake
  cmake -S cmake -B cmake/build -DCMAKE_CUDA_COMPILER="$stage$VPTR_TEST_LIBDIR/vptr/cuda/bin/nvcc" >cmake.txt 2>&1 &&
    cmake --build cmake/build >>cmake.txt 2>&1 || { cat cmake.txt; exit 1; }
  runs cmake/build/prog
fi

if command -v autoreconf >/dev/null && command -v automake >/dev/null; then
  project auto && take configure.ac auto && take Makefile.am auto && mkdir -p auto/m4 && cp "$root/m4/vptr.m4" auto/m4/
  (cd auto && autoreconf -i -I m4 && ./configure CC="$CC" && make) >auto.txt 2>&1 || { cat auto.txt; exit 1; }
  runs auto/prog
  (cd auto && VPTRCC=/nonexistent ./configure CC="$CC") >auto-no.txt 2>&1 && complain 'configure takes a vptrcc that is none'
fi
exit 0
