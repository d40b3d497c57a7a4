#!/bin/sh
# SPDX-License-Identifier: MIT
# half.sh PROGRAM... - runs programs on a device with half of the memory that each needs (VPTR_OVERSUBSCRIBE=1), and holds what
# they print and their exit status against a run on the whole device. In a build folder; VPTR_PLATFORM says on which device.
#
# What a program needs is the least budget (VPTR_DEVICE_BYTES) with which it does the same without oversubscription, to a
# sixteenth. A line for each: bytes needed, bytes given, how many buffers left the device meanwhile, the verdict. The
# library keeps memory of its own on the device that cannot leave, and kernels name some together; and a move waits for
# all streams, so that a program stands still whose stream waits for what the program does only after the call that
# moves (doc/decisions/2026-11-28-memory-beyond-the-device.md). So a program that is refused with half, by an error that
# says the bytes, or stands still, is run with more, by sixteenths, and the line says with how much it passed: it fails
# where all it needs is not enough either. Programs that fail on the whole device are left out.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
limit=${VPTR_TEST_LIMIT:-120}
failed=0

# run NAME BYTES OVERSUBSCRIBE: 0 bytes are all the device has. Addresses, times, and what is only observed, differ from run to
# run.
run() {
  if [ "$2" -gt 0 ]; then VPTR_DEVICE_BYTES=$2; export VPTR_DEVICE_BYTES; else unset VPTR_DEVICE_BYTES; fi
  VPTR_OVERSUBSCRIBE=$3 VPTR_VERBOSE=2 timeout "$limit" $program >"$work/$1.raw" 2>"$work/$1.log" </dev/null
  echo "exit status $?" >>"$work/$1.raw"
  sed -e '/^observed:/d' -e 's/0x[0-9a-f]*/ADDRESS/g' -e 's/[0-9][0-9.]* *\(ms\|us\|ns\|s\|GB\/s\|GFLOP\/s\)\>/TIME/g' "$work/$1.raw" >"$work/$1"
}

passes() {
  run it "$1" "$2"
  cmp -s "$work/whole" "$work/it"
}

find_need() {
  need=65536
  until passes $need 0; do
    need=$((need * 2))
    [ $need -le 17179869184 ] || return 1
  done
  step=$((need / 4))
  while [ $step -ge $((need / 32)) ] && [ $step -ge 4096 ]; do
    if passes $((need - step)) 0; then need=$((need - step)); fi
    step=$((step / 2))
  done
}

# Sixteenths of the need, and at last, as the 17th, what the library has for itself: that lies in no slab of the program's
# where allocations may leave.
own=65536
budget() {
  if [ $share -le 16 ]; then echo $((need * share / 16)); else echo $((need + own)); fi
}
find_share() {
  share=8
  until passes "$(budget)" 1; do
    grep -q "has no room for\|are more than\|which has at most\|takes no buffer of\|bytes asked for\|MemoryAllocation\|out of memory" "$work/it.log" "$work/it.raw" ||
      grep -q 'exit status 124' "$work/it.raw" || return 1
    share=$((share + 1))
    [ $share -le 17 ] || return 1
  done
}

# Programs that ask the device how large it is, and hold that against CUDA's least, or against an allocation that is larger; or
# whether memory may leave it.
asks_for_size='\(conform_texture\|conform_memory\|conform_entry\|conform_entry_ptds\)$'

for program in "$@"; do
  if expr "$program" : ".*$asks_for_size" >/dev/null; then
    echo "$program: left out: it asks how much the device has, or whether memory may leave it"
    continue
  fi
  run whole 0 0
  if ! grep -q 'exit status 0$' "$work/whole"; then
    echo "$program: left out: $(tail -1 "$work/whole")"
  elif ! find_need; then
    echo "$program: left out: no two runs are alike"
  elif find_share; then
    left=$(grep -c 'leave it for' "$work/it.log")
    if [ $share -le 16 ]; then of="$share/16 of them"; else of="them and $own more"; fi
    echo "$program: needs $need bytes, passes with $of, $left buffers left"
  else
    echo "$program: needs $need bytes, FAILS with $share/16 of them:"
    diff "$work/whole" "$work/it" | head -5
    grep -v 'leave it for\|come back' "$work/it.log" | tail -3
    failed=1
  fi
done
exit $failed
