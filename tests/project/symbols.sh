#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols - the shared libraries export what they say, and nothing else: libvptr its public functions and, under
# the private version, what lib/libvptr.map names; libvptr-cudart CUDA's names, and what its own map names for libvptr-cuda.
status=0
complain() { printf '%s:\n%s\n' "$1" "$2"; status=1; }

exported() { # library -> lines "name@@VERSION"
  nm --dynamic --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort
}

[ -e .libs/libvptr.so ] || { echo 'left out: no shared libraries in this build'; exit 77; }
case $(exported .libs/libvptr.so) in *@*) ;; *) echo 'left out: no symbol versions in this build'; exit 77 ;; esac

cublas=$([ ! -e .libs/libvptr-cublas.so ] || echo libvptr-cublas)
cufft=$([ ! -e .libs/libvptr-cufft.so ] || echo libvptr-cufft)
curand=$([ ! -e .libs/libvptr-curand.so ] || echo libvptr-curand)
cusolver=$([ ! -e .libs/libvptr-cusolver.so ] || echo libvptr-cusolver)
cusparse=$([ ! -e .libs/libvptr-cusparse.so ] || echo libvptr-cusparse)
core=$(exported .libs/libvptr.so)
others=$(echo "$core" | grep -vE '^vptr_[a-z][a-z0-9_]*@@VPTR_[0-9]+$|^vptr__[a-z0-9_]+@@VPTR_PRIVATE_[0-9]+$')
[ -z "$others" ] || complain 'libvptr.so exports more than it should' "$others"

declared=$("$SED" -n 's/^VPTR_API .*[ *]\(vptr_[a-z0-9_]*\)(.*/\1/p' "$srcdir"/include/vptr/vptr.h \
  "$srcdir"/include/vptr/vptr_fast.h | sort)
public=$(echo "$core" | "$SED" -n 's/@@VPTR_[0-9]*$//p' | sort)
[ "$declared" = "$public" ] ||
  complain 'vptr.h, vptr_fast.h and the exports of libvptr.so differ' "$(printf '%s\n%s\n' "$declared" "$public" | sort | uniq -u)"

named=$("$SED" -n 's/^ *\(vptr__[a-z0-9_]*\);$/\1/p' "$srcdir"/lib/libvptr.map | sort)
private=$(echo "$core" | "$SED" -n 's/@@VPTR_PRIVATE_[0-9]*$//p' | sort)
[ "$named" = "$private" ] ||
  complain 'libvptr.map and the private exports differ' "$(printf '%s\n%s\n' "$named" "$private" | sort | uniq -u)"
used_by() { # libraries -> vptr__ names that they take from others
  for library; do nm --dynamic --undefined-only --with-symbol-versions ".libs/$library.so"; done |
    awk '{ print $2 }' | grep '^vptr__' | sort -u
}
used=$(
  {
    used_by libvptr-cudart libvptr-cuda libvptr-ml $cublas $cufft $curand $cusparse $cusolver |
      "$SED" -n 's/@VPTR_PRIVATE_[0-9]*$//p'
    # the tools that use such, too
    nm --undefined-only tools/vptr-replay/*.o tools/vptr-checkpoint/*.o | awk '{ print $2 }' | grep '^vptr__'
  } | sort -u
)
[ "$named" = "$used" ] ||
  complain 'private exports that no other library uses' "$(printf '%s\n%s\n' "$named" "$used" | sort | uniq -u)"

# Under our version; and, where the linker makes such aliases, each CUDA function under NVIDIA's two as well.
cudart=$(exported .libs/libvptr-cudart.so | grep -v '@@VPTR_CUDART_PRIVATE_')
named=$("$SED" -n 's/^ *\(vptr__[a-z0-9_]*\);$/\1/p' "$srcdir"/lib/libvptr-cudart.map | sort)
private=$(exported .libs/libvptr-cudart.so | "$SED" -n 's/@@VPTR_CUDART_PRIVATE_[0-9]*$//p' | sort)
used=$(used_by libvptr-cuda libvptr-ml $cublas $cufft $curand $cusparse $cusolver | "$SED" -n 's/@VPTR_CUDART_PRIVATE_[0-9]*$//p')
if [ "$named" != "$private" ] || [ "$named" != "$used" ]; then
  complain 'libvptr-cudart.map, the private exports, and what libvptr-cuda uses differ' \
    "$(printf '%s\n%s\n%s\n' "$named" "$private" "$used" | sort | uniq -c)"
fi
ours=$(echo "$cudart" | grep -E '^((__)?cuda[A-Z][A-Za-z0-9]*(_v[23])?(_ptds|_ptsz)?|vptr_(cuda|usm)_[a-z0-9_]+)@@VPTR_CUDART_[0-9]+$')
declared=$("$SED" -n 's/^VPTR_API .*[ *]\(vptr_usm_[a-z0-9_]*\)(.*/\1/p' "$srcdir"/include/vptr/vptr_usm.h | sort)
public=$(echo "$ours" | "$SED" -n 's/^\(vptr_usm_.*\)@@.*/\1/p' | sort)
[ "$declared" = "$public" ] || complain 'vptr_usm.h and the exports of libvptr-cudart.so differ' \
  "$(printf '%s\n%s\n' "$declared" "$public" | sort | uniq -u)"
expected=$ours
if [ -e lib/cudart-versions.ld ]; then
  functions=$(echo "$ours" | grep -E '^(__)?cuda')
  expected=$(for version in '@libcudart.so.12' '@libcudart.so.13' ''; do
    if [ -n "$version" ]; then echo "$functions" | "$SED" "s/@@.*/$version/"; else echo "$ours"; fi
  done | sort)
fi
[ "$expected" = "$cudart" ] || complain 'libvptr-cudart.so exports more or less than it should' \
  "$(printf '%s\n%s\n' "$expected" "$cudart" | sort | uniq -u)"

# cuBLAS's names alone, under our version and NVIDIA's.
others=$([ -z "$cublas" ] || exported .libs/libvptr-cublas.so |
  grep -vE '^cublas[A-Z][A-Za-z0-9]*(_v2|_internal)?(_64)?@(@VPTR_CUBLAS_[0-9]+|libcublas(Lt)?\.so\.1[23])$')
[ -z "$others" ] || complain 'libvptr-cublas.so exports more than it should' "$others"

# And cuFFT's.
others=$([ -z "$cufft" ] || exported .libs/libvptr-cufft.so |
  grep -vE '^cufft[A-Z][A-Za-z0-9]*@(@VPTR_CUFFT_[0-9]+|libcufft\.so\.1[12])$')
[ -z "$others" ] || complain 'libvptr-cufft.so exports more than it should' "$others"

# And cuSOLVER's.
others=$([ -z "$cusolver" ] || exported .libs/libvptr-cusolver.so |
  grep -vE '^cusolver[A-Z][A-Za-z0-9_]*@(@VPTR_CUSOLVER_[0-9]+|libcusolver\.so\.1[12])$')
[ -z "$others" ] || complain 'libvptr-cusolver.so exports more than it should' "$others"

# NVTX's names, under our version and NVIDIA's, and by which programs take it as a tool.
others=$(exported .libs/libvptr-nvtx.so |
  grep -vE '^(nvtx[A-Z][A-Za-z0-9]*|InitializeInjectionNvtx2)@@VPTR_NVTX_[0-9]+$|^nvtx[A-Z][A-Za-z0-9]*@libnvToolsExt\.so\.1$')
[ -z "$others" ] || complain 'libvptr-nvtx.so exports more than it should' "$others"
declared=$("$SED" -n 's/^NVTX_DECLSPEC .*[ *]\(nvtx[A-Za-z]*\)(.*/\1/p' "$srcdir"/include/vptr/cuda/nvToolsExt*.h | sort)
public=$(exported .libs/libvptr-nvtx.so | "$SED" -n 's/^\(nvtx.*\)@@.*/\1/p' | sort)
[ "$declared" = "$public" ] || complain 'nvToolsExt*.h and the exports of libvptr-nvtx.so differ' \
  "$(printf '%s\n%s\n' "$declared" "$public" | sort | uniq -u)"

# NVRTC's names, and the two that libvptr-cudart opens; the driver's names are in driver_coverage.sh.
others=$(exported .libs/libvptr-nvrtc.so |
  grep -vE '^nvrtc[A-Z][A-Za-z]*@(@VPTR_NVRTC_[0-9]+|libnvrtc\.so\.1[23])$|^vptr__nvrtc_(free|link|translate)@@VPTR_NVRTC_PRIVATE_[0-9]+$')
[ -z "$others" ] || complain 'libvptr-nvrtc.so exports more than it should' "$others"
exit $status
