#!/bin/sh
# SPDX-License-Identifier: MIT
# cusparse - a program for cuSPARSE: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C and C++, and linked
# against the name that NVIDIA's library has.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../cusparse" && pwd)
[ -e "$CUDA_HOME/libcusparse.so" ] || { echo 'left out: cuSPARSE was not built, or no shared libraries'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_descriptor.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcusparse -lcudart -lm \
  -o descriptor && on_each_device ./descriptor || exit 1
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_descriptor.c" $(flags --cflags --libs vptr-cusparse vptr-cudart) -lm -o descriptor &&
  on_each_device ./descriptor || exit 1
if [ -n "$CXX" ]; then
  printf '#include <cusparse.h>\nint main() { int major; return cusparseGetProperty(MAJOR_VERSION, &major) + (major != 12); }\n' >cxx.cpp
  $CXX cxx.cpp $(flags --cflags --libs vptr-cusparse vptr-cudart) -o cxx && on_each_device ./cxx || exit 1
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
[ -e "$CUDA_HOME/libcusparse.so.12" ] || { echo 'left out in part: no versioned aliases in this build'; exit 0; }
mkdir -p stub
printf 'int cusparseGetProperty(int type, int *value) { return type + *value; }\n' >stub.c
printf 'libcusparse.so.12 { global: *; };\n' >stub.map
printf 'int cusparseGetProperty(int, int *);\nint main(void) { int v = 0; return cusparseGetProperty(0, &v) != 0 || v != 12; }\n' >old.c
$CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,libcusparse.so.12 -o stub/libcusparse.so &&
  $CC old.c -Lstub -lcusparse -o old || exit 1
LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./old || { echo '^ libcusparse.so.12'; exit 1; }
