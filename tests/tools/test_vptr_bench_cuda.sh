#!/bin/sh
# SPDX-License-Identifier: MIT
# vptr-bench cuda - what it makes of the lines of two programs, which are scripts here; and, on an OpenCL device, the
# runner itself, which stands on both sides.
bench=${VPTR_TEST_BENCH:-./bench/vptr-bench}
runner=./bench/cuda/runner
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$1"; status=1; }

# run EXPECTED_STATUS [ARGUMENT...]: leaves output and errors in $work.
run() {
  expected=$1
  shift
  "$bench" cuda "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" -eq "$expected" ] || complain "vptr-bench cuda $*: exit status $got, not $expected: $(cat "$work/err")"
}
prints() { grep -qe "$1" "$work/out" || complain "$2: $(cat "$work/out" "$work/err")"; }
says() { grep -qe "$1" "$work/err" || complain "$2: $(cat "$work/err")"; }

# program NAME: a script that notes its call and its arguments, and goes on with the lines on stdin.
program() {
  { printf '#!/bin/sh\necho %s >>"%s/calls"\necho "$@" >"%s/arguments"\n' "$1" "$work" "$work"; cat; } >"$work/$1"
  chmod +x "$work/$1"
}
head='echo "# device: one"; echo "# runtime: some"; echo name,bytes,moved,ns,low_ns,high_ns'
both() { run "$1" --own "$work/own" --peer "$work/peer" $2; }

program own <<END
$head
echo 'start,,,1000,1000,1000'
echo 'pair,256,,10,9,11'
echo 'copy,2097152,2097152,1000,900,1100'
echo 'copy,1024,1024,5,5,5'
echo 'ours alone,,,3,3,3'
END
program peer <<END
$head
echo '# left out: something'
n=\$(grep -c peer "$work/calls")
echo 'pair,256,,'\$((10 * n))',1,1'
echo 'copy,2097152,2097152,4000,1,1'
echo 'copy,1024,1024,5,5,5'
echo 'start,,,500,1,1'
END

# Rows in the order of the first program, medians of the runs, speeds and bandwidths; who goes first alternates.
both 0 '--csv --repetitions 3'
cat >"$work/expected" <<'END'
operation,bytes,vptr_ns,vptr_low_ns,vptr_high_ns,cuda_ns,cuda_low_ns,cuda_high_ns,vptr_speed_per_cuda,vptr_gigabytes_per_second,cuda_gigabytes_per_second
start,,1000.0,1000.0,1000.0,500.0,500.0,500.0,0.500,,
pair,256,10.0,10.0,10.0,20.0,15.0,25.0,2.000,,
copy,2097152,1000.0,1000.0,1000.0,4000.0,4000.0,4000.0,4.000,2097.15,524.29
copy,1024,5.0,5.0,5.0,5.0,5.0,5.0,1.000,,
ours alone,,3.0,3.0,3.0,,,,,,
END
cmp -s "$work/out" "$work/expected" || complain "the CSV is not as expected: $(cat "$work/out")"
[ "$(tr '\n' ' ' <"$work/calls")" = 'own peer peer own own peer ' ] || complain "the turns are $(cat "$work/calls")"
says 'left out: CUDA: something' 'what a program left out is not said'

both 0 '--json --repetitions 1'
if command -v python3 >/dev/null; then
  python3 -c '
import json, sys
it = json.load(sys.stdin)
assert it["notes"]["vptr"] == "one; some" and it["notes"]["CUDA"] == "one; some"
assert len(it["rows"]) == 5 and it["rows"][4]["cuda_ns"] is None and it["left_out"] == ["CUDA: something"]
' <"$work/out" || complain "the JSON is not as promised: $(cat "$work/out")"
fi
both 0 '--repetitions 1'
prints '^vptr: one; some$' 'the table has no notes'
prints '^copy  *2097152  *1000.0 ' 'the table has no rows'

program empty <<END
$head
END

# What the programs are told.
both 0 '--repetitions 1 --quick --only pair'
grep -qE '^--begun [0-9]{6,} --quick --only pair$' "$work/arguments" || complain "told: $(cat "$work/arguments")"
both 0 '--repetitions 1'
grep -qE '^--begun [0-9]{6,}$' "$work/arguments" || complain "told: $(cat "$work/arguments")"

# A call that failed costs its row alone, and the exit status; so does another device.
program peer <<END
$head
echo '# failed: pair of 256 bytes: bad'
echo 'copy,1024,1024,10,5,5'
exit 1
END
both 1 '--csv --repetitions 2'
prints '^copy,1024,5.0,.*,2.000,,$' 'a failed call costs other rows'
says 'with CUDA failed: pair of 256 bytes: bad' 'a failed call is not said'
program peer <<END
$head
echo '# device: two'
echo 'copy,1024,1024,10,5,5'
END
both 1 '--csv --repetitions 1'
says "ran on 'one', CUDA on 'two'" 'two devices are not told apart'

# Programs that are not the runner, or end badly: what was measured before is printed, and that it is not all.
ends_badly() { # WORDS_ON_STDERR, of the peer on stdin
  program peer
  both 1 '--csv --repetitions 2'
  says "$1" "'$1' is not said"
  prints '^pair,256,10.0,10.0,10.0,,,,,,$' "what was measured before '$1' is not printed"
  says 'left out: what would have come' "'$1' cost rows without a word"
}
ends_badly 'ended with status 3$' <<END
$head
exit 3
END
ends_badly 'ended with status 1$' <<END
$head
exit 1
END
ends_badly 'ended with status 137$' <<END
$head
kill -KILL \$\$
END
ends_badly 'before its first row' </dev/null
ends_badly 'rows come behind a head' <<'END'
echo 'pair,256,,1,1,1'
END
ends_badly "a note begins with '# '" <<'END'
echo '#device: x'
END
ends_badly 'a note is of the device' <<'END'
echo '# weather: fine'
END
for row in 'pair,256,,1,1' 'pair,256,,1,1,1,1' 'pair,256,,x,1,1' 'pair,256,,,1,1' 'pair,256,,-1,1,1' ',256,,1,1,1' \
  'pair,256,,1 ,1,1' 'pair,256,,inf,1,1' 'pair,256,,nan,1,1' 'nonsense' ''; do
  ends_badly 'a row is a name and five numbers' <<END
$head
echo '$row'
END
done
ends_badly 'a second row of that name and size' <<END
$head
for i in 1 2 3; do echo 'another,,,1,1,1'; done
END
chmod -x "$work/peer"
both 1 '--csv --repetitions 1'
says 'cannot start .*peer' 'a program that cannot be started is not named'

# A program that goes on for ever is ended when its lines are none.
program peer <<'END'
while :; do echo nonsense; done
END
both 1 '--repetitions 1'

# A name that none has is no success.
run 1 --own "$work/empty" --peer "$work/empty" --only nonsense --repetitions 1
says "no operation has 'nonsense' in its name" 'nothing was measured and nobody says so'

# Without a peer there are vptr's figures, and how to have the others; without a runner there is nothing.
if [ ! -e ./bench/cuda/runner-nvcc ]; then
  run 0 --own "$work/own" --csv --repetitions 1
  prints '^pair,256,10.0,10.0,10.0,,,,,,$' 'no figures without a peer'
  says 'left out: CUDA: .*make bench/cuda/runner-nvcc NVCC=.*--peer' 'it is not said how to have a peer'
fi
run 1 --own "$work/none" --peer "$work/own" --csv --repetitions 1
says 'cannot start .*none' 'a missing runner is not named'
[ -s "$work/out" ] && complain 'rows of nothing'
for option in '--peer x' '--own x' '--only x' '--quick'; do
  "$bench" alloc $option >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] || complain "alloc takes $option"
done

# The runner itself. Each operation has a figure, and no run is told of one that failed.
on_device() {
  [ -x "$runner" ] || return 77
  "${srcdir:-.}/tests/on-opencl" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got -eq 0 ] || [ $got -eq 77 ] || complain "$*: exit status $got: $(cat "$work/err" "$work/out")"
  return $got
}
if on_device "$bench" cuda --quick --repetitions 1 --csv --peer "$runner"; then
  awk -F, 'NR > 1 && !(NF == 11 && $3 > 0 && $6 > 0 && $9 > 0) { exit 1 }' "$work/out" ||
    complain "an operation has no figures: $(cat "$work/out")"
  for row in \
    'cudaFree(0); from the process.s start,,' 'cudaMalloc + cudaFree,1048576,' \
    'cudaMallocAsync + cudaFreeAsync,256,' 'cudaMallocHost + cudaFreeHost,4096,' 'cudaMemset,65536,' \
    'cudaPointerGetAttributes; plain memory,,' 'cudaMemcpy to the host; pageable,4,' \
    'cudaMemcpy on the device,1048576,' \
    'cudaMemcpy2D to the device; pinned; rows of 64,' 'cudaMemset2D; rows of 4096,' 'cudaStreamSynchronize; idle,,' \
    'launch sent; 32 pointers; others each time; CPU time,,' 'launch waited for; 8 pointers,,' 'cudaEventRecord,,'; do
    [ "$(grep -c "^$row" "$work/out")" -eq 1 ] || complain "the runner has no row '$row'"
  done
fi
if on_device "$runner" --quick --only 'launch waited'; then
  [ "$(grep -c '^launch waited for; [0-9]* pointers,,,[0-9.]*,[0-9.]*,[0-9.]*$' "$work/out")" -eq 4 ] ||
    complain "the runner alone has not four rows: $(cat "$work/out")"
  [ "$(grep -vc '^#' "$work/out")" -eq 5 ] || complain "--only lets others through: $(cat "$work/out")"
fi
if [ -x "$runner" ]; then
  VPTR_PLATFORM=fake "$runner" --quick --only 'launch sent; 0' >"$work/out" 2>"$work/err"
  [ $? -eq 1 ] || complain 'kernels on the fake device: the runner does not fail'
  prints '^# failed: launch sent; 0 pointers: ' 'the runner does not say what failed'
  for wrong in '--nonsense' 'word' '--begun x' '--begun 99999999999999999' '--only'; do
    "$runner" $wrong >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ -s "$work/err" ] || complain "the runner takes $wrong"
  done
fi
exit $status
