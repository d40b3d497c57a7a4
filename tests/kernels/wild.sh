#!/bin/sh
# SPDX-License-Identifier: MIT
# wild - a kernel on a CPU device that follows a wild pointer dies, and VPTR_TRAP=1 says which kernel, at which address, and
# what is nearest; without it, and of the host's own faults, nothing is said.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
tests/kernels/vptrcc -g -o "$folder/wild" "$srcdir/tests/kernels/wild.cu" || exit 1
case ${VPTR_TEST_SANITIZER:-no} in *address* | *thread*) echo 'left out: the sanitizer has the signal'; exit 77 ;; esac

run() { # VPTR_TRAP, argument
  # shellcheck disable=SC3045 # dash and bash have it
  words=$(ulimit -c 0; VPTR_TRAP=$1 VPTR_TRACE_ALLOC=1 "$srcdir/tests/on-opencl" "$folder/wild" $2 2>&1)
  result=$?
  [ $result -ne 77 ] || { echo "$words"; exit 77; }
  [ $result -ge 128 ] || { echo "$2: the program ended with $result and not by a signal: $words"; status=1; }
}

expect() { # words in order, as a pattern
  # shellcheck disable=SC2254 # a pattern is what is meant
  case $words in $1) ;; *) echo "these words are not '$1': $words"; status=1 ;; esac
}

line=$(sed -n '/ALLOCATED/=' "$srcdir/tests/kernels/wild.cu")
run 1 before
expect "*SIGSEGV: kernel before wrote to 0x*"
expect "*the nearest allocation is #2 of 1048576 bytes at 0x*, which kernels see at 0x*: the address is 1099511627776 bytes before its beginning*"
! command -v addr2line > /dev/null || expect "*made at main (wild) wild.cu:$line*"
run 1 null
expect '*SIGSEGV: kernel through_null read 0x14*'
run 1 beside
expect "*SIGSEGV: kernel before wrote to 0x*"
run 1 nowhere
expect '*SIGSEGV: kernel before touched a wild address*the processor does not tell the address*'
run 1 host
case $words in *kernel*) echo "the host's own fault is told as a kernel's: $words"; status=1 ;; esac
run 0 before
case $words in *vptr:*) echo "words without VPTR_TRAP: $words"; status=1 ;; esac
exit $status
