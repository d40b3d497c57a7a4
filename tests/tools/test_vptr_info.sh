#!/bin/sh
# SPDX-License-Identifier: MIT
# vptr-info - its table, its JSON, its exit status, and what it says to a wrong command line.
info=${VPTR_TEST_INFO:-./tools/vptr-info}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$1"; status=1; }

# run EXPECTED_STATUS [ARGUMENT...]: leaves output and errors in $work.
run() {
  expected=$1
  shift
  "$info" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" -eq "$expected" ] || complain "vptr-info $*: exit status $got, not $expected: $(cat "$work/err")"
}

# holds PYTHON_EXPRESSION: about the JSON object `it` in $work/out. Without python3 jq at least sees that it is JSON.
holds() {
  if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; it = json.load(sys.stdin); sys.exit(0 if eval(sys.argv[1]) else 1)' "$1" \
      <"$work/out" || complain "not so in the JSON: $1"
  elif command -v jq >/dev/null; then
    jq . <"$work/out" >/dev/null || complain 'not JSON'
  else
    echo 'neither python3 nor jq here: the JSON was not looked at'
  fi
}

sections="'version devices device addresses heap residence options compilers'.split()"

VPTR_PLATFORM=fake
export VPTR_PLATFORM
run 0
for section in version devices device addresses heap options compilers; do
  grep -qx "$section" "$work/out" || complain "no section $section in the table"
done
grep -q '^  VPTR_PLATFORM  *fake' "$work/out" || complain 'the table does not list VPTR_PLATFORM'
[ -s "$work/err" ] && complain "words on stderr: $(cat "$work/err")"

run 0 --json
holds "it['status'] == 0"
holds "[name for name in it if isinstance(it[name], dict)] == $sections"
holds "isinstance(it['device']['memory']['value'], int) and it['device']['memory']['value'] > 0"
holds "it['device']['managed_memory']['value'] == 'page faults'"
holds "isinstance(it['addresses']['reserved']['value'], int)"
holds "it['addresses']['base']['value'].startswith('0x')"
holds "it['options']['VPTR_PLATFORM']['value'] == 'fake'"
holds "it['devices']['0']['why'].startswith('chosen')"

# Who compiles kernels: what vptrcc says, and what is missing. A script stands in for clang.
printf '#!/bin/sh\necho /somewhere/lib/clang/17\n' >"$work/clang++" && chmod +x "$work/clang++"
VPTR_CLANG=$work/clang++ run 0 --json
holds "it['compilers']['clang']['value'].endswith('/clang++') and 'version 17, /somewhere/lib/clang/17' in it['compilers']['clang']['why']"
VPTR_CLANG=/bin/false run 0 --json
holds "it['compilers']['clang']['value'] == 'none' and '/bin/false' in it['compilers']['clang']['why']"
VPTRCC_TEST_KERNELC=/nowhere/vptr-kernelc run 0
grep -q '^  vptr-kernelc  *none  *.*/nowhere/vptr-kernelc' "$work/out" || complain 'the table does not say that vptr-kernelc is missing'

# Whatever stands in the environment or in a device's name, JSON it is.
VPTR_DEVICE=$(printf 'a"b\\c\td\001e\377f\303\244')
export VPTR_DEVICE
run 1 --json
holds "it['options']['VPTR_DEVICE']['value'] == 'a\"b\\\\c\\td\\x01e\\ufffdf\\u00e4'"
unset VPTR_DEVICE

# No driver at all: the status, the reason, and still a report.
unset VPTR_PLATFORM
OCL_ICD_VENDORS=/nonexistent
export OCL_ICD_VENDORS
run 1
grep -q 'install' "$work/err" || complain 'without a driver nothing is said about installing one'
grep -q '^  name  *none' "$work/out" || complain 'without a driver the table does not say so'
run 1 --json
holds "it['status'] == 43 and it['message'] != '' and it['devices']['found']['value'] == 0"
unset OCL_ICD_VENDORS

pocl='Portable Computing Language'
if [ -x ./tests/project/has_platform ] && ./tests/project/has_platform "$pocl"; then
  VPTR_PLATFORM=$pocl
  export VPTR_PLATFORM
  # Drivers keep what they have until the process ends.
  ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
  export ASAN_OPTIONS
  run 0 --json
  holds "it['device']['platform']['value'] == '$pocl'"
  holds "it['device']['type']['value'] == 'CPU'"
  holds "it['version']['OpenCL_platform']['value'].startswith('OpenCL ')"
  holds "it['device']['device_addresses']['value'] in ('yes', 'no')"
else
  echo 'the part about PoCL was left out: it is not here'
fi

VPTR_PLATFORM=fake
export VPTR_PLATFORM
run 0 --help
grep -q -e '--json' "$work/out" || complain '--help does not name --json'
run 0 --version
grep -q '^vptr-info (vptr) [0-9]' "$work/out" || complain '--version does not print one'
for wrong in --nonsense -x operand --json=3; do
  run 2 "$wrong"
  grep -q -e "${wrong%x}" "$work/err" || complain "the words about '$wrong' do not quote it: $(cat "$work/err")"
  [ -s "$work/out" ] && complain "output in spite of '$wrong'"
done
if [ -w /dev/full ]; then
  "$info" >/dev/full 2>"$work/err"
  [ $? -eq 3 ] || complain 'a full disk goes unnoticed'
fi
exit $status
