/* SPDX-License-Identifier: MIT */
/*
 * children - C++ files whose kernels launch kernels: the text that clang gets of one.
 *
 * clang up to 19 refuses a kernel's name in device code. So the file is preprocessed, with CUDA's words left as they
 * are, and its launches are rewritten on tokens, as for the own front end (launch.c):
 *
 *     the device's half     all launches become configure(g, b) ? (void)0 : k(x), and __global__ functions are of both
 *                           sides, with a mark that vptr-kernelc knows (tools/kernelc/child.h)
 *     the host's half       device code, which is only read there, loses all bodies that no type depends on; in the
 *                           others launches become configure(g, b) ? (void)0 : ignore(x), so that lambdas of the
 *                           device keep their captures, and with them their size
 *
 * Lines stay where they are. Of warnings the device's half, which reads the host's code too, gives all.
 */
#ifndef VPTRCC_CHILDREN_H
#define VPTRCC_CHILDREN_H

#include "compile.h"

/* Whether that is what clang has refused. messages: a file. */
bool cc_children_were_refused(cc_driver *driver, const char *messages);

/* What clang is told in addition when it preprocesses, and when it compiles what was rewritten. */
void cc_children_preprocessing(cc_list *command);
void cc_children_words(cc_list *command, bool is_device);

/* From a preprocessed text to one that clang takes, both files. False: it was said why. */
bool cc_children_rewrite(cc_driver *driver, const char *preprocessed, bool is_device, const char *rewritten);

#endif
