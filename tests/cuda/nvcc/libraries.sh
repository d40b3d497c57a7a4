#!/bin/sh
# SPDX-License-Identifier: MIT
# libraries - the conformance programs of the runtime, the driver's interface, NVRTC, cuBLAS, cuFFT and their kin, built
# with NVIDIA's headers and libraries and run on its runtime: what they expect of ours, NVIDIA's must do.
#
#     tests/cuda/nvcc/libraries.sh build FOLDER [SET...]     with CUDA, BLAS and FFTW; no GPU is needed
#     tests/cuda/nvcc/libraries.sh run FOLDER [SET...]       with a GPU: a line for each program, behind what failed
#
# SET is cuda, cublas, cufft, curand, cusolver or cusparse; all without. What is ours alone the programs leave out under
# ON_NVIDIA. CUDA_HOME is NVIDIA's, /usr/local/cuda without it. FOLDER may be carried to another machine between the
# two. A program may take LIMIT seconds, 90 without.
tests=$(cd "$(dirname "$0")/../.." && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
what=$1 folder=${2:?build or run, and a folder}
shift 2
sets=${*:-cuda cublas cufft curand cusolver cusparse}

libraries_of() {
  case $1 in
  cuda) echo '-lnvrtc -lcuda -ldl' ;;
  cublas) echo '-lcublasLt -lcublas -lblas' ;;
  cufft) echo '-lcufft -lfftw3 -lfftw3f' ;;
  curand) echo '-lcurand' ;;
  *) echo "-l$1" ;;
  esac
}

# Why a program of the runtime's is none for NVIDIA's; nothing for the others.
left_out() {
  case $1 in
  cuda-conform_nodevice) echo 'it is for machines without a device' ;;
  cuda-conform_entry) echo 'it calls functions of this library alone, too' ;;
  cuda-conform_nvrtc_cxx) echo "it asks this library's NVRTC for its own compiler" ;;
  cuda-conform_driver_12) echo "it is for the headers of CUDA 12" ;;
  cuda-conform_driver_reference) echo 'texture references, which no compiler of CUDA 13 takes' ;;
  esac
}

compile() {
  library=$1 source=$2 name=$3
  case $source in
  *.cpp) compiler=${CXX:-g++} ;;
  *) compiler="${CC:-gcc} -Werror=implicit-function-declaration -Werror=incompatible-pointer-types" ;;
  esac
  # shellcheck disable=SC2046,SC2086 # libraries and options are words
  $compiler -Wno-deprecated-declarations -O1 -DON_NVIDIA -I"$tests" -isystem "$cuda/include" \
    -o "$folder/$name" "$source" -L"$cuda/lib64" -L"$cuda/lib64/stubs" -Wl,--allow-shlib-undefined \
    $(libraries_of "$library") -lcudart -lm -lpthread
}

build() {
  mkdir -p "$folder"
  for library in $sets; do
    for source in "$tests/$library"/conform_*.c "$tests/$library"/conform_*.cpp; do
      [ -f "$source" ] || continue
      name=$(basename "${source%.c*}")
      name=$library-$name
      why=$(left_out "$name")
      if [ -n "$why" ]; then
        echo "$name: left out: $why"
      else
        compile "$library" "$source" "$name" || echo "$name: not built"
      fi
    done
  done
}

# What a program said: a library's own messages, six kinds of them at most, and each check that failed.
show() {
  awk '/^observed:/ { next }
       /^ *\*\* On entry/ { kind = $0; gsub(/[0-9]+/, "", kind); if (seen[kind]++ || ++kinds > 6) next }
       NF' "$1" | head -n 40 | cut -c 1-300
}

run() {
  failed=0 passed=0
  LD_LIBRARY_PATH=$cuda/lib64:$LD_LIBRARY_PATH
  export LD_LIBRARY_PATH
  for library in $sets; do
    for program in "$folder/$library"-conform_*; do
      case $program in *.said) continue ;; esac
      # Lines are written as they come, so that a program that crashes has told what came before.
      timeout "${LIMIT:-90}" stdbuf -oL "$program" >"$program.said" 2>&1
      code=$?
      case $code in
      0) passed=$((passed + 1)) ;;
      77) ;; # it says that the device has not what it needs
      *)
        failed=$((failed + 1))
        show "$program.said"
        ;;
      esac
      echo "$(basename "$program"): $(tail -n 1 "$program.said" | cut -c 1-200) ($code)"
    done
  done
  echo "$passed passed, $failed failed on NVIDIA's libraries"
  [ $failed = 0 ]
}

"$what"
