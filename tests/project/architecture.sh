#!/bin/sh
# SPDX-License-Identifier: MIT
# architecture - doc/ARCHITECTURE.md stays one page: it leads to every page of doc/architecture, its table "where do I change
# X" is sorted and has no X twice, and the files and functions that the pages name are there.
stale=$(mktemp)
trap 'rm -f "$stale"' EXIT
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

# Functions that documents name: by their whole name, or beside the file that has them.
for name in $(grep -ohE '\bvptr__[a-z0-9_]+\(' doc/*.md doc/architecture/*.md doc/decisions/*.md | tr -d '(' | sort -u); do
  grep -rqw "$name" lib || complain "documents name $name(), which is nowhere in lib"
done
grep -ohE '`[a-z_0-9]+\(\)` in `lib/[^`]+`' $page doc/architecture/*.md | tr -d '`()' | while read -r name _ file; do
  grep -qw "$name" "$file" || echo "documents name $name(), which is not in $file"
done >"$stale"
if [ -s "$stale" ]; then
  cat "$stale"
  status=1
fi
exit $status
