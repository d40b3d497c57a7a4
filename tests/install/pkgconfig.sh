#!/bin/sh
# SPDX-License-Identifier: MIT
# pkgconfig - a stranger's one-line compilations against the installed copy build without a warning, and run.
. "$srcdir/tests/install/stage.sh"

strict='-Wall -Wextra -Wpedantic -Werror'

# The flags on either side of the source; linkers that drop what is not needed yet are told not to.
$CC $strict -std=c11 "$programs/legacy.c" $(flags --cflags --libs vptr-cudart) -o legacy || exit 1
$CC $strict -std=c11 -Wl,--no-as-needed $(flags --cflags --libs vptr-cudart) "$programs/legacy.c" -o legacy-first || exit 1
$CC $strict -std=c11 "$programs/pointer.c" $(flags --cflags --libs vptr) -o pointer || exit 1
on_each_device ./legacy
on_each_device ./legacy-first
on_each_device ./pointer

if [ -n "$CXX" ]; then
  $CXX $strict -std=c++17 -x c++ "$programs/legacy.c" $(flags --cflags --libs vptr-cudart) -o legacy++ || exit 1
  on_each_device ./legacy++
  $CXX $strict -std=c++11 "$programs/../cpp/pointer_mapper.cpp" $(flags --cflags --libs vptr OpenCL) -pthread -o mapper ||
    exit 1
  on_each_device ./mapper
fi

version=$(flags --modversion vptr)
[ "$(flags --modversion vptr-cudart)" = "$version" ] || { echo 'the two .pc files differ in version'; exit 1; }
VPTR_PLATFORM=fake ./pointer --version | grep -qxF "$version" || { echo "vptr.h is not of version $version"; exit 1; }
