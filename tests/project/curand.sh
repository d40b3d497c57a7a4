#!/bin/sh
# SPDX-License-Identifier: MIT
# curand - doc/curand-coverage.md is what its table makes, and the table is what libvptr-curand.so exports, under our
# version and NVIDIA's. Where NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our prototypes
# are its, and our enumerators have its values; and the programs of tests/curand compile against it.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
differ() { printf '%s\n%s\n' "$1" "$2" | sort | uniq -u; }

table=$srcdir/doc/curand-coverage.tsv
made=$(awk -v of=curand -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/curand-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
declared=$(grep -oE 'curand[A-Z][A-Za-z0-9]*\(' "$srcdir/include/vptr/cuda/curand.h" | tr -d '(' | sort -u)
complain 'curand.h and the table differ' "$(differ "$there" "$declared")"
if [ -e .libs/libvptr-curand.so ]; then
  exported=$(nm --dynamic --defined-only --with-symbol-versions .libs/libvptr-curand.so | awk '$2 != "A" { print $3 }')
  complain 'exported, and no name of cuRAND' \
    "$(echo "$exported" | grep -vE '^curand[A-Z][A-Za-z0-9]*@(@VPTR_CURAND_[0-9]+|libcurand\.so\.10)$')"
  complain 'the exports and the table differ' "$(differ "$there" "$(echo "$exported" | "$SED" 's/@.*//' | sort -u)")"
fi

cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
[ -e "$theirs/curand.h" ] || { echo "left out in part: there is no cuRAND of NVIDIA's in $cuda"; exit $status; }
ours="$srcdir/include/vptr/cuda"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prototypes() { # folder -> a line for each function
  printf '#include <curand.h>\n' >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" 2>"$work/err" &&
    "$SED" -nE 's/^.* extern [A-Za-z_ ]* \*?(curand[A-Za-z0-9_]* \(.*;).*/\1/p' "$work/info" | sort -u
}
if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  prototypes "$ours" >"$work/ours" && prototypes "$theirs" >"$work/theirs" || { cat "$work/err"; status=1; }
  [ "$(wc -l <"$work/ours")" -gt 15 ] || { echo 'hardly a function was found in ours'; status=1; }
  complain "NVIDIA's has other prototypes" "$(comm -23 "$work/ours" "$work/theirs")"
  complain "the table lacks functions of NVIDIA's, or has others" \
    "$(differ "$(awk -F '\t' '!/^;/ && NF == 3 { print $1 }' "$table" | sort)" "$("$SED" 's/ .*//' "$work/theirs" | sort)")"
else
  echo "left out in part: $CC cannot list prototypes (-aux-info)"
fi
grep -oE 'CURAND_[A-Z0-9_]+ = ' "$ours/curand.h" | "$SED" 's/ = //' | sort -u >"$work/names"
{
  printf '#include <stdio.h>\n#include <curand.h>\nint main(void) {\n'
  "$SED" 's/.*/  printf("& %d\\n", (int)&);/' "$work/names"
  printf '  return CURAND_VERSION != 10400;\n}\n'
} >"$work/values.c"
$CC -I"$ours" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" && "$work/our-values" >"$work/ours" &&
  $CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/ours" ] && diff "$work/ours" "$work/theirs" || { echo '^ enumerators, ours before NVIDIA'\''s'; status=1; }
for program in "$srcdir"/tests/curand/*.c; do
  $CC -D_GNU_SOURCE -I"$theirs" -I"$srcdir/tests/curand" -fsyntax-only "$program" || { echo "^ $program"; status=1; }
done
exit $status
