# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# stage - sourced by the tests of the installed copy: where it lies, and how a stranger builds and runs with it.
# Each test works in a folder of its own, under tests/install/work.

[ "$VPTR_TEST_SANITIZER" = no ] || { echo 'left out: a stranger does not build with sanitizers'; exit 77; }
command -v "$PKG_CONFIG" >/dev/null || { echo 'left out: no pkg-config here'; exit 77; }

programs=$(cd "$srcdir/tests/install" && pwd)
has_platform=$PWD/tests/project/has_platform
stage=$PWD/tests/install/stage
work=$PWD/tests/install/work/$(basename "$0" .sh)
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1

# The .pc files say where the copy will lie in the end; the stage stands in front of that.
PKG_CONFIG_PATH=$stage$VPTR_TEST_LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$stage$VPTR_TEST_LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
flags() { "$PKG_CONFIG" --define-variable=prefix="$stage$VPTR_TEST_PREFIX" "$@"; }

pocl='Portable Computing Language'

# on_each_device PROGRAM [ARGUMENT...] - on the fake device, and on PoCL where it is.
on_each_device() {
  VPTR_PLATFORM=fake "$@" || { echo "^ $1 on the fake device"; exit 1; }
  if "$has_platform" "$pocl"; then
    VPTR_PLATFORM=$pocl "$@" || { echo "^ $1 on PoCL"; exit 1; }
  fi
}
