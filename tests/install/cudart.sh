#!/bin/sh
# SPDX-License-Identifier: MIT
# cudart - programs for NVIDIA's runtime run on ours: built by a makefile that knows CUDA_HOME alone, linked against
# NVIDIA's own library, or against stand-ins that have its names and versions.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda

# As makefiles do.
$CC -Wall -Werror -I"$CUDA_HOME/include" "$programs/cudart.c" -L"$CUDA_HOME/lib64" -lcudart -o plain || exit 1
on_each_device ./plain

if [ ! -e "$CUDA_HOME/libcudart.so.13" ]; then
  echo 'left out in part: the linker of this build made no versioned aliases'
  exit 0
fi
LD_LIBRARY_PATH=$CUDA_HOME
export LD_LIBRARY_PATH

# A library with NVIDIA's name and versions, to link with and not to run: MAJOR HEADER_DEFINE...
stand_in() {
  mkdir -p "nvidia-$1"
  for name in cudaDeviceGetAttribute cudaFree cudaGetDeviceCount cudaGetDeviceProperties cudaGetDeviceProperties_v2 \
    cudaMalloc cudaMallocManaged cudaMemAdvise cudaMemAdvise_v2 cudaMemPrefetchAsync cudaMemPrefetchAsync_ptsz \
    cudaMemPrefetchAsync_v2 cudaMemRangeGetAttribute cudaMemcpy cudaPointerGetAttributes; do
    echo "int $name(void) { return 999; }"
  done >stand-in.c
  echo "libcudart.so.$1 { global: *; };" >stand-in.map
  $CC -w -fPIC -shared stand-in.c -Wl,-soname,"libcudart.so.$1" -Wl,--version-script=stand-in.map \
    -o "nvidia-$1/libcudart.so.$1" && ln -sf "libcudart.so.$1" "nvidia-$1/libcudart.so"
}

stand_in 13 || exit 1
$CC -I"$CUDA_HOME/include" "$programs/cudart.c" -Lnvidia-13 -lcudart -o linked-13 || exit 1
on_each_device ./linked-13

stand_in 12 || exit 1
$CC -I"$programs/../../lib" -I"$programs/../../lib/vptr" -I"$programs/../../lib/cudart" -I"$CUDA_HOME/include" -I"$stage$VPTR_TEST_PREFIX/include" "$programs/cudart-12.c" \
  -Lnvidia-12 -lcudart -o linked-12 || exit 1
on_each_device ./linked-12

NVIDIA=${VPTR_TEST_CUDA:-/usr/local/cuda}
if [ ! -e "$NVIDIA/include/cuda_runtime_api.h" ] || [ ! -e "$NVIDIA/lib64/libcudart.so" ]; then
  echo "left out in part: no CUDA toolkit in $NVIDIA"
  exit 0
fi
$CC -I"$NVIDIA/include" "$programs/cudart.c" -L"$NVIDIA/lib64" -lcudart -o nvidia || exit 1
LD_LIBRARY_PATH=$NVIDIA/lib64 ldd ./nvidia | grep -q libcudart || { echo 'nvidia is not linked to libcudart'; exit 1; }
on_each_device ./nvidia

# The header's structure, where there is something to compare it with.
fields=$("$SED" -n '/^struct cudaDeviceProp {/,/what CUDA 13 removed/p' "$CUDA_HOME/include/vptr_device.h" |
  "$SED" 's|/\*.*||' | grep -E '^  (char|cudaUUID_t|unsigned int|int|size_t) ' |
  "$SED" -E 's/^  (char|cudaUUID_t|unsigned int|int|size_t) //; s/;//; s/\[[0-9]*\]//g' | tr ',' '\n' | tr -d ' ')
{
  printf '#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n'
  printf 'printf("%%zu\\n", sizeof(struct cudaDeviceProp));\n'
  for field in $fields; do
    printf 'printf("%s %%zu\\n", offsetof(struct cudaDeviceProp, %s));\n' "$field" "$field"
  done
  "$SED" -n 's/^  \(cuda[A-Za-z0-9]*\) = -*[0-9]*,*$/printf("\1 %d\\n", (int)\1);/p' "$CUDA_HOME/include/vptr_device.h" \
    "$CUDA_HOME/include/vptr_managed.h"
  printf 'return 0;\n}\n'
} >layout.c
if [ "$("$SED" -n 's/^#define CUDART_VERSION *\([0-9]*\)[0-9]\{3\}$/\1/p' "$NVIDIA/include/cuda_runtime_api.h")" = 13 ]; then
  $CC -I"$NVIDIA/include" layout.c -o layout-nvidia && $CC -I"$CUDA_HOME/include" layout.c -o layout-vptr || exit 1
  ./layout-nvidia >nvidia.txt
  ./layout-vptr | diff nvidia.txt - || { echo 'the layouts differ'; exit 1; }
fi
