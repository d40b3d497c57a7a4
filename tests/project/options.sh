#!/bin/sh
# SPDX-License-Identifier: MIT
# options - the environment variables in lib/base/option.c, in the README's table and in vptr(7) are the same.
cd "$srcdir" || exit 1
status=0

table=$(grep -oE '"VPTR_[A-Z_]*[A-Z]"' lib/base/option.c | tr -d '"' | sort -u)
readme=$("$SED" -nE 's/^[| `]*(VPTR_[A-Z_]+)[` =].*/\1/p' README* | grep -vE '^VPTR_TEST_' | sort -u)
manual=$("$SED" -nE 's/^\.(It Ev|B|BR|TP \.B|IP) "?(VPTR_[A-Z_]+).*/\2/p' man/vptr.7 | grep -vE '^VPTR_TEST_' | sort -u)

compare() { # document, its names
  [ "$table" = "$2" ] && return
  echo "$1 and lib/base/option.c differ in: $(printf '%s\n%s\n' "$table" "$2" | sort | uniq -u | tr '\n' ' ')"
  status=1
}
compare README "$readme"
compare 'vptr(7)' "$manual"
exit $status
