#!/bin/sh
# SPDX-License-Identifier: MIT
# cusparse - doc/cusparse-coverage.md is what its table makes, and the table is what libvptr-cusparse.so exports, under our
# version and NVIDIA's. Where NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our prototypes
# are its, and our enumerators have its values; and the programs of tests/cusparse compile against it.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
differ() { printf '%s\n%s\n' "$1" "$2" | sort | uniq -u; }

table=$srcdir/doc/cusparse-coverage.tsv
made=$(awk -v of=cusparse -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cusparse-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
declared=$(grep -oE 'cusparse[A-Z][A-Za-z0-9_]*\(' "$srcdir/include/vptr/cuda/cusparse.h" | tr -d '(' | sort -u)
complain 'cusparse.h and the table differ' "$(differ "$there" "$declared")"
if [ -e .libs/libvptr-cusparse.so ]; then
  exported=$(nm --dynamic --defined-only --with-symbol-versions .libs/libvptr-cusparse.so | awk '$2 != "A" { print $3 }')
  complain 'exported, and no name of cuSPARSE' \
    "$(echo "$exported" | grep -vE '^cusparse[A-Z][A-Za-z0-9_]*@(@VPTR_CUSPARSE_[0-9]+|libcusparse\.so\.12)$')"
  complain 'the exports and the table differ' "$(differ "$there" "$(echo "$exported" | "$SED" 's/@.*//' | sort -u)")"
fi

cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
[ -e "$theirs/cusparse.h" ] || { echo "left out in part: there is no cuSPARSE of NVIDIA's in $cuda"; exit $status; }
ours="$srcdir/include/vptr/cuda"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prototypes() { # folder -> a line for each function
  printf '#include <cusparse.h>\n' >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" 2>"$work/err" &&
    "$SED" -nE 's/^.* extern [A-Za-z_ ]* \*?(cusparse[A-Za-z0-9_]* \(.*;).*/\1/p' "$work/info" | sort -u
}
if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  prototypes "$ours" >"$work/ours" && prototypes "$theirs" >"$work/theirs" || { cat "$work/err"; status=1; }
  [ "$(wc -l <"$work/ours")" -gt 60 ] || { echo 'hardly a function was found in ours'; status=1; }
  complain "NVIDIA's has other prototypes" "$(comm -23 "$work/ours" "$work/theirs")"
  complain "the table lacks functions of NVIDIA's, or has others" \
    "$(differ "$(awk -F '\t' '!/^;/ && NF == 3 { print $1 }' "$table" | sort)" "$(grep -oE '^ *cusparse[A-Z][A-Za-z0-9_]*\(' "$theirs/cusparse.h" | tr -d ' (' | sort -u)")"
else
  echo "left out in part: $CC cannot list prototypes (-aux-info)"
fi
grep -oE 'CUSPARSE_[A-Z0-9_]+ = ' "$ours/cusparse.h" | "$SED" 's/ = //' | sort -u >"$work/names"
{
  printf '#include <stdio.h>\n#include <cusparse.h>\nint main(void) {\n'
  "$SED" 's/.*/  printf("& %d\\n", (int)&);/' "$work/names"
  printf '  return CUSPARSE_VERSION != 12603;\n}\n'
} >"$work/values.c"
$CC -I"$ours" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" && "$work/our-values" >"$work/ours" &&
  $CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/ours" ] && diff "$work/ours" "$work/theirs" || { echo '^ enumerators, ours before NVIDIA'\''s'; status=1; }
for program in "$srcdir"/tests/cusparse/conform_*.c; do
  $CC -D_GNU_SOURCE -I"$theirs" -I"$srcdir/tests/cusparse" -fsyntax-only "$program" || { echo "^ $program"; status=1; }
done
exit $status
