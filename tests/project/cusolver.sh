#!/bin/sh
# SPDX-License-Identifier: MIT
# cusolver - doc/cusolver-coverage.md is what its table makes, and the table is what our headers declare and
# libvptr-cusolver.so exports. Where NVIDIA's headers are installed (CUDA_HOME), the table has all of their functions, our
# prototypes are theirs, and our enumerators have their values; and the programs of tests/cusolver that conform to
# cuSOLVER compile against them.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
differ() { printf '%s\n%s\n' "$1" "$2" | sort | uniq -u; }

table=$srcdir/doc/cusolver-coverage.tsv
made=$(awk -v of=cusolver -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cusolver-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
ours="$srcdir/include/vptr/cuda"
declared=$(printf '#include <cusolverDn.h>\n' | $CC -E -P -I"$ours" -I"$srcdir/include" - |
  grep -oE '\(?cusolver[A-Z][A-Za-z0-9_]*\)?\(' | tr -d '()' | sort -u)
complain 'our headers and the table differ' "$(differ "$there" "$declared")"
if [ -e .libs/libvptr-cusolver.so ]; then
  exported=$(nm --dynamic --defined-only .libs/libvptr-cusolver.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
  complain 'the exports and the table differ' "$(differ "$there" "$exported")"
fi

cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
[ -e "$theirs/cusolverDn.h" ] || { echo "left out in part: there is no cuSOLVER of NVIDIA's in $cuda"; exit $status; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prototypes() { # folder -> a line for each function
  printf '#include <cusolverDn.h>\n' >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" 2>"$work/err" &&
    "$SED" -nE 's/^.* extern cusolverStatus_t (cusolver[A-Za-z0-9_]* \(.*;).*/\1/p' "$work/info" | sort -u
}
if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  prototypes "$ours" >"$work/ours" && prototypes "$theirs" >"$work/theirs" || { cat "$work/err"; status=1; }
  [ "$(wc -l <"$work/ours")" -gt 100 ] || { echo 'hardly a function was found in ours'; status=1; }
  complain "NVIDIA's have other prototypes" "$(comm -23 "$work/ours" "$work/theirs")"
  complain "the table lacks functions of NVIDIA's, or has others" \
    "$(differ "$(awk -F '\t' '!/^;/ && NF == 3 { print $1 }' "$table" | sort)" "$("$SED" 's/ .*//' "$work/theirs" | sort)")"
else
  echo "left out in part: $CC cannot list prototypes (-aux-info)"
fi
cat "$ours/cusolver_common.h" "$ours/cusolverDn.h" | grep -oE 'CUSOLVER[A-Z0-9_]+ = ' | "$SED" 's/ = //' | sort -u >"$work/names"
{
  printf '#include <stdio.h>\n#include <cusolverDn.h>\nint main(void) {\n'
  "$SED" 's/.*/  printf("& %d\\n", (int)&);/' "$work/names"
  printf '  return CUSOLVER_VERSION != 12004;\n}\n'
} >"$work/values.c"
$CC -I"$ours" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" && "$work/our-values" >"$work/ours" &&
  $CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/ours" ] && diff "$work/ours" "$work/theirs" || { echo '^ enumerators, ours before NVIDIA'\''s'; status=1; }
for program in "$srcdir"/tests/cusolver/conform_*.c; do
  $CC -D_GNU_SOURCE -I"$theirs" -I"$srcdir/tests/cusolver" -fsyntax-only "$program" || { echo "^ $program"; status=1; }
done
exit $status
