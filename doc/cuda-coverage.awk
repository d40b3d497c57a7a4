# SPDX-License-Identifier: MIT
#
# cuda-coverage.awk - makes doc/cuda-coverage.md from doc/cuda-coverage.tsv; with -v of=driver, cuda-driver-coverage.md
# from its own, and with -v of=cublas, cufft, curand, cusparse, cusolver or ml that library's.
# A row that says nothing, or a name that is there twice, is an error. Only the runtime's table tells what was read.
BEGIN {
  FS = "\t"
  if (of == "driver") head_of_driver()
  else if (of == "cublas") head_of_cublas()
  else if (of == "cufft") head_of_cufft()
  else if (of == "curand") head_of_curand()
  else if (of == "ml") head_of_ml()
  else if (of == "cusolver") head_of_cusolver()
  else if (of == "cusparse") head_of_cusparse()
  else head_of_runtime()
  print ""
  print "- *done*: does what CUDA's does; a note says where a device of OpenCL shows through."
  print "- *partly*: there, and what the note names is refused with an error, unless the note says otherwise."
  print "- *not*: no such symbol in `" library "`, so a program that calls it does not link; the note says why."
  if (of == "") {
    print "- *read*: its code was read beside CUDA's document of it: what it checks and in which order, its errors, what it"
    print "  writes, when it returns, and what it does in a capture."
  }
  print ""
  if (of == "" || of == "driver")
    print "A function with forms for the thread's own default stream (`_ptds`, `_ptsz`) has them too, unless the note says so."
}

function head_of_runtime() {
  library = "libvptr-cudart"
  print "# CUDA's runtime functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cuda-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "The first part has every function that `cuda_runtime_api.h` of CUDA 13.0 declares, by CUDA's own groups; the second"
  print "what CUDA 11 or 12 declared and 13 no longer does."
}

function head_of_driver() {
  library = "libvptr-cuda"
  print "# CUDA's driver functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cuda-driver-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `cuda.h` of CUDA 13.0 declares, without its version: `cuMemAlloc` is the symbol `cuMemAlloc_v2`."
  print "Older versions of a function are there where only their name differs, and for `cuCtxCreate`."
}

function head_of_cublas() {
  library = "libvptr-cublas"
  print "# cuBLAS's functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cublas-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `cublas_v2.h`, `cublas.h` and `cublasLt.h` of CUDA 13.0 declare, without `_v2`. What takes sizes is there for"
  print "`int` and, by a name that ends in `_64`, for `int64_t`, unless NVIDIA has none. How they compute: [cublas.md](cublas.md)."
}

function head_of_cufft() {
  library = "libvptr-cufft"
  print "# cuFFT's functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cufft-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `cufft.h` and `cufftXt.h` of CUDA 13.0 declare. How they compute: [cufft.md](cufft.md)."
}

function head_of_curand() {
  library = "libvptr-curand"
  print "# cuRAND's functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/curand-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `curand.h` of CUDA 13.0 declares. What kernels have, and what the numbers are: [curand.md](curand.md)."
}

function head_of_ml() {
  library = "libvptr-ml"
  print "# NVML's functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/ml-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `nvml.h` of NVML 13.0 (drivers 580) declares. Where the answers come from: [ml.md](ml.md)."
}

function head_of_cusolver() {
  library = "libvptr-cusolver"
  print "# cuSOLVER's dense functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cusolver-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `cusolverDn.h` and `cusolver_common.h` of CUDA 13.0 declare. What is computed where:"
  print "[cusolver.md](cusolver.md)."
}

function head_of_cusparse() {
  library = "libvptr-cusparse"
  print "# cuSPARSE's functions, and which of them there are"
  print ""
  print "Made by `make update-coverage` from `doc/cusparse-coverage.tsv`; do not edit. A test holds it against the library."
  print ""
  print "Every function that `cusparse.h` of CUDA 13.0 declares. How they compute: [cusparse.md](cusparse.md)."
}

function refuse(why) {
  printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
  failed = 1
}

# The part before, with its sums at its head.
function finish_part() {
  if (part != "")
    printf "\n## %s\n\n%d functions: %d done, %d partly, %d not%s.\n%s", part,
      count["done"] + count["partly"] + count["not"], count["done"], count["partly"], count["not"],
      of == "" ? "; " count["read"] + 0 " were read" : "", text
  count["done"] = count["partly"] = count["not"] = count["read"] = 0
  text = ""
}

/^;/ || /^$/ { next }
/^== / { finish_part(); part = substr($0, 4); next }
/^# / {
  text = text "\n### " substr($0, 3) "\n\n" (of == "" ? "| function | state | read | note |\n|---|---|---|---|\n" : \
    "| function | state | note |\n|---|---|---|\n")
  next
}

{
  if (NF != 3 && !(NF == 4 && of == "") || part == "" || text == "") refuse("not a function, a state and a note")
  if (NF == 4 && $4 != "read") refuse("after the note only \"read\" may stand: " $4)
  if (NF == 4 && $2 == "not") refuse("nothing of " $1 " is there to be read")
  if ($2 !~ /^(done|partly|not)$/) refuse("no such state: " $2)
  if ($2 != "done" && $3 == "") refuse("no reason for " $1)
  if (seen[$1]++) refuse($1 " is there twice")
  count[$2]++
  if (NF == 4) count["read"]++
  text = text "| " $1 " | " $2 " | " (of == "" ? $4 " | " : "") $3 " |\n"
}

END {
  finish_part()
  exit failed
}
