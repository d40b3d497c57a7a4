/* SPDX-License-Identifier: MIT */
/*
 * device - the device's side of a CUDA file: the translator, with the disk under it.
 *
 * Headers are looked for as compilers do, in the including file's folder, -I and -isystem; but for the system's,
 * which the translator has of its own, and vptr's, which are for hosts: those read as empty.
 */
#ifndef VPTRCC_DEVICE_H
#define VPTRCC_DEVICE_H

#include "home.h"

typedef struct cc_device_text {
  const char *module;      /* the translated text; NULL: errors were printed */
  cc_list included;        /* files that were read */
  bool is_library;         /* it includes one of CUDA's libraries in C++, which hosts' compilers cannot read */
  const char *log;         /* messages, which the caller prints */
  const char *dump;        /* what --dump asks for, also where there were errors; NULL: the text was not read */
  cc_list headers;         /* of cc_device_preprocess(): the host's, which were left out */
} cc_device_text;

/* name: as messages show it. False: there were errors, or memory is out. */
bool cc_device_translate(const cc_options *options, const cc_home *home, const char *name, const char *text,
                         size_t length, cc_device_text *device_out);

/* The same of kernel C, which vptr-kernelc wrote of what clang compiled for that __CUDA_ARCH__. */
bool cc_device_translate_kernels(const cc_options *options, const cc_home *home, const char *name, const char *text,
                                 size_t length, int arch, cc_device_text *device_out);

/* Whether the translator has all that a file of a relocatable program says: the log tells what it has not. */
bool cc_device_judge(const cc_options *options, const cc_home *home, const char *name, const char *text,
                     size_t length, cc_device_text *device_out);

/* The preprocessor alone: a text that means the same without any file but the translator's own headers, in
 * device_out->module. */
bool cc_device_preprocess(const cc_options *options, const cc_home *home, const char *name, const char *text,
                          size_t length, cc_device_text *device_out);

/* The host's compiler, or clang, has found fault with the text: says which headers of CUDA's are not here, and what to
 * do without them. */
void cc_device_explain(const cc_options *options, const cc_home *home, bool is_by_clang, const char *name,
                       const char *text, size_t length);

#endif
