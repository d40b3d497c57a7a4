#!/bin/sh
# SPDX-License-Identifier: MIT
# driver - programs for the driver's interface and for NVRTC: built by a makefile that knows CUDA_HOME alone, by pkg-config,
# and linked against NVIDIA's own libraries.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../cuda" && pwd)

# The kernels' program says 77 where there are none.
run() {
  on_each_device ./driver
  on_each_device ./driver-12
  on_each_device ./advice
  on_each_device ./nvrtc
  on_each_device sh -c './kernels || [ $? = 77 ]'
}
build() { # headers and libraries...
  $CC -D_GNU_SOURCE "$tests/conform_driver.c" "$@" -lcuda -lcudart -pthread -o driver &&
    $CC -D_GNU_SOURCE "$tests/conform_driver_advice.c" "$@" -lcuda -o advice &&
    $CC -D_GNU_SOURCE "$tests/conform_nvrtc.c" "$@" -lnvrtc -pthread -o nvrtc &&
    $CC -D_GNU_SOURCE "$tests/conform_driver_kernel.c" "$@" -lcuda -lnvrtc -lcudart -o kernels
}

build -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" || exit 1
$CC -D_GNU_SOURCE "$tests/conform_driver_12.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lcuda -o driver-12 || exit 1
run

$CC -D_GNU_SOURCE "$tests/conform_driver.c" $(flags --cflags --libs vptr-cuda) -pthread -o driver &&
  $CC -D_GNU_SOURCE "$tests/conform_nvrtc.c" $(flags --cflags --libs vptr-nvrtc) -pthread -o nvrtc || exit 1
on_each_device ./driver
on_each_device ./nvrtc

# The translator needs no OpenCL.
if command -v readelf >/dev/null && readelf --dynamic "$stage$VPTR_TEST_LIBDIR/libvptr-nvrtc.so" | grep 'NEEDED.*OpenCL'; then
  echo '^ libvptr-nvrtc.so must not need it'
  exit 1
fi

NVIDIA=${VPTR_TEST_CUDA:-/usr/local/cuda}
if [ ! -e "$NVIDIA/include/cuda.h" ] || [ ! -e "$NVIDIA/lib64/stubs/libcuda.so" ] || [ ! -e "$NVIDIA/lib64/libnvrtc.so" ]; then
  echo "left out in part: no CUDA toolkit in $NVIDIA"
  exit 0
fi
if [ -e "$CUDA_HOME/libnvrtc.so.13" ]; then
  build -I"$NVIDIA/include" -L"$NVIDIA/lib64/stubs" -L"$NVIDIA/lib64" || exit 1
  LD_LIBRARY_PATH=$CUDA_HOME
  export LD_LIBRARY_PATH
  run
fi

# The headers' values and structures, where there is something to compare them with.
types=$(ls "$CUDA_HOME"/include/vptr_driver_*.h)
{
  printf '#include <cuda.h>\n#include <nvrtc.h>\n#include <stdio.h>\nint main(void) {\n'
  "$SED" -nE 's/^  ((CU|NVRTC)[A-Z0-9_a-z]*) = .*/printf("\1 %d\\n", (int)\1);/p' $types "$CUDA_HOME/include/nvrtc.h"
  "$SED" -nE 's/^\} (CU[A-Za-z0-9_]*);$/printf("\1 %zu\\n", sizeof(\1));/p' $types
  "$SED" -nE 's/^#define (CU_MEMHOST[A-Z_]*) .*/printf("\1 %d\\n", \1);/p' $types
  printf 'return 0;\n}\n'
} >values.c
if [ "$("$SED" -n 's/^#define CUDA_VERSION *\([0-9]*\)[0-9]\{3\}$/\1/p' "$NVIDIA/include/cuda.h")" = 13 ]; then
  $CC -I"$NVIDIA/include" values.c -o values-nvidia && $CC -I"$CUDA_HOME/include" values.c -o values-vptr || exit 1
  ./values-nvidia >nvidia.txt
  ./values-vptr | diff nvidia.txt - || { echo 'the headers differ'; exit 1; }
fi
