#!/bin/sh
# SPDX-License-Identifier: MIT
# isolation - a test that hangs, crashes or leaves the process is one failure that bears its name, and the tests behind it
# still run: shown by tests/unit/planted, which has one of each. Without another word a test has 120 s.
[ "${VPTR_TEST_SANITIZER:-no}" = no ] || { echo 'left out: with a sanitizer tests share a process'; exit 77; }
status=0
unset CK_FORK CK_RUN_SUITE CK_RUN_CASE CK_TIMEOUT_MULTIPLIER CK_VERBOSITY CK_DEFAULT_TIMEOUT

expect() { # pattern, of the report in $report
  echo "$report" | grep -q "$1" || { printf 'no line with "%s" in:\n%s\n' "$1" "$report"; status=1; }
}

report=$(CK_DEFAULT_TIMEOUT=2 PLANTED_LIMIT=2 timeout 60 ./tests/unit/planted 2>&1)
code=$?
[ $code -eq 1 ] || { echo "the suite ended with $code, not with 1"; status=1; }
expect '^40%: Checks: 5, Failures: 0, Errors: 3$'
expect ':E:planted:this_hangs:0: .*Test timeout expired$'
expect ':E:planted:this_crashes:0: .*Received signal 11 (Segmentation fault)$'
expect ':E:planted:this_leaves:0: .*Early exit with return value 3$'

report=$(CK_RUN_CASE=limit PLANTED_LIMIT=120 timeout 60 ./tests/unit/planted 2>&1)
expect '^100%: Checks: 1, Failures: 0, Errors: 0$'
exit $status
