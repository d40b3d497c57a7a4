/* SPDX-License-Identifier: MIT */
/*
 * whole - the module of a relocatable program with C++ in its kernels: bitcode of all its units, linked.
 *
 * A unit that clang compiled brings its bitcode. One in C brings its text, as for the own front end; it is compiled by
 * clang now, since functions of C and C++ call each other, and LLVM is where both are the same.
 */
#ifndef VPTRCC_WHOLE_H
#define VPTRCC_WHOLE_H

#include "compile.h"
#include "device.h"
#include "joint.h"

typedef struct cc_whole_unit {
  const char *head;        /* the lines of its section, up to the text */
  const char *name;        /* the source's */
  const char *symbol;      /* what the program knows it by */
  const char *arithmetic;  /* words about it (unit.h) */
  const char *text;        /* of a unit in C; NULL: it has bitcode */
  const char *bitcode;
  size_t length;           /* of the bitcode */
} cc_whole_unit;

/* What a unit in C has in its section for clang alone: the host's headers, a line each. */
#define CC_WHOLE_HEADER "//header "

/* What is static in unit i is marked by i (mangled.h). False: it was said why. */
bool cc_whole_translate(cc_driver *driver, const cc_whole_unit *units, size_t count, cc_device_text *device);

#endif
