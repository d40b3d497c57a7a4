#!/bin/sh
# SPDX-License-Identifier: MIT
# cufft - a program for cuFFT: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C and C++, and linked
# against the names that NVIDIA's library has, of CUDA 12 and 13.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../cufft" && pwd)
[ -e "$CUDA_HOME/include/cufft.h" ] || { echo 'left out: cuFFT was not built'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_plan.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcufft -lcudart -pthread \
  -o plan && on_each_device ./plan || exit 1
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_plan.c" $(flags --cflags --libs vptr-cufft vptr-cudart) -pthread -o plan &&
  on_each_device ./plan || exit 1
if [ -n "$CXX" ]; then
  printf '#include <cufftXt.h>\nint main() { cufftHandle it; return cufftCreate(&it) + cufftDestroy(it); }\n' >cxx.cpp
  $CXX cxx.cpp $(flags --cflags --libs vptr-cufft vptr-cudart) -o cxx && on_each_device ./cxx || exit 1
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
for release in 11 12; do
  if [ ! -e "$CUDA_HOME/libcufft.so.$release" ]; then
    echo "left out in part: no versioned aliases in this build"
    break
  fi
  mkdir -p stub
  printf 'int cufftGetProperty(int type, int *value) { return type + *value; }\n' >stub.c
  printf 'libcufft.so.%s { global: *; };\n' "$release" >stub.map
  printf 'int cufftGetProperty(int, int *);\nint main(void) { int v = 0; return cufftGetProperty(0, &v) != 0 || v != 12; }\n' >old.c
  $CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,"libcufft.so.$release" -o stub/libcufft.so &&
    $CC old.c -Lstub -lcufft -o old || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./old || { echo "^ libcufft.so.$release"; exit 1; }
done
