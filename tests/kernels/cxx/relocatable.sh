#!/bin/sh
# SPDX-License-Identifier: MIT
#
# relocatable - separate compilation of kernels in C++ and in C: by clang, by both front ends, linked by vptrcc, by the
# host's compiler, from archives, into shared libraries; what is missing or there twice.
LC_ALL=C
VPTRCC_TEST_KERNELC=$PWD/tools/kernelc/vptr-kernelc
export LC_ALL VPTRCC_TEST_KERNELC
[ -x "$VPTRCC_TEST_KERNELC" ] || { echo 'left out: vptr-kernelc is not built here (apt install llvm-19-dev, and configure again)'; exit 77; }
folder=$srcdir/tests/kernels/cxx
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
vptrcc=$PWD/tests/kernels/vptrcc
"$vptrcc" --front-end=clang -x cu -c -o "$work/none" /dev/null 2>"$work/errors" || {
  echo "left out: $(cat "$work/errors")"
  exit 77
}
status=0
complain() { echo "$1"; cat "$work/errors"; status=1; }
must() { "$@" >"$work/errors" 2>&1 || complain "^ $*: exit status $?"; }
runs() {
  must "$srcdir/tests/on-opencl" "$1"
  [ ! -s "$work/errors" ] || complain "^ $1"
}
main=$folder/relocatable_main.cu plain=$folder/relocatable_plain.cu

# What is C stays the own front end's, what is C++ goes to clang, in one program.
must "$vptrcc" -v -dc -MD -MP -MF "$work/main.d" -o "$work/main.o" "$main"
grep -q 'clang compiles it' "$work/errors" || complain 'C++ does not go to clang'
must "$vptrcc" -v -dc -o "$work/plain.o" "$plain"
! grep -q 'clang' "$work/errors" || complain 'C goes to clang'
grep -q 'relocatable\.h' "$work/main.d" && ! grep -q 'rdc\.h' "$work/main.d" ||
  complain 'the dependencies lack a header, or name files that vanish'
must make -C "$work" -f main.d main.o
must "$vptrcc" -o "$work/both" "$work/main.o" "$work/plain.o"
runs "$work/both"

# Both by clang; from an archive; of objects that the linker has joined.
must "$vptrcc" --front-end=clang -dc -o "$work/plain-clang.o" "$plain"
must "$vptrcc" -o "$work/clang" "$work/main.o" "$work/plain-clang.o"
runs "$work/clang"
must ar rcs "$work/libplain.a" "$work/plain.o"
must "$vptrcc" -o "$work/archived" "$work/main.o" -L"$work" -lplain
runs "$work/archived"
# shellcheck disable=SC2086 # the compiler may be words
must ${CC:-cc} -r -nostdlib -o "$work/joined.o" "$work/main.o" "$work/plain-clang.o"
must "$vptrcc" -o "$work/joined" "$work/joined.o"
runs "$work/joined"

# The last step by the host's compiler; all in one command.
must "$vptrcc" -dlink -o "$work/device.o" "$work/main.o" "$work/plain.o"
must "$vptrcc" -nodlink -o "$work/stepwise" "$work/main.o" "$work/plain.o" "$work/device.o"
runs "$work/stepwise"
must "$vptrcc" -rdc=true -o "$work/at-once" "$main" "$plain"
runs "$work/at-once"

# Texture and surface references of one file are read by kernels of the other; static ones of a name are two, where the own
# front end has both.
cat >"$work/bound.cu" <<'EOF'
texture<float, 2> image;
surface<void, 1> strip;
static texture<unsigned char, 1, cudaReadModeNormalizedFloat> parts;
static texture<float> line;
__global__ void other(float *o);
cudaError_t bind_other(float *memory);
__global__ void first(float *o) {
  o[0] = tex1Dfetch(line, 1);
  o[1] = tex1Dfetch(parts, 3);
  surf1Dwrite(5.0f, strip, 4);
}
int main() {
  float host[4] = { 1, 2, 3, 4 }, seen[5], *memory, *out;
  unsigned char bytes[4] = { 0, 0, 0, 255 };
  cudaArray_t array, sheet;
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  int wrong = cudaMalloc(&memory, 32) + cudaMalloc(&out, sizeof seen) + cudaMallocArray(&array, &floats, 2, 2) +
              cudaMallocArray(&sheet, &floats, 4, 0, cudaArraySurfaceLoadStore) +
              cudaMemcpy(memory, host, 16, cudaMemcpyHostToDevice) +
              cudaMemcpy(memory + 4, bytes, 4, cudaMemcpyHostToDevice) +
              cudaMemcpy2DToArray(array, 0, 0, host, 8, 8, 2, cudaMemcpyHostToDevice) +
              cudaBindTextureToArray(image, array) + cudaBindTexture(0, line, memory, 16) +
              cudaBindTexture(0, parts, memory + 4, 4) + cudaBindSurfaceToArray(strip, sheet) + bind_other(memory + 2);
  first<<<1, 1>>>(out);
  other<<<1, 1>>>(out);
  wrong += cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
  return wrong != 0 || seen[0] != 2 || seen[1] != 1 || seen[2] != 4 || seen[3] != 4 || seen[4] != 5;
}
EOF
cat >"$work/reads.cu" <<'EOF'
extern texture<float, 2> image;
extern surface<void, 1> strip;
static texture<float> LINE;
__global__ void other(float *o) {
  o[2] = tex2D(image, 1.0f, 1.0f);
  o[3] = tex1Dfetch(LINE, 1);
  o[4] = surf1Dread<float>(strip, 4);
}
cudaError_t bind_other(float *memory) { return cudaBindTexture(0, LINE, memory, 8); }
EOF
for ends in 'own own line' 'own clang row' 'clang own row' 'clang clang row'; do
  # shellcheck disable=SC2086 # three words
  set -- $ends
  must "$vptrcc" --front-end="$1" -dc -o "$work/bound.o" "$work/bound.cu"
  must "$vptrcc" --front-end="$2" -DLINE="$3" -dc -o "$work/reads.o" "$work/reads.cu"
  must "$vptrcc" -o "$work/bound" "$work/bound.o" "$work/reads.o"
  runs "$work/bound"
done

# The heap of kernels is one: what a template of one file takes a function of the other gives back, which is C++ or C.
cat >"$work/taken.cu" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
template <class T> struct node { T value; node *next; };
__device__ int *taken(int n);
__device__ void given(void *p);
template <class T> __global__ void listed(T count) {
  node<T> *head = nullptr;
  T sum = 0;
  for (T i = 0; i < count; i++) {
    node<T> *more = (node<T> *)malloc(sizeof *more);
    *more = node<T>{ i, head };
    head = more;
  }
  for (node<T> *next; head != nullptr; head = next) {
    sum += head->value;
    next = head->next;
    given(head);
  }
  int *last = taken(7);
  printf("%d %d\n", (int)sum, *last);
  free(last);
}
int main() {
  listed<long><<<1, 2>>>(5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
EOF
printf '%s\n' '#include <stdlib.h>' '__device__ int *taken(int n) { int *p = (int *)malloc(4); *p = n; return p; }' \
  '__device__ void given(void *p) { free(p); }' >"$work/heap.cu"
for front_end in own clang; do
  must "$vptrcc" "--front-end=$front_end" -dc -o "$work/heap.o" "$work/heap.cu"
  must "$vptrcc" -rdc=true -o "$work/heap" "$work/taken.cu" "$work/heap.o"
  must "$srcdir/tests/on-opencl" "$work/heap"
  [ "$(cat "$work/errors")" = '10 7
10 7' ] || complain "^ the heap of two files, one by $front_end"
done

# An own file whose kernels turn out to need clang when all is linked.
printf '__global__ void k(int *x) {\n  if (threadIdx.x == 1)\n    return;\n  __syncthreads();\n  *x = 1;\n}\nint main() {}\n' \
  >"$work/late.cu"
must "$vptrcc" -rdc=true -o "$work/late" "$work/late.cu"
runs "$work/late"

# What is missing, or there twice, has a name.
! "$vptrcc" -o "$work/wrong" "$work/main.o" 2>"$work/errors" || complain 'a function that no file defines is no error'
grep -q 'plain_add' "$work/errors" || complain 'the missing function has no name'
printf 'template <class T> __device__ T same(T x) { return x; }\n__device__ int f() { return same(1); }\n' >"$work/one.cu"
sed 's/int f/float f/' "$work/one.cu" >"$work/two.cu"
must "$vptrcc" --front-end=clang -dc -o "$work/one.o" "$work/one.cu"
must "$vptrcc" --front-end=clang -dc -o "$work/two.o" "$work/two.cu"
! "$vptrcc" -dlink -o "$work/wrong.o" "$work/one.o" "$work/two.o" 2>"$work/errors" || complain 'two definitions are no error'
grep -q "two.cu: error: .*_Z1fv.*static" "$work/errors" || complain 'the second definition has no name'
! "$vptrcc" --front-end=own -dlink -o "$work/wrong.o" "$work/main.o" 2>"$work/errors" || complain 'own links bitcode'
grep -q 'without --front-end=own' "$work/errors" || complain 'own says too little of bitcode'
exit $status
