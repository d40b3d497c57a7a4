#!/bin/sh
# SPDX-License-Identifier: MIT
# ml - doc/ml-coverage.md is what its table makes, and the table is what nvml.h declares and libvptr-ml.so exports. Where
# NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our prototypes are its, our structures and
# enumerators have its values; and the conformance program compiles against it.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
differ() { printf '%s\n%s\n' "$1" "$2" | sort | uniq -u; }

table=$srcdir/doc/ml-coverage.tsv
header=$srcdir/include/vptr/cuda/nvml.h
made=$(awk -v of=ml -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/ml-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
declared=$("$SED" -nE 's/^VPTR_CUDA_API .*[ *](nvml[A-Za-z0-9_]*)\(.*/\1/p' "$header" | sort)
complain 'nvml.h and the table differ' "$(differ "$there" "$declared")"
if [ -e .libs/libvptr-ml.so ]; then
  exported=$(nm --dynamic --defined-only --with-symbol-versions .libs/libvptr-ml.so | awk '$2 != "A" { print $3 }')
  complain 'exported, and no name of NVML' "$(echo "$exported" | grep -vE '^nvml[A-Z][A-Za-z0-9]*(_v[23])?@@VPTR_ML_[0-9]+$')"
  complain 'the exports and the table differ' "$(differ "$there" "$(echo "$exported" | "$SED" 's/@.*//' | sort -u)")"
fi

# Structures as C's bindings for Python lay them out: what programs hand over that were compiled against no header.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  printf '#include <stdio.h>\n#include <nvml.h>\nint main(void) {\n'
  "$SED" -nE 's/^\} (nvml[A-Za-z0-9_]*_t)[;,].*/\1/p' "$header" |
    "$SED" 's/.*/  printf("sizeof(&) %zu\\n", sizeof(&));/'
  grep -oE 'NVML_[A-Z0-9_]+ = ' "$header" | "$SED" 's/ = //' | sort -u |
    "$SED" 's/.*/  printf("& %d\\n", (int)&);/'
  printf '  return 0;\n}\n'
} >"$work/values.c"
$CC -I"$srcdir/include/vptr/cuda" -I"$srcdir/include" "$work/values.c" -o "$work/our-values" &&
  "$work/our-values" >"$work/ours" || status=1
for line in 'nvmlPciInfo_t) 68' 'nvmlMemory_t) 24' 'nvmlMemory_v2_t) 40' 'nvmlProcessInfo_v1_t) 16' 'nvmlProcessInfo_v2_t) 24' \
  'nvmlUtilization_t) 8' 'nvmlDeviceAttributes_t) 40' 'nvmlBAR1Memory_t) 24' 'nvmlProcessUtilizationSample_t) 32'; do
  grep -qxF "sizeof($line" "$work/ours" || { echo "not so: sizeof($line"; status=1; }
done

theirs=${CUDA_HOME:-/usr/local/cuda}/include
[ -e "$theirs/nvml.h" ] || { echo "left out in part: there is no NVML of NVIDIA's in $theirs"; exit $status; }
$CC -I"$theirs" "$work/values.c" -o "$work/their-values" && "$work/their-values" >"$work/theirs" || status=1
[ -s "$work/theirs" ] && diff "$work/ours" "$work/theirs" || { echo '^ values, ours before NVIDIA'\''s'; status=1; }
prototypes() { # folder -> a line for each function
  printf '#define NVML_NO_UNVERSIONED_FUNC_DEFS\n#include <nvml.h>\n' >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" 2>"$work/err" &&
    "$SED" -nE 's/^.* extern [A-Za-z_ ]* \*?(nvml[A-Za-z0-9_]* \(.*;).*/\1/p' "$work/info" | sort -u
}
if $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" && [ -e "$work/info" ]; then
  prototypes "$srcdir/include/vptr/cuda" >"$work/ours" && prototypes "$theirs" >"$work/theirs" || { cat "$work/err"; status=1; }
  complain "NVIDIA's has other prototypes" "$(comm -23 "$work/ours" "$work/theirs")"
  complain "the table lacks functions of NVIDIA's, or has others" \
    "$(differ "$(awk -F '\t' '!/^;/ && NF == 3 { print $1 }' "$table" | sort)" "$("$SED" 's/ .*//' "$work/theirs" | sort)")"
fi
$CC -D_GNU_SOURCE -I"$theirs" -fsyntax-only "$srcdir/tests/ml/conform_ml.c" || { echo '^ conform_ml.c'; status=1; }
exit $status
