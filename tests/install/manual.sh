#!/bin/sh
# SPDX-License-Identifier: MIT
# manual - what is installed beside the programs: a page for every public name, completions for shells, documents that name
# no path that is not there, and examples that build where they lie.
source=$(cd "$srcdir" && pwd)
. "$srcdir/tests/install/stage.sh"
status=0
complain() { echo "$1"; status=1; }
share=$stage$VPTR_TEST_PREFIX/share

# Every function of the public headers is a page, which is or leads to one that names it.
headers=$stage$VPTR_TEST_PREFIX/include/vptr
names=$("$SED" -nE 's/^VPTR(_CUDA)?_API .*[ *](vptr_[a-z0-9_]*)\(.*/\2/p' "$headers"/*.h "$headers"/cuda/*.h | sort -u)
[ "$(echo "$names" | wc -l)" -gt 50 ] || complain "few names: $names"
for name in $names; do
  page=$share/man/man3/$name.3
  [ -e "$page" ] || { complain "no page $name(3)"; continue; }
  target=$("$SED" -n 's/^\.so //p' "$page")
  [ -z "$target" ] || page=$share/man/$target
  grep -qE "^\.(Fn|Fo) $name( |\$)" "$page" || complain "$name(3) leads to $page, which does not have it"
done
if command -v man >/dev/null && man --version 2>/dev/null | grep -q man-db; then
  LC_ALL=C MANPATH=$share/man man vptr_malloc 2>&1 | grep -q 'vptr_malloc' || complain '`man vptr_malloc` shows nothing'
fi

# Completions, as bash asks for them.
if command -v bash >/dev/null; then
  PATH=$stage$VPTR_TEST_PREFIX/bin:$PATH
  export PATH
  completed() { # expected program words...
    expected=$1 program=$2
    shift 2
    got=$(bash -c '. "$0/$1" || exit 1; program=$1; shift
      COMP_WORDS=("$program" "$@"); COMP_CWORD=$#
      function=$(complete -p "$program" | sed "s/.*-F //; s/ .*//")
      "$function"; echo "${COMPREPLY[@]}"' "$share/bash-completion/completions" "$program" "$@" 2>&1)
    [ "$got" = "$expected" ] || complain "$program $* is completed to '$got', not '$expected'"
  }
  completed '-isystem' vptrcc -isy
  completed '--keep-dir' vptrcc --keep-
  completed 'c++17' vptrcc -std = c++17
  completed 'sm_75' vptrcc -arch sm_7
  completed 'spaces,plan' vptrcc --dump = spaces,pl
  completed '--json' vptr-info --j
  completed '--repeat=' vptr-replay --rep
else
  echo 'left out in part: no bash here'
fi
for file in vptrcc vptr-info vptr-replay; do
  [ -s "$share/zsh/site-functions/_$file" ] || complain "no completion of $file for zsh"
done

# Documents refer to each other: by links, by names such as kernels.md, and by paths from the top. What documents name of the
# sources' folders is in the sources, as it stands or with .c or .h behind it.
documents=$(dirname "$(find "$share/doc" -name vptrcc.md)")
top=$documents/..
[ -s "$documents/kernels.md" ] && [ -s "$top/README" ] || complain 'documents are missing'

exists() { # path, or a pattern of paths
  for there in $1; do
    [ ! -e "$there" ] || return 0
  done
  return 1
}
paths_of() { # document -> the paths from the top that it names
  grep -oE '(^|[^A-Za-z0-9_/.)-])(doc|examples|lib|tests|bench|tools|include/vptr)/[A-Za-z0-9_./*-]*[A-Za-z0-9_*]' "$1" |
    "$SED" 's/^[^a-z]//' | sort -u
}
path_exists() { # path from the top
  case $1 in
    doc/*.tsv | doc/*.txt | doc/*.awk) exists "$source/$1" ;; # what documents are made from
    doc/* | examples/*) exists "$top/$1" ;;
    bench/cuda/runner-nvcc) exists "$source/bench/cuda" ;; # what make makes of that folder
    lib/vptr/cuda*) exists "$stage$VPTR_TEST_LIBDIR/${1#lib/}" ;;
    *) exists "$source/$1" || exists "$source/$1.c" || exists "$source/$1.h" ;;
  esac
}
count=0
for document in "$top"/README "$top"/NEWS "$top"/*.md "$documents"/*.md "$documents"/*/*.md "$share"/man/man[1-9]/*.[1-9] \
  "$top"/examples/*/README; do
  ! grep -q '^\.so ' "$document" || continue
  beside=$(dirname "$document")
  for link in $("$SED" -nE 's/\]\(([^):#]*)(#[^)]*)?\)/\n@\1\n/gp' "$document" | "$SED" -n 's/^@//p'); do
    [ -e "$beside/$link" ] || complain "$document leads to $link, which is not there"
  done
  for name in $(grep -oE '(^|[ (`"])[A-Za-z0-9_-]+\.md\b' "$document" | tr -d ' (`"' | sort -u); do
    [ -e "$beside/$name" ] || [ -e "$top/$name" ] || [ -e "$documents/$name" ] ||
      complain "$document names $name, which is not there"
  done
  for path in $(set -f; paths_of "$document"); do
    count=$((count + 1))
    path_exists "$path" || complain "$document names $path, which is not there"
  done
done
[ $count -gt 100 ] || complain "only $count paths were found in documents"
! path_exists doc/none.md && ! path_exists 'lib/none*' || complain 'a path that is not there is taken for one'

# Examples.
examples=$documents/../examples
$CC -Wall -Werror "$examples/01-pointer/pointer.c" $(flags --cflags --libs vptr) -lm -o pointer && on_each_device ./pointer >out.txt ||
  { cat out.txt; complain 'examples/01-pointer does not work'; }
if [ -n "$CXX" ]; then
  vptrcc -O1 -o stencil "$examples/04-kernels/stencil.cu" || complain 'examples/04-kernels does not build'
fi
exit $status
