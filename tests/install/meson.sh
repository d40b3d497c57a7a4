#!/bin/sh
# SPDX-License-Identifier: MIT
# meson - Meson takes CUDA_HOME/bin/nvcc for its cuda language, alone and beside C++, and finds the toolkit by its version.
command -v meson >/dev/null || { echo 'left out: no meson here'; exit 77; }
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
unset LD_LIBRARY_PATH CUDA_PATH CUDA_ROOT CFLAGS CXXFLAGS

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
PATH=$CUDA_HOME/bin:$PATH
export CUDA_HOME PATH
complain() { cat out.txt; echo "$1"; exit 1; }
runs() {
  if "$has_platform" "$pocl"; then VPTR_PLATFORM=$pocl "$@" || complain "^ $*: exit status $?"; fi
}

mkdir -p prog/headers
cp "$programs/linked.cu" prog/linked.cu
echo '#define COUNT 100' >prog/headers/count.h
cat >prog/main.cpp <<'END'
#include <cuda_runtime.h>
#include "count.h"
extern "C" int scale_on_device(int *values, int count);
int main() {
  int values[COUNT], devices = 0;
  for (int i = 0; i < COUNT; i++)
    values[i] = i;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || scale_on_device(values, COUNT) != 0)
    return 1;
  return values[COUNT - 1] == 3 * (COUNT - 1) + 1 ? 0 : 2;
}
END
cp prog/main.cpp prog/alone.cu
cat >prog/meson.build <<'END'
project('prog', ['cuda', 'cpp'], default_options : ['warning_level=3', 'buildtype=debugoptimized', 'cuda_std=c++17'])
cuda = dependency('cuda', version : '>=13', modules : ['cudart', 'cuda'])
message('toolkit', cuda.version())
headers = include_directories('headers')
device = static_library('device', 'linked.cu', include_directories : headers)
executable('by_host', 'main.cpp', link_with : device, dependencies : cuda, include_directories : headers)
executable('alone', 'alone.cu', 'linked.cu', include_directories : headers, cuda_args : '-Wno-unused-parameter')
END
meson setup prog/build prog >out.txt 2>&1 || complain "^ the project is not configured"
grep -q 'Cuda compiler for the host machine: .*nvcc (nvcc 13\.0' out.txt || complain '^ the compiler has another version'
grep -q 'Message: toolkit 13\.0$' out.txt || complain '^ the toolkit has another version'
ninja -C prog/build -j2 -v >out.txt 2>&1 || complain "^ the project is not built"
runs prog/build/alone
# linked by the host's compiler with -lcudart, for which Meson sets no run path
LD_LIBRARY_PATH=$CUDA_HOME/lib64
export LD_LIBRARY_PATH
runs prog/build/by_host
exit 0
