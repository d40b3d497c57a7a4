#!/bin/sh
# SPDX-License-Identifier: MIT
# together - one process with two libraries that have kernels in C++ of the same name, which vptrcc has had compiled by clang,
# and a program with such a kernel in C: linked by the host's compiler, opened by the program, and opened by Python.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
home=$stage$VPTR_TEST_LIBDIR/vptr/cuda
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH
"$has_platform" "$pocl" || { echo 'left out: no device that runs kernels'; exit 77; }
VPTR_PLATFORM=$pocl
export VPTR_PLATFORM

# library NAME FACTOR - objects of vptrcc's are what the host's linker takes.
library() {
  vptrcc --front-end=clang -Xcompiler -fPIC -DRUN="run_$1" -DFACTOR="$2" -c -o "$1.o" "$programs/together_library.cu" \
    2>clang.txt && $CXX -shared -o "lib$1.so" "$1.o" -L"$home/lib64" -lcudart
}
if ! library three 3; then
  grep -q 'C++ in kernels needs' clang.txt || { cat clang.txt; exit 1; }
  echo 'left out: no clang 16 to 19 here, or vptr was configured without LLVM'
  exit 77
fi
library five 5 && vptrcc --front-end=own -DLINKED -c -o linked.o "$programs/together.cu" &&
  vptrcc --front-end=own -c -o opens.o "$programs/together.cu" &&
  $CXX -o linked linked.o -L. -lthree -lfive -Wl,-rpath,"$PWD" -L"$home/lib64" -lcudart -ldl &&
  $CXX -o opens opens.o -L"$home/lib64" -lcudart -ldl || exit 1
nm -D libthree.so | grep -q ' W _Z.*addedIi' || { echo 'the libraries have no kernel in common'; exit 1; }

./linked || { echo '^ linked with both'; exit 1; }
./opens "$PWD/libthree.so" run_three "$PWD/libfive.so" run_five || { echo '^ opens both'; exit 1; }
python=$(command -v /usr/bin/python3 || command -v python3) || exit 0
"$python" -c "import ctypes
three, five = ctypes.CDLL('$PWD/libthree.so'), ctypes.CDLL('$PWD/libfive.so')
for n in (1, 2):
    assert three.run_three(n) == 0 and five.run_five(n) == 0, n" || { echo '^ Python with both'; exit 1; }
