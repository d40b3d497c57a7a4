# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# objects - what the objects below lib define and take, by nm. Sourced by layering.sh and callers.sh, which set `sources`
# and `work`.

# Lines "object letter name" of all symbols. Shared and static objects are of the same sources; what is left of a source
# that has moved is none of them, nor is what a tool made of one for itself (tool-name.o).
symbols_in() { # folder that has lib in it
  (cd "$1" && find lib -name '*.o' ! -name '*-*.o' | sort | while IFS= read -r object; do
    folder=${object%/*}
    name=${object##*/}
    source=${folder%/.libs}/${name%o}c # a process for each of them would take most of the check's time
    [ ! -e "$source" ] && [ ! -e "$sources/$source" ] || echo "$object"
  done | xargs nm -A -P 2> "$work/nm.log") | awk '
    {
      sub(/^lib\//, "")
      sub(/\.libs\//, "")
      object = $1
      sub(/:$/, "", object)
      print object, $3, $2
    }' | sort -u
}

# Lines "taker definer name": the symbols that objects take from each other.
symbols_of() { # folder that has lib in it
  symbols_in "$1" | awk '
    $2 ~ /^[TDBRVWCSG]$/ { definers[$3] = definers[$3] " " $1 }
    $2 ~ /^[Uwv]$/ && !(($1, $3) in is_taken) {
      is_taken[$1, $3] = 1
      takers[++last] = $1
      names[last] = $3
    }
    END {
      for (i = 1; i <= last; i++) {
        count = split(definers[names[i]], of, " ")
        for (k = 1; k <= count; k++) if (of[k] != takers[i]) print takers[i], of[k], names[i]
      }
    }'
}
