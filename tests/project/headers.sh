#!/bin/sh
# SPDX-License-Identifier: MIT
# headers - each installed header compiles alone, pedantically, as C11 and as C++17, and twice over.
includes="-I$PWD/include -I$srcdir/include -I$srcdir/include/vptr/cuda $OPENCL_CFLAGS"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wundef -Werror'
status=0

compiles() { # compiler language standard header
  printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$4" "$4" |
    $1 -x "$2" "-std=$3" $warnings $includes -fsyntax-only - || { echo "^ $4 as $3"; status=1; }
}

if [ -z "$CXX" ]; then
  echo 'no C++ compiler here: C alone was tried'
fi
for header in "$srcdir"/include/vptr/*.h include/vptr/version.h "$srcdir"/include/vptr/cuda/*.h; do
  case $header in
    */cuda/*) name=$(basename "$header") ;;
    *) name=vptr/$(basename "$header") ;;
  esac
  compiles "$CC" c c11 "$name"
  [ -z "$CXX" ] || compiles "$CXX" c++ c++17 "$name"
done
exit $status
