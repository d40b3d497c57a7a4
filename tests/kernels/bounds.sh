#!/bin/sh
# SPDX-License-Identifier: MIT
# bounds - Oclgrind sees the bounds of each allocation with VPTR_EXACT=1: it names the kernel and the line of the program that
# go beyond them. What becomes of Oclgrind when the process ends is not asked.
command -v oclgrind > /dev/null || { echo 'left out: no oclgrind here'; exit 77; }
case ${VPTR_TEST_SANITIZER:-no} in *address* | *thread*) echo 'left out: a sanitizer is not for Oclgrind'; exit 77 ;; esac
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
source=$srcdir/tests/kernels/bounds.cu
line=$(sed -n '/BEYOND/=' "$source")
tests/kernels/vptrcc -g -o "$folder/bounds" "$source" || exit 1

words=$(VPTR_PLATFORM=Oclgrind VPTR_CACHE=off VPTR_EXACT=1 oclgrind "$folder/bounds" 2>&1)
case $words in
  *'Invalid write of size 4'*'Kernel: vptr_k_scale'*'Global(255,0,0)'*"At line $line "*bounds.cu*) ;;
  *) echo "the write behind the array is not told: $words"; status=1 ;;
esac
case $words in *'no error, 2'*) ;; *) echo "the program's own words are wrong: $words"; status=1 ;; esac
words=$(VPTR_PLATFORM=Oclgrind VPTR_CACHE=off oclgrind "$folder/bounds" 2>&1)
case $words in *'no error, 2'*) ;; *) echo "the program's own words are wrong: $words"; status=1 ;; esac
exit $status
