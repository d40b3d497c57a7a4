#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kernelc.sh WORK SECONDS SEED COUNT CHANGES INPUT ... - mutated LLVM IR through vptr-kernelc, the translator and a judge.
#
# In the build's folder fuzz/ are mutate_ir, kernel_c, and kernelc, which is vptr-kernelc with sanitizers, or without. An INPUT is
# bitcode (.bc), of which mutants are made until the seconds or their count are out, or IR as text (.ll), which is taken as
# it is. Found is: a crash, a sanitizer's report, a hang of 10 s, a refusal without a word; kernel C that the translator refuses in
# words that are not those of `said_to_users` below; OpenCL C that clang refuses, which every driver would. What is
# found lies in WORK: the bitcode, and what was said. Ends with 1 where there is something.
LC_ALL=C
export LC_ALL
work=$1 seconds=$2 seed=$3 count=$4 changes=$5
shift 5
: "${FUZZ_KERNELC=fuzz/kernelc}" "${FUZZ_CLANG=clang}"
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1" UBSAN_OPTIONS="print_stacktrace=1"
mkdir -p "$work" || exit 2
new=$work/new
end=$(($(date +%s) + seconds))
made=0 written=0 refused=0 found=0

# Refusals of the translator that are about what the program does, with what to do instead: not about how kernel C is written.
said_to_users='this pointer would point into|works on global and shared memory, and this pointer is to a thread|not all threads'
is_said_to_users() {
  ! grep 'error: ' "$1" | grep -qvE "^[^ ]+:[0-9]+:[0-9]+: error: .*($said_to_users)"
}

# keep WHAT SAID: a finding
keep() {
  found=$((found + 1))
  cp "$bitcode" "$work/found-$name.bc"
  { echo "$1"; cat "$2"; } >"$work/found-$name.txt"
  echo "$name: $1: $(grep -m1 -E 'error|ERROR|Assert' "$2")"
}

# write [OPTION]: kernel C of the bitcode, and a module of that. 0: both are there; 1: refused, in $new.said; 2: found
write() {
  timeout 10 "$FUZZ_KERNELC" "$@" -o "$new.kernel.cu" "$bitcode" 2>"$new.said"
  case $? in
    0) ;;
    1) grep -qE 'ERROR: AddressSanitizer|runtime error' "$new.said" && { keep "sanitizer" "$new.said"; return 2; }
       grep -q 'error: ' "$new.said" && return 1
       keep 'refused without a word' "$new.said"
       return 2 ;;
    124) keep 'vptr-kernelc hangs' "$new.said"; return 2 ;;
    *) keep 'vptr-kernelc crashes' "$new.said"; return 2 ;;
  esac
  timeout 30 fuzz/kernel_c "$new.kernel.cu" "$new.cl" 2>"$new.said"
  case $? in
    0) return 0 ;;
    1) return 3 ;;
    124) keep 'the translator hangs' "$new.said"; return 2 ;;
    126 | 127) cat "$new.said" >&2; exit 2 ;;
    *) keep 'the translator crashes' "$new.said"; return 2 ;;
  esac
}

# As vptrcc: what is refused because of a barrier is tried again, with threads that stop there.
judge() {
  write
  result=$?
  if [ $result -eq 3 ]; then
    cp "$new.said" "$new.first"
    write --stops-at-barriers
    result=$?
    [ $result -eq 3 ] && ! is_said_to_users "$new.first" && ! is_said_to_users "$new.said" && { keep 'the translator refuses' "$new.first"; return; }
  fi
  case $result in
    0) written=$((written + 1)) ;;
    1 | 3) refused=$((refused + 1)); return ;;
    *) return ;;
  esac
  timeout 60 "$FUZZ_CLANG" -x cl -cl-std=CL1.2 -DVPTR_PTX=0 -target spir64 -fsyntax-only -w "$new.cl" 2>"$new.said" ||
    keep 'clang refuses the OpenCL C' "$new.said"
}

for input in "$@"; do
  case $input in *.ll) ;; *) continue ;; esac
  name=$(basename "$input" .ll) bitcode=$new.bc
  "$FUZZ_CLANG" -x ir -w -Wno-override-module -c -emit-llvm -o "$bitcode" "$input" || exit 2
  made=$((made + 1))
  judge
done
while [ "$count" -gt 0 ] && [ "$(date +%s)" -lt "$end" ]; do
  for input in "$@"; do
    case $input in *.bc) ;; *) continue ;; esac
    [ "$count" -gt 0 ] && [ "$(date +%s)" -lt "$end" ] || break
    name=$(basename "$input" .bc)-$seed bitcode=$new.bc
    fuzz/mutate_ir "$seed" "$changes" "$input" "$bitcode" || exit 2
    seed=$((seed + 1)) count=$((count - 1)) made=$((made + 1))
    judge
  done
done
echo "$made mutants: $written written, $refused refused, $found found"
[ "$made" -gt 0 ] && [ "$written" -gt 0 ] && [ "$found" -eq 0 ]
