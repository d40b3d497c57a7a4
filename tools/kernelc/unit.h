/* SPDX-License-Identifier: MIT */
/*
 * unit - the files of one program, read one by one and linked to one module.
 *
 * With relocatable device code a file uses functions and variables that another one defines. Linking is LLVM's, before
 * anything else is done, so that the rest of this program sees one file.
 */
#ifndef KERNELC_UNIT_H
#define KERNELC_UNIT_H

#include "writer.h"

/* Adds the bitcode of a file to writer->module. suffix: what clang's mark of a static kernel or variable becomes, for
 * those who must know its name; NULL: it stays. False: it was said why. */
bool kc_unit_add(kc_writer *writer, const char *path, const char *suffix);

#endif
