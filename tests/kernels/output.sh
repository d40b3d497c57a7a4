#!/bin/sh
# SPDX-License-Identifier: MIT
# output - what kernels write is these lines, to the byte, whichever compiler built the program: VPTR_TEST_OUTPUT names
# one that another did. And a failed assertion says what failed and where, and the program hears of it.
program=${VPTR_TEST_OUTPUT:-tests/kernels/output}
status=0
lines=$("$srcdir/tests/on-opencl" "$program" lines)
result=$?
[ $result -ne 77 ] || { echo "$lines"; exit 77; }
expected=$(printf '%s\n' 'plain' \
  '1234 -1234 48879 beef BEEF 137357 q%' \
  ' 1234|1234  |001234|+1234| 1234' \
  '-1099511627776 -1099511627776 9223372036854775808 8000000000000000 9223372036854775808' \
  '-7 200 1' \
  '1.500000 -2.062     1.50 -2.1    | -2.062500e+00 1.5' \
  'a string, another' \
  '48' \
  'no newline yet, and 4 arguments are here x 3.000000' \
  'tab	quote" \ octal A')
[ $result -eq 0 ] && [ "$lines" = "$expected" ] ||
  { printf 'the device wrote:\n%s\nand not:\n%s\n' "$lines" "$expected"; status=1; }

# On stderr, as CUDA does.
words=$("$srcdir/tests/on-opencl" "$program" assert 2>&1 >/dev/null)
result=$?
echo "$words"
[ $result -eq 0 ] || status=1
case $words in
  *'output.cu:'*': failing: block: [0,0,0], thread: ['[5-7]',0,0] Assertion `threadIdx.x < limit` failed.'*) ;;
  *) echo 'no word of the assertion that failed'; status=1 ;;
esac
exit $status
