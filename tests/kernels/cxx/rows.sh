#!/bin/sh
# SPDX-License-Identifier: MIT
#
# rows - the second column of doc/cuda-language.md: what becomes of each row's snippet by clang. Those that vptrcc itself accepts
# are compiled all at once, the others one by one; of a refusal the words are clang 19's, and of older ones that it is one.
LC_ALL=C
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export LC_ALL VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
vptrcc=$PWD/tests/kernels/vptrcc
"$vptrcc" -v --front-end=clang -x cu -ptx -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}
grep -q 'clang++-19' "$work/errors" && is_newest=1 || is_newest=
awk -v work="$work" '
  function finish() { if (name && expected) { print text > (work "/" line ".cu"); print expected > (work "/" line ".expected"); print name > (work "/" line ".name") }
    else if (name && is_accepted) print text > (work "/all.cu") }
  /^;/ || /^==/ { next }
  /^# / { finish(); name = substr($0, 3); line = NR; text = expected = ""; is_accepted = 0; next }
  /^yes:/ { is_accepted = 1 }
  /^c\+\+: / { expected = substr($0, 6) }
  /^ / { text = text substr($0, 2) "\n" }
  END { finish() }' "$srcdir/doc/cuda-language.txt" || exit 1
status=0 count=0
"$vptrcc" --front-end=clang -ptx -o "$work/all" "$work/all.cu" 2>"$work/errors" || { echo 'what is accepted:'; cat "$work/errors"; status=1; }
for expected in "$work"/*.expected; do
  row=${expected%.expected} words=$(cat "$expected")
  count=$((count + 1))
  "$vptrcc" --front-end=clang -ptx -o "$work/one" "$row.cu" 2>"$work/errors" && is_accepted=yes || is_accepted=
  if [ "$words" = yes ]; then
    [ -n "$is_accepted" ] || { echo "refused: $(cat "$row.name")"; cat "$work/errors"; status=1; }
  elif [ -n "$is_accepted" ] || { [ -n "$is_newest" ] && ! grep -qF -e "error: $words" "$work/errors"; }; then
    printf '%s\nshould say: %s\nbut says:\n' "$(cat "$row.name")" "$words"
    cat "$work/errors"
    status=1
  fi
done
echo "$count rows"
[ "$count" -ge 30 ] || status=1
exit $status
