#!/bin/sh
# SPDX-License-Identifier: MIT
# compiled - objects of clang's and nvcc's, whose GPU binary is a module of vptrcc's: linked by the host's compiler, as a
# program, with the static runtime, and as a library that is opened by a program with the same kernels, by one that has
# none, and by Python; and objects as nvcc leaves them, which are told what they are.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
home=$stage$VPTR_TEST_LIBDIR/vptr/cuda
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH

# The content: a module's text and a zero. Our own front end has no templates, so the instance is a kernel of C, renamed.
content() { cat "$1.txt" && printf '\0'; }
echo 'extern "C" __global__ void times(int *a) { a[threadIdx.x] *= 3; }' >times.cu
vptrcc -ptx -o plugin.txt "$programs/plugin.cu" && vptrcc -ptx -o managed.txt "$programs/plugin_managed.cu" &&
  vptrcc -ptx -o times.txt times.cu || exit 1
"$SED" 's/ lowered=times / lowered=_Z5timesILi3EEvPi /' times.txt >instance.txt
grep -q _Z5timesILi3EEvPi instance.txt || { echo 'the line of the kernel has another form'; exit 1; }
content plugin >plugin.content && content managed >managed.content && content instance >instance.content

# programs_of COMPILER: plugin.o, first.o and second.o of it lie here.
programs_of() {
  $CC -Wall -Werror -c "$programs/compiled.c" -o compiled.o || exit 1
  $CXX -rdynamic -o "$1" compiled.o plugin.o first.o second.o -L"$home/lib64" -lcudart -ldl || exit 1
  $CXX -rdynamic -o "$1-static" compiled.o plugin.o first.o second.o -L"$home" -lcudart_static -ldl || exit 1
  $CXX -shared -o "libplugin-$1.so" plugin.o -L"$home/lib64" -lcudart || exit 1
  on_each_device "./$1" "$PWD/libplugin-$1.so"
  on_each_device "./$1-static" "$PWD/libplugin-$1.so"
  # Where the stubs of libraries are their own, the kernels are, too.
  $CXX -o "$1-plain" compiled.o plugin.o first.o second.o -L"$home/lib64" -lcudart -ldl || exit 1
  cp "libplugin-$1.so" "libother-$1.so"
  on_each_device "./$1-plain" "$PWD/libplugin-$1.so" "$PWD/libother-$1.so"
  $CC -std=gnu11 "$programs/dlclose.c" -ldl -o dlclose || exit 1
  on_each_device timeout 100 ./dlclose plugin "$PWD/libplugin-$1.so"
  python=$(command -v /usr/bin/python3 || command -v python3) || return 0
  on_each_device "$python" -c "import ctypes, os
plugin = ctypes.CDLL('$PWD/libplugin-$1.so')
assert os.environ['VPTR_PLATFORM'] == 'fake' or plugin.plugin_run(1000) == 0"
}

# Oclgrind does not forgive what is released when it is gone.
ends_well() {
  command -v oclgrind >/dev/null || return 0
  VPTR_PLATFORM=oclgrind oclgrind "./$1" >oclgrind.txt 2>&1 || { cat oclgrind.txt; echo "^ $1 on Oclgrind"; exit 1; }
}

tried=
clang=$(for name in clang++-19 clang++-20 clang++-18 clang++-17 clang++-16; do command -v "$name" && break; done)
if [ -n "$clang" ]; then
  tried="$tried clang"
  by_clang() { # OBJECT CONTENT FLAGS... FILE, for the CUDA of $sdk
    object=$1 content=$2
    shift 2
    "$clang" -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version \
      -Xclang -target-sdk-version="$sdk" -Xclang -fcuda-include-gpubinary -Xclang "$content" -I"$home/include" \
      -include "$programs/compiled.h" -fPIC -O1 -c -o "$object" "$@" || exit 1
  }
  # Before 10.1 nobody says that all is registered.
  sdk=10.0
  by_clang plugin.o plugin.content "$programs/plugin.cu"
  nm plugin.o | grep -q __cudaRegisterFatBinaryEnd && { echo 'clang completes a binary for CUDA 10.0'; exit 1; }
  $CXX -shared -o libold.so plugin.o -L"$home/lib64" -lcudart && $CC "$programs/dlclose.c" -ldl -o dlclose || exit 1
  on_each_device timeout 100 ./dlclose plugin "$PWD/libold.so"
  sdk=12.4
  by_clang plugin.o plugin.content "$programs/plugin.cu"
  by_clang first.o instance.content -DENTRY=first_instance "$programs/instance.cu"
  by_clang second.o instance.content -DENTRY=second_instance "$programs/instance.cu"
  programs_of clang
  ends_well clang
fi

nvcc=${VPTR_TEST_CUDA:-/usr/local/cuda}/bin/nvcc
if [ -x "$nvcc" ] && command -v objcopy >/dev/null; then
  tried="$tried nvcc"
  by_nvcc() { # OBJECT FLAGS... FILE
    object=$1
    shift
    "$nvcc" -Xcompiler -fPIC -c -o "$object" "$@" || exit 1
  }
  by_nvcc plugin.o "$programs/plugin.cu"
  by_nvcc managed.o "$programs/plugin_managed.cu"
  by_nvcc first.o -DENTRY=first_instance "$programs/instance.cu"
  by_nvcc second.o -DENTRY=second_instance "$programs/instance.cu"
  $CC -I"$home/include" -c "$programs/foreign.c" -o foreign.o &&
    $CXX -o foreign foreign.o plugin.o -L"$home/lib64" -L"$stage$VPTR_TEST_LIBDIR" -lcudart -lvptr || exit 1
  on_each_device ./foreign
  # The content takes the place of NVIDIA's.
  for object in plugin managed first second; do
    case $object in first | second) content=instance.content ;; *) content=$object.content ;; esac
    objcopy --update-section ".nv_fatbin=$content" "$object.o" || exit 1
  done
  programs_of nvcc
  ends_well nvcc
  # Linked against NVIDIA's own library, whose versions the names have then.
  if [ -e "$home/libcudart.so.13" ] && [ -e "${nvcc%/bin/nvcc}/lib64/libcudart.so" ]; then
    $CXX -rdynamic -o linked compiled.o plugin.o first.o second.o -L"${nvcc%/bin/nvcc}/lib64" -lcudart -ldl || exit 1
    (LD_LIBRARY_PATH=$home:$LD_LIBRARY_PATH on_each_device ./linked "$PWD/libplugin-nvcc.so") || exit 1
  fi
  $CXX -shared -o libmanaged.so managed.o -L"$home/lib64" -lcudart || exit 1
  on_each_device timeout 100 ./dlclose managed "$PWD/libmanaged.so"
fi
[ -n "$tried" ] || { echo 'left out: neither clang 16 or newer nor nvcc here'; exit 77; }
echo "tried:$tried"
