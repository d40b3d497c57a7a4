#!/bin/sh
# SPDX-License-Identifier: MIT
# cmake_cuda - CMake takes CUDA_HOME/bin/nvcc for its CUDA language: alone and beside C++, with device code shared by
# files and libraries, with CUDAToolkit, and by the older FindCUDA. What it builds starts where it was built and where it
# was installed, without LD_LIBRARY_PATH.
command -v cmake >/dev/null || { echo 'left out: no cmake here'; exit 77; }
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"
unset LD_LIBRARY_PATH CUDA_PATH CUDA_HOME CUDAToolkit_ROOT CUDAFLAGS CUDAARCHS CUDAHOSTCXX

cuda=$stage$VPTR_TEST_LIBDIR/vptr/cuda
CUDACXX=$cuda/bin/nvcc
export CUDACXX
complain() { echo "$1"; exit 1; }

# configured NAME ARGUMENT... and built NAME TARGET...: what it says is shown when it fails.
configured() {
  name=$1
  shift
  cmake -S "$name" -B "$name/build" "$@" >"$name.txt" 2>&1 || { cat "$name.txt"; complain "^ $name is not configured"; }
  grep -q '^CMake Warning' "$name.txt" && { cat "$name.txt"; complain "^ $name has warnings"; }
}
built() {
  cmake --build "$1/build" -- -j2 VERBOSE=1 >"$1-build.txt" 2>&1 || { cat "$1-build.txt"; complain "^ $1 is not built"; }
}
# runs PROGRAM - on PoCL, where it is: the fake device runs no kernels.
runs() {
  if "$has_platform" "$pocl"; then VPTR_PLATFORM=$pocl "$@" || complain "^ $*: exit status $?"; fi
}

# ---- the language alone, with what CMake finds by itself
mkdir -p alone/"some headers"
echo '#define COUNT 100' >alone/"some headers"/count.h
cp "$programs/linked.cu" alone/linked.cu
cat >alone/main.cu <<'END'
#include "count.h"
extern "C" int scale_on_device(int *values, int count);
int main() {
  int values[COUNT];
  for (int i = 0; i < COUNT; i++)
    values[i] = i;
  int error = scale_on_device(values, COUNT);
  for (int i = 0; i < COUNT && error == 0; i++)
    error = values[i] != 3 * i + 1;
  return error != 0;
}
END
cat >alone/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(alone LANGUAGES CUDA)
add_executable(alone main.cu linked.cu)
target_include_directories(alone PRIVATE "some headers")
install(TARGETS alone)
END
configured alone -DCMAKE_INSTALL_PREFIX="$work/alone/installed"
grep -q 'The CUDA compiler identification is NVIDIA 13\.0\.' alone.txt || complain 'the compiler has another version'
built alone
grep -q -e '--options-file' alone-build.txt || complain 'folders of headers are not in a file of options: the test is none'
runs alone/build/alone
cmake --install alone/build >/dev/null || exit 1
runs alone/installed/bin/alone

# ---- beside C++: device code that files share, in a static library; a shared library; the toolkit's targets
mkdir -p beside
cp "$programs/linked.cu" beside/linked.cu
cat >beside/times.cu <<'END'
__device__ int times(int x) { return 2 * x; }
END
cat >beside/shared_code.cu <<'END'
__device__ int times(int x);
__global__ void twice(int *value) { *value = times(*value); }
int twice_on_device(int x) {
  int *device = nullptr;
  cudaMalloc(&device, sizeof x);
  cudaMemcpy(device, &x, sizeof x, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(device);
  cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return x;
}
END
cat >beside/main.cpp <<'END'
#include <cuda_runtime.h>
int twice_on_device(int x);
extern "C" int scale_on_device(int *values, int count);
int main() {
  int value = 20, count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1)
    return 1;
  if (scale_on_device(&value, 1) != 0 || value != 61)
    return 2;
  return twice_on_device(21) == 42 ? 0 : 3;
}
END
cat >beside/driver.cpp <<'END'
#include <cuda.h>
int main() { return cuInit(0) == CUDA_SUCCESS ? 0 : 1; }
END
cat >beside/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(beside LANGUAGES CXX)
set(CMAKE_CUDA_ARCHITECTURES 52 90-real)
set(CMAKE_CUDA_STANDARD 17)
enable_language(CUDA)
find_package(CUDAToolkit 12 REQUIRED)
add_library(device STATIC times.cu shared_code.cu)
set_target_properties(device PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_library(resolved STATIC times.cu shared_code.cu)
set_target_properties(resolved PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
add_library(host SHARED linked.cu)
add_executable(beside main.cpp)
target_link_libraries(beside PRIVATE device host CUDA::cudart_static)
add_executable(resolving main.cpp)
target_link_libraries(resolving PRIVATE resolved host CUDA::cudart)
add_executable(by_cuda linked.cu main.cpp)
set_target_properties(by_cuda PROPERTIES LINKER_LANGUAGE CUDA CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(by_cuda PRIVATE device CUDA::cudart)
add_executable(driver driver.cpp)
target_link_libraries(driver PRIVATE CUDA::cuda_driver CUDA::nvrtc)
message(STATUS "toolkit ${CUDAToolkit_VERSION} in ${CUDAToolkit_LIBRARY_ROOT}: ${CUDA_CUDART}")
END
configured beside
grep -q -e "^-- toolkit 13.0.0 in $cuda: $cuda/lib\(64\)*/libcudart.so\$" beside.txt ||
  { cat beside.txt; complain 'another toolkit was found'; }
built beside
for program in beside resolving; do runs "beside/build/$program"; done
# CMake sets no run path for what it takes for the compiler's own libraries; nvcc's are the same in that.
LD_LIBRARY_PATH=$cuda/lib64
export LD_LIBRARY_PATH
runs beside/build/by_cuda
VPTR_PLATFORM=fake beside/build/driver || complain 'the driver interface is not found'
unset LD_LIBRARY_PATH

# ---- the toolkit without the language
mkdir -p toolkit && cp beside/driver.cpp toolkit/
cat >toolkit/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(toolkit LANGUAGES CXX)
find_package(CUDAToolkit REQUIRED)
file(WRITE ${CMAKE_BINARY_DIR}/main.cpp "#include <cuda_runtime.h>
int main() { int count = 0; return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? 0 : 1; }")
foreach(kind cudart cudart_static)
  add_executable(${kind} ${CMAKE_BINARY_DIR}/main.cpp)
  target_link_libraries(${kind} PRIVATE CUDA::${kind})
endforeach()
END
configured toolkit -DCUDAToolkit_ROOT="$cuda"
grep -q 'Found CUDAToolkit.*13\.0\.0' toolkit.txt || { cat toolkit.txt; complain 'the toolkit has another version'; }
built toolkit
VPTR_PLATFORM=fake toolkit/build/cudart || complain 'CUDA::cudart does not run'
# no object of vptrcc's says where the library is, and this copy is not where it was made for
LD_LIBRARY_PATH=$cuda VPTR_PLATFORM=fake toolkit/build/cudart_static || complain 'CUDA::cudart_static does not run'

# ---- FindCUDA, which CMake has until 3.27 under its old policies
if cmake --help-module FindCUDA >/dev/null 2>&1; then
  mkdir -p older && cp "$programs/linked.cu" beside/times.cu beside/shared_code.cu beside/main.cpp older/
  cat >older/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(older LANGUAGES C CXX)
find_package(CUDA REQUIRED)
list(APPEND CUDA_NVCC_FLAGS -O2 "-Xcompiler;-Wall" -gencode arch=compute_70,code=sm_70)
cuda_add_library(scale linked.cu)
set(CUDA_SEPARABLE_COMPILATION ON)
cuda_add_executable(older main.cpp times.cu shared_code.cu)
target_link_libraries(older scale)
message(STATUS "CUDA ${CUDA_VERSION} in ${CUDA_TOOLKIT_INCLUDE}")
END
  # it hands the C compiler to nvcc, by its first word
  CC=${CC#ccache } configured older -DCUDA_TOOLKIT_ROOT_DIR="$cuda" -DCMAKE_CXX_FLAGS=-Wextra
  grep -qxF -e "-- CUDA 13.0 in $cuda/include" older.txt || { cat older.txt; complain 'FindCUDA finds something else'; }
  built older
  runs older/build/older
fi
exit 0
