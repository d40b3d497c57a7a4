#!/bin/sh
# SPDX-License-Identifier: MIT
# sources - each file names its licence in the first lines, holds one noun of under 500 lines, and is listed in
# Makefile.am, so that the tarball has it.
cd "$srcdir" || exit 1
status=0
complain() { echo "$1"; status=1; }

# Words of Makefile.am are in the first file, a line each. A program of one source is listed by its own name.
listed=$(mktemp)
trap 'rm -f "$listed"' EXIT
tr -s ' \t\\' '\n\n\n' <Makefile.am | sort -u >"$listed"
offenders=$(find include/vptr lib tests examples tools bench -mindepth 1 \( -name '*.[ch]' -o -path 'tests/*.sh' -o -path 'tests/*.cpp' \) |
  grep -E '^(include/vptr/([^/]*/)?[^/]*\.h|lib/([^/]*/){1,2}[^/]*|tests/[^/]*/[^/]*|examples/[^/]*/[^/]*|(tools|bench)/([^/]*/)?[^/]*)$' |
  grep -vx 'include/vptr/version.h' | sort | xargs awk -v listed="$listed" '
    function end_file(program) {
      if (file == "") return
      program = file
      sub(/\.c$/, "", program)
      if (!has_licence) print file ": no SPDX line at its top"
      if (!(file in words) && !(program in words)) print file ": not in Makefile.am"
      if (file ~ /^(lib|tools)\// && lines > 500) print file ": over 500 lines"
    }
    BEGIN { while ((getline word < listed) > 0) words[word] }
    FNR == 1 { end_file(); file = FILENAME; has_licence = 0 }
    FNR <= 2 && /SPDX-License-Identifier: MIT/ { has_licence = 1 }
    { lines = FNR }
    END { end_file() }')
[ -z "$offenders" ] || complain "$offenders"
empty=$(find include lib tests tools bench examples -name '*.[ch]' -size 0)
[ -z "$empty" ] || complain "empty: $empty"

# A program that a script runs is built for it.
for script in tests/*/*.sh; do
  for program in $(grep -oE 'tests/[a-z]+/[a-z_]+([^a-z_.]|$)' "$script" | "$SED" 's|[^a-z_]$||' | sort -u); do
    { [ -e "$program.c" ] || [ -e "$program.cu" ]; } && [ "$program" != tests/project/has_platform ] || continue
    grep -q "[[:space:]]$script:$program\([[:space:]]\|\$\)" Makefile.am ||
      complain "$script runs $program, which is not in its script_needs in Makefile.am"
  done
done
exit $status
