#!/bin/sh
# SPDX-License-Identifier: MIT
# movable.sh PROGRAM... - runs programs with mappers that can go to another device (VPTR_MIGRATE=1), and holds what they
# print and their exit status against a run without. In a build folder; VPTR_PLATFORM says on which device.
#
# A line for each: the verdict, and where it fails what is different. Programs that fail without are left out, as are those
# that ask for what such a mapper has not, which doc/migrate.md lists: the program's own OpenCL kernels take no pointers
# there (conform_entry, on OpenCL), and no allocation consists of several buffers (spanned).
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
limit=${VPTR_TEST_LIMIT:-120}
failed=0

# run NAME MIGRATE: addresses, times, and what is only observed, differ from run to run.
run() {
  VPTR_MIGRATE=$2 timeout "$limit" $program >"$work/$1.raw" 2>&1 </dev/null
  echo "exit status $?" >>"$work/$1.raw"
  sed -e '/^observed:/d' -e 's/0x[0-9a-f]*/ADDRESS/g' -e 's/[0-9][0-9.]* *\(ms\|us\|ns\|s\|GB\/s\|GFLOP\/s\)\>/TIME/g' "$work/$1.raw" >"$work/$1"
}

for program in "$@"; do
  run fixed 0
  if ! grep -q 'exit status 0$' "$work/fixed"; then
    echo "$program: left out: $(tail -1 "$work/fixed")"
    continue
  fi
  run movable 1
  if cmp -s "$work/fixed" "$work/movable"; then
    echo "$program: the same"
  elif run fixed 0 && run again 0 && ! cmp -s "$work/fixed" "$work/again" && grep -q 'exit status 0$' "$work/movable"; then
    echo "$program: passes; no two runs are alike"
  else
    echo "$program: FAILS with VPTR_MIGRATE=1:"
    diff "$work/fixed" "$work/movable" | head -5
    failed=1
  fi
done
exit $failed
