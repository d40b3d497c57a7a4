#!/bin/sh
# SPDX-License-Identifier: MIT
# refusals - what is outside of the language is refused at its place, with the words that refusals.txt has.
LC_ALL=C
export LC_ALL
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
  /^#( |$)/ { next }
  /^== / { count++; print substr($0, 4) > (work "/" count ".expected"); next }
  count { print > (work "/" count ".cu") }' "$srcdir/tests/kernels/refusals.txt" || exit 1
status=0 count=0
for expected in "$work"/*.expected; do
  source=${expected%.expected}.cu
  count=$((count + 1))
  if tests/kernels/vptrcc -ptx -o "$work/out" "$source" 2>"$work/errors"; then
    echo "accepted, but should say: $(cat "$expected")"
    status=1
  elif ! grep -qF -e "$source:$(cat "$expected")" "$work/errors"; then
    printf 'should say: %s\nbut says:\n' "$(cat "$expected")"
    sed "s|^$work/||" "$work/errors"
    status=1
  fi
done
echo "$count refusals"
[ "$count" -ge 30 ] || status=1
exit $status
