# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# library - what the checks of CUDA's libraries share: a table of functions beside its document, beside what our headers
# declare and what the library exports; and NVIDIA's headers, where they are installed (CUDA_HOME), beside ours. Sourced
# by the scripts of each library, which set `library` ("curand") and `noun` ("cuRAND"), and exit with $status.
status=0
table=$srcdir/doc/$library-coverage.tsv
ours=$srcdir/include/vptr/cuda
cuda=${CUDA_HOME:-/usr/local/cuda}
theirs=$cuda/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() { [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2"; status=1; }; }
differ() { printf '%s\n%s\n' "$1" "$2" | sort | uniq -u; }

# ---- ours ---------------------------------------------------------------------------------------------------

# The functions that the table has as done.
there() { awk -F '\t' '!/^;/ && ($2 == "done" || $2 == "partly") { print $1 }' "$table" | sort; }

check_document() {
  made=$(awk -v of="$library" -f "$srcdir/doc/cuda-coverage.awk" "$table") || status=1
  printf '%s\n' "$made" | diff -u "$srcdir/doc/$library-coverage.md" - ||
    { echo 'the table and its document differ; run: make update-coverage'; status=1; }
}

check_declared() { complain 'our headers and the table differ' "$(differ "$(there)" "$1")"; } # names

# What the library exports, with versions; nothing where there is no shared one.
exports() {
  [ ! -e ".libs/libvptr-$library.so" ] ||
    nm --dynamic --defined-only --with-symbol-versions ".libs/libvptr-$library.so" |
    awk '$2 != "A" { print $3 }' | sort -u
}
check_exports() { # how a name with its version looks
  exported=$(exports)
  [ -n "$exported" ] || { echo "left out in part: no shared libvptr-$library in this build"; return; }
  complain "exported, and no name of $noun" "$(echo "$exported" | grep -vE "$1")"
  complain 'the exports and the table differ' \
    "$(differ "$(there)" "$(echo "$exported" | "$SED" 's/@.*//' | sort -u)")"
}

# ---- NVIDIA's -----------------------------------------------------------------------------------------------

# The rest of a script is left out without them.
need_theirs() { # header, the status if nothing but these was to be looked at
  [ -e "$theirs/$1" ] || { echo "left out: there is no $noun of NVIDIA's in $cuda"; exit "${2:-$status}"; }
}

# A line for each function. One of NVIDIA's takes nothing by the old form; numbers of 16 bits are hidden from C there.
prototypes() { # folder, the text that includes a header
  printf '%s\n' "$2" >"$work/all.c"
  $CC -fsyntax-only -aux-info "$work/info" -I"$1" -I"$srcdir/include" "$work/all.c" 2>"$work/err" &&
    "$SED" -nE "s/vptr_long_long/long long int/g; s/\(\/\* \?\?\? \*\/\)/(void)/
      s/^.* extern [A-Za-z_ ]* \*?(${prefix}[A-Za-z0-9_]* \(.*;).*/\1/p" "$work/info" |
    grep -vE '__half_raw|__nv_bfloat16' | sort -u
}

# Ours are among theirs, and there are more than so many. `prefix`: how names begin, if not as the library.
check_prototypes() { # what includes the header, least
  prefix=${prefix:-$library}
  if ! $CC -fsyntax-only -aux-info "$work/info" -x c /dev/null 2>"$work/err" || [ ! -e "$work/info" ]; then
    echo "left out in part: $CC cannot list prototypes (-aux-info)"
    return
  fi
  prototypes "$ours" "$1" >"$work/our-functions" && prototypes "$theirs" "$1" >"$work/their-functions" ||
    { cat "$work/err"; status=1; }
  [ "$(wc -l <"$work/our-functions")" -gt "$2" ] || { echo "$1: hardly a function was found in ours"; status=1; }
  complain "$1: NVIDIA's has other prototypes" "$(comm -23 "$work/our-functions" "$work/their-functions")"
}

# The functions of the last header, and all rows of the table.
their_functions() { [ ! -e "$work/their-functions" ] || "$SED" 's/ .*//' "$work/their-functions" | sort; }
check_rows() { # names
  [ -z "$1" ] || complain "the table lacks functions of NVIDIA's, or has others" \
    "$(differ "$(awk -F '\t' '!/^;/ && NF == 3 { print $1 }' "$table" | sort)" "$1")"
}

# Lines "expression value", of the int expressions on standard input.
values() { # folder, name of a program, the text that includes headers, a condition
  {
    printf '#include <stdio.h>\n%s\nint main(void) {\n' "$3"
    "$SED" 's/.*/  printf("& %d\\n", (int)(&));/'
    printf '  return !(%s);\n}\n' "${4:-1}"
  } >"$work/$2.c"
  $CC -I"$1" -I"$srcdir/include" "$work/$2.c" -o "$work/$2-program" && "$work/$2-program" || echo "no values: ^ $1"
}
check_values() { # expressions, what includes the headers, a condition that holds for both, or nothing
  echo "$1" | values "$ours" ours "$2" "$3" >"$work/our-values"
  echo "$1" | values "$theirs" theirs "$2" "$3" >"$work/their-values"
  ! grep -h 'no values' "$work/our-values" "$work/their-values" || status=1
  [ -n "$1" ] && diff "$work/our-values" "$work/their-values" || { echo '^ values, ours before NVIDIA'\''s'; status=1; }
}
enumerators() { (cd "$ours" && grep -ohE "$@") | "$SED" 's/ = //' | sort -u; } # pattern that ends in ' = ', headers

has_header() { printf '#include <%s>\n' "$1" | $CC -fsyntax-only -x c - 2>"$work/err"; }

# Programs that conform to the library compile against NVIDIA's headers, by nvcc where there is one. A program that
# includes a word's header needs that other library.
check_programs() { # word, header of another library
  compile=${NVCC:-$cuda/bin/nvcc}
  command -v "$compile" >"$work/err" || compile="$CC -I$theirs"
  for program in "$srcdir/tests/$library"/conform_*.c; do
    if [ -n "$1" ] && grep -q "$1" "$program" && ! has_header "$2"; then
      echo "left out in part: $program needs $2"
      continue
    fi
    $compile -D_GNU_SOURCE -I"$srcdir/tests/$library" -I"$srcdir/tests" -c "$program" -o "$work/program.o" ||
      { echo "^ $program"; status=1; }
  done
}
