#!/bin/sh
# SPDX-License-Identifier: MIT
# layering - what a folder of lib stands on comes before it in doc/layers.txt.
#
# Both are held against that order: the headers that a source includes, and the symbols that an object takes from
# others, since a declaration may stand in any header. So no two folders stand on each other. And what stands for a
# stranger's program sees installed headers alone. At the end the checks are tried on planted offenders.
build=$(pwd)
cd "$srcdir" || exit 1
sources=$(pwd)
order=$sources/doc/layers.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/project/objects.sh
. "$sources/tests/project/objects.sh"

# Lines "file needed-file what", of files below lib: those that the order does not allow. A build that is older than a
# source's last move has a symbol twice, so one of a name is enough that is allowed.
against_order() {
  awk -v order="$order" '
    function folder_of(file) { sub(/\/[^\/]*$/, "", file); return file }
    function is_allowed(from, to, names, most, i) {
      if (from == to) return from in rank
      if (!(from in rank) || !(to in rank) || rank[to] > rank[from]) return 0
      most = split(below[from], names, " ")
      for (i = 1; i <= most; i++)
        if (names[i] == "*" || index(to "/", names[i] "/") == 1) return 1
      return 0
    }
    BEGIN {
      while ((getline line < order) > 0) {
        if (line ~ /^#/) continue
        name = line
        sub(/ .*/, "", name)
        sub(/^[^ ]* */, "", line)
        rank[name] = ++last
        below[name] = line
      }
    }
    is_allowed(folder_of($1), folder_of($2)) { is_had[$1, $3] = 1; next }
    { file[++count] = $1; needed[count] = $2; what[count] = $3 }
    END {
      for (i = 1; i <= count; i++)
        if (!((file[i], what[i]) in is_had)) print file[i] ": " what[i] " (" needed[i] ")"
    }'
}

# The headers that sources below a folder include. What is in quotes and has no folder is a neighbour.
includes_of() { # folder that has lib in it
  (cd "$1/lib" && find . -name '*.[ch]' | sort | xargs grep -n '^ *# *include *"') | while IFS= read -r line; do
    file=${line%%:*}
    file=${file#./}
    header=${line#*\"}
    header=${header%%\"*}
    case $header in */*) ;; *) header=${file%/*}/$header ;; esac
    for place in vptr/ cudart/ '' nowhere/; do
      [ ! -e "$1/lib/$place$header" ] || break
    done
    echo "$file $place$header $header"
  done
}

# A line of the order without a folder means nothing any more. (A folder without a line is an offender by itself.)
left_over_lines() {
  sed -n 's/^\([a-z][^ ]*\).*/\1/p' "$order" | while IFS= read -r folder; do
    ls "lib/$folder"/*.[ch] > /dev/null 2>&1 || echo "doc/layers.txt: there is no lib/$folder"
  done
}

# The order stands in the documents as well.
documents() {
  sed -n 's/^\([a-z][^ ]*\).*/\1/p' "$order" > "$work/order"
  grep -v '^translate/' "$work/order" > "$work/folders"
  sed -n 's|^    lib/\([a-z_/]*\) .*|\1|p' doc/ARCHITECTURE.md | sed '1!G;h;$!d' | cmp -s - "$work/folders" ||
    echo 'doc/ARCHITECTURE.md: the picture has not the order of doc/layers.txt'
  # dump is beside the way
  passes=$(sed -n 's|^translate/||p' "$work/order" | grep -vx dump | paste -s -d ' ')
  drawn=$(sed -n 's/^    CUDA C --> \(.*\) --> lines.*/\1/p' doc/architecture/translator.md)
  [ "$drawn" = "$(echo "$passes" | sed 's/ / --> /g')" ] ||
    echo 'doc/architecture/translator.md: the passes have not the order of doc/layers.txt'
}

others() {
  # Addresses and order know nothing of OpenCL.
  grep -nE '\b(cl_[a-z]+|cl[A-Z][A-Za-z]+|CL_[A-Z_]+)\b' lib/vptr/space/*.[ch] lib/vptr/tree/*.[ch] | grep -v 'CL/cl.h'
  # Sources are compiled, not included.
  grep -nE '# *include *["<][^">]*\.c[">]' lib/*/*.[ch] lib/*/*/*.[ch] tests/*/*.[ch]
  # vptrcc has the translator in it, and nothing else of the library.
  grep -nH '^ *# *include *"' tools/vptrcc/*.[ch] | while IFS= read -r line; do
    header=${line#*\"}
    case $header in translate/*) ;; *) [ -e "tools/vptrcc/${header%\"*}" ] || echo "$line" ;; esac
  done
  # Installed headers alone: <...>, or a neighbour in the same folder.
  for file in examples/*/*.[ch] tools/*.[ch] bench/*.[ch] bench/*/*.[ch]; do
    [ -e "$file" ] || continue
    grep -nH '^ *# *include *"' "$file" | while IFS= read -r line; do
      header=${line#*\"}
      [ -e "$(dirname "$file")/${header%\"*}" ] || echo "$line"
    done
  done
}

# ---- planted offenders --------------------------------------------------------------------------------------

plant() { # file below lib, its text: a source is compiled as well
  mkdir -p "$work/planted/lib/${1%/*}"
  echo "$2" > "$work/planted/lib/$1"
  case $1 in *.c) (cd "$work/planted" && $CC -Ilib/vptr -Ilib -c -o "lib/${1%.c}.o" "lib/$1") ;; esac
}

offenders_planted() {
  { includes_of "$work/planted"; symbols_of "$work/planted"; } 2> "$work/planted.log" | against_order
}

check_planted() { # how many offenders there are to be, in what
  count=$(offenders_planted | wc -l)
  rm -rf "$work/planted"
  [ "$count" -eq "$1" ] || echo "planted: $2: $count offenders are found, not $1"
}

planted() {
  plant vptr/base/low.h 'int low(void);'
  plant vptr/base/low.c 'int low(void); int low(void) { return 1; }'
  plant vptr/stream/high.c '#include "base/low.h"
    int high(void); int high(void) { return low(); }'
  check_planted 0 'what points down'
  plant vptr/stream/high.h 'int high(void);'
  plant vptr/heap/low.c '#include "stream/high.h"
    int low; '
  check_planted 1 'a header further up is included'
  plant vptr/stream/high.c 'int high(void); int high(void) { return 1; }'
  plant vptr/heap/low.c 'int high(void), low(void); int low(void) { return high(); }'
  check_planted 1 'a function further up is called'
  plant translate/emit/late.c 'int late(void); int late(void) { return 1; }'
  plant translate/types/early.c 'extern int late(void); int (*early)(void) = late;'
  check_planted 1 'a pass of the translator reaches forward'
  plant vptr/tree/one.c 'int one(void), two(void); int one(void) { return two(); }'
  plant vptr/space/two.c 'int one(void), two(void); int two(void) { return one(); }'
  check_planted 2 'two folders stand on each other'
  plant vptr/new/new.c 'int new(void); int low(void); int new(void) { return low(); }'
  plant vptr/base/low.c 'int low(void); int low(void) { return 1; }'
  check_planted 1 'a folder has no line'
}

# ---- all of it ----------------------------------------------------------------------------------------------

found=$(
  { includes_of .; symbols_of "$build"; } | against_order
  left_over_lines
  documents
  others
  planted
)
[ -z "$found" ] || { printf 'these reach where they must not:\n%s\n' "$found"; exit 1; }
[ -n "$(symbols_of "$build" | head -1)" ] || { echo "no object below $build/lib has a symbol that nm can read"; exit 1; }
