#!/bin/sh
# SPDX-License-Identifier: MIT
# link - objects of CUDA_HOME/bin/nvcc are linked by other compilers, which are told of -lcudart alone: C++, C, Fortran
# and MPI's. -lvptr is found beside it.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
# --as-needed, the default of some distributions, drops no library that is needed, and adds none.
libraries="-L$CUDA_HOME/lib64 -Wl,--no-undefined -lcudart"
cat >main.c <<'END'
#include <stdio.h>
int scale_on_device(int *values, int count);
int main(void) {
  int values[100], error;
  for (int i = 0; i < 100; i++)
    values[i] = i;
  error = scale_on_device(values, 100);
  for (int i = 0; i < 100 && error == 0; i++)
    error = values[i] != 3 * i + 1;
  if (error != 0)
    printf("error %d, and the last value is %d\n", error, values[99]);
  return error != 0;
}
END
cat >main.f90 <<'END'
program main
  use, intrinsic :: iso_c_binding
  interface
    function scale_on_device(values, count) bind(c) result(error)
      import :: c_int
      integer(c_int) :: values(*)
      integer(c_int), value :: count
      integer(c_int) :: error
    end function
  end interface
  integer(c_int) :: values(100), i
  values = [(i, i = 0, 99)]
  if (scale_on_device(values, 100_c_int) /= 0) stop 1
  if (any(values /= [(3 * i + 1, i = 0, 99)])) stop 2
end program
END
cat >main-mpi.c <<'END'
#include <mpi.h>
int scale_on_device(int *values, int count);
int main(int argc, char **argv) {
  int values[2] = { 1, 2 }, error;
  MPI_Init(&argc, &argv);
  error = scale_on_device(values, 2) != 0 || values[0] != 4 || values[1] != 7;
  MPI_Finalize();
  return error;
}
END
status=0
left_out=
# links LANGUAGE COMPILER SOURCE - and runs, where there is a device that runs kernels.
links() {
  language=$1 program=./by-$1 source=$3
  $2 "$source" k.o $libraries -o "$program" || { echo "^ $language does not link"; status=1; return; }
  "$has_platform" "$pocl" || return 0
  VPTR_PLATFORM=$pocl "$program" || { echo "^ $program: exit status $?"; status=1; }
}

"$CUDA_HOME/bin/nvcc" -O2 -c "$programs/linked.cu" -o k.o || exit 1
cp main.c main.cpp && sed -i 's/^int scale/extern "C" int scale/' main.cpp
links c++ "$CXX" main.cpp
links c "$CC" main.c
if command -v gfortran >/dev/null; then links fortran gfortran main.f90; else left_out="$left_out gfortran"; fi
if command -v mpicc >/dev/null; then
  OMPI_MCA_btl=self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_btl OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  links mpi mpicc main-mpi.c
else
  left_out="$left_out mpicc"
fi

# Shared device code is linked by nvcc -dlink, and the rest by the host's linker.
"$CUDA_HOME/bin/nvcc" -O2 -dc "$programs/linked.cu" -o k.o && "$CUDA_HOME/bin/nvcc" -dlink k.o -o device.o || exit 1
libraries="device.o $libraries"
links c-shared "$CC" main.c

# vptr's own names.
printf '#include <vptr/vptr.h>\nint main(void) { return *vptr_last_error() != 0; }\n' >own.c
$CC -I"$stage$VPTR_TEST_PREFIX/include" own.c -L"$CUDA_HOME/lib64" -lvptr -o own && VPTR_PLATFORM=fake ./own ||
  { echo '^ -lvptr is not found in lib64'; status=1; }
for name in vptr-cudart vptr-cuda vptr-nvrtc vptr-nvtx vptr-ml; do
  printf 'int main(void) { return 0; }\n' | $CC -x c - -L"$CUDA_HOME/lib64" "-l$name" -o /dev/null ||
    { echo "^ -l$name is not found in lib64"; status=1; }
done
[ -z "$left_out" ] || echo "left out in part: not installed here:$left_out"
exit $status
