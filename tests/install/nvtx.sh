#!/bin/sh
# SPDX-License-Identifier: MIT
# nvtx - a program that annotates: by the headers alone, linked with the library, with another tool, and as a program of
# NVIDIA's headers, which takes libvptr-nvtx as its tool.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
library=$stage$VPTR_TEST_LIBDIR/libvptr-nvtx.so
test=$(cd "$programs/../nvtx" && pwd)/conform_nvtx.c
[ -e "$library" ] || { echo 'left out: no shared libraries in this build'; exit 77; }
unset NVTX_INJECTION64_PATH VPTR_VERBOSE

# builds PROGRAM ARGUMENT...
builds() {
  program=$1
  shift
  $CC -D_GNU_SOURCE "$test" -I"$(dirname "$test")/.." "$@" -pthread -ldl -o "$program" || { echo "^ $program does not build"; exit 1; }
}
fails() { echo "^ $1"; exit 1; }

# shellcheck disable=SC2046
builds header $(flags --cflags vptr-cudart)
./header || fails 'by the headers alone'
NVTX_INJECTION64_PATH=$library ./header || fails 'by the headers, with the library named'
builds linked -DNVTX_NO_IMPL -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lnvToolsExt
./linked || fails 'linked by the name that NVIDIA has'
# shellcheck disable=SC2046
builds packaged -DNVTX_NO_IMPL $(flags --cflags --libs vptr-nvtx)
./packaged || fails 'linked by pkg-config'

# What is said, in C++ and in a program with kernels.
printf '%s\n' '#include <nvtx3/nvToolsExtCudaRt.h>' 'int main(void) { return nvtxRangePush("main") + nvtxRangePop(); }' >small.c
says() { # PROGRAM
  said=$(VPTR_VERBOSE=3 VPTR_PLATFORM=fake "$1" 2>&1) || { echo "$said"; fails "$1"; }
  case $said in *'begin main'*'end main, '*' ms'*) ;; *) echo "$said"; fails "$1" ;; esac
}
if [ -n "$CXX" ]; then
  cp small.c small.cpp
  # shellcheck disable=SC2046
  $CXX small.cpp $(flags --cflags vptr-cudart) -ldl -o cxx || exit 1
  says ./cxx
fi
{ printf '__global__ void kernel(int *out) { out[threadIdx.x] = 1; }\n' && cat small.c; } >small.cu
"$CUDA_HOME/bin/nvcc" small.cu -lnvToolsExt -o kernels || exit 1
says ./kernels

# Another tool, for the headers' calls and for the library's.
cat >tool.c <<'EOF'
#include <vptr_nvtx_tool.h>
static int push(const char *message) { return message[0]; }
int InitializeInjectionNvtx2(vptr_nvtx_export tables) {
  const struct vptr_nvtx_function_export *groups = tables(VPTR_NVTX_FUNCTIONS);
  const struct vptr_nvtx_version_export *version = tables(VPTR_NVTX_VERSION_INFO);
  vptr_nvtx_function **slots;
  unsigned int count;
  if (version->version != 3 || tables(99) || groups->group(0, &slots, &count) || groups->group(7, &slots, &count))
    return 0;
  if (!groups->group(VPTR_NVTX_CORE, &slots, &count) || count != 16 || slots[0] || slots[16])
    return 0;
  *slots[9] = (vptr_nvtx_function)push;
  return 1;
}
EOF
printf '%s\n' '#include <nvtx3/nvToolsExt.h>' \
  'int main(void) { return nvtxRangePushA("7") != 55 || nvtxRangePushW(L"7") != -2 || nvtxRangePop() != -2; }' >asks.c
$CC -shared -fPIC tool.c -I"$CUDA_HOME/include" -o tool.so && $CC asks.c -I"$CUDA_HOME/include" -ldl -o asks &&
  $CC -DNVTX_NO_IMPL asks.c -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lnvToolsExt -o asks_library || exit 1
for program in ./asks ./asks_library; do
  NVTX_INJECTION64_PATH=$PWD/tool.so VPTR_VERBOSE=3 "$program" || fails "$program and another tool"
  NVTX_INJECTION64_PATH=$PWD/gone.so "$program" && fails "$program and a tool that is not there"
done

# The caller of a program with more rights than its own does not say what that loads.
if [ "$(id -u)" = 0 ]; then
  printf '%s\n' '#include <nvtx3/nvToolsExt.h>' '#include <sys/auxv.h>' \
    'int main(void) { return getauxval(AT_SECURE) ? nvtxRangePushA("7") != -2 : 77; }' >other.c
  $CC other.c -I"$CUDA_HOME/include" -ldl -o other && chmod 755 tool.so || exit 1
  if chown nobody other && chmod 4755 other; then
    NVTX_INJECTION64_PATH=$PWD/tool.so VPTR_VERBOSE=3 ./other
    case $? in 0) ;; 77) echo 'left out in part: set-uid programs get no rights here' ;; *) fails 'a set-uid program' ;; esac
  fi
else
  echo 'left out in part: only root can make a program of another user here'
fi

# What NVIDIA's linker would have written into a program: its library's name, and its version of the symbol.
if [ -e "$CUDA_HOME/libnvToolsExt.so.1" ]; then
  mkdir -p stub
  printf 'int nvtxRangePushA(const char *m) { return !m; }\nint nvtxRangePop(void) { return 1; }\n' >stub.c
  printf 'libnvToolsExt.so.1 { global: *; };\n' >stub.map
  printf '#define NVTX_NO_IMPL\n' | cat - small.c >old.c
  $CC -shared -fPIC stub.c -Wl,--version-script=stub.map -Wl,-soname,libnvToolsExt.so.1 -o stub/libnvToolsExt.so &&
    $CC old.c -I"$CUDA_HOME/include" -Lstub -lnvToolsExt -o old || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH says ./old
else
  echo 'left out in part: no versioned aliases in this build'
fi

NVIDIA=${VPTR_TEST_CUDA:-/usr/local/cuda}
if [ ! -e "$NVIDIA/include/nvtx3/nvToolsExt.h" ] || [ ! -e "$NVIDIA/include/cuda_runtime.h" ]; then
  echo "left out in part: no CUDA toolkit in $NVIDIA"
  exit 0
fi
builds foreign -I"$NVIDIA/include"
NVTX_INJECTION64_PATH=$library ./foreign || fails "by NVIDIA's headers"
# The values and structures of the headers are NVIDIA's.
{
  printf '#include <nvtx3/nvToolsExtCuda.h>\n#include <nvtx3/nvToolsExtCudaRt.h>\n#include <stdio.h>\nint main(void) {\n'
  "$SED" -nE 's/^ *(NVTX_[A-Z0-9_]*) = .*/printf("\1 %d\\n", (int)\1);/p; s/^#define (NVTX_(VERSION|SUCCESS|FAIL|ERR_[A-Z_]*|NO_[A-Z_]*TRACKING|[A-Z_]*_SIZE|RESOURCE_CLASS_[A-Z]*)) .*/printf("\1 %d\\n", (int)\1);/p; s/^typedef .* (nvtx[A-Za-z_0-9]*_t);$/printf("\1 %zu\\n", sizeof(\1));/p' \
    "$CUDA_HOME"/include/nvToolsExt*.h
  printf 'return 0;\n}\n'
} >values.c
$CC values.c -I"$CUDA_HOME/include" -ldl -o values_ours && $CC values.c -I"$NVIDIA/include" -ldl -o values_theirs &&
  ./values_ours >ours.txt && ./values_theirs >theirs.txt || exit 1
[ "$(wc -l <ours.txt)" -gt 35 ] || fails 'few values were found'
diff ours.txt theirs.txt || fails "the headers' values differ"
