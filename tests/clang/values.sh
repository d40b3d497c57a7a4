#!/bin/sh
# SPDX-License-Identifier: MIT
# values - what the headers for clang calculate themselves, run on the host.
. "$srcdir/tests/clang/compiler.sh"
status=0
$clang -x c++ -std=c++14 -O2 -Wall -Wextra -Werror -I"$srcdir/include/vptr/cuda/clang" -I"$srcdir/include/vptr/cuda" \
  "$srcdir/tests/clang/words.cpp" -o tests/clang/words && ./tests/clang/words || status=1
half host -O2 -Wall -Wextra -Werror "$srcdir/tests/clang/numbers.cu" -c -o tests/clang/value.o &&
  $clang tests/clang/value.o -lm -o tests/clang/value && ./tests/clang/value || status=1
rm -f tests/clang/words tests/clang/value.o tests/clang/value
exit $status
