#!/bin/sh
# SPDX-License-Identifier: MIT
# format - the C sources are as clang-format 14 leaves them (`make format` does it). Headers are aligned by hand, in
# columns that it would not keep. And no line is longer than 120: clang-format leaves comments and strings as they are.
cd "$srcdir" || exit 1
sources=$(find include lib tools bench tests examples fuzz -name '*.[ch]')
[ "$(echo "$sources" | wc -l)" -gt 1000 ] || { echo "few sources: $sources"; exit 1; }
# shellcheck disable=SC2086 # names without spaces
wide=$(awk 'length > 120 { print FILENAME ":" FNR ": " length " columns, and 120 is the most" }' $sources)
[ -z "$wide" ] || { echo "$wide"; exit 1; }
format=$(command -v clang-format-14 || command -v clang-format) || { echo 'left out: no clang-format here'; exit 77; }
case $($format --version) in
  *'version 14.'*) ;;
  *) echo "left out: $($format --version), but the sources are as version 14 has them"; exit 77 ;;
esac
found=$(ls lib/*/*.c lib/*/*/*.c tests/*/*.c examples/*/*.c tools/*.c tools/*/*.c bench/*.c bench/*/*.c 2>/dev/null)
# shellcheck disable=SC2086 # names without spaces
$format --dry-run -Werror $found
