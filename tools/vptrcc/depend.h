/* SPDX-License-Identifier: MIT */
/*
 * depend - dependency files, for make.
 *
 * The host's preprocessor writes them. What only the device's side reads (an #include behind __CUDA_ARCH__) is added.
 */
#ifndef VPTRCC_DEPEND_H
#define VPTRCC_DEPEND_H

#include "options.h"

/* -MT, -MF, -MP for the host's compiler; file NULL: where it likes. */
void cc_depend_options(cc_list *command, const cc_options *options, const char *target, const char *file);

const char *cc_depend_target(const cc_options *options, const char *source, const char *object);
const char *cc_depend_file(const cc_options *options, const char *source);

/* Copies the file that the host's compiler wrote, with the paths of `included` that are missing. False: it was
 * said why. */
bool cc_depend_write(const cc_options *options, const char *written, const cc_list *included, const char *path);

/* Copies it without one path, of a file that vptrcc made. False: likewise. */
bool cc_depend_copy_without(vptr__arena *arena, const char *written, const char *without, const char *path);

#endif
