#!/bin/sh
# SPDX-License-Identifier: MIT
# sources - each file names its licence in the first lines, holds one noun of under 500 lines, and is listed in
# Makefile.am, so that the tarball has it.
cd "$srcdir" || exit 1
status=0
complain() { echo "$1"; status=1; }

for file in include/vptr/*.h include/vptr/*/*.h lib/*/*.[ch] lib/*/*/*.[ch] tests/*/*.[ch] tests/*/*.sh tests/*/*.cpp \
  examples/*/*.[ch] tools/*.[ch] tools/*/*.[ch] bench/*.[ch] bench/*/*.[ch]; do
  [ -e "$file" ] || continue
  [ "$file" != include/vptr/version.h ] || continue # made by configure
  head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || complain "$file: no SPDX line at its top"
  # a program of one source is listed by its own name
  grep -qE "(^|[[:space:]])(${file}|${file%.c})([[:space:]]|\$)" Makefile.am || complain "$file: not in Makefile.am"
  case $file in
    lib/* | tools/*) [ "$(wc -l <"$file")" -le 500 ] || complain "$file: over 500 lines" ;;
  esac
done

# A program that a script runs is built for it.
for script in tests/*/*.sh; do
  for program in $(grep -oE 'tests/[a-z]+/[a-z_]+([^a-z_.]|$)' "$script" | "$SED" 's|[^a-z_]$||' | sort -u); do
    { [ -e "$program.c" ] || [ -e "$program.cu" ]; } && [ "$program" != tests/project/has_platform ] || continue
    grep -q "[[:space:]]$script:$program\([[:space:]]\|\$\)" Makefile.am ||
      complain "$script runs $program, which is not in its script_needs in Makefile.am"
  done
done
exit $status
