#!/bin/sh
# SPDX-License-Identifier: MIT
# vptrcc - options, messages, exit status, dependencies, and that nothing is left behind. No device is asked.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
vptrcc=${VPTR_TEST_VPTRCC:-$PWD/tools/vptrcc/vptrcc}
headers=$(cd "$srcdir/include" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
VPTRCC_TEST_INCLUDE=$headers:$PWD/include VPTRCC_TEST_LIB=$PWD/.libs VPTRCC_CXX=$CXX VPTRCC_CC=$CC TMPDIR=$work/tmp
export VPTRCC_TEST_INCLUDE VPTRCC_TEST_LIB VPTRCC_CXX VPTRCC_CC TMPDIR
mkdir "$TMPDIR" && cd "$work" || exit 1
status=0
complain() { echo "$1"; status=1; }

# run EXPECTED_STATUS ARGUMENT...: leaves output and errors in out and err, and nothing in TMPDIR.
run() {
  expected=$1
  shift
  "$vptrcc" "$@" >out 2>err
  got=$?
  [ "$got" -eq "$expected" ] || complain "vptrcc $*: exit status $got, not $expected: $(cat err)"
  [ -z "$(ls "$TMPDIR")" ] || { complain "vptrcc $*: left $(ls "$TMPDIR")"; rm -rf "${TMPDIR:?}"/*; }
}
says() { grep -q -e "$1" err || complain "no '$1' in: $(cat err)"; }

cat >common.h <<'END'
#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
__host__ __device__ inline int twice(int x) { return min(2 * x, 100); }
#ifdef __CUDA_ARCH__
#include "device-only.h"
#endif
END
echo '__device__ int only(int x) { return x; }' >device-only.h
cat >good.cu <<'END'
#include "common.h"
__device__ int table[4] = { 1, 2, 3, 4 }, other;
__constant__ float factor = 2.0f;
__managed__ int managed;
namespace a {
namespace {
struct pair { int x, y; };
__global__ void __launch_bounds__(64) hidden(pair p, float *, const int) { table[0] = p.x; }
}
static __global__ void overloaded(int *x) { x[0] = twice(x[1]); }
__global__ void overloaded(float *x) { x[0] *= factor; }
void go(int *x, cudaStream_t s) {
  hidden<<<dim3(1, 2), 32, 0, s>>>(pair{ 1, 2 }, nullptr, 3);
  if (x) overloaded<<<1, 2>>>(x); else LAUNCH(overloaded, x);
  overloaded <<< 1, 2 >>> ((float *)x);
  void (*pointer)(float *) = overloaded;
  for (int i = twice(1) >> 2; i < 3; i++)
    (pointer)<<<1, i>>>(nullptr), ::a::overloaded<<<1,
      1>>>(x);
}
}
END
echo 'int plain(void) { return 1; }' >plain.c
mkdir good.d

run 0 -O2 -std=c++17 -arch=sm_70 -Xptxas -v -Xcompiler -Wall,-Wextra,-Werror -c good.cu
[ -s err ] && complain "words about what is right: $(cat err)"
[ -s good.o ] || complain 'no object'
run 0 -c good.cu plain.c
[ -s plain.o ] || complain 'no object of a C file'
run 0 -c -x cu -o named.o good.cu -gencode arch=compute_80,code=sm_80 --use_fast_math -lineinfo -maxrregcount=32
run 0 -ptx good.cu
grep -q '^//vptr kernel name=a::hidden ' good.ptx || complain 'the kernel is not in the text'
run 0 -cuda good.cu plain.c
$CXX -c -o from-text.o good.cu.cpp.ii || complain 'the host compiler does not take what -cuda writes'
grep -q 'vptr_cuda_register_unit(&vptr_unit)' good.cu.cpp.ii || complain 'what -cuda writes has no kernels'
run 0 -cuda -o other.ii good.cu
[ -s other.ii ] || complain '-cuda writes no file of the name that -o says'
run 0 -E good.cu
grep -q '__global__' out || complain '-E loses words'

# Dependencies of both sides.
run 0 -MD -MP -MF deps.d -MT 'some target.o' -c good.cu
for word in good.cu common.h device-only.h; do
  grep -q "$word" deps.d || complain "no $word in the dependencies"
done
grep -q '^some target.o:' deps.d || complain 'the target is another one'
run 0 -MMD -c good.cu -o there.o
grep -q '^there.o:' there.d || complain '-MMD writes no there.d for there.o'
run 0 -MM good.cu
grep -q 'good.o:.*good.cu' out || complain '-MM tells nothing'

# Errors: of the device's side, the host's, and vptrcc's own.
printf 'int host;\n__global__ void k(int *x) {\n  *x = nothing;\n}\n' >device.cu
run 1 -c device.cu
says '^device.cu:3:8: error: '
[ -e device.o ] && complain 'an object in spite of errors'
printf '__global__ void k(int *x) { }\nvoid f() {\n  k<<<1, 1>>>("x");\n}\n' >host.cu
run 1 -c host.cu
says '^host.cu:3:.*error: '
printf '#include "nowhere.h"\n' >header.cu
run 1 -c header.cu
says 'nowhere.h'
printf '#ifdef __CUDA_ARCH__\n#include "nowhere.h"\n#endif\n' >header.cu
run 1 -c header.cu
grep -q ' in $' err && complain 'a message that names no folder at its end'
run 1 -isystem some/folder -c header.cu
says 'some/folder'
printf 'struct s { __global__ void k() { } };\n' >member.cu
run 1 -c member.cu
says 'member.cu:1:'
run 1
says 'no input files'
run 1 -c missing.cu
says 'missing.cu'
run 1 --nonsense good.cu
says "'--nonsense'"
run 1 -c -o one.o good.cu plain.c
says 'several'
run 1 good.cu -I
says "'-I'"
run 1 -ccbin /nonexistent/c++ -c good.cu
says '/nonexistent/c++'

# What makefiles for nvcc say.
run 0 -O 3 -m 64 -Werror cross-execution-space-call -Werror=reorder --Wno-deprecated-gpu-targets -c good.cu
run 0 --dryrun good.cu -lcuda -lnvrtc -lnvToolsExt -lnvidia-ml -lcudart -lcudadevrt
for name in cuda nvrtc nvtx ml cudart; do says "-lvptr-$name"; done
grep -q -e '-lcudadevrt' err && complain 'it links what nobody has'

# Both sides see the same macros, and the same -include: from here, not from beside the source.
printf '#if FROM_HERE != 2 || !defined OPTION\n#error\n#endif\n__global__ void k(int *x) { }\n' >good.d/beside.cu
echo '#define FROM_HERE 2' >forced.h
echo '#define FROM_HERE 1' >good.d/forced.h
run 0 -include forced.h -Xcompiler -DOPTION,-Wall -c good.d/beside.cu

run 0 --dryrun -c good.cu -o dry.o
says 'good.cu'
[ -e dry.o ] && complain '--dryrun compiles'
run 0 -v -c good.cu
says '^#\$ '
mkdir kept
run 0 --keep --keep-dir kept -c good.cu
[ -s kept/good.cudafe1.ii ] && [ -s kept/good.module ] || complain '--keep keeps nothing'
mkdir same && sed 's/go(/went(/' good.cu >good.d/good.cu && cp common.h device-only.h good.d
run 0 --keep --keep-dir same -shared -Xcompiler -fPIC --dryrun good.cu good.d/good.cu
says 'same/good-2.o'
# A signal that is ignored stays so: nohup.
printf '#!/bin/sh\nkill -HUP $PPID\nexec %s "$@"\n' "$CXX" >hangs-up && chmod +x hangs-up
(trap '' HUP; run 0 -ccbin ./hangs-up -c plain.c; exit $status) || status=1
run 0 --version
grep -q 'release 13.0, V13' out || complain 'scripts that look for the release find none'
run 0 --help
grep -q -e '-rdc=true' out || complain '--help says too little'

# Relocatable: the section is there, and not in what is linked; linking with -r joins sections.
run 0 -dc good.cu -o rdc.o
grep -q 'vptr-relocatable' rdc.o || complain 'the object has no device text'
echo '__global__ void another(int *x) { *x = 1; }' >another.cu
run 0 -dc another.cu
$CC -r -nostdlib -o both.o rdc.o another.o && run 0 --keep --keep-dir kept -dlink both.o -o both-linked.o
grep -q 'another' kept/vptr_link.cpp && grep -q 'overloaded' kept/vptr_link.cpp || complain '-r loses kernels'
exit $status
