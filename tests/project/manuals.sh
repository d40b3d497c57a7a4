#!/bin/sh
# SPDX-License-Identifier: MIT
# manuals - the man pages are well-formed, and vptr(3), vptr_fast(3) and vptr_usm(3) name every public function.
cd "$srcdir" || exit 1
status=0

if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning man/*.[1-9] || status=1
elif command -v man >/dev/null; then
  for page in man/*.[1-9]; do
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || { printf '%s\n%s\n' "$page" "$said"; status=1; }
  done
else
  echo 'neither mandoc nor man here: the form of the pages was not looked at'
fi

for page in vptr vptr_fast vptr_usm; do
  for name in $("$SED" -n 's/^VPTR_API .*[ *]\(vptr_[a-z0-9_]*\)(.*/\1/p' "include/vptr/$page.h"); do
    grep -qw "$name" "man/$page.3" || { echo "$page(3) does not name $name"; status=1; }
  done
done
exit $status
