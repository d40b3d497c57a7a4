#!/bin/sh
# SPDX-License-Identifier: MIT
# exit - nothing of OpenCL's is released when a process ends: drivers have handlers of their own for that, which run
# before the destructors of programs and libraries. PoCL forgives it, Oclgrind does not.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH

vptrcc -O2 -o ends "$programs/exit.cu" || exit 1
tried=no
if "$has_platform" "$pocl"; then
  tried=yes
  VPTR_PLATFORM=$pocl ./ends || { echo "^ on PoCL: exit status $?"; exit 1; }
fi
if command -v oclgrind >/dev/null; then
  tried=yes
  for round in 1 2 3 4 5 6 7 8; do
    VPTR_PLATFORM=oclgrind oclgrind ./ends >oclgrind.txt 2>&1 ||
      { status=$?; cat oclgrind.txt; echo "^ on Oclgrind, round $round: exit status $status"; exit 1; }
  done
fi
[ $tried = yes ] || { echo 'left out: neither PoCL nor Oclgrind here'; exit 77; }
