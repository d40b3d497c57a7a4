#!/bin/sh
# SPDX-License-Identifier: MIT
# curand - a program for cuRAND: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C and C++, and linked
# against the name that NVIDIA's library has.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../curand" && pwd)
[ -e "$CUDA_HOME/libcurand.so" ] || { echo 'left out: cuRAND was not built, or no shared libraries'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_generator.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcurand -lcudart \
  -o generator && on_each_device ./generator || exit 1
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_generator.c" $(flags --cflags --libs vptr-curand vptr-cudart) -o generator &&
  on_each_device ./generator || exit 1
if [ -n "$CXX" ]; then
  printf '#include <curand.h>\nint main() { int version; return curandGetVersion(&version); }\n' >cxx.cpp
  $CXX cxx.cpp $(flags --cflags --libs vptr-curand vptr-cudart) -o cxx && on_each_device ./cxx || exit 1
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
[ -e "$CUDA_HOME/libcurand.so.10" ] || { echo 'left out in part: no versioned aliases in this build'; exit 0; }
mkdir -p stub
printf 'int curandGetProperty(int type, int *value) { return type + *value; }\n' >stub.c
printf 'libcurand.so.10 { global: *; };\n' >stub.map
printf 'int curandGetProperty(int, int *);\nint main(void) { int v = 0; return curandGetProperty(0, &v) != 0 || v != 10; }\n' >old.c
$CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,libcurand.so.10 -o stub/libcurand.so &&
  $CC old.c -Lstub -lcurand -o old || exit 1
LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./old || { echo '^ libcurand.so.10'; exit 1; }
