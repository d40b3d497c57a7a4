#!/bin/sh
# SPDX-License-Identifier: MIT
# driver_coverage - doc/cuda-driver-coverage.md is what its table makes, and the table is what libvptr-cuda.so exports; and
# cuGetProcAddress() finds each of these symbols.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
without() { # names, names -> the first that are not among the second
  { printf '%s\n' "$2" "$2" "$1"; } | sort | uniq -u
}

table=$srcdir/doc/cuda-driver-coverage.tsv
made=$(awk -v of=driver -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cuda-driver-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }

[ -e .libs/libvptr-cuda.so ] || {
  echo 'left out: no shared libraries in this build'
  [ $status -ne 0 ] || status=77
  exit $status
}
symbols=$(nm --dynamic --defined-only .libs/libvptr-cuda.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
complain 'exported, and no name of CUDA'"'"'s driver' "$(echo "$symbols" | grep -vE '^cu[A-Z]')"
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
absent=$(awk -F '\t' '$2 == "not" { print $1 }' "$table" | sort)

# Without variants and versions, except where the table has a function of that name; cuda.h of CUDA 12 and later has
# another name for one.
names=$(for symbol in $symbols; do
  symbol=${symbol%_ptds}
  symbol=${symbol%_ptsz}
  [ "$symbol" != cuGraphInstantiateWithFlags ] || symbol=cuGraphInstantiate
  echo "$there" | grep -qx "$symbol" || symbol=${symbol%_v[234]}
  echo "$symbol"
done | sort -u)
complain 'done or partly done by the table, and not exported' "$(without "$there" "$names")"
complain 'exported, and not done by the table' "$(without "$names" "$there")"
complain 'not done by the table, and exported' "$(printf '%s\n' "$absent" "$names" | sort | uniq -d)"

found=$(grep -oE '\(entry\)cu[A-Za-z0-9_]+' "$srcdir/lib/driver/entry.c" | "$SED" 's/(entry)//' | sort -u)
complain 'exported, and not found by cuGetProcAddress()' "$(without "$symbols" "$found")"
exit $status
