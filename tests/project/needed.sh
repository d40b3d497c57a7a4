#!/bin/sh
# SPDX-License-Identifier: MIT
# needed - what the shared libraries load. libvptr must open with dlopen(), so never jemalloc; libvptr-cudart may
# need jemalloc, behind the C++ run-time (configure.ac says why).
command -v readelf >/dev/null || { echo 'left out: no readelf here'; exit 77; }
[ -e .libs/libvptr.so ] || { echo 'left out: no shared libraries in this build'; exit 77; }

needed() { readelf --dynamic "$1" | "$SED" -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

if needed .libs/libvptr.so | grep -E 'jemalloc|stdc\+\+'; then
  echo '^ libvptr.so must not need it'
  exit 1
fi
if needed .libs/libvptr-cudart.so | grep -q jemalloc; then
  first=$(needed .libs/libvptr-cudart.so | grep -E 'jemalloc|stdc\+\+' | head -n 1)
  case $first in
    libstdc++*) ;;
    *) echo "libvptr-cudart.so needs $first before libstdc++: refer to one of its symbols"; exit 1 ;;
  esac
fi
needed .libs/libvptr-cudart.so | grep -q '^libvptr\.so' || { echo 'libvptr-cudart.so does not load libvptr'; exit 1; }
