/* SPDX-License-Identifier: MIT */
/*
 * armor - a unit of relocatable code (relocatable.h) as comments of a module's text.
 *
 * Programs hand modules on as strings, so a unit's bytes, which have zeros, become lines of 64 of their letters each.
 * They stand behind all else, and OpenCL's compilers take them for comments.
 *
 *     //vptr-unit 1234        the number of bytes
 *     //QUJD...
 */
#ifndef VPTRCC_ARMOR_H
#define VPTRCC_ARMOR_H

#include "buffer.h"

void cc_armor_write(cc_buffer *out, const char *bytes, size_t length);

/* Adds the units of a module's text, each as a section has it (section.h). What is not whole is left out. */
void cc_armor_read(vptr__arena *arena, const char *text, cc_list *texts);

#endif
