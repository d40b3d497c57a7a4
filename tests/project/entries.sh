#!/bin/sh
# SPDX-License-Identifier: MIT
# entries - each function that a library exports has a row in tests/cuda/entry_*.c, by which conform_entry calls it. Names that
# begin with vptr__ are for the other libraries.
[ -e .libs/libvptr.so ] || { echo 'left out: no shared libraries in this build'; exit 77; }

called=$(for program in ./tests/cuda/conform_entry ./tests/cuda/conform_entry_ptds; do
  "$program" || { "$program" | grep FAILED; exit 1; } >&2
done) || exit 1
called=$(echo "$called" | "$SED" -n 's/^entry: \([A-Za-z0-9_]*\)$/\1/p' | sort -u)
exported=$(for library in vptr vptr-cudart vptr-cuda vptr-nvrtc; do
  nm --dynamic --defined-only ".libs/lib$library.so"
done | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | grep -v '^vptr__' | sort -u)
[ "$(echo "$exported" | wc -l)" -gt 400 ] || { echo 'nm lists few exports'; exit 1; }
[ "$called" = "$exported" ] && exit 0
echo 'Exports without a row in tests/cuda/entry_*.c, and rows of what is not exported:'
printf '%s\n%s\n' "$called" "$exported" | sort | uniq -u
exit 1
