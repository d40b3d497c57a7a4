#!/bin/sh
# SPDX-License-Identifier: MIT
# mutated - the IR of some programs of this folder, changed at random: vptr-kernelc writes it or refuses it, and what it writes the
# translator and clang's OpenCL accept (fuzz/kernelc.sh). The same mutants each time; make fuzz-kernelc looks for more.
FUZZ_KERNELC=$PWD/tools/kernelc/vptr-kernelc
VPTRCC_TEST_KERNELC=$FUZZ_KERNELC
FUZZ_CLANG=clang-$("$FUZZ_KERNELC" --version 2>/dev/null | sed 's/[^0-9]*//')
export FUZZ_KERNELC FUZZ_CLANG VPTRCC_TEST_KERNELC
[ -x fuzz/mutate_ir ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
"$FUZZ_CLANG" --version >/dev/null 2>&1 || { echo "left out: there is no $FUZZ_CLANG here, to judge (apt install $FUZZ_CLANG)"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for name in callables_function_table language_switch memory_mixed_pointers threads_reduction; do
  tests/kernels/vptrcc --front-end=clang -w -ptx --keep --keep-dir "$work" -o "$work/module" "$srcdir/tests/kernels/cxx/$name.cu" \
    2>"$work/said" || { cat "$work/said"; exit 1; }
done
set -- "$work"/*.bc
for text in "$srcdir"/fuzz/corpus/kernelc/*.ll; do
  [ ! -e "$text" ] || set -- "$text" "$@"
done
"$srcdir/fuzz/kernelc.sh" "$work/found" 100 1 24 25 "$@"
