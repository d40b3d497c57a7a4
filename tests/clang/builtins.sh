#!/bin/sh
# SPDX-License-Identifier: MIT
# builtins - every function in the translator's tables is there for clang, with the same types; and what the IR leaves
# undefined of them is libdevice's, LLVM's, or known to whoever makes a module of it (older clangs' __atomic_ functions,
# which atomics.sh looks at).
. "$srcdir/tests/clang/compiler.sh"
status=0
program=tests/clang/builtin_calls.cu
./tests/clang/builtin_calls >$program || exit 1
[ "$(grep -c '^__device__' $program)" -gt 800 ] || { echo 'few calls'; exit 1; }

for clang in $clangs; do
  half host -w -fsyntax-only $program || { echo "^ for the host, with $clang"; status=1; }
  half device -w -S -emit-llvm -o tests/clang/builtin_calls.ll $program || { echo "^ with $clang"; status=1; continue; }
  undefined=$("$SED" -n 's/^declare .*@\([^(]*\)(.*/\1/p' tests/clang/builtin_calls.ll | grep -vE '^(llvm\.|__nv_|__atomic_(compare_)?exchange$)' | sort)
  [ "$(echo $undefined)" = '_Z11__nanosleepj __assert_fail printf' ] || { echo "undefined, with $clang: $undefined"; status=1; }
  calls=$(grep -oE '^declare .*@__nv_(brev|clz|ffs|popc|float_as_int|min|ullmax|mulhi|int2double_rn|fabsf|isnand)\(' tests/clang/builtin_calls.ll)
  [ -z "$calls" ] || { echo "calls that are an instruction, with $clang: $calls"; status=1; }
  assembler=$(grep -oE 'asm [a-z ]*"[^"]*"' tests/clang/builtin_calls.ll | sort -u)
  [ "$(echo $assembler)" = 'asm sideeffect "brkpt;" asm sideeffect "trap;"' ] ||
    { echo "assembler, with $clang: $assembler"; status=1; }
done

# What depends on its arguments alone is called once, and not at all where nobody looks at it.
sines=$(printf '%s\n' '__global__ void kernel(float *x, const float *__restrict__ y, int n) {' \
  'for (int i = 0; i < n; i++) x[i] = sinf(*y); cosf(x[0]); }' |
  half device -w -O2 -S -emit-llvm -o - - | grep -cE 'call .*@__nv_(sin|cos)f')
[ "$sines" = 1 ] || { echo "$sines calls of sinf(), not 1"; status=1; }

# A row that the headers lack would be found.
printf '__device__ int row() { return no_such_function(1); }\n' | half device -w -fsyntax-only - 2>/dev/null &&
  { echo 'a function that is not there is accepted'; status=1; }
rm -f tests/clang/builtin_calls.ll $program
exit $status
