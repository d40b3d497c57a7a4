#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas - a program for cuBLAS: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C and C++, and linked
# against the names that NVIDIA's library has, of CUDA 12 and 13.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../cublas" && pwd)
[ -e "$CUDA_HOME/include/cublas_v2.h" ] || { echo 'left out: cuBLAS was not built'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_handle.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcublas -lcudart -pthread \
  -o handle && on_each_device ./handle || exit 1
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_handle.c" $(flags --cflags --libs vptr-cublas vptr-cudart) -pthread -o handle &&
  on_each_device ./handle || exit 1
if [ -n "$CXX" ]; then
  printf '#include <cublas_v2.h>\nint main() { cublasHandle_t it; return cublasCreate(&it) + cublasDestroy(it); }\n' >cxx.cpp
  $CXX cxx.cpp $(flags --cflags --libs vptr-cublas vptr-cudart) -o cxx && on_each_device ./cxx || exit 1
fi

# cublasLt is in the same library, under its own name.
# shellcheck disable=SC2046
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/test_lt.c" -I"$CUDA_HOME/include" $(flags --cflags vptr) \
  -L"$CUDA_HOME/lib64" -lcublasLt -lcublas -lcudart -lvptr -pthread -o lt || exit 1
if "$has_platform" "$pocl"; then
  VPTR_PLATFORM=$pocl ./lt || { echo '^ cublasLt on PoCL'; exit 1; }
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
for release in 12 13; do
  if [ ! -e "$CUDA_HOME/libcublas.so.$release" ]; then
    echo "left out in part: no versioned aliases in this build"
    break
  fi
  mkdir -p stub
  printf 'int cublasGetProperty(int type, int *value) { return type + *value; }\n' >stub.c
  printf 'libcublas.so.%s { global: *; };\n' "$release" >stub.map
  printf 'int cublasGetProperty(int, int *);\nint main(void) { int v = 0; return cublasGetProperty(0, &v) != 0 || v != 13; }\n' >old.c
  $CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,"libcublas.so.$release" -o stub/libcublas.so &&
    $CC old.c -Lstub -lcublas -o old || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./old || { echo "^ libcublas.so.$release"; exit 1; }
  printf 'unsigned long cublasLtGetVersion(void) { return 0; }\n' >lt_stub.c
  printf 'libcublasLt.so.%s { global: *; };\n' "$release" >lt_stub.map
  printf 'unsigned long cublasLtGetVersion(void);\nint main(void) { return cublasLtGetVersion() < 130000; }\n' >lt_old.c
  $CC -shared -fPIC lt_stub.c -Wl,--version-script=lt_stub.map -Wl,-soname,"libcublasLt.so.$release" -o stub/libcublasLt.so &&
    $CC lt_old.c -Lstub -lcublasLt -o lt_old || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device ./lt_old || { echo "^ libcublasLt.so.$release"; exit 1; }
done
