#!/bin/sh
# SPDX-License-Identifier: MIT
# vptr-bench - that it runs, and that its three forms of output hold the same rows. What the numbers are is no test.
bench=${VPTR_TEST_BENCH:-./bench/vptr-bench}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$1"; status=1; }

# run EXPECTED_STATUS [ARGUMENT...]: leaves output and errors in $work.
run() {
  expected=$1
  shift
  "$bench" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" -eq "$expected" ] || complain "vptr-bench $*: exit status $got, not $expected: $(cat "$work/err")"
}

# Two yardsticks, and five operations at each of 10 and 100 live allocations.
rows=12

run 0 lookup --live 100 --repetitions 2
for word in 'one L1 hit' 'one memory access' 'tree/vptr' malloc free resolve get_offset fake; do
  grep -q "$word" "$work/out" || complain "'$word' is missing in the table"
done
[ "$(grep -cE '^ *(10|100)?  +(one|get_offset|resolve|malloc|free)' "$work/out")" -eq $rows ] ||
  complain "the table has not $rows rows"
[ -s "$work/err" ] && complain "words on stderr, which is no terminal: $(cat "$work/err")"

run 0 lookup --live 100 --repetitions 2 --csv
head -n 1 "$work/out" | grep -q '^live,operation,vptr_ns,' || complain 'the CSV has no head'
[ "$(wc -l <"$work/out")" -eq $((rows + 1)) ] || complain "the CSV has not $rows rows and a head"
fields=$(sed 's/"[^"]*"/x/' "$work/out" | awk -F, '{ print NF }' | sort -u)
[ "$fields" = 10 ] || complain "the lines of the CSV have different numbers of fields: $fields"

run 0 lookup --live 100 --repetitions 1 --json
if command -v python3 >/dev/null; then
  python3 -c '
import json, sys
it = json.load(sys.stdin)
assert len(it["rows"]) == 12 and "device" in it["notes"]
assert all(row["vptr_ns"] > 0 and row["vptr_low_ns"] <= row["vptr_ns"] <= row["vptr_high_ns"] for row in it["rows"])
' <"$work/out" || complain 'the JSON is not as promised'
elif command -v jq >/dev/null; then
  jq . <"$work/out" >/dev/null || complain 'not JSON'
fi

run 0 --help
grep -q lookup "$work/out" || complain '--help does not name the benchmarks'
run 0 --version
grep -q '^vptr-bench (vptr) [0-9]' "$work/out" || complain '--version does not print one'
run 2
run 2 nonsense
grep -q nonsense "$work/err" || complain 'a benchmark that is none is not named'
run 2 lookup --live
grep -q -e --live "$work/err" || complain 'an option without its value is not named'
for wrong in '--live 9' '--live x' '--live 10000001' '--repetitions 0' '--nonsense' '-x' 'another'; do
  run 2 lookup $wrong
  [ -s "$work/err" ] || complain "no words about '$wrong'"
done
if [ -w /dev/full ]; then
  "$bench" --help >/dev/full 2>"$work/err"
  [ $? -eq 1 ] || complain 'a full disk goes unnoticed'
fi
exit $status
