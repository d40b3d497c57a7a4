#!/bin/sh
# SPDX-License-Identifier: MIT
# cublas_coverage - doc/cublas-coverage.md is what its table makes, and the table is what libvptr-cublas.so exports; what
# takes sizes is there for both types of them.
library=cublas noun=cuBLAS
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"
without() { # names, names -> the first that are not among the second
  { printf '%s\n' "$2" "$2" "$1"; } | sort | uniq -u
}

check_document
exported=$(exports | "$SED" 's/@.*//' | sort -u)
[ -n "$exported" ] || { echo 'left out in part: no shared libvptr-cublas in this build'; exit $status; }
complain 'exported, and no name of cuBLAS' "$(echo "$exported" | grep -vE '^cublas[A-Z][A-Za-z0-9]*(_v2|_internal)?(_64)?$')"

# A name of the first part is one of a second version, if there is one, or an inline function; one of the second is a
# symbol as it is.
symbol_of() { if echo "$exported" | grep -qx "$1_v2"; then echo "$1_v2"; else echo "$1"; fi; }
rows=$(awk -F '\t' '/^;/ || !NF { next } $2 == "done" || $2 == "partly" { if ($3 !~ /^inline/) print $1 }' "$table")
there=$(echo "$rows" | while IFS= read -r name; do
  case $name in *' (cublas.h)') echo "${name% *}" ;; *) symbol_of "$name" ;; esac
done | sort)
complain 'done or partly done by the table, and not exported' "$(without "$there" "$exported")"
complain 'exported, and not done by the table' "$(without "$(echo "$exported" | grep -v '_64$')" "$there")"
absent=$(awk -F '\t' '$2 == "not" { print $1 }' "$table" | sort)
complain 'not done by the table, and exported' \
  "$(printf '%s\n' "$absent" "$(echo "$exported" | "$SED" -E 's/(_v2)?(_64)?$//' | sort -u)" | sort | uniq -d)"

# Both types of sizes, as the header declares them.
declared=$(printf '#include <cublas_api.h>\n' | $CC -E -P -I"$ours" - | grep -oE 'cublas[A-Za-z0-9]+(_v2)?(_64)? *\(' |
  tr -d ' (' | grep '_64$' | sort -u)
complain 'declared for int64_t, and not exported' "$(without "$declared" "$exported")"
complain 'exported for int64_t, and not declared' "$(without "$(echo "$exported" | grep '_64$')" "$declared")"
exit $status
