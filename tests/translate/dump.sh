#!/bin/sh
# SPDX-License-Identifier: MIT
# dump - vptrcc --dump: what each step made of the kernels in tests/translate/dump, against the files beside them. What is
# told of kernels in C++ depends on the clang that there is, so that only some words of it are looked for.
#
#     make update-dumps     writes the files anew; read what git diff tells of them
vptrcc=${VPTR_TEST_VPTRCC:-$PWD/tools/vptrcc/vptrcc}
kernelc=$PWD/tools/kernelc/vptr-kernelc
headers=$(cd "$srcdir/include" && pwd)
kernels=$(cd "$srcdir/tests/translate/dump" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
VPTRCC_TEST_INCLUDE=$headers:$PWD/include VPTRCC_TEST_LIB=$PWD/.libs VPTRCC_TEST_KERNELC=$kernelc
export VPTRCC_TEST_INCLUDE VPTRCC_TEST_LIB VPTRCC_TEST_KERNELC
cd "$work" && cp "$kernels"/*.cu . || exit 1
status=0
complain() { echo "$1"; status=1; }

# same KERNELS STEP - against KERNELS.STEP
same() {
  "$vptrcc" --front-end=own --dump="$2" "$1.cu" >"$1.$2" 2>err || complain "--dump=$2 $1.cu: $(cat err)"
  if [ -n "$VPTR_TEST_RENEW" ]; then
    cp "$1.$2" "$kernels"
  else
    diff -u "$kernels/$1.$2" "$1.$2" || complain "--dump=$2 $1.cu is another text; if it should be: make update-dumps"
  fi
}
same tree tree
same tree types
same spaces spaces
same items plan
same loops plan
[ -z "$VPTR_TEST_RENEW" ] || exit $status

# Several steps are told in the order of the way, and the module is the text of -ptx.
"$vptrcc" --front-end=own -dump text,spaces,tree -o some items.cu && "$vptrcc" --front-end=own -ptx items.cu || exit 1
[ "$(grep '^== ' some | tr '\n' ' ')" = '== tree of items.cu == spaces of items.cu == text of items.cu ' ] ||
  complain "some steps: $(grep '^== ' some)"
"$SED" '1,/^== text/d' some | cmp - items.ptx || complain 'the text is not what -ptx writes'

# What came before an error is told.
"$vptrcc" --front-end=own --dump=types,spaces,plan refused.cu >out 2>err && complain 'an error has exit status 0'
grep -q '^    5    do (=' out && grep -q '^== spaces of refused.cu: none, there were errors$' out &&
  grep -q 'refused.cu:5:5: error' err || complain "of what is refused: $(cat out err)"

# Of a barrier that is refused: what differs.
cat >barrier.cu <<'END'
__global__ void barrier(int n) {
  int t = threadIdx.x, m = n;
  if (t < m)
    __syncthreads();
}
END
"$vptrcc" --front-end=own --dump=plan barrier.cu >out 2>err && complain 'a barrier of some threads is no error'
grep -q '^    2    variable t, differs$' out && grep -q '^    2    variable m, the same for all$' out &&
  grep -q '^    3    if, its condition differs' out || complain "of a barrier that is refused: $(cat out err)"

# Words that are none, and files without kernels.
"$vptrcc" --dump=tree,leaves items.cu >out 2>err && complain 'a step that is none is taken'
grep -q "tree, types, spaces, plan and text, .*'tree,leaves'" err || complain "which steps there are: $(cat err)"
echo 'int plain;' >plain.c
"$vptrcc" --dump=tree plain.c >out 2>err && [ ! -s out ] && grep -q 'no kernels to dump' err ||
  complain "of a file in C: $(cat out err)"

# Kernel C: lines are the program's, and vptr-kernelc's own functions are not in the tree.
clang=$("$vptrcc" --list-front-ends | grep -c -e '^clang.*version' -e '^vptr-kernelc.*version')
if [ -x "$kernelc" ] && [ "$clang" -ge 1 ]; then
  "$vptrcc" --dump=tree,plan -arch=sm_80 states.cu >out 2>err || complain "of C++: $(cat err)"
  "$SED" '/^== plan/,$d' out >tree
  grep -q '^== tree of states.kernel.cu$' tree && grep -q '^in .*states.cu:$' tree && grep -q '^ *7 .*do (=' tree ||
    complain "the tree of kernel C: $(cat tree)"
  grep -q 'function vptr_' tree && complain "the tree has vptr-kernelc's own functions"
  grep -q '^ *threads: loops of .* set, else states, which one work-item runs for its block$' out &&
    grep -q "^ *hidden: the block's size$" out || complain "the plan of kernel C: $(cat out)"
fi
exit $status
