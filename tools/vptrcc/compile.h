/* SPDX-License-Identifier: MIT */
/*
 * compile - one source becomes one object: by the host's compiler alone, or by both sides of a CUDA file.
 *
 *     a.cu --c++ -E--> a.ii --split, register--> a.host.ii --c++ -c--> a.o
 *       \--translate--> a.module ---------/
 */
#ifndef VPTRCC_COMPILE_H
#define VPTRCC_COMPILE_H

#include "home.h"
#include "process.h"

typedef struct cc_driver {
  vptr__arena *arena;
  cc_options options;
  cc_home home;
  cc_workshop workshop;
  bool has_children;       /* kernels of the source at work launch kernels, which clang has refused (children.h) */
} cc_driver;

/* Each gives an exit status: 0, or what is wrong was said. */
int cc_compile(cc_driver *driver, const cc_input *input, const char *object);
int cc_preprocess(cc_driver *driver, const cc_input *input, const char *output);      /* NULL: standard output */
int cc_write_dependencies(cc_driver *driver, const cc_input *input, const char *output); /* likewise */
int cc_write_host_text(cc_driver *driver, const cc_input *input, const char *output); /* of CUDA files only */
int cc_write_module(cc_driver *driver, const cc_input *input, const char *output);
int cc_write_dump(cc_driver *driver, const cc_input *input, const char *output);      /* NULL: standard output */

/* C++ that vptrcc wrote, with our headers. */
int cc_compile_generated(cc_driver *driver, const char *source, const char *object);

/* "x.o" of "a/x.cu", in the folder of -odir. */
const char *cc_output_name(const cc_options *options, const char *path, const char *suffix);

/* The host's compiler, with what each of its steps is told. */
cc_list cc_host_command(const cc_driver *driver, const char *language);

/* The same for linking. */
cc_list cc_link_command(const cc_driver *driver);

#endif
