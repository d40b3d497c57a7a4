#!/bin/sh
# SPDX-License-Identifier: MIT
# needed - what the shared libraries load. They must open with dlopen(), so never jemalloc, which has static thread storage,
# nor the C++ run-time, which would be wanted beside it alone.
command -v readelf >/dev/null || { echo 'left out: no readelf here'; exit 77; }
[ -e .libs/libvptr.so ] || { echo 'left out: no shared libraries in this build'; exit 77; }

needed() { readelf --dynamic "$1" | "$SED" -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

for library in vptr vptr-cudart vptr-nvrtc vptr-cuda vptr-nvtx vptr-ml; do
  if needed ".libs/lib$library.so" | grep -E 'jemalloc|stdc\+\+'; then
    echo "^ lib$library.so must not need it"
    exit 1
  fi
done
if needed .libs/libvptr-nvtx.so | grep -E 'OpenCL|vptr'; then
  echo '^ libvptr-nvtx.so must not need it: programs without OpenCL load it as a tool'
  exit 1
fi
needed .libs/libvptr-cudart.so | grep -q '^libvptr\.so' || { echo 'libvptr-cudart.so does not load libvptr'; exit 1; }
