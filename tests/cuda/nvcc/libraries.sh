#!/bin/sh
# SPDX-License-Identifier: MIT
# libraries - the conformance programs of cuBLAS, cuFFT and their kin, built with NVIDIA's headers and libraries and run on
# its runtime: what they expect of ours, NVIDIA's must do.
#
#     tests/cuda/nvcc/libraries.sh build FOLDER      with CUDA, BLAS and FFTW; no GPU is needed
#     tests/cuda/nvcc/libraries.sh run FOLDER        with a GPU: a line for each program, behind what failed in it
#
# What is ours alone the programs leave out under ON_NVIDIA. CUDA_HOME is NVIDIA's, /usr/local/cuda without it. FOLDER may be carried to another machine between the two.
tests=$(cd "$(dirname "$0")/../.." && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
folder=${2:?build or run, and a folder}

libraries_of() {
  case $1 in
  cublas) echo '-lcublasLt -lcublas -lblas' ;;
  cufft) echo '-lcufft -lfftw3 -lfftw3f' ;;
  curand) echo '-lcurand' ;;
  *) echo "-l$1" ;;
  esac
}

build() {
  mkdir -p "$folder"
  for source in "$tests"/cu*/conform_*.c; do
    library=$(basename "$(dirname "$source")")
    case $library in cuda) continue ;; esac
    name=$library-$(basename "$source" .c)
    # shellcheck disable=SC2046 # libraries are words
    "${CC:-gcc}" -w -O1 -DON_NVIDIA -I"$tests" -isystem "$cuda/include" -o "$folder/$name" "$source" -L"$cuda/lib64" \
      -Wl,--allow-shlib-undefined $(libraries_of "$library") -lcudart -lm -lpthread || echo "$name: not built"
  done
}

run() {
  failed=0 passed=0
  for program in "$folder"/cu*-conform_*; do
    LD_LIBRARY_PATH=$cuda/lib64:$LD_LIBRARY_PATH timeout 60 "$program" >"$program.said" 2>&1
    code=$?
    if [ $code = 0 ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      head -n 16 "$program.said" | cut -c 1-200
    fi
    echo "$(basename "$program"): $(tail -n 1 "$program.said") ($code)"
  done
  echo "$passed passed, $failed failed on NVIDIA's libraries"
  [ $failed = 0 ]
}

"$1"
