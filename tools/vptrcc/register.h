/* SPDX-License-Identifier: MIT */
/*
 * register - the C++ at a file's end that makes its kernels and variables known before main() and forgets them behind
 * it.
 *
 * A constructor of an early priority, so that objects of the program may launch kernels while they are made; the
 * destructor of the same priority comes after theirs, and with dlclose().
 */
#ifndef VPTRCC_REGISTER_H
#define VPTRCC_REGISTER_H

#include "module.h"
#include "split.h"

/* Appends to split->out. False: the two sides do not fit, which is said in split->messages. file: for messages at
 * run time. */
bool cc_register_module(cc_split *split, cc_module *module, const char *file);

#endif
