#!/bin/sh
# SPDX-License-Identifier: MIT
# vptr-bench - that it runs, and that its three forms of output hold the same rows. What the numbers are is no test.
bench=${VPTR_TEST_BENCH:-./bench/vptr-bench}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$1"; status=1; }

# run EXPECTED_STATUS [ARGUMENT...]: leaves output and errors in $work.
run() {
  expected=$1
  shift
  "$bench" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" -eq "$expected" ] || complain "vptr-bench $*: exit status $got, not $expected: $(cat "$work/err")"
}

# Two yardsticks; and eight forms in each of three orders, at each of 10 and 100 live allocations.
rows=50

run 0 lookup --live 100 --repetitions 2
for word in 'one L1 hit' 'one memory access' 'tree/vptr' sallocx random hot zipf resolve get_offset translate batch fake; do
  grep -q "$word" "$work/out" || complain "'$word' is missing in the table"
done
[ "$(grep -cE '^ *((10|100)  (random|hot|zipf))? +(one|get_offset|resolve|translate)' "$work/out")" -eq $rows ] ||
  complain "the table has not $rows rows"
[ -s "$work/err" ] && complain "words on stderr, which is no terminal: $(cat "$work/err")"

grep -q '^sizes: 256 to 4096 bytes' "$work/out" || complain 'lookup does not tell its sizes'
run 0 lookup --live 10 --least 1 --repetitions 1
grep -q '^sizes: 1 to 4096 bytes' "$work/out" || complain 'lookup --least 1 has other sizes'
run 2 lookup --least 100
grep -q "power of two, not '100'" "$work/err" || complain '--least 100 is not refused in words'
run 2 lookup --least 8192

run 0 lookup --live 100 --repetitions 2 --csv
head -n 1 "$work/out" | grep -q '^live,order,operation,vptr_ns,.*,tree_ns,.*,sallocx_ns,.*,vptr_per_l1,vptr_per_memory$' ||
  complain 'the CSV has no head'
[ "$(wc -l <"$work/out")" -eq $((rows + 1)) ] || complain "the CSV has not $rows rows and a head"
fields=$(sed 's/"[^"]*"/x/' "$work/out" | awk -F, '{ print NF }' | sort -u)
[ "$fields" = 16 ] || complain "the lines of the CSV have different numbers of fields: $fields"

run 0 lookup --live 100 --repetitions 1 --json
if command -v python3 >/dev/null; then
  python3 -c '
import json, sys
it = json.load(sys.stdin)
assert len(it["rows"]) == 50 and "device" in it["notes"]
jemalloc = [row["sallocx_ns"] for row in it["rows"] if row["operation"].startswith(("get_offset", "resolve"))]
assert all(value is None for value in jemalloc) == any("jemalloc" in text for text in it["left_out"])
assert all(row["vptr_per_l1"] is not None and row["tree_ns"] > 0 for row in it["rows"][2:])
assert all(row["vptr_ns"] > 0 and row["vptr_low_ns"] <= row["vptr_ns"] <= row["vptr_high_ns"] for row in it["rows"])
' <"$work/out" || complain 'the JSON is not as promised'
elif command -v jq >/dev/null; then
  jq . <"$work/out" >/dev/null || complain 'not JSON'
fi

# Seven sizes in three ways; and two halves of a churn of 100. What the fake device has not is said.
run 0 alloc --live 100 --repetitions 2
for word in 'cold pair' '^malloc  *100 ' '^free  *100 ' '^left out: OpenCL buffers' fake; do
  grep -q "$word" "$work/out" || complain "'$word' is missing in the table of alloc"
done
[ -s "$work/err" ] && complain "words on stderr, which is no terminal: $(cat "$work/err")"
run 0 alloc --live 100 --repetitions 1 --csv
head -n 1 "$work/out" | grep -q '^work,live,bytes,vptr_ns,.*,malloc_ns,.*,tree_ns,.*,opencl_ns,.*,vptr_per_opencl$' ||
  complain "the head of alloc's CSV is wrong"
[ "$(grep -cE '^(pair|used pair|cold pair),,[0-9]+,[0-9.]+,' "$work/out")" -eq 21 ] ||
  complain "alloc has not seven sizes in three ways: $(cat "$work/out")"
[ "$(grep -cE '^(malloc|free),100,,[0-9.]+,' "$work/out")" -eq 2 ] || complain "alloc has not two halves of a churn"
grep -q 'left out: OpenCL' "$work/err" || complain 'alloc --csv does not say what it left out'

# A whole file, two that go on, and a restore.
VPTR_PLATFORM=fake run 0 checkpoint --quick --repetitions 1 --csv
[ "$(grep -cE '^("?checkpoint"?|"?an eighth changed"?|"?nothing changed"?|"?restore"?),8388608,[0-9.]+,[0-9.]+,' "$work/out")" -eq 4 ] ||
  complain "checkpoint has not four rows: $(cat "$work/out")"

# 1, 2 and 3 threads at each of three shares of updates.
run 0 threads --live 100 --threads 3 --repetitions 2
for word in 'updates %' 'CPU ns' 'tree/vptr' fake; do
  grep -q "$word" "$work/out" || complain "'$word' is missing in the table of threads"
done
run 0 threads --live 100 --threads 3 --repetitions 1 --csv
head -n 1 "$work/out" | grep -q '^threads,update_percent,vptr_cpu_ns,.*,tree_cpu_ns,.*,vptr_mega_per_second,.*$' ||
  complain "the head of threads' CSV is wrong"
[ "$(awk -F, 'NR > 1 && $3 > 0 && $6 > 0 && $10 > 0 && $13 > 0 { print $1 " " $2 }' "$work/out" | tr '\n' ';')" = \
  '1 0;2 0;3 0;1 1;2 1;3 1;1 50;2 50;3 50;' ] || complain "the rows of threads are wrong: $(cat "$work/out")"
run 0 threads --live 100 --repetitions 1 --json
grep -q '"left_out": \["more than [0-9]* threads' "$work/out" || complain 'threads does not say that it stops at the CPUs'

# How it grows: allocations, buffers and streams up to 100 of each. A kind that does not fit is left out from there on.
run 0 scale --live 100 --repetitions 2
for word in 'host B' 'device/asked' fake; do
  grep -q "$word" "$work/out" || complain "'$word' is missing in the table of scale"
done
[ -s "$work/err" ] && complain "words on stderr, which is no terminal: $(cat "$work/err")"
run 0 scale --live 100 --repetitions 2 --csv
head -n 1 "$work/out" |
  grep -q '^of,live,make_ns,.*,use_ns,.*,end_ns,.*,idle_synchronize_ns,host_bytes_each,device_per_asked$' ||
  complain "the head of scale's CSV is wrong"
[ "$(awk -F, 'NR > 1 && $3 > 0 && $6 > 0 && $9 > 0 { print $1 " " $2 }' "$work/out" | tr '\n' ';')" = \
  'allocations 100;buffers 10;buffers 100;streams 1;streams 10;streams 100;' ] ||
  complain "the rows of scale are wrong: $(cat "$work/out")"
awk -F, 'NR > 1 && ($1 == "streams") != ($12 > 0) { bad = 1 } NR > 1 && ($1 != "streams") != ($14 >= 1) { bad = 1 }
  END { exit bad }' "$work/out" || complain "scale's streams have no idle time, or others no share: $(cat "$work/out")"
run 0 scale --live 10 --repetitions 1 --json
grep -q '"of": "streams"' "$work/out" || complain 'scale --json has no streams'
VPTR_FAKE_BYTES=64M "$bench" scale --live 100 --repetitions 1 --csv >"$work/out" 2>"$work/err" ||
  complain "scale fails where a device is full: $(cat "$work/err")"
grep -q 'left out: 100 buffers and more: .*bytes' "$work/err" || complain "scale does not say what did not fit: $(cat "$work/err")"
grep -q '^streams,100,' "$work/out" || complain 'scale ends with the first kind that does not fit'
VPTR_PLATFORM='no such platform' "$bench" scale >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'no such platform' "$work/err" || complain "scale without a device: $(cat "$work/err")"

# The model: ten sizes of loads in each of two kinds of pages, eight of spread ones, and look-ups in 100 and 1000.
run 0 model --live 1000 --repetitions 1 --csv
head -n 1 "$work/out" | grep -q '^what,live,windows,kib,chained_ns,chained_model_ns,chained_model_per_measured,apart_ns,' ||
  complain "the head of model's CSV is wrong"
for expected in '10 "load, pages of 4 KiB"' '10 "load, pages of 2 MiB"' '8 "load, pages far apart"' '2 look-up'; do
  [ "$(grep -c "^${expected#* }," "$work/out")" -eq "${expected%% *}" ] ||
    complain "model has not ${expected%% *} rows of ${expected#* }: $(cat "$work/out")"
done
awk -F, '/^look-up,/ && !($5 > 0 && $6 > 0 && $7 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
  complain "model's look-ups are not measured beside the model: $(cat "$work/out")"
grep -q 'left out: look-ups by the model alone' "$work/err" || complain 'model does not say what it left out'

# Run-time compilation, of which a static build has no library. C++ takes vptrcc and clang: what is missing is said.
if [ -e .libs/libvptr-nvrtc.so ]; then
  run 0 compile --repetitions 1 --csv
  head -n 1 "$work/out" | grep -q '^kernel,lines,vptr_ms,.*,vptr_mib,nvrtc_ms,.*,nvrtc_mib,vptr_per_nvrtc,vptr_mib_per_nvrtc$' ||
    complain "the head of compile's CSV is wrong"
  [ "$(awk -F, 'NR > 1 && $3 > 0 && $4 <= $5 && $6 > 0 { print $1 }' "$work/out" | head -n 4 | tr '\n' ' ')" = \
    'saxpy stencil tiled particles ' ] || complain "the rows of compile are wrong: $(cat "$work/out")"
  grep -q '^template,19,[0-9]' "$work/out" || grep -q 'left out: template, by vptr (it takes clang' "$work/err" ||
    complain "compile has no template and does not say so: $(cat "$work/err")"
  awk -F, 'NR > 1 && $7 > 0 && $3 > 0 && !($11 > 0) { exit 1 }' "$work/out" || complain "compile has no ratio: $(cat "$work/out")"
  run 1 compile --nvrtc "$work/libnvrtc.so"
  grep -q "$work/libnvrtc.so" "$work/err" || complain "which library is not there: $(cat "$work/err")"
  run 1 compile --nvrtc "$PWD/.libs/libvptr-nvrtc.so"
  grep -q "vptr's own" "$work/err" || complain "vptr beside itself: $(cat "$work/err")"
fi
run 2 lookup --nvrtc x

# Drawing. Without gnuplot nothing is measured, and a failed run leaves no file.
if command -v gnuplot >/dev/null; then
  run 0 alloc --live 100 --repetitions 1 --plot "$work/picture's.svg"
  grep -q '</svg>' "$work/picture's.svg" && grep -q 'vptr, cold pair' "$work/picture's.svg" || complain 'the plot is no SVG'
  run 0 lookup --live 10 --repetitions 1 --csv --plot "$work/look.svg"
  grep -q 'tree, zipf' "$work/look.svg" || complain "the lines of lookup's plot have no names"
  run 0 threads --live 100 --repetitions 1 --plot "$work/workers.svg"
  grep -q 'tree, 50 % updates' "$work/workers.svg" || complain "the lines of threads' plot have no names"
  run 0 scale --live 10 --repetitions 1 --plot "$work/scale.svg"
  grep -q 'streams: commands' "$work/scale.svg" || complain "the lines of scale's plot have no names"
  run 0 model --live 100 --repetitions 1 --plot "$work/model.svg"
  grep -q 'chained, model' "$work/model.svg" || complain "the lines of model's plot have no names"
  run 1 alloc --live 100 --repetitions 1 --plot "$work/none/picture.svg"
  grep -q 'none/picture.svg' "$work/err" || complain 'a plot that cannot be written is not named'
  [ -s "$work/out" ] && complain 'something is measured although its plot cannot be written'
fi
PATH=$work "$bench" alloc --plot "$work/without.svg" >"$work/out" 2>"$work/err"
grep -q 'needs gnuplot' "$work/err" || complain 'a missing gnuplot is not named'
[ -s "$work/out" ] && complain 'something is measured although there is no gnuplot'
for left in "$work"/*.part "$work"/without*; do
  [ -e "$left" ] && complain "a plot left $left behind"
done

# The benchmarks of CUDA's calls, which another program runs. Pinned memory is there on the fake device too, copies are
# measured beside OpenCL's own.
run 0 pinned --repetitions 1 --csv
[ "$(grep -cE '^[0-9]+,(cudaMallocHost|malloc)' "$work/out")" -eq 10 ] || complain 'pinned has not two rows for each size'
run 1 launch --repetitions 1
grep -q 'fake device has none' "$work/err" || complain 'launch does not say what it cannot measure'
run 1 svm --repetitions 1
grep -q 'fake device has none' "$work/err" || complain 'svm does not say what it cannot measure'
run 1 copy --repetitions 1
grep -q 'fake device has none' "$work/err" || complain 'copy does not say what it cannot measure'
run 1 startup --repetitions 1
grep -q 'fake device has none' "$work/err" || complain 'startup does not say what it cannot measure'
run 1 fill --repetitions 1
grep -q 'fake device has none' "$work/err" || complain 'fill does not say what it cannot measure'
if [ -x bench/vptr-bench-cublas ]; then
  run 1 blas --repetitions 1
  grep -q 'fake device has none' "$work/err" || complain 'blas does not say what it cannot measure'
fi
if [ -x bench/vptr-bench-cufft ]; then
  run 1 fft --repetitions 1
  grep -q 'fake device has none' "$work/err" || complain 'fft does not say what it cannot measure'
fi
if [ -x bench/vptr-bench-cusparse ]; then
  run 1 sparse --repetitions 1
  grep -q 'fake device has none' "$work/err" || complain 'sparse does not say what it cannot measure'
fi
if [ -x bench/vptr-bench-cusolver ]; then
  run 1 qr --repetitions 1
  grep -q 'fake device has none' "$work/err" || complain 'qr does not say what it cannot measure'
  run 1 eigen --repetitions 1
  grep -q 'fake device has none' "$work/err" || complain 'eigen does not say what it cannot measure'
fi
run 1 managed --repetitions 1
grep -q 'device that runs kernels' "$work/err" || complain 'managed does not say what it cannot measure'
[ -s "$work/out" ] && complain 'copy prints rows without a device'

on_device() {
  "${srcdir:-.}/tests/on-opencl" "$bench" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got -eq 0 ] || [ $got -eq 77 ] || complain "vptr-bench $*: exit status $got: $(cat "$work/err")"
  return $got
}
if on_device alloc --real --live 10 --repetitions 1 --csv; then
  [ "$(awk -F, '$1 ~ /pair/ && $13 > 0 && $18 > 0' "$work/out" | wc -l)" -ge 12 ] ||
    complain "alloc has no figures of OpenCL's buffers: $(cat "$work/out")"
fi
if TMPDIR=$work on_device startup --repetitions 3 --csv; then
  head -n 1 "$work/out" | grep -q '^figure,opencl,.*,vptr,.*,added,added_low,added_high,vptr_per_opencl$' ||
    complain "the head of startup's CSV is wrong"
  [ "$(grep -cE '^(ms from|ms of|threads,|KiB resident|KiB of)' "$work/out")" -eq 10 ] ||
    complain "startup has not 10 rows: $(cat "$work/out")"
  awk -F, "/a kernel's end/ && \$2 > 0 && \$6 > 0 && \$NF > 0 && \$NF < 1000 { rows++ } END { exit rows != 2 }" "$work/out" ||
    complain "startup has no times of a first kernel: $(cat "$work/out")"
  [ -e "$(echo "$work"/vptr-bench-startup-*)" ] && complain "startup left its folder behind: $(ls -d "$work"/*)"
  grep -qE '^threads,.*,0\.00,0\.00,0\.00,1\.000$' "$work/out" || complain "a start begins threads: $(grep threads "$work/out")"
fi
if on_device launch --repetitions 1 --csv; then
  head -n 1 "$work/out" | grep -q '^calls,pointers,bare_ns,vptr_ns,added_ns,.*,vptr_per_bare,.*,vptr_cpu_per_bare$' ||
    complain "the head of launch's CSV is wrong"
  [ "$(grep -cE '^"(sent|waited for), ' "$work/out")" -eq 16 ] || complain 'launch has not 16 rows of launches'
  [ "$(grep -cE '^"(each argument|arguments), ' "$work/out")" -eq 12 ] || complain 'launch has not 12 rows of arguments'
fi
if on_device managed --repetitions 1 --csv; then
  head -n 1 "$work/out" | grep -q '^work,bytes,managed_ns,.*,explicit_ns,.*,managed_per_explicit,' ||
    complain "the head of managed's CSV is wrong"
  [ "$(grep -cE '(reads|nothing"|at random|and back|to the host|to the device)' "$work/out")" -eq 7 ] ||
    complain "managed has not 7 rows: $(cat "$work/out")"
fi
if on_device svm --repetitions 1 --csv; then
  head -n 1 "$work/out" | grep -q '^bytes,step,memory,us,.*,per_in_place$' || complain "the head of svm's CSV is wrong"
  for step in pair 'first touch' kernel 'kernel again' 'host reads' 'host overwrites' 'one number, kernel'; do
    [ "$(grep -cE "^[0-9]+,\"?$step\"?,\"?device, copied\"?," "$work/out")" -eq 3 ] ||
      complain "svm has not three sizes of '$step' in device memory"
  done
fi
if on_device copy --repetitions 1 --csv; then
  head -n 1 "$work/out" | grep -q '^direction,bytes,bare_ns,.*,vptr_ns,.*,added_ns,.*,vptr_per_bare,' ||
    complain "the head of copy's CSV is wrong"
  for direction in 'host to device' 'device to host' 'device to device' 'pinned to device' 'device to pinned'; do
    [ "$(grep -c "^$direction," "$work/out")" -eq 9 ] || complain "copy has not 9 sizes for '$direction'"
  done
  for direction in 'host to device' 'device to host' 'device to device'; do
    [ "$(grep -c "^\"$direction, rows of [0-9]*\"," "$work/out")" -eq 5 ] || complain "copy has not 5 rects for '$direction'"
  done
  sed -i 's/^"[^"]*"/box/' "$work/out"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } NR > 1 && ($13 != "") != ($2 >= 1048576) { bad = 1 }
    END { exit bad }' "$work/out" || complain "copy's times or bandwidths are missing: $(cat "$work/out")"
fi

if on_device fill --repetitions 1 --csv; then
  head -n 1 "$work/out" | grep -q '^fill,bytes,bare_ns,.*,vptr_ns,.*,vptr_per_bare,' || complain "the head of fill's CSV is wrong"
  [ "$(grep -c '^cudaMemset,' "$work/out")" -eq 6 ] || complain 'fill has not 6 sizes of cudaMemset'
  for width in 1 2 4 16 3 12; do
    [ "$(grep -c "^vptr_fill with $width bytes," "$work/out")" -ge 5 ] || complain "fill has not the pattern of $width bytes"
  done
  [ "$(grep -c '^cudaMemset2D' "$work/out")" -eq 2 ] || complain 'fill has no rows with gaps'
  sed -i 's/^"[^"]*"/async/' "$work/out"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
    complain "fill's times are missing: $(cat "$work/out")"
fi

if [ -x bench/vptr-bench-cublas ] && on_device blas --quick --repetitions 1 --csv; then
  [ "$(grep -c '^"cublasS[^"]*, sent",' "$work/out")" -eq 4 ] || complain 'blas has not 4 rows of what is sent'
  [ "$(grep -c '^cublas[SD]gemm of 64,' "$work/out")" -eq 2 ] || complain 'blas has not 2 rows of small matrices'
  sed -i 's/^"[^"]*"/sent/' "$work/out"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
    complain "blas's times are missing: $(cat "$work/out")"
fi

if [ -x bench/vptr-bench-cusparse ] && on_device sparse --quick --repetitions 1 --csv; then
  [ "$(grep -cE '^"cusparseSp(MV, float|MV, double|MM, float|GEMM, float), (even|skewed)",' "$work/out")" -eq 8 ] ||
    complain "sparse has not 8 rows: $(cat "$work/out")"
  sed -i 's/^"[^"]*"/call/' "$work/out"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
    complain "sparse's times are missing: $(cat "$work/out")"
fi

if [ -x bench/vptr-bench-cusolver ] && on_device qr --quick --repetitions 1 --csv; then
  [ "$(grep -cE '^cusolverDn[SD]geqrf of 64 by 64,' "$work/out")" -eq 2 ] || complain "qr has not 2 rows: $(cat "$work/out")"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
    complain "qr's times are missing: $(cat "$work/out")"
fi
if [ -x bench/vptr-bench-cusolver ] && on_device eigen --quick --repetitions 1 --csv; then
  [ "$(grep -cE '^"cusolverDn[SD]syevd of 64, (vectors|values alone)",' "$work/out")" -eq 4 ] ||
    complain "eigen has not 4 rows: $(cat "$work/out")"
  sed -i 's/^"[^"]*"/call/' "$work/out"
  awk -F, 'NR > 1 && !($3 > 0 && $6 > 0 && $12 > 0) { bad = 1 } END { exit bad }' "$work/out" ||
    complain "eigen's times are missing: $(cat "$work/out")"
fi

run 0 --help
grep -q lookup "$work/out" || complain '--help does not name the benchmarks'
for word in scale model startup; do
  grep -q "^  $word  " "$work/out" || complain "--help does not name $word"
done
grep -q ' copy .*cudaMemcpy' "$work/out" || complain '--help does not name copy'
run 0 --version
grep -q '^vptr-bench (vptr) [0-9]' "$work/out" || complain '--version does not print one'
run 2
run 2 nonsense
grep -q nonsense "$work/err" || complain 'a benchmark that is none is not named'
run 2 lookup --live
grep -q -e --live "$work/err" || complain 'an option without its value is not named'
run 2 copy --plot x.svg
grep -q 'copy has no --plot' "$work/err" || complain 'a benchmark that draws nothing takes --plot'
for wrong in '--plot picture.png' '--plot .svg' '--threads 0' '--threads 1025' '--threads x' \
  '--live 9' '--live x' '--live 10000001' '--repetitions 0' '--nonsense' '-x' 'another'; do
  run 2 lookup $wrong
  [ -s "$work/err" ] || complain "no words about '$wrong'"
done
if [ -w /dev/full ]; then
  "$bench" --help >/dev/full 2>"$work/err"
  [ $? -eq 1 ] || complain 'a full disk goes unnoticed'
fi
exit $status
