/* SPDX-License-Identifier: MIT */
/*
 * entries - how a program of several units, some of them clang's, registers its kernels and variables.
 *
 * Units of the own front end tell addresses by functions (split.h). clang's list theirs in a section, name and address,
 * which the linker makes one array of. All of it goes to one GPU binary, the linked module.
 */
#ifndef VPTRCC_ENTRIES_H
#define VPTRCC_ENTRIES_H

#include "module.h"
#include "split.h"

/* split: the kernels and variables of the own units, and beside them the numbers of their units. The text goes to
 * split->out. */
void cc_entries_write(cc_split *split, const cc_module *module, const int *kernel_units,
                      const int *variable_units);

#endif
