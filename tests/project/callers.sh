#!/bin/sh
# SPDX-License-Identifier: MIT
# callers - the head of each source of the runtime half says who calls it, and says it right.
#
# What a head says are its sentences that begin with "Called", each up to its first full stop. In them a file is named
# with its folder, or bare if it is a neighbour or lies in the folder of the name before it. A folder (lib/vptr/mirror)
# is all files in it and below, "this folder" the file's own, and opencl_*.c all neighbours of such a name: these stand
# for three callers at least.
#
# They are held against the objects: every file of lib that takes a symbol is named, and what is named takes one, if
# this build has it. What nm cannot see has fixed words, which stand where the source has such a function, and nowhere
# else:
#
#     by programs                    an exported name (lib/*.map)
#     through the device's table     a function in the tables of device/opencl.c and fake.c
#     through base/subsystem.h       a function in a vptr__subsystem
#     by the driver                  a CL_CALLBACK; a CL_API_CALL: by OpenCL's loader
#     by the system                  a handler of signals
#     by the C library               what pthread_key_create(), pthread_atfork() or atexit() were given
#     by the loader                  a constructor or destructor of the library
#     in a thread of its own         what a thread begins with; threads of its own
#     by tests                       a name that sources of tests have; needed only where nobody else calls
#
# Who calls by one of the tables is found in the sources (ops->memory.create()). Either none of them is named, or all.
# At the end the check is tried on planted offenders.
build=$(pwd)
cd "$srcdir" || exit 1
sources=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/project/objects.sh
. "$sources/tests/project/objects.sh"

# The functions below read the folder that they run in; objects are those of the folder in $objects.

runtime_sources() { find lib/vptr lib/cudart lib/driver lib/nvrtc lib/nvtx lib/ml lib/cublas lib/cufft lib/curand lib/cusparse lib/cusolver -name '*.c' 2> "$work/find.log" | sort; }

# Lines "source FILE", and "says FILE WORDS" for each sentence of its head.
heads() {
  runtime_sources | xargs awk '
    function end_head(rest) {
      if (file == "") return
      print "source", file
      gsub(/[ \t]+/, " ", head)
      while (match(head, /(^| )Called /)) {
        rest = substr(head, RSTART)
        match(rest " ", /\.\)? /)
        print "says", file, RSTART ? substr(rest, 1, RSTART - 1) : rest
        head = RSTART ? substr(rest, RSTART) : ""
      }
    }
    FNR == 1 { end_head(); file = substr(FILENAME, 5); head = ""; is_over = 0; next }
    is_over { next }
    {
      is_over = $0 ~ /\*\// || $0 !~ /^(\/\*| \*)/
      if ($0 ~ /^(\/\*| \*)/) { sub(/^(\/\*| \*)/, ""); sub(/\*\/.*/, ""); head = head " " $0 }
    }
    END { end_head() }'
}

# Lines "call TAKER DEFINER" and "object FILE".
calls() {
  symbols_of "$objects" | sed 's/\.o / /g; s/^\([^ ]*\) \([^ ]*\).*/call \1.c \2.c/' | sort -u
  sed 's/^\([^ ]*\)\.o .*/object \1.c/' "$work/symbols" | sort -u
  # By their names, from another library: dlsym().
  grep -rlE 'dlv?sym\(' lib --include='*.c' | while IFS= read -r file; do
    grep -oE '"vptr__[a-z_]+"' "$file" | tr -d '"' | sort -u | sed "s|^|${file#lib/} |"
  done > "$work/asked"
  awk 'NR == FNR { takers[$2] = takers[$2] " " $1; next }
    $3 in takers && $2 ~ /^[TDBR]$/ {
      sub(/o$/, "c", $1)
      count = split(takers[$3], of, " ")
      for (i = 1; i <= count; i++) if (of[i] != $1) print "call", of[i], $1
    }' "$work/asked" "$work/symbols"
}

# Lines "has FILE WHAT", one for each thing that nm cannot see the callers of.
exported() {
  cat "$sources"/lib/*.map | awk '
    /^[A-Z].*\{/ { is_public = $1 !~ /PRIVATE/; is_global = 0 }
    /global:/ { is_global = 1; next }
    /local:/ { is_global = 0 }
    is_public && is_global && /;/ {
      gsub(/[ \t]|;.*/, "")
      sub(/\[!/, "[^")
      gsub(/\*/, ".*")
      print "^" $0 "$"
    }
  ' > "$work/patterns"
  awk 'NR == FNR { patterns[++last] = $0; next }
    $2 ~ /^[TDBR]$/ {
      sub(/o$/, "c", $1)
      for (i = 1; i <= last; i++) if ($3 ~ patterns[i]) print "has", $1, "programs"
    }' "$work/patterns" "$work/symbols" | sort -u
}
with_mark() { # what, a pattern
  runtime_sources | xargs grep -lE "$2" | sed "s|^lib/\(.*\)|has \1 $1|"
}
marked() {
  with_mark driver '\<CL_CALLBACK\>|\<CL_API_CALL\>'
  with_mark loader '__attribute__\(\((con|de)structor'
  with_mark system '^static void [a-z_]+\(int [a-z]+, siginfo_t \*'
  with_mark libc '^[^*]*\<(pthread_key_create|pthread_atfork|atexit)\('
  with_mark starter '\<(pthread_create|vptr__thread_start(_joinable)?)\(' > "$work/starters"
  with_mark thread '^static [a-zA-Z_ ]*void \*[a-z_]+\(void \*' |
    awk 'NR == FNR { starts[$2] = 1; next } $2 in starts' "$work/starters" -
}
tested() {
  cat "$sources"/tests/*/*.[ch] | grep -oE '\<[a-z][a-z0-9]*_[a-z0-9_]+\>' | sort -u > "$work/words"
  awk 'NR == FNR { is_there[$0] = 1; next }
    $2 ~ /^[TDBR]$/ && $3 in is_there { sub(/o$/, "c", $1); print "has", $1, "tests" }' "$work/words" "$work/symbols" |
    sort -u
}

# Lines "has FILE TABLE OPERATION": whose function stands in a table, which is "device" or "subsystem".
entries() {
  find lib -name '*.c' | sort | xargs awk '
    FNR == 1 { kind = ""; group = "" }
    /vptr__device_ops [a-z_]+ = \{/ { kind = "device" }
    /vptr__subsystem [a-z_]+ = \{/ { kind = "subsystem" }
    kind == "device" && /^  \.[a-z]+ = \{/ { group = substr($1, 2) "." }
    kind == "device" && /^  \}/ { group = "" }
    /^  ops->[a-z]+\.[a-z_]+ = [a-z_]+;$/ { # a table that is filled when it is needed
      split($1, place, "->")
      print "device", place[2], substr($3, 1, length($3) - 1), substr(FILENAME, 5)
    }
    kind != "" {
      text = $0
      while (match(text, /\.[a-z_]+ = [a-z_0-9]+/)) {
        split(substr(text, RSTART + 1, RLENGTH - 1), part, " = ")
        print kind, group part[1], part[2], substr(FILENAME, 5)
        text = substr(text, RSTART + RLENGTH)
      }
    }
    /\};/ { kind = "" }' > "$work/entries"
  awk 'NR == FNR { if ($2 ~ /^[TDBR]$/) { sub(/o$/, "c", $1); definer[$3] = $1 }; next }
    { print "has", ($3 in definer ? definer[$3] : $4), $1, $2 }' "$work/symbols" "$work/entries" | sort -u
}

# Lines "uses FILE KIND OPERATION". Subsystems are asked by vptr__subsystem_at(), or all of them by base/subsystem.c.
uses() {
  find lib -name '*.c' | sort | xargs grep -HoE 'ops->[a-z]+(\.[a-z_]+)?\(' |
    sed 's|^lib/\([^:]*\):ops->\(.*\)($|uses \1 device \2|' | sort -u
  find lib -name '*.c' ! -path '*/base/subsystem.c' | sort | xargs grep -l '^#include "base/subsystem.h"' |
    xargs grep -HoE '[a-z_]+(\([A-Z_]+\))?->[a-z_]+\(' | grep -v ':ops->' |
    sed 's|^lib/\([^:]*\):.*->\([a-z_]*\)($|uses \1 subsystem \2|' | sort -u
  cat lib/vptr/base/subsystem.c 2> "$work/turns.log" | awk '
    /^[a-z].*vptr__subsystems_[a-z_]+\(/ { match($0, /vptr__subsystems_[a-z_]+/); name = substr($0, RSTART, RLENGTH) }
    match($0, /subsystem->[a-z_]+\(/) { print name, substr($0, RSTART + 11, RLENGTH - 12) }
  ' > "$work/turns"
  awk 'FILENAME == ARGV[1] { turn[$1] = $2; next }
    $3 in turn && $2 == "U" { sub(/o$/, "c", $1); print "uses", $1, "subsystem", turn[$3] }
  ' "$work/turns" "$work/symbols"
}

# ---- what a head says against what is so --------------------------------------------------------------------

offenders() {
  symbols_in "$objects" > "$work/symbols"
  {
    find lib -name '*.c' | sed 's|^lib/|exists |'
    find lib -type d | sed 's|^lib/*|folder |'
    calls
    exported
    marked
    tested
    entries
    uses
    heads
  } | awk '
    BEGIN {
      kinds = split("programs driver system libc loader thread device subsystem tests", kind, " ")
      words["programs"] = "by programs"; forms["programs"] = "(^| )programs"
      words["driver"] = "by the driver"; forms["driver"] = "by the driver|OpenCL.s loader"
      words["system"] = "by the system"; forms["system"] = "by the system"
      words["libc"] = "by the C library"; forms["libc"] = "by the C library"
      words["thread"] = "in a thread of its own"; forms["thread"] = "threads? of its own"
      words["loader"] = "by the loader"; forms["loader"] = "by the loader"
      words["device"] = "through the device\047s table"; forms["device"] = "the device.s table"
      words["subsystem"] = "through base/subsystem.h"; forms["subsystem"] = "base/subsystem[.]h"
      words["tests"] = "by tests"; forms["tests"] = "(^| )tests"
    }
    $1 == "exists" { exists[$2] = 1 }
    $1 == "folder" { is_folder[$2] = 1 }
    $1 == "object" { is_built[$2] = 1 }
    $1 == "call" { takers[$3] = takers[$3] " " $2 }
    $1 == "has" { has[$2, $3] = 1; operations[$2, $3] = operations[$2, $3] " " $4 }
    $1 == "uses" { users[$3, $4] = users[$3, $4] " " $2 }
    $1 == "source" { sources[++last] = $2 }
    $1 == "says" { file = $2; sub(/^says [^ ]+ */, ""); says[file] = says[file] " " $0 }

    function complain(what) { print "lib/" file ": " what }
    function folder_of(path) { if (path !~ /\//) return ""; sub(/\/[^\/]*$/, "", path); return path }
    function is_below(path, folder) { return folder == "" || index(path, folder "/") == 1 }
    function first_that_is(set, name) {
      sub(/^lib\//, "", name)
      if (("vptr/" name) in set) return "vptr/" name
      if (("cudart/" name) in set) return "cudart/" name
      return name in set ? name : ""
    }

    # Notes a name in the sentence: a file, a folder (ends in /), or a pattern of neighbours.
    function note_name(name, own, place) {
      own = folder_of(file) "/"
      if (name ~ /[*]/) {
        gsub(/[.]/, "[.]", name)
        gsub(/[*]/, "[^/]*", name)
        named[++names] = "^" own name "$"
        return
      }
      if (name !~ /[.]c$/) {
        place = first_that_is(is_folder, name)
        if (place == "") complain("there is no folder " name)
        else named[++names] = place "/"
        return
      }
      place = name ~ /\// ? first_that_is(exists, name) : (own name) in exists ? own name : ""
      if (name !~ /\// && last_folder != "" && (last_folder name) in exists && last_folder != own) {
        if (place != "") complain(name " is here and in " last_folder ": its folder must stand before it")
        place = last_folder name
      }
      if (place == "") complain("there is no " name)
      else named[++names] = place
      if (name ~ /\//) last_folder = folder_of(place) "/"
    }
    function read_names(text, count, i, part, word) {
      names = 0
      last_folder = ""
      if (text ~ /all of lib/) named[++names] = "/"
      if (text ~ /this folder/) named[++names] = folder_of(file) "/"
      count = split(text, part, " ")
      for (i = 1; i <= count; i++) {
        word = part[i]
        sub(/^[(]+/, "", word)
        sub(/\047s$/, "", word)
        gsub(/[,;:.)]+$/, "", word)
        if (word ~ /[.]c$/ || word ~ /^[a-z_]+(\/[a-z_]+)+$/) note_name(word)
      }
    }
    function is_meant(path, name) {
      if (name == "/") return 1
      if (name ~ /\/$/) return is_below(path, substr(name, 1, length(name) - 1))
      return name ~ /^\^/ ? path ~ name : path == name
    }
    function is_named(path, i) {
      for (i = 1; i <= names; i++) if (is_meant(path, named[i])) return 1
      return 0
    }
    function count_of(name, set, path, count) {
      count = 0
      for (path in set) if (is_meant(path, name)) count++
      return count
    }
    function readable(name) {
      gsub(/\[\^\/\][*]/, "*", name)
      gsub(/\[[.]\]/, ".", name)
      gsub(/[\^$]/, "", name)
      return name == "/" ? "all of lib" : name
    }
    function missing(set, path, text) {
      text = ""
      for (path in set) if (!is_named(path)) text = text " " path
      return text
    }
    function fill_set(set, list, count, part, i) {
      count = split(list, part, " ")
      for (i = 1; i <= count; i++) if (part[i] != file) set[part[i]] = 1
    }
    function fill_users(set, which, count, part, i) {
      count = split(operations[file, which], part, " ")
      for (i = 1; i <= count; i++) fill_set(set, users[which, part[i]])
    }
    function check_words(k, is_so, is_said, somebody) {
      for (k in by_symbol) somebody = 1
      for (k = 1; k <= kinds; k++) {
        is_so = (file, kind[k]) in has
        is_said = says[file] ~ forms[kind[k]]
        if (is_said && !is_so) complain("\"" words[kind[k]] "\" is not so")
        if (is_so && !is_said && (kind[k] != "tests" || !somebody)) complain("\"" words[kind[k]] "\" is not said")
        somebody = somebody || is_so
      }
      if (!somebody) complain("nobody calls it")
    }
    function check_names(i, least, by_tables, text, path) {
      by_tables = 0
      for (i = 1; i <= names; i++) {
        least = named[i] ~ /^\^|\/$/ ? 3 : 1
        if (count_of(named[i], by_symbol) >= least || (least == 1 && !(named[i] in is_built))) continue
        if (count_of(named[i], by_any) >= least) by_tables = 1
        else if (least == 1) complain(readable(named[i]) " is named, and takes nothing of it")
        else complain(readable(named[i]) " is named, and has not three files that call it")
      }
      text = by_tables ? missing(by_any) : missing(by_symbol)
      if (text != "") complain("these call it and are not named:" text)
    }
    END {
      for (s = 1; s <= last; s++) {
        file = sources[s]
        if (!(file in says)) { complain("its head does not say who calls it"); continue }
        if (!(file in is_built)) continue
        split("", by_symbol)
        split("", by_any)
        fill_set(by_symbol, takers[file])
        fill_set(by_any, takers[file])
        fill_users(by_any, "device")
        fill_users(by_any, "subsystem")
        read_names(says[file])
        check_words()
        check_names()
      }
    }'
}

# ---- planted offenders --------------------------------------------------------------------------------------

plant() { # file below lib, what its head says, its text
  mkdir -p "$work/planted/lib/${1%/*}"
  printf '/* SPDX-License-Identifier: MIT */\n/*\n * planted. %s\n */\n%s\n' "$2" "$3" > "$work/planted/lib/$1"
  (cd "$work/planted" && $CC -c -o "lib/${1%.c}.o" "lib/$1")
}

check_planted() { # how many offenders there are to be, in what
  count=$(objects=$work/planted && cd "$work/planted" && offenders 2> "$work/planted.log" | wc -l)
  rm -rf "$work/planted"
  [ "$count" -eq "$1" ] || echo "planted: $2: $count offenders are found, not $1"
}

plant_pair() { # what the head of low.c says
  plant vptr/base/low.c "$1" 'int vptr__low(void); int vptr__low(void) { return 1; }'
  plant_caller high
}

plant_caller() { # its name
  plant "vptr/heap/$1.c" 'Called by programs.' "int vptr__low(void), vptr_$1(void);
    int vptr_$1(void) { return vptr__low(); }"
}

plant_table() { # what the head of the file says whose function is in the table
  table='typedef struct { struct { int (*wait)(void); } queue; } vptr__device_ops;'
  plant vptr/device/queue.c "$1" 'int vptr__wait(void); int vptr__wait(void) { return 1; }'
  plant vptr/device/opencl.c 'Called by programs.' "$table
int vptr__wait(void);
extern const vptr__device_ops vptr_ops;
const vptr__device_ops vptr_ops = {
  .queue = {
    .wait = vptr__wait,
  },
};"
  plant vptr/heap/user.c 'Called by programs.' "$table
int vptr_use(const vptr__device_ops *ops);
int vptr_use(const vptr__device_ops *ops) { return ops->queue.wait(); }"
  plant vptr/heap/other.c 'Called by programs.' 'int vptr_other(void); int vptr_other(void) { return 1; }'
}

planted() {
  plant_pair 'Called by heap/high.c.'
  check_planted 0 'what is so'
  plant_pair 'No locks.'
  check_planted 1 'a head says nothing'
  plant_pair 'Called by heap/high.c.'
  plant_caller other
  check_planted 1 'a caller is not named'
  plant_pair 'Called by heap/high.c and other.c.'
  plant vptr/heap/other.c 'Called by programs.' 'int vptr_other(void); int vptr_other(void) { return 1; }'
  check_planted 1 'a file that is named does not call'
  plant_pair 'Called by heap/high.c, and by heap/gone.c.'
  check_planted 1 'a file that is named is not there'
  plant_pair 'Called by the files of lib/vptr/heap.'
  plant_caller other
  check_planted 1 'a folder stands for two'
  plant_pair 'Called by the files of lib/vptr/heap.'
  plant_caller other
  plant_caller third
  check_planted 0 'a folder stands for three'
  plant_pair 'Called by heap/high.c, and by programs.'
  check_planted 1 'what programs cannot call'
  plant vptr/heap/high.c 'Called by nobody.' 'int vptr_high(void); int vptr_high(void) { return 1; }'
  check_planted 1 'what programs can call'
  plant vptr/heap/high.c 'Called by nobody.' 'int vptr__high(void); int vptr__high(void) { return 1; }'
  check_planted 1 'nobody calls'
  plant_pair 'Called by heap/high.c.'
  plant vptr/stream/told.c 'Called by programs.' '#define CL_CALLBACK
    static int CL_CALLBACK told(void) { return 1; }
    extern int (*vptr_told)(void); int (*vptr_told)(void) = told;'
  check_planted 1 'a callback of the driver that is not said'
  plant vptr/stream/heard.c 'Called by programs.' 'typedef struct { int (*drain)(void); } vptr__subsystem;
    static int drain(void) { return 1; }
    extern const vptr__subsystem vptr_subsystem;
    const vptr__subsystem vptr_subsystem = { .drain = drain };'
  check_planted 1 'a function of a subsystem that is not said'
  plant_table "Called through the device's table (opencl.c)."
  check_planted 0 'the table, and nobody named'
  plant_table "Called through the device's table (opencl.c) by heap/user.c."
  check_planted 0 'the table, and who uses it'
  plant_table "Called through the device's table (opencl.c) by heap/other.c."
  check_planted 1 'the table, and who does not use it'
  plant_table 'Called by opencl.c.'
  check_planted 1 'the table is not said'
}

# ---- all of it ----------------------------------------------------------------------------------------------

found=$(
  objects=$build
  offenders
  planted
)
[ -z "$found" ] || { printf 'these heads do not say who calls the file:\n%s\n' "$found"; exit 1; }
[ -n "$(symbols_of "$build" | head -1)" ] || { echo "nm reads no symbol of an object below $build/lib"; exit 1; }
