#!/bin/sh
# SPDX-License-Identifier: MIT
# vptrcc_options - options as nvcc takes them: lists, quotes, files of options, words that only NVIDIA's tools need, and
# the lines that build systems read from -v. The host's compiler is a script that writes down what it is told.
[ -n "$CXX" ] || { echo 'left out: no C++ compiler here'; exit 77; }
vptrcc=${VPTR_TEST_VPTRCC:-$PWD/tools/vptrcc/vptrcc}
headers=$(cd "$srcdir/include" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
VPTRCC_TEST_INCLUDE=$headers:$PWD/include VPTRCC_TEST_LIB=$PWD/.libs VPTRCC_CXX=$CXX VPTRCC_CC=$CC
export VPTRCC_TEST_INCLUDE VPTRCC_TEST_LIB VPTRCC_CXX VPTRCC_CC
cd "$work" || exit 1
status=0
complain() { echo "$1"; status=1; }

printf '#!/bin/sh\nfor word; do printf "[%%s]" "$word"; done >>%s/said\n' "$work" >host && chmod +x host
echo 'int plain(void) { return 1; }' >plain.c
touch object.o

# told EXPECTED_WORDS ARGUMENT... - what the host's compiler hears, "[a][b]", has these words side by side.
told() {
  expected=$1
  shift
  rm -f said
  "$vptrcc" -ccbin ./host -c plain.c "$@" >out 2>err || complain "vptrcc $*: exit status $?: $(cat err)"
  case $(cat said 2>&1) in *"$expected"*) ;; *) complain "vptrcc $*: no $expected in $(cat said)" ;; esac
}
# as NVIDIA's nvcc 13.0 hands them on
told '[-Wall][-fPIC]' -Xcompiler '-Wall -fPIC'
told '[-Wall][-fPIC]' -Xcompiler '"-Wall","-fPIC"'
told '[-fPIC][-g3]' '-Xcompiler=,-fPIC,,-g3'
told '[-fx=a b]' -Xcompiler '-fx="a b"'
told '[-fx=a b]' -Xcompiler "'-fx=a b'"
told '[-fx=a,b]' -Xcompiler '"-fx=a,b"'
told '[-fx=a,b]' -Xcompiler '-fx=a\,b'
told '[-fx=hi]' -Xcompiler '-fx=\"hi\"'
told '[-fx="hi"]' -Xcompiler '-fx=\\\"hi\\\"'
told '[-fx="a b"]' "-Xcompiler='-fx=\"a b\"'"
told "[-fx='a,b']" -Xcompiler "\"-fx='a,b'\""
# nothing is run or looked up
told '[-fx=$HOME][-fy=`date`]' -Xcompiler '-fx=$HOME,-fy=`date`'
# macros and folders in it are for both sides
told '[-DX=1][-Isome dir]' -Xcompiler '-D X=1,"-Isome dir"'
told '[-Ia][-Ib]' -Ia,b
told '[-Ia,b]' '-I"a,b"'
told '[-Ib][-DY=2]' -I=b -D=Y=2
told '[-isystem][a][-isystem][b]' -isystem=a,b
told '[-fno-exceptions]' -noeh
told '[-pg]' --profile
told '[-ftemplate-depth=9]' -ftemplate-depth 9

# Files of options, which may name others.
printf '%s\n' '-DX="a b" -fx1' "-Isome\\ dir '-fx2=\"q\"'" '   -optf=others' >options
echo '-fx3' >others
told '[-fx1][-fx2="q"][-fx3]' -optf options
told '[-DX=a b][-Isome dir]' --options-file options
echo '-optf endless' >endless
for file in endless nowhere; do
  "$vptrcc" -c plain.c -optf $file >out 2>err && complain "a file of options that is $file is no error"
  grep -q "'$file'" err || complain "which file of options is wrong: $(cat err)"
done

# What concerns NVIDIA's tools alone, or Windows, is taken, with its value.
told '[-c]' -t0 -t 4 --threads=2 --use-local-env -ewp -dopt on --dopt=on -time times.csv -src-in-ptx -ldir /nowhere \
  --libdevice-directory=/nowhere -objtemp -arbin ar -cudadevrt static -target-dir x86_64-linux -opt-info inline -dlto \
  -gen-opt-lto -nohdinitlist -noprof -no-compress -nodlink -e kernel --entries=kernel -keep-device-functions \
  -Wdefault-stream-launch -Wmissing-launch-bounds -err-no -split-compile 0 -brief-diag=true -jtd 3 -Xfatbin -compress-all \
  -m64 -frandom-seed 7 -forward-unknown-opts
grep -q -e default-stream -e nowhere -e kernel -e times said && complain "the host's compiler hears: $(cat said)"

# The seconds of each step: rows in a file, as nvcc writes them, with one head; or on stdout; or a table to read.
told '[-c]' --time=times.csv
[ "$(grep -c '^source file name,phase name,' times.csv)" = 1 ] || complain "times.csv has not one head: $(cat times.csv)"
[ "$(grep -cE '^plain\.c,compile,plain\.c,plain\.o,,\./host,[0-9]+\.[0-9]+,ms$' times.csv)" = 2 ] ||
  complain "times.csv has other rows: $(cat times.csv)"
told '[-c]' -time -
grep -q '^plain\.c,compile,' out || complain "-time - writes nothing to stdout: $(cat out)"
told '[-c]' --time
grep -qE '^ +[0-9.]+ s +[0-9.]+ s +compile +\./host +plain\.c$' err && grep -qE ' s  all$' err ||
  complain "--time tells: $(cat err)"
"$vptrcc" -ccbin ./host -c plain.c --time=/nowhere/times.csv 2>err && complain '--time=/nowhere/times.csv is no error'
grep -q '/nowhere/times.csv.*--time=FILE' err || complain "of a file that cannot be written: $(cat err)"

# Unknown options are refused, unless they are to be passed on; wherever that is said.
"$vptrcc" -ccbin ./host -c plain.c --some-thing >out 2>err && complain 'an unknown option is no error'
told '[--some-thing]' --some-thing -forward-unknown-to-host-compiler
rm -f said
"$vptrcc" -ccbin ./host object.o --some-thing -forward-unknown-to-host-linker || complain 'no linking'
grep -q '\[--some-thing\]' said || complain "the linker does not hear what is unknown: $(cat said)"
rm -f said
"$vptrcc" -ccbin ./host object.o -Xlinker '-rpath=$ORIGIN/lib,-z now' -lx,y || complain 'no linking'
grep -qF '[-Xlinker][-rpath=$ORIGIN/lib][-Xlinker][-z][-Xlinker][now][-lx][-ly]' said || complain "-Xlinker: $(cat said)"

# A C compiler named by -ccbin has a C++ compiler beside it, which links.
mkdir bin && printf '#!/bin/sh\nexit 1\n' >bin/gcc-9 && cp host bin/g++-9 && chmod +x bin/gcc-9
rm -f said
"$vptrcc" -ccbin bin/gcc-9 object.o && [ -s said ] || complain '-ccbin gcc links by gcc'

# -odir: objects, and the rules of make that name them.
mkdir there && "$vptrcc" -c -odir there plain.c && [ -s there/plain.o ] || complain '-odir has no object'
"$vptrcc" -M --output-directory=there plain.c | grep -q '^there/plain.o:' || complain '-odir does not name the target'
printf '#!/bin/sh\necho archive >archived\n' >my-ar && chmod +x my-ar
"$vptrcc" -lib -arbin ./my-ar object.o && [ -s archived ] || complain '-arbin is not used'

# -run: links and runs, or runs what is linked; arguments and exit status go through.
printf '#include <stdio.h>\nint main(int c, char **v) { printf("%%d %%s", c, v[c - 1]); return 7; }\n' >main.c
"$vptrcc" -run main.c -run-args one,'"two three"' -o program >out 2>err
[ $? -eq 7 ] && [ "$(cat out)" = '3 two three' ] || complain "-run: $(cat out err)"
"$vptrcc" --run '"program"' -run-args 'a b' >out 2>err
[ $? -eq 7 ] && [ "$(cat out)" = '3 b' ] || complain "--run of a program: $(cat out err)"
"$vptrcc" --run nowhere >out 2>err && complain '--run of nothing'

"$vptrcc" --list-gpu-arch | grep -qx compute_75 && "$vptrcc" -code-ls | grep -qx sm_90 || complain 'no architectures are listed'

# What CMake reads of -v: folders, the linker's words, the architecture.
"$vptrcc" -v __determine >out 2>err && complain 'a file that is not there is linked'
grep -q "__determine: No such file" err || complain "which file is missing: $(cat err)"
for name in TOP NVVMIR_LIBRARY_DIR PATH INCLUDES LIBRARIES; do
  grep -q "^#\\\$ $name=." err || complain "-v does not say $name: $(cat err)"
done
grep -q '^#\$ NVVMIR_LIBRARY_DIR=.*/nvvm/libdevice$' err || complain 'CMake wants a folder nvvm/libdevice'
libraries=$(sed -n 's/^#\$ LIBRARIES= *//p' err)
echo 'int main() { return 0; }' >program.cu
VPTRCC_CXX="ccache $work/host" "$vptrcc" -v --dryrun program.cu >out 2>err
tail -n 1 err | grep -qF -e "$libraries" || complain "the linking does not have $libraries: $(tail -n 1 err)"
tail -n 1 err | grep -q "^#\\\$ $work/host " || complain "the compiler that links is not the first word: $(tail -n 1 err)"
grep -q -e '-arch compute_70 ' err || complain 'no architecture is told'
"$vptrcc" -v --dryrun -arch=sm_86 program.cu 2>&1 | grep -q -e '-arch compute_86 ' || complain 'another architecture is told'
# No command line costs an input: by its name, by another one, and by what is named when nothing is said.
mkdir spared && cd spared || exit 1
cat >x.cu <<'END'
__global__ void k(int *a) { *a = 1; }
int main() { return 0; }
END
cp x.cu whole.cu && ln x.cu hard.cu && cp x.cu y.d && cp x.cu z.ptx && cp x.cu a.out && cp x.cu a_dlink.o
spares() { # FILE OPTION...
  file=$1
  shift
  "$vptrcc" "$@" >out 2>err && complain "$* is taken"
  grep -q 'would be overwritten' err || complain "$*: $(cat err)"
  cmp -s "$file" whole.cu || { complain "$*: $file is gone"; cp whole.cu "$file"; }
}
spares x.cu -o x.cu x.cu
spares x.cu -o ./x.cu x.cu
spares x.cu -c -o hard.cu x.cu
spares x.cu -c -MD -MF x.cu -o x.o x.cu
spares x.cu -E -o x.cu x.cu
spares x.cu -M -o x.cu x.cu
spares x.cu --cuda -o x.cu x.cu
spares x.cu -ptx -o x.cu x.cu
spares x.cu -dlink -o x.cu x.cu
spares x.cu -lib -o x.cu x.cu
spares y.d -c -MD -x cu y.d
spares z.ptx -ptx -x cu z.ptx
spares a.out -x cu a.out
spares a_dlink.o -dlink -x cu a_dlink.o
cp whole.cu w.cpp1.ii && cp whole.cu w.o
"$vptrcc" --keep -c -o other.o -x cu w.o >out 2>err || complain "--keep beside an input: $(cat err)"
"$vptrcc" --keep -o prog -x cu w.o >out 2>err || complain "--keep of what is linked: $(cat err)"
cmp -s w.o whole.cu || complain '--keep overwrites its input'

# ---- warnings ----
cat >step.cu <<'END'
__global__ void k(int *o) {
  volatile __shared__ int s[32];
  s[threadIdx.x] = 1;
  o[threadIdx.x] = s[threadIdx.x ^ 1];
}
END
"$vptrcc" -c step.cu >out 2>err && grep -q "^step.cu:4:20: warning: 's' is read here" err || complain "no warning: $(cat err)"
"$vptrcc" -rdc=true -c step.cu >out 2>err || complain "with -rdc=true: $(cat err)"
for option in -w --disable-warnings; do
  "$vptrcc" $option -c step.cu >out 2>err || complain "$option: $(cat err)"
  [ ! -s err ] || complain "with $option: $(cat err)"
done

# ---- words in bodies ----
echo 'int main() { __global__ int x; auto f = [] __global__ (int *p) { *p = 1; }; __constant__ float t[2]; }' >body.cu
"$vptrcc" -c body.cu >out 2>err && complain 'words of CUDA are accepted in a body'
for place in "body.cu:1:14: error: '__global__'" "body.cu:1:44: error: '__global__'" "body.cu:1:77: error: '__constant__'"; do
  grep -qF "$place stands where" err || complain "no '$place' in: $(cat err)"
done
cd ..
exit $status
