#!/bin/sh
# SPDX-License-Identifier: MIT
# own - what vptrcc's own front end has it compiles itself: clang is not even looked for. A program stands in clang's place
# that leaves a mark where it is started.
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\ntouch "%s/started"\nexit 1\n' "$work" >"$work/clang"
chmod +x "$work/clang"
VPTR_CLANG=$work/clang
export VPTR_CLANG
status=0 count=0
for source in "$srcdir"/tests/kernels/*.cu "$srcdir"/examples/04-kernels/*.cu "$srcdir"/bench/kernels.cu; do
  case $source in *_cxx.cu) continue ;; esac # a script's, for clang
  count=$((count + 1))
  tests/kernels/vptrcc -w -cuda -o "$work/host.ii" "$source" 2>"$work/errors" || {
    echo "$source:"
    cat "$work/errors"
    status=1
  }
  [ ! -e "$work/started" ] || {
    echo "clang is started for $source"
    status=1
    rm -f "$work/started"
  }
done
[ "$count" -ge 20 ] || status=1

# The mark is seen: a template is clang's.
printf 'template <class T> __global__ void k(T *p) { *p = T(1); }\nvoid f(int *p) { k<<<1, 1>>>(p); }\n' >"$work/template.cu"
tests/kernels/vptrcc -c -o "$work/template.o" "$work/template.cu" 2>"$work/errors"
[ -e "$work/started" ] || { echo 'clang is not started for a template'; status=1; }
echo "$count programs"
exit $status
