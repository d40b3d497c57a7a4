#!/bin/sh
# SPDX-License-Identifier: MIT
# warps - the text for devices with warps of their own (emit/prelude/warp.cl) compiles for such a device, one with PTX's
# reductions and one without. PoCL never sees that text.
. "$srcdir/tests/clang/compiler.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
grep -v '^//: ' "$srcdir/lib/translate/emit/prelude/warp.cl" >"$work/warp.cl"
cat >>"$work/warp.cl" <<'END'
__kernel void k(__global uint *out) {
  uint x = vptr_warp_up(~0u, out[0], 1, 0) + vptr_warp_sum(~0u, out[1]) + vptr_warp_has_down(1, 31);
  vptr_warp_barrier();
  vptr_warp_barrier_some(1, 64);
  vptr_warp_barrier_arrive(1, 64);
  vptr_warp_pause(20);
  vptr_warp_meet(out + 4, 1);
  out[2] = x + (uint)vptr_warp_idx_wide(~0u, out[3], 1, 31) + vptr_warp_barrier_or(x);
}
END
for ptx in 700 900; do
  "$clang" -x cl -cl-std=CL1.2 -target nvptx64 -Xclang -finclude-default-header -DVPTR_PTX=$ptx -Wall -Wno-unused-function -Werror \
    -S -o "$work/warp.ptx" "$work/warp.cl" || exit 1
  grep -q 'shfl.sync.up.b32' "$work/warp.ptx" || { echo "no shuffle in the text for $ptx"; exit 1; }
  grep -q 'atom.global.add.acq_rel.gpu.u32' "$work/warp.ptx" || { echo "threads do not meet in the text for $ptx"; exit 1; }
  redux=$(grep -c 'redux.sync.add.u32' "$work/warp.ptx")
  [ "$redux" -eq $((ptx >= 800)) ] || { echo "$redux reductions of PTX in the text for $ptx"; exit 1; }
done
