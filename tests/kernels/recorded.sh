#!/bin/sh
# SPDX-License-Identifier: MIT
# recorded - launches are recorded with what they reach, and vptr-replay lists, checks, runs and compares them; a file
# that was cut or damaged is told from a whole one, and a disk that is full ends the recording and not the program.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0
complain() { echo "$1"; status=1; }
replay=./tools/vptr-replay/vptr-replay

run() { # expected status, program, arguments...: words are in $folder/out and $folder/err
  expected=$1
  shift
  "$srcdir/tests/on-opencl" "$@" > "$folder/out" 2> "$folder/err"
  result=$?
  [ $result -ne 77 ] || [ "$expected" -eq 77 ] || { cat "$folder/out"; exit 77; }
  [ $result -eq "$expected" ] || complain "$*: exit status $result, not $expected: $(cat "$folder/out" "$folder/err")"
}
says() { # out or err, a pattern
  grep -q -e "$2" "$folder/$1" || complain "no '$2' in: $(cat "$folder/$1")"
}

# ---- recording and running ----------------------------------------------------------------------------------

VPTR_RECORD=$folder/all VPTR_TRACE_ALLOC=1 run 0 ./tests/kernels/recorded clock
says out '^right$'
says err 'launch 8, of add_one, is left out: it is a node of a graph'
run 0 $replay --list "$folder/all"
[ "$(wc -l < "$folder/out")" -eq 9 ] || complain "not nine launches: $(cat "$folder/out")"
says out "^3  walk  grid 1 1 1  block 1 1 1  shared 0  6 areas of 1048644 bytes  done  .*recorded.cu:$(
  sed -n '/^__global__ void walk/=' "$srcdir/tests/kernels/recorded.cu")\$"
run 0 $replay --verify "$folder/all"
says out ': 9 launches, 1 modules, '
run 0 $replay --launch=0-7 --repeat=5 "$folder/all"
[ "$(grep -c ' min .* us  median .* us  as recorded$' "$folder/out")" -eq 8 ] ||
  complain "not all: $(cat "$folder/out")"
run 1 $replay --launch=9 "$folder/all"
says out '^launch 9, of stamp at .*recorded.cu:[0-9]*, differs$'
says out '^  first at byte \(24\|25\|26\|27\|28\|29\|3.\) of an allocation.* at 0x[0-9a-f]*, of 80 bytes$'
says out '^  recorded: 0x.*; here: 0x'

# ---- C++, by clang, and threads -----------------------------------------------------------------------------

if [ -x tools/kernelc/vptr-kernelc ]; then
  VPTRCC_TEST_KERNELC=$(pwd)/tools/kernelc/vptr-kernelc tests/kernels/vptrcc --front-end=clang --extended-lambda \
    -o "$folder/cxx" "$srcdir/tests/kernels/recorded_cxx.cu" || complain 'recorded_cxx.cu is not compiled'
  VPTR_RECORD=$folder/threads run 0 "$folder/cxx"
  says out '^right$'
  run 0 $replay "$folder/threads"
  [ "$(grep -c ' as recorded$' "$folder/out")" -eq 16 ] || complain "not all: $(cat "$folder/out")"
else
  echo 'left out in part: no vptr-kernelc here'
fi

# ---- which launches -----------------------------------------------------------------------------------------

listed() { # range, the numbers of the launches
  VPTR_RECORD=$folder/some VPTR_RECORD_RANGE=$1 run 0 ./tests/kernels/recorded
  run 0 $replay --list "$folder/some"
  found=$(sed 's/ .*//' "$folder/out" | tr '\n' ' ')
  [ "$found" = "$2" ] || complain "VPTR_RECORD_RANGE=$1 recorded '$found', not '$2'"
}
listed 2-3 '2 3 '
listed saxpy:1 '1 '
listed _Z4walkP4node '3 4 '
VPTR_RECORD=$folder/some VPTR_RECORD_RANGE=5-3 run 0 ./tests/kernels/recorded
says err 'VPTR_RECORD_RANGE=5-3 is neither'
VPTR_RECORD=$folder/%p.rec VPTR_RECORD_RANGE=reverse run 0 ./tests/kernels/recorded
mv "$folder"/[0-9]*.rec "$folder/small" || complain 'no file with the number of the process'

# ---- two devices --------------------------------------------------------------------------------------------

run 0 $replay --launch=0-7 --compare threads=items threads=loops "$folder/all"
says out "^8 launches leave the same on 'threads=items' and 'threads=loops'$"
run 1 $replay --compare threads=items threads=loops "$folder/all"
says out '^launch 9, of stamp at .*, differs$'
! command -v addr2line > /dev/null || says out 'an allocation (made at .*recorded'
run 3 $replay --compare threads=items platform=nobody "$folder/all"
says err "the process for 'platform=nobody' ended too early"

# ---- files that are not whole -------------------------------------------------------------------------------

# A file that was cut: none of its bytes is lost silently, and nothing crashes.
size=$(wc -c < "$folder/small")
whole=$("$replay" --verify "$folder/small" | sed 's/.*, \([0-9]*\) bytes$/\1/')
[ "$size" -eq "$whole" ] || complain "$size bytes, of which $whole are whole"
for length in 0 1 7 8 9 63 65 80 95 96 97 104 1000 $((size - 1)) $((size - 31)) $((size - 32)) $((size - 33)) \
  $((size - 63)) $((size - 64)) $((size - 65)) $((size / 2)) $((size / 3)) $((size / 5)) $((size / 7)); do
  head -c "$length" "$folder/small" > "$folder/cut"
  "$replay" --verify "$folder/cut" > "$folder/out" 2> "$folder/err"
  result=$?
  case $result in
    0) # between two records: the launch is not done, or not there
      grep -q ' 1 launches' "$folder/out" && "$replay" --list "$folder/cut" | grep -q '  done  ' &&
        complain "a file cut at $length of $size is whole" ;;
    1 | 3) [ -s "$folder/err" ] || complain "a file cut at $length: no words" ;;
    *) complain "a file cut at $length: exit status $result: $(cat "$folder/err")" ;;
  esac
done
# What a program that was killed in a kernel leaves: it can be run, and nothing is compared.
head -c $((size - 32)) "$folder/small" > "$folder/cut"
run 0 $replay --list "$folder/cut"
says out 'not done when the file ends'
run 0 $replay "$folder/cut"
says out 'what it left was not recorded$'

# A byte that is another.
at=0
while [ $at -lt "$size" ]; do
  cp "$folder/small" "$folder/flipped"
  old=$(od -An -tu1 -j $at -N 1 "$folder/small")
  # shellcheck disable=SC2059 # an octal number
  printf "\\$(printf %03o $((old ^ 16)))" | dd of="$folder/flipped" bs=1 seek=$at conv=notrunc 2> "$folder/dd"
  "$replay" --verify "$folder/flipped" > "$folder/out" 2> "$folder/err"
  result=$?
  case $result in 1 | 3) ;; *) complain "byte $at flipped: exit status $result: $(cat "$folder/out")" ;; esac
  [ -s "$folder/err" ] || complain "byte $at flipped: no words"
  at=$((at + (at < 400 ? 7 : 499)))
done
for file in /dev/null "$folder" "$srcdir/tests/kernels/recorded.cu" /nowhere; do
  run 3 $replay --verify "$file"
  [ -s "$folder/err" ] || complain "$file: no words"
done

# A difference that is planted behind the launch, its sum made right again.
if command -v python3 > /dev/null; then
  python3 - "$folder/small" "$folder/planted" << 'END' || complain 'nothing was planted'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
def total(first, body):
    for (word,) in struct.iter_unpack('=Q', body):
        first = ((first ^ word) * 0xff51afd7ed558ccd) & (2 ** 64 - 1)
        first ^= first >> 29
    return first
at = 64
while at < len(data):
    mark, kind, number, length, kept = struct.unpack_from('=IIQQQ', data, at)
    end = at + 32 + (length + 7) // 8 * 8
    if kind == 3 and struct.unpack_from('=II', data, at + 32)[1] == 1:
        data[at + 32 + 16 + 40] ^= 1
        struct.pack_into('=Q', data, at + 24, total(total(0x9e3779b97f4a7c15, data[at:at + 24]), data[at + 32:end]))
        open(sys.argv[2], 'wb').write(data)
        sys.exit(0)
    at = end
sys.exit(1)
END
  run 1 $replay "$folder/planted"
  says out '^launch 5, of reverse at .*, differs$'
  says out '^  first at byte 40 of an allocation'
  run 0 $replay --type=float --tolerance=0.001 "$folder/planted"
  run 1 $replay --type=float --tolerance=0.000000001 "$folder/planted"
else
  echo 'left out in part: no python3 here'
fi

# ---- disks and command lines --------------------------------------------------------------------------------

VPTR_RECORD=/dev/full run 0 ./tests/kernels/recorded
says out '^right$'
says err 'VPTR_RECORD=/dev/full: No space left on device; nothing is recorded'
VPTR_RECORD=$folder/none/there run 0 ./tests/kernels/recorded
says err 'No such file or directory; nothing is recorded'
# A disk that becomes full: what is whole can be read, and the program is right.
(ulimit -f 100; trap '' XFSZ; VPTR_RECORD=$folder/limited run 0 ./tests/kernels/recorded; exit $status) || status=1
says err 'VPTR_RECORD: File too large, after [0-9]* bytes; recording ends, and the program goes on'
run 0 $replay --verify "$folder/limited"
run 0 $replay --launch=0-1 "$folder/limited"
run 2 $replay
run 2 $replay --repeat=0 "$folder/small"
run 2 $replay --launch=3-1 "$folder/small"
run 2 $replay --tolerance=0.1 "$folder/small"
run 2 $replay --compare one "$folder/small"
run 2 $replay --nothing "$folder/small"
run 0 $replay --help
says out '^Usage: vptr-replay'
run 0 $replay --version
says out '^vptr-replay (vptr) [0-9]'
exit $status
