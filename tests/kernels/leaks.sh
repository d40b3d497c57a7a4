#!/bin/sh
# SPDX-License-Identifier: MIT
# leaks - the table at exit has a row for each line of leaks.cu that says LEAK, with that line, and no other row: the
# wrappers of cuda_runtime.h, the driver's interface and what the library takes for itself are not told as the program's.
command -v addr2line > /dev/null || { echo 'left out: no addr2line here'; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
source=$srcdir/tests/kernels/leaks.cu
status=0

fail() {
  echo "$1"
  status=1
}

run() { # level, managed memory, argument
  table=$(VPTR_MANAGED=$2 VPTR_LEAKS=1 VPTR_TRACE_ALLOC=1 "$srcdir/tests/on-opencl" "$folder/leaks$1" $3 2>&1)
  result=$?
  [ $result -ne 77 ] || { echo "$table"; exit 77; }
  [ $result -eq 0 ] || fail "the program failed: $table"
}

for level in 0 2; do
  tests/kernels/vptrcc -g -O$level -o "$folder/leaks$level" "$source" -lvptr-cuda || exit 1
  for managed in place faults; do
    run $level $managed
    grep -n 'LEAK' "$source" | sed -n 's/^\([0-9]*\):.*LEAK \([0-9]*\) \([a-z]*\)$/\1 \2 \3/p' > "$folder/lines"
    [ "$(wc -l < "$folder/lines")" -eq 7 ] || fail 'leaks.cu does not have the lines that this looks for'
    while read -r line size kind; do
      echo "$table" | grep -q " $size .* $kind .*leaks.cu:$line\$" ||
        fail "-O$level, managed memory by $managed: no row of $size bytes, $kind, of line $line in
$table"
    done < "$folder/lines"
    echo "$table" | grep -q ': 7 allocations' || fail "-O$level, $managed: there are rows that are none of the program's:
$table"
  done
done
run 2 place free
[ "$table" = 'vptr: every allocation was freed' ] || fail "all is freed, and this is told: $table"
exit $status
