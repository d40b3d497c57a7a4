#!/bin/sh
# SPDX-License-Identifier: MIT
# options - README and vptr(7) say of the environment variables what lib/vptr/base/option_table.c says, and the library's sources
# name no other.
status=0
for form in readme:README manual:man/vptr.7; do
  document=$srcdir/${form#*:}
  tests/project/environment_table "${form%:*}" "$document" | diff -u "$document" - ||
    { echo "$document is not what the table makes; run: make update-environment"; status=1; }
done

# A document without a list is no document.
! echo 'nothing' | tests/project/environment_table readme /dev/stdin >/dev/null 2>&1 || { echo 'no list is no failure'; status=1; }

cd "$srcdir" || exit 1
known=$("$SED" -nE 's/^ +"(VPTR_[A-Z_]+)", VPTR__OPTION_.*/\1/p' lib/vptr/base/option_table.c | sort -u)
[ "$(echo "$known" | wc -l)" -gt 15 ] || { echo "few variables in the table: $known"; status=1; }
for name in $(grep -hoE 'VPTR_[A-Z_]+=' README man/*.[1-9] doc/*.md NEWS setup examples/*/README | tr -d = | sort -u); do
  echo "$known" | grep -qx "$name" || { echo "a document sets $name, which there is not"; status=1; }
done
exit $status
