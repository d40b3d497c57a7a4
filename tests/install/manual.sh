#!/bin/sh
# SPDX-License-Identifier: MIT
# manual - what is installed beside the programs: a page for every public name, completions for shells, documents whose
# links lead somewhere, and examples that build where they lie.
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
  completed '--json' vptr-info --j
else
  echo 'left out in part: no bash here'
fi
for file in vptrcc vptr-info; do
  [ -s "$share/zsh/site-functions/_$file" ] || complain "no completion of $file for zsh"
done

# Documents refer to each other.
documents=$(dirname "$(find "$share/doc" -name vptrcc.md)")
[ -s "$documents/kernels.md" ] && [ -s "$documents/../README" ] || complain 'documents are missing'
for document in "$documents"/*.md; do
  for link in $("$SED" -nE 's/\]\(([^):#]*)\)/\n@\1\n/gp' "$document" | "$SED" -n 's/^@//p'); do
    [ -e "$documents/$link" ] || complain "$document leads to $link, which is not there"
  done
done

# Examples.
examples=$documents/../examples
$CC -Wall -Werror "$examples/01-pointer/pointer.c" $(flags --cflags --libs vptr) -lm -o pointer && on_each_device ./pointer >out.txt ||
  { cat out.txt; complain 'examples/01-pointer does not work'; }
if [ -n "$CXX" ]; then
  vptrcc -O1 -o stencil "$examples/04-kernels/stencil.cu" || complain 'examples/04-kernels does not build'
fi
exit $status
