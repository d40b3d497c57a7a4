/* SPDX-License-Identifier: MIT */
/* help - what vptrcc says of itself. Scripts that look for nvcc read the word `release` and the V number of its
 * version: both are the CUDA release that vptr's headers are of. */
#include <stdio.h>

#include <vptr/version.h>

#include "options.h"

void cc_print_help(void) {
  puts(
      "Usage: vptrcc [OPTION]... FILE...\n"
      "Compile CUDA programs for OpenCL devices. Used like nvcc; .c and .cpp files go to the host's compilers.\n"
      "\n"
      "  -o FILE                        write to FILE\n"
      "  -c                             compile, do not link\n"
      "  -E                             preprocess only\n"
      "  -ptx                           write the translated kernels: the text that modules are loaded from\n"
      "  --dump=STEP,STEP...            write what the translator's steps make of the kernels: tree, types, spaces "
      "(of\n"
      "                                 pointers), plan (of threads), text; standard output without -o\n"
      "  -cuda                          write the preprocessed text for the host's compiler, with the kernels in it\n"
      "  -M, -MM                        write dependencies only\n"
      "  -MD, -MMD, -MF FILE, -MT NAME, -MP\n"
      "                                 write dependencies beside the object\n"
      "  -dc, -rdc=true                 relocatable device code: kernels may use what other files define\n"
      "  -dlink                         link device code only: an object for the host's linker; -ptx: a module\n"
      "  -lib, -shared                  make an archive, a shared library\n"
      "  -I DIR, -isystem DIR, -include FILE, -D NAME[=VALUE], -U NAME\n"
      "                                 for both sides\n"
      "  -OLEVEL, -g, -std=STANDARD, -w, -f..., -m..., -W...\n"
      "                                 for the host's compiler\n"
      "  -L DIR, -l NAME                for the linker\n"
      "  -x cu|c|c++                    what the files behind it are\n"
      "  -arch=sm_NN                    set __CUDA_ARCH__\n"
      "  --front-end=own|clang|auto     who reads the kernels: vptrcc, which has C, or clang, which has C++ (auto: "
      "clang "
      "for\n"
      "                                 what vptrcc has not)\n"
      "  --finds-buffers                kernels find the buffers of allocations that consist of several\n"
      "  --use_fast_math, -fmad=false   floating-point arithmetic in kernels\n"
      "  --default-stream per-thread    NULL is each thread's own stream\n"
      "  -Xcompiler A,B  -Xlinker A,B   pass options on\n"
      "  -optf FILE                     read options from FILE\n"
      "  -run, -run-args A,B            run the program that was linked, or the one that is named\n"
      "  -odir DIR                      where objects go without -o\n"
      "  -ccbin COMPILER                the host's compiler\n"
      "  -cudart=none                   link no run-time\n"
      "  --keep, --keep-dir DIR         keep what lies between the steps\n"
      "  -v, --dryrun                   show the steps; show them only\n"
      "  --list-front-ends              tell which clang there is for C++ in kernels, or what is missing\n"
      "  --time, --time=FILE            tell how long each step took; rows in a file, as nvcc writes them\n"
      "  --help, --version\n"
      "\n"
      "Options of nvcc that concern NVIDIA's assembler (-Xptxas, -maxrregcount, -lineinfo, ...) are taken and "
      "change nothing.\n"
      "VPTRCC_CXX and VPTRCC_CC name other compilers for the host. Exit status: 0, or what the failing step had; 1 "
      "for errors\n"
      "of vptrcc's own.");
}

void cc_print_version(void) {
  printf("vptrcc (vptr) %s, in the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 13.0, V13.0.0\n",
         VPTR_VERSION_STRING);
}

/* Those that the release knows: programs choose the newest of the list. */
void cc_print_architectures(const char *prefix) {
  static const int numbers[] = { 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121 };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    printf("%s_%d\n", prefix, numbers[i]);
}
