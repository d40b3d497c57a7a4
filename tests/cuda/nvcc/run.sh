#!/bin/sh
# SPDX-License-Identifier: MIT
# run - programs that nvcc compiles, run as they are on an installed copy of vptr, and beside that on NVIDIA's runtime:
#
#     tests/cuda/nvcc/run.sh LIBDIR [PROGRAM...]       LIBDIR: where libvptr.so is, and vptr/cuda/lib64 below it
#
# For machines with an NVIDIA GPU, its OpenCL and nvcc (NVCC, or $CUDA_HOME/bin/nvcc). A line for each program, and a
# summary; fails if one fails on vptr that does not fail on NVIDIA's runtime. With VPTR_ADDRESSES=device all run with the
# device's addresses.
here=$(cd "$(dirname "$0")" && pwd)
libdir=$(cd "$1" && pwd) || exit 2
shift
cuda=${CUDA_HOME:-/usr/local/cuda}
nvcc=${NVCC:-$cuda/bin/nvcc}
work=$(mktemp -d)
VPTR_CACHE=$work/cache
export VPTR_CACHE
all='saxpy tiles variables structs print atomics warps math streams templates files driver code thrust pointers speed'
programs=${*:-$all}

# Each in another form: packed by zstd or LZ4, not packed, with machine code of another device, for an older one.
flags_of() {
  case $1 in
  saxpy) echo '-arch=sm_75' ;;
  tiles) echo '-arch=compute_80 --no-compress' ;;
  variables) echo '-arch=compute_80 --compress-mode=speed' ;;
  structs) echo '-arch=sm_80 --extended-lambda --compress-mode=size' ;;
  warps) echo '-gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=[sm_80,compute_80]' ;;
  thrust) echo '-arch=sm_80 -O2' ;;
  speed) echo '-arch=sm_90 --extended-lambda' ;;
  *) echo '-arch=sm_80' ;;
  esac
}

compile() {
  name=$1 to=$work/$1
  mkdir -p "$to" && cd "$to" || return
  # shellcheck disable=SC2046 # flags are words
  case $name in
  code) "$nvcc" -cudart shared -gencode arch=compute_90,code=sm_90 -o code "$here/saxpy.cu" ;; # for an sm_90 alone
  files) "$nvcc" -cudart shared $(flags_of files) -o files "$here/files.cu" "$here/files_other.cu" ;;
  driver)
    "$nvcc" -arch=sm_80 -ptx -o kernels.ptx "$here/driver_kernels.cu" &&
      "$nvcc" -arch=sm_80 -fatbin -o kernels.fatbin "$here/driver_kernels.cu" &&
      "$nvcc" -arch=compute_75 -fatbin --no-compress -o plain.fatbin "$here/driver_kernels.cu" &&
      "${CXX:-g++}" -I"$cuda/include" "$here/driver.cpp" -o driver -L"$cuda/lib64/stubs" -lcuda
    ;;
  *) "$nvcc" -cudart shared $(flags_of "$name") -o "$name" "$here/$name.cu" ;;
  esac >compiled.txt 2>&1
}

# What vptr's device pointers are, for a program; NVIDIA's runtime does not look.
addresses_of() {
  case $1 in
  pointers) echo device ;; # it has pointers in device memory
  *) echo "${VPTR_ADDRESSES:-own}" ;;
  esac
}

# run_on WHAT LIBRARIES NAME
run_on() {
  began=$(date +%s%N)
  (cd "$work/$3" && VPTR_ADDRESSES=$(addresses_of "$3") LD_LIBRARY_PATH=$2 timeout 100 "./$3" . >"$1.txt" 2>&1)
  code=$?
  took=$((($(date +%s%N) - began) / 1000000))
  if [ $code = 0 ]; then
    verdict="ok (${took} ms)"
  else
    verdict="FAILED ($code)"
  fi
  return $code
}

for name in $programs; do
  compile "$name" &
done
wait
failed=0 passed=0

# NVIDIA's OpenCL may look for NVIDIA's libcuda.so.1, and find ours where that is in the path: then a folder without it.
ours=$libdir/vptr/cuda/lib64:$libdir
first=${programs%% *}
if [ -x "$work/$first/$first" ] && ! run_on first "$ours" "$first"; then
  mkdir "$work/runtime"
  for version in 12 13; do
    ln -s "$libdir/libvptr-cudart.so.0" "$work/runtime/libcudart.so.$version"
  done
  if run_on first "$work/runtime:$libdir" "$first"; then
    echo "with vptr/cuda/lib64 in LD_LIBRARY_PATH nothing runs: a folder with libcudart.so alone takes its place"
    ours=$work/runtime:$libdir
  fi
fi

for name in $programs; do
  [ -x "$work/$name/$name" ] || { echo "$name: not compiled"; cat "$work/$name/compiled.txt"; failed=$((failed + 1)); continue; }
  run_on nvidia "$cuda/lib64" "$name"
  control=$?
  on_nvidia=$verdict
  run_on vptr "$ours" "$name"
  code=$?
  on_vptr=$verdict
  again=
  if [ $code = 0 ]; then
    run_on again "$ours" "$name"
    code=$?
    again=", again $verdict"
  fi
  echo "$name: vptr $on_vptr$again, NVIDIA's runtime $on_nvidia"
  if [ $code = 0 ]; then
    passed=$((passed + 1))
    [ "$name" != speed ] || { echo "  vptr: $(cat "$work/speed/again.txt")"; echo "  NVIDIA: $(cat "$work/speed/nvidia.txt")"; }
  else
    head -n 20 "$work/$name/vptr.txt" "$work/$name/again.txt" 2>/dev/null | cut -c 1-600
    (VPTR_VERBOSE=2 && export VPTR_VERBOSE && run_on verbose "$ours" "$name")
    grep vptr: "$work/$name/verbose.txt" | tail -n 6 | cut -c 1-900
    [ $control != 0 ] && head -n 5 "$work/$name/nvidia.txt"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed; kept in the cache: $(find "$work/cache" -type f 2>/dev/null | wc -l) programs"
rm -rf "$work"
[ $failed = 0 ]
