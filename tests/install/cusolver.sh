#!/bin/sh
# SPDX-License-Identifier: MIT
# cusolver - a program for cuSOLVER: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C and C++, and
# linked against the names that NVIDIA's library has, of CUDA 12 and 13.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../cusolver" && pwd)
[ -e "$CUDA_HOME/include/cusolverDn.h" ] || { echo 'left out: cuSOLVER was not built'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_refusals.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcusolver -lcublas -lcudart \
  -lm -o refusals && on_each_device ./refusals || exit 1
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_refusals.c" $(flags --cflags --libs vptr-cusolver vptr-cudart) -lm -o refusals &&
  on_each_device ./refusals || exit 1
if [ -n "$CXX" ]; then
  printf '#include <cusolverDn.h>\nint main() { cusolverDnHandle_t it; return cusolverDnCreate(&it) + cusolverDnDestroy(it); }\n' >cxx.cpp
  $CXX cxx.cpp $(flags --cflags --libs vptr-cusolver vptr-cudart) -o cxx && on_each_device ./cxx || exit 1
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
for release in 11 12; do
  if [ ! -e "$CUDA_HOME/libcusolver.so.$release" ]; then
    echo "left out in part: no versioned aliases in this build"
    break
  fi
  mkdir -p stub
  printf 'int cusolverGetProperty(int type, int *value) { return type + *value; }\n' >stub.c
  printf 'libcusolver.so.%s { global: *; };\n' "$release" >stub.map
  printf 'int cusolverGetProperty(int, int *);\nint main(void) { int v = 0; return cusolverGetProperty(0, &v) != 0 || v != 12; }\n' >old.c
  $CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,"libcusolver.so.$release" -o stub/libcusolver.so &&
    $CC old.c -Lstub -lcusolver -o old || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./old || { echo "^ libcusolver.so.$release"; exit 1; }
done
