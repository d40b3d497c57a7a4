#!/bin/sh
# SPDX-License-Identifier: MIT
# jemalloc - a plain C program on PoCL works without jemalloc and with it, and so does one in C++: PoCL's compiler is C++, and a
# process that takes `new` from jemalloc and `free` from libc crashes in it, at the first kernel. Small blocks of pinned
# memory are jemalloc's where the process has it, or can load it.
. "$srcdir/tests/install/stage.sh"
python=$(command -v python3)
"$has_platform" "$pocl" || { echo 'left out: no PoCL here'; exit 77; }

$CC -std=c11 "$programs/kernel.c" $(flags --cflags --libs vptr-cudart) -o kernel || exit 1
VPTR_PLATFORM=$pocl
export VPTR_PLATFORM
./kernel || { echo '^ as it is'; exit 1; }
if [ -n "$CXX" ]; then
  $CXX -std=c++17 -x c++ "$programs/kernel.c" -x none $(flags --cflags --libs vptr-cudart) -o kernel_cpp || exit 1
  ./kernel_cpp || { echo '^ in C++'; exit 1; }
fi

library=$($CC -print-file-name=libjemalloc.so)
[ "$library" != libjemalloc.so ] || { echo 'left out in part: no jemalloc here'; exit 0; }
LD_PRELOAD=$library ./kernel || { echo '^ with jemalloc preloaded'; exit 1; }

# by_whom KIND COMMAND... - the program works, and its blocks are by what is said.
by_whom() {
  kind=$1
  shift
  VPTR_VERBOSE=2 "$@" 2>said.txt || { cat said.txt; echo "^ $*"; exit 1; }
  grep -q "pinned memory are by $kind" said.txt || { cat said.txt; echo "^ $*: not by $kind"; exit 1; }
}
$CC -std=c11 "$programs/pinned.c" $(flags --cflags --libs vptr-cudart) -o plain &&
  $CC -std=c11 "$programs/pinned.c" $(flags --cflags --libs vptr-cudart) -Wl,--no-as-needed -ljemalloc -o linked || exit 1
by_whom 'size class' ./plain
grep -q VPTR_HAVE_JEMALLOC "$OLDPWD/config.status" || { echo 'left out in part: built without jemalloc'; exit 0; }
by_whom jemalloc ./linked
by_whom jemalloc env LD_PRELOAD="$library" ./plain
if GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 "$python" -c 'import ctypes; ctypes.CDLL("libjemalloc.so.2")' 2>/dev/null; then
  by_whom jemalloc env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 ./plain
fi
