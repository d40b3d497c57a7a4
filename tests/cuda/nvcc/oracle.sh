#!/bin/sh
# SPDX-License-Identifier: MIT
# oracle - the programs of tests/kernels, compiled by nvcc and run on NVIDIA's own runtime: what they expect is CUDA's.
#
#     tests/cuda/nvcc/oracle.sh [PROGRAM...]        a program's name without its folder and .cu; all without names
#
# For machines with an NVIDIA GPU and nvcc (NVCC, or $CUDA_HOME/bin/nvcc). A line for each program that fails, with the
# end of what it said, and a summary; the exit status is 0 if none fails. What of a program is this library's own, and not
# CUDA's, it asks for under __VPTRCC__ alone. NVCC_JOBS programs are compiled at once.
#
# With LIBDIR, the folder of an installed libvptr.so, the programs that pass run once more, the same files, on this
# library by the PTX in them. Those that fail are listed and counted, but decide nothing: doc/kernels.md has the reasons.
tests=$(cd "$(dirname "$0")/../.." && pwd)
nvcc=${NVCC:-${CUDA_HOME:-/usr/local/cuda}/bin/nvcc}
work=$(mktemp -d)
export tests nvcc work
[ -z "$LIBDIR" ] || ours=$(cd "$LIBDIR" && pwd) || exit 2

# What is no program by itself, what nvcc does not compile or does not compile rightly, and what is this library's own.
is_left_out() {
  case $1 in
  *_other | relocatable_* | wild) return 0 ;;                # parts of others; wild.sh runs it
  ended | output_ended | printed | output_printf) return 0 ;; # asserts that let the process go on; %s of device memory, *
  formats | output_formats | evicted) return 0 ;;             # the same formats; budgets of this library
  discrete) return 0 ;;                                       # cuRAND's tables are some numbers less exact
  thrust_async*) return 0 ;;                                  # thrust/async, which left CUDA 13
  addresses | tables | memory_addresses) return 0 ;;          # variables that hold each other's addresses
  numbers_widths | standard_bit | standard_algorithm) return 0 ;; # built-in functions of gcc's and clang's
  numbers_int128 | atomics_wide) return 0 ;;                  # nvcc takes few of the operations on 128 bits
  cub_block | cub_entries | cub_segments | cub_sparse) return 0 ;; # names that CUDA 13's CUB has no more
  eigen_*) [ ! -d /usr/include/eigen3 ] ;;
  *) grep -q '^/\* options: .*VPTR_' "$2" || grep -q 'texture<\|surface<' "$2" ;; # texture references ended with CUDA 11
  esac
}

file_of() {
  for file in "$tests/kernels/cxx/$1.cu" "$tests/kernels/$1.cu"; do
    [ ! -f "$file" ] || { echo "$file"; return; }
  done
}

[ $# -gt 0 ] || for file in "$tests"/kernels/*.cu "$tests"/kernels/cxx/*.cu; do
  name=$(basename "$file" .cu)
  is_left_out "$name" "$file" || set -- "$@" "$name"
done

cat >"$work/compile" <<'EOF'
#!/bin/sh
said() { sed -n "s,^/\* $1: \(.*\) \*/\$,\1,p" "$2"; }
name=$1 file=$2
options=$(said options "$file") other=$(said with "$file")
case $name in
children* | locked) options="$options -rdc=true -lcudadevrt" ;;
leaks) options="$options -lcuda" ;;
esac
case $options in *-arch=*) ;; *) options="$options -arch=sm_90" ;; esac
[ -z "$LIBDIR" ] || options="$options -cudart shared"
cd "$work" || exit 1
# shellcheck disable=SC2086 # options are words
"$nvcc" -w -O1 --extended-lambda $options -I"$tests/kernels" -o "$name" "$file" \
  ${other:+"$tests/kernels/cxx/$other"} >"$name.compiled" 2>&1
exit 0 # xargs goes on
EOF
chmod +x "$work/compile"
for name; do
  echo "$name $(file_of "$name")"
done | xargs -P "${NVCC_JOBS:-$(nproc)}" -n 2 "$work/compile"

# Runs a program on this library; one that fails is listed with the end of what it said.
run_by_ptx() {
  if (cd "$work" && LD_LIBRARY_PATH=$ours/vptr/cuda/lib64:$ours:$LD_LIBRARY_PATH timeout 60 "./$1" >"$1.ptx" 2>&1); then
    by_ptx=$((by_ptx + 1))
  else
    echo "$1: by PTX failed ($?): $(tail -n 1 "$work/$1.ptx" | cut -c 1-200)"
  fi
}

passed=0 failed=0 by_ptx=0
for name; do
  if [ ! -x "$work/$name" ]; then
    echo "$name: not compiled"
    tail -n 4 "$work/$name.compiled" | cut -c 1-300
  elif (cd "$work" && timeout 20 "./$name" >"$name.said" 2>&1); then
    passed=$((passed + 1))
    [ -z "$ours" ] || run_by_ptx "$name"
    continue
  else
    echo "$name: failed ($?)"
    tail -n 12 "$work/$name.said" | cut -c 1-300
  fi
  failed=$((failed + 1))
done
echo "$passed passed, $failed failed on NVIDIA's runtime"
[ -z "$ours" ] || echo "$by_ptx of these $passed passed on this library by their PTX"
rm -rf "$work"
[ $failed = 0 ]
