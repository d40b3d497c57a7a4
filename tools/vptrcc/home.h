/* SPDX-License-Identifier: MIT */
/*
 * home - where vptrcc finds headers, libraries and compilers.
 *
 * The way from the folder of the running program to the headers and the libraries is the one that configure was told,
 * taken relatively: a tree that was installed elsewhere, or moved, works. A link to the program (CUDA_HOME/bin/nvcc)
 * is followed first.
 *
 * VPTRCC_TEST_INCLUDE and VPTRCC_TEST_LIB, lists joined by ':', stand in for both where nothing is installed yet.
 * VPTRCC_CXX and VPTRCC_CC name the host's compilers; -ccbin goes before them.
 */
#ifndef VPTRCC_HOME_H
#define VPTRCC_HOME_H

#include "options.h"

typedef struct cc_home {
  cc_list headers;         /* folders of vptr/vptr.h */
  cc_list cuda_headers;    /* folders of cuda_runtime.h, as realpath() has them */
  cc_list libraries;       /* folders */
  cc_list library_options; /* -L for CUDA_HOME/lib64, and for each of them */
  cc_list cxx, cc;         /* commands, word by word */
  cc_list linker;          /* the C++ compiler without ccache and its like */
  const char *clang, *kernelc; /* commands; NULL: clang.c has not found them, or not looked yet */
  int clang_version;
  const char *clang_folder; /* clang's own files */
  const char *cuda;        /* CUDA_HOME; nothing is there before it is installed */
} cc_home;

void cc_home_find(cc_home *home, const cc_options *options);

/* The lines that nvcc -v begins with, on stderr: CMake and others read from them where a toolkit lies. LIBRARIES is,
 * word for word, a part of the command that links. */
void cc_home_print(const cc_home *home);

#endif
