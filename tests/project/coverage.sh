#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage - doc/cuda-coverage.md is what its table makes, and the table is what libvptr-cudart.so exports: what is done
# or partly done is there, what is not is not, and no CUDA function is there that the table leaves out. What the fourth
# field may be is what the script that makes the document takes; here it is asked with rows that it must refuse.
status=0
complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
without() { # names, names -> the first that are not among the second
  { printf '%s\n' "$2" "$2" "$1"; } | sort | uniq -u
}

table=$srcdir/doc/cuda-coverage.tsv
made=$(awk -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cuda-coverage.md" - ||
  { echo 'the table and its document differ; run: make update-coverage'; status=1; }

for row in 'done\t\tRead' 'done\tnote\t' 'not\ta reason\tread'; do
  ! printf '== part\n# group\ncudaName\t%b\n' "$row" | awk -f "$srcdir/doc/cuda-coverage.awk" >/dev/null 2>&1 ||
    { echo "the script takes a row that ends in: $row"; status=1; }
done

[ -e .libs/libvptr-cudart.so ] || {
  echo 'left out: no shared libraries in this build'
  [ $status -ne 0 ] || status=77
  exit $status
}
exported=$(nm --dynamic --defined-only .libs/libvptr-cudart.so | awk '{ sub(/@.*/, "", $3); print $3 }' |
  grep '^cuda' | sort -u)
there=$(awk -F '\t' '$2 == "done" || $2 == "partly" { print $1 }' "$table" | sort)
absent=$(awk -F '\t' '$2 == "not" { print $1 }' "$table" | sort)
complain 'done or partly done by the table, and not exported' "$(without "$there" "$exported")"
complain 'not done by the table, and exported' "$(printf '%s\n' "$absent" "$exported" | sort | uniq -d)"

# A variant for the thread's own default stream is in its function's row, and so is a second version that has no row.
functions=$(echo "$exported" | "$SED" -E 's/_(ptds|ptsz)$//' | sort -u)
functions=$(for name in $(without "$functions" "$there"); do echo "${name%_v2}"; done | sort -u)
complain 'exported, and not in the table' "$(without "$functions" "$(printf '%s\n' "$there" "$absent")")"

# The variants that the notes say are missing.
missing=$("$SED" -nE 's/^(cuda[A-Za-z0-9]*)\t.*no `(_pt[ds][sz])` form.*/\1\2/p' "$table" | sort)
complain 'missing by its note, and exported' "$(printf '%s\n' "$missing" "$exported" | sort | uniq -d)"
exit $status
