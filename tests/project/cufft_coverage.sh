#!/bin/sh
# SPDX-License-Identifier: MIT
# cufft_coverage - doc/cufft-coverage.md is what its table makes, and the table is what libvptr-cufft.so exports and the
# headers declare.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }

table=$srcdir/doc/cufft-coverage.tsv
made=$(awk -v of=cufft -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cufft-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }

there=$(awk -F '\t' '/^;/ || !NF { next } $2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
declared=$(printf '#include <cufftXt.h>\n' | $CC -E -P -I"$srcdir/include/vptr/cuda" -I"$srcdir/include" - |
  grep -oE '(\(| )cufft[A-Z][A-Za-z0-9]+\)?\(' | tr -d '() ' | sort -u)
complain 'the table and the headers differ' "$(printf '%s\n' "$there" "$declared" | sort | uniq -u)"
cuda=${CUDA_HOME:-/usr/local/cuda}
if [ -e "$cuda/include/cufft.h" ]; then
  all=$(awk -F '\t' '/^;/ || NF < 3 { next } { print $1 }' "$table" | sort)
  nvidia=$(cat "$cuda/include/cufft.h" "$cuda/include/cufftXt.h" | grep -oE 'CUFFTAPI cufft[A-Za-z0-9]+' | cut -d ' ' -f 2 | sort -u)
  complain "the table and NVIDIA's headers differ" "$(printf '%s\n' "$all" "$nvidia" | sort | uniq -u)"
fi

[ -e .libs/libvptr-cufft.so ] || {
  echo 'left out: no shared libvptr-cufft in this build'
  [ $status -ne 0 ] || status=77
  exit $status
}
exported=$(nm --dynamic --defined-only .libs/libvptr-cufft.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
complain 'the table and the exports of libvptr-cufft.so differ' "$(printf '%s\n' "$there" "$exported" | sort | uniq -u)"
exit $status
