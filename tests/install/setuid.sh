#!/bin/sh
# SPDX-License-Identifier: MIT
# setuid - in a program with more rights than its caller the library takes no orders from the caller's environment, and
# runs no program that lies in the caller's PATH.
. "$srcdir/tests/install/stage.sh"
"$has_platform" "$pocl" || { echo 'left out: no PoCL here, and VPTR_PLATFORM=fake does not count in such programs'; exit 77; }
[ "$(id -u)" = 0 ] || { echo 'left out: only root can make a program of another user here'; exit 77; }

$CC -g -std=gnu11 "$programs/setuid.c" $(flags --cflags --libs vptr) -Wl,-rpath,"$stage$VPTR_TEST_LIBDIR" -o other || exit 1
mkdir planted && chmod 755 planted
printf '#!/bin/sh\ntouch %s\necho planted\necho planted.c:1\n' "$PWD/ran/it" >planted/addr2line
chmod 755 planted/addr2line
mkdir ran && chmod 777 ran
chown nobody other && chmod 4755 other || { echo 'left out: no user nobody'; exit 77; }

VPTR_PLATFORM=fake VPTR_TRACE_ALLOC=1 VPTR_VERBOSE=1 VPTR_NONSENSE=1 PATH=$PWD/planted:$PATH ./other >said.txt 2>&1
status=$?
[ $status != 3 ] || { echo 'left out: set-uid programs get no rights here'; exit 77; }
[ $status = 0 ] || { cat said.txt; echo "^ exit status $status"; exit 1; }
[ ! -e ran/it ] || { cat said.txt; echo '^ addr2line of the caller was run'; exit 1; }
if grep -E 'VPTR_NONSENSE|planted|allocation #1 of 100 bytes.*made at' said.txt; then
  echo "^ the caller's environment was read"
  exit 1
fi
