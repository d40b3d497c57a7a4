#!/bin/sh
# SPDX-License-Identifier: MIT
# format - the C sources are as clang-format 14 leaves them (`make format` does it). Headers are aligned by hand.
cd "$srcdir" || exit 1
format=$(command -v clang-format-14 || command -v clang-format) || { echo 'left out: no clang-format here'; exit 77; }
case $($format --version) in
  *'version 14.'*) ;;
  *) echo "left out: $($format --version), but the sources are as version 14 has them"; exit 77 ;;
esac
set -- lib/*/*.c tests/*/*.c examples/*/*.c tools/*.c tools/*/*.c bench/*.c bench/*/*.c
for file; do
  [ ! -e "$file" ] || $format --dry-run -Werror "$file" || exit 1
done
