#!/bin/sh
# SPDX-License-Identifier: MIT
# late - a module for which there is no memory before main() is registered by the first call that needs it.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH

vptrcc -O2 -o late "$programs/late.cu" $(flags --libs vptr) || exit 1
on_each_device ./late 2>words.txt || { cat words.txt; exit 1; }
grep -q 'late.cu.*tries again' words.txt || { echo 'not said before main():'; cat words.txt; exit 1; }
