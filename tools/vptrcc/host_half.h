/* SPDX-License-Identifier: MIT */
/*
 * host_half - the host's half of a C++ file, which clang compiles while the device's half is being made.
 *
 * clang reads the module, which becomes the object's GPU binary, when it has parsed the file. So the module is a pipe
 * with a name: clang waits there until the device's half is done. What it says is told behind the device's messages, as
 * if one had followed the other.
 */
#ifndef VPTRCC_HOST_HALF_H
#define VPTRCC_HOST_HALF_H

#include "compile.h"

typedef struct cc_host_half {
  cc_driver *driver;
  const cc_input *input;
  const char *object, *dependencies; /* of the caller's */
  const char *binary, *messages; /* files */
  cc_process process;
  bool is_beside;          /* it runs already */
} cc_host_half;

/* Always to be followed by one of the two below. dependencies: a file, or NULL. */
void cc_host_half_begin(cc_driver *driver, const cc_input *input, const char *object, const char *dependencies,
                        cc_host_half *half_out);

/* An exit status. */
int cc_host_half_finish(cc_host_half *half, const char *module);

/* The device's half has failed: there is no object. */
void cc_host_half_give_up(cc_host_half *half);

#endif
