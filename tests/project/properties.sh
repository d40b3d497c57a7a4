#!/bin/sh
# SPDX-License-Identifier: MIT
# properties - doc/cuda-device-properties.md says what the library's table says, and the structure's every field and
# every attribute is in it.
status=0
tests/cuda/property_table | diff -u "$srcdir/doc/cuda-device-properties.md" - ||
  { echo 'the table and its document differ; run: make update-properties'; status=1; }

header=$srcdir/include/vptr/cuda/vptr_device.h
table=$(tests/cuda/property_table)
for attribute in $("$SED" -n 's/^  \(cudaDevAttr[A-Za-z0-9]*\) = [0-9]*,$/\1/p' "$header"); do
  echo "$table" | grep -q "| $attribute |" || { echo "no row for $attribute"; status=1; }
done
fields=$("$SED" -n '/^struct cudaDeviceProp {/,/^};/p' "$header" | "$SED" 's|/\*.*||' |
  grep -E '^  (unsigned int|int|size_t) ' | "$SED" -E 's/^  (unsigned int|int|size_t) //; s/;//; s/\[[0-9]*\]//g' | tr ',' '\n' | tr -d ' ')
for field in $fields; do
  case $field in luidDeviceNodeMask | reserved) continue ;; esac
  echo "$table" | grep -qE "^\| $field(\[0\])? \|" || { echo "no row for $field"; status=1; }
done
exit $status
