#!/bin/sh
# SPDX-License-Identifier: MIT
# resumed - a solver that is killed at random moments, and goes on each time from its checkpoint, gives the same bits as
# one that is not; vptr-checkpoint lists and checks the file; and a signal asks for one.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
complain() { echo "$1"; status=1; }
on_opencl=$srcdir/tests/on-opencl
matrix=$srcdir/examples/03-cg/poisson-2500.mtx

"$on_opencl" ./examples/03-cg/cg --quiet --csv --tolerance=1e-13 "$matrix" > "$folder/whole.csv" 2> "$folder/err"
case $? in
  0) ;;
  77) exit 77 ;;
  *) complain "the solver: $(cat "$folder/err")" ;;
esac

solve() { # seconds until it is killed; its exit status
  timeout --signal=KILL "$1" "$on_opencl" ./examples/03-cg/cg --quiet --csv --tolerance=1e-13 \
    --checkpoint="$folder/state" "$matrix" > "$folder/resumed.csv" 2> "$folder/err"
}

# Moments from before the first checkpoint on; each run begins where the last one got to.
kills=0
for tenths in 2 3 4 5 3 6 4 7 5 8 6 9 7; do
  solve "0.$tenths"
  result=$?
  [ $result -ne 137 ] || kills=$((kills + 1))
  [ $result -eq 0 ] && break
  [ $result -eq 137 ] || complain "a run that was to be killed: exit status $result: $(cat "$folder/err")"
done
[ $result -eq 0 ] || solve 60 || complain "the last run: $(cat "$folder/err")"
[ $kills -gt 0 ] || echo 'no run lasted until it was to be killed'
cmp "$folder/whole.csv" "$folder/resumed.csv" || complain "other residuals after $kills kills"

# All of the last state, with what the tool tells of it.
rm -f "$folder/state"
"$on_opencl" ./examples/03-cg/cg --quiet --tolerance=1e-13 --checkpoint="$folder/state" "$matrix" > "$folder/out" 2>&1 ||
  complain "$(cat "$folder/out")"
[ -s "$folder/state" ] || complain 'no checkpoint is there'
tool=./tools/vptr-checkpoint/vptr-checkpoint
$tool verify "$folder/state" > "$folder/out" || complain "verify: exit status $?"
grep -q ': [0-9]* checkpoints, [0-9]* allocations, [0-9]* bytes$' "$folder/out" || complain "verify: $(cat "$folder/out")"
$tool list "$folder/state" > "$folder/out" || complain "list: exit status $?"
for words in '^process [0-9]*, addresses from 0x' '^checkpoint 1  ' '^buffer 0x.* stored' '^  0x.* bytes  serial ' \
  '^kept "cg"  [0-9]* bytes$'; do
  grep -q "$words" "$folder/out" || complain "list has no '$words': $(cat "$folder/out")"
done
solve 60 || complain "a solver that had only to read: $(cat "$folder/err")"
grep -q '^resumed  at iteration [1-9]' "$folder/err" || complain "it did not resume: $(cat "$folder/err")"
cmp "$folder/whole.csv" "$folder/resumed.csv" || complain 'other residuals from the last checkpoint'

# A file that is cut does not end in the middle of the last checkpoint, or is refused.
size=$(wc -c < "$folder/state")
head -c $((size - 5)) "$folder/state" > "$folder/cut"
$tool verify "$folder/cut" > "$folder/out" 2>&1
[ $? -eq 1 ] || complain "a file that was cut: $(cat "$folder/out")"
grep -q 'was not completed' "$folder/out" || complain "a file that was cut: $(cat "$folder/out")"
head -c 1000 "$folder/state" > "$folder/cut"
$tool verify "$folder/cut" > "$folder/out" 2>&1
[ $? -eq 3 ] || complain "a file without a checkpoint: $(cat "$folder/out")"
grep -q 'no complete checkpoint' "$folder/out" || complain "a file without a checkpoint: $(cat "$folder/out")"
$tool list > "$folder/out" 2>&1
[ $? -eq 2 ] || complain "no file: $(cat "$folder/out")"
$tool show "$folder/state" > "$folder/out" 2>&1
[ $? -eq 2 ] || complain "no such action: $(cat "$folder/out")"

exit $status
