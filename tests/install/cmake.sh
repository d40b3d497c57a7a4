#!/bin/sh
# SPDX-License-Identifier: MIT
# cmake - find_package(vptr) in a stranger's project, wherever the copy was moved to.
command -v cmake >/dev/null || { echo 'left out: no cmake here'; exit 77; }
. "$srcdir/tests/install/stage.sh"

cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.10)
project(stranger C)
find_package(vptr REQUIRED)
message(STATUS "found vptr \${vptr_VERSION}")
add_executable(legacy "$programs/legacy.c")
target_link_libraries(legacy PRIVATE vptr::cudart)
add_executable(pointer "$programs/pointer.c")
target_link_libraries(pointer PRIVATE vptr::vptr)
EOF
# CC may hold flags ("gcc -m64"), which CMake takes from the environment alone.
cmake -S . -B build -Dvptr_DIR="$stage$VPTR_TEST_LIBDIR/cmake/vptr" >configure.txt 2>&1 &&
  cmake --build build >build.txt 2>&1 || { cat configure.txt build.txt; exit 1; }
grep -qxF -e "-- found vptr $(flags --modversion vptr)" configure.txt || { cat configure.txt; exit 1; }
on_each_device build/legacy
on_each_device build/pointer
