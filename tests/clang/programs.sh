#!/bin/sh
# SPDX-License-Identifier: MIT
# programs - C++ programs with kernels compile in both halves without a warning: all kernels are in the device's IR, what
# it leaves undefined is known by name, and the host's half calls what libvptr-cudart has.
. "$srcdir/tests/clang/compiler.sh"
status=0
complain() { echo "$program with $clang: $1"; status=1; }
output=tests/clang/program

# What whoever makes a module of the IR has to know beside LLVM's intrinsics and libdevice's functions.
known='(llvm\..*|__nv_.*|_Z11__nanosleepj|_Z1[678]__reduce_(add|min|max|and|or|xor)_syncj[ij]|__assert_fail|printf|malloc|free)'
known="^($known|vptr_texture(_cube|_fetch|_gather|_level|_scale)?|vptr_surface_(read|write))\$"

while read -r program kernels; do
  for clang in $clangs; do
    half device -Wall -Wextra -Werror -O2 -S -emit-llvm -o $output.ll "$srcdir/tests/clang/$program.cu" ||
      { complain 'not for the device'; continue; }
    found=$(grep -cE '^(!.*!"kernel", i32 1}|define .*ptx_kernel )' $output.ll)
    [ "$found" -eq "$kernels" ] || complain "$found kernels in the IR, not $kernels"
    undefined=$("$SED" -n 's/^declare .*@\([^(]*\)(.*/\1/p' $output.ll | grep -vE "$known")
    [ -z "$undefined" ] || complain "undefined: $undefined"
    # clang 16 has __activemask() as assembler
    ! grep -E 'asm [a-z ]*"' $output.ll | grep -vE '"(trap|activemask\.b32 \$0);"' || complain 'has assembler'
    [ "$program" != classes ] || grep -q 'vptr\.managed' $output.ll || complain 'a managed variable is not marked'
    : >$output.fatbin
    half host -Wall -Wextra -Werror -O1 -fPIC -Xclang -fcuda-include-gpubinary -Xclang $output.fatbin -c -o $output.o \
      "$srcdir/tests/clang/$program.cu" || { complain 'not for the host'; continue; }
    calls=$(nm -u $output.o | grep -oE '__cuda[A-Za-z]*' | sort -u)
    for call in $calls; do
      case $call in
        __cudaPopCallConfiguration | __cudaPushCallConfiguration | __cudaRegisterFatBinary | __cudaRegisterFatBinaryEnd | \
          __cudaRegisterFunction | __cudaRegisterVar | __cudaUnregisterFatBinary) ;;
        *) complain "the host calls $call" ;;
      esac
    done
    echo "$calls" | grep -q __cudaPushCallConfiguration || complain 'the host launches nothing'
  done
done <<'EOF'
templates 9
classes 7
images 20
library 5
threads 11
EOF

# What the front end for C takes, clang takes, but for launches by kernels. Eigen's example is for clang alone, and needs
# Eigen.
for file in "$srcdir"/tests/kernels/*.cu "$srcdir"/examples/*/*.cu "$srcdir"/tests/install/*.cu; do
  ! grep -q '#include <Eigen/' "$file" || continue
  case $(basename "$file") in children.cu | locked.cu) continue ;; esac
  half device -w -fsyntax-only -I"$srcdir/examples/04-kernels" -I"$srcdir/tests/kernels" "$file" ||
    { echo "^ $file with $clang"; status=1; }
done
rm -f $output.ll $output.o $output.fatbin
exit $status
