#!/bin/sh
# SPDX-License-Identifier: MIT
# dlclose - libraries and shared objects with kernels may be opened, used and closed as often as one likes, also while
# work of theirs is in flight, or has not begun.
. "$srcdir/tests/install/stage.sh"
libraries=$stage$VPTR_TEST_LIBDIR
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH

$CC -std=gnu11 -Wall -Werror "$programs/dlclose.c" -ldl -o dlclose || exit 1
for library in vptr vptr-cudart vptr-cuda vptr-nvrtc; do
  on_each_device ./dlclose "${library#vptr-}" "$libraries/lib$library.so"
done
if [ -n "$CXX" ]; then
  vptrcc --shared -Xcompiler -fPIC -o libplugin.so "$programs/plugin.cu" || exit 1
  on_each_device timeout 100 ./dlclose plugin "$PWD/libplugin.so"
  vptrcc --shared -Xcompiler -fPIC -o libmanaged.so "$programs/plugin_managed.cu" || exit 1
  on_each_device timeout 100 ./dlclose managed "$PWD/libmanaged.so"
fi
