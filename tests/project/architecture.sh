#!/bin/sh
# SPDX-License-Identifier: MIT
# architecture - doc/ARCHITECTURE.md stays one page: it leads to every page of doc/architecture, its table "where do I change
# X" is sorted and has no X twice, and what the pages name of the sources is there.
cd "$srcdir" || exit 1
status=0
complain() { echo "$1"; status=1; }

page=doc/ARCHITECTURE.md
[ "$(wc -l <$page)" -le 160 ] || complain "$page has more than 160 lines: what concerns one subsystem goes onto its page"
for file in doc/architecture/*.md; do
  grep -qF "](${file#doc/})" $page || complain "$page does not lead to $file"
done

rows=$("$SED" -n '/^## Where do I change X/,$s/^| \([^|]*\) |.*/\1/p' $page | "$SED" 1d)
[ "$(printf '%s\n' "$rows" | wc -l)" -gt 50 ] || complain "few rows in the table of $page"
said=$(printf '%s\n' "$rows" | LC_ALL=C sort -f -c 2>&1) || complain "the table of $page is not sorted: $said"
twice=$(printf '%s\n' "$rows" | uniq -d)
[ -z "$twice" ] || complain "the table of $page has twice: $twice"

for path in $(grep -ohE '`(lib|tests|bench|tools|include|man)/[A-Za-z0-9_./-]*' $page doc/architecture/*.md | tr -d '`' | sort -u); do
  [ -e "${path%/}" ] || [ -e "$path.c" ] || [ -e "$path.h" ] || ls "$path"* >/dev/null 2>&1 || complain "there is no $path"
done
exit $status
