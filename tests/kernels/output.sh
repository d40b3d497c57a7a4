#!/bin/sh
# SPDX-License-Identifier: MIT
# output - a failed assertion says what failed and where, and the program hears of it.
words=$("$srcdir/tests/on-opencl" tests/kernels/output assert 2>&1)
result=$?
echo "$words"
[ $result -ne 77 ] || exit 77
[ $result -eq 0 ] || exit 1
case $words in
  *'output.cu:'*'thread: ['*'threadIdx.x < limit'*'failed'*) exit 0 ;;
  *) echo 'no word of the assertion that failed'; exit 1 ;;
esac
