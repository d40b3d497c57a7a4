/* SPDX-License-Identifier: MIT */
/*
 * joint - device texts of several files, made into one.
 *
 * Declarations go one behind the other, each in its namespaces, with its line. What several files have from one
 * header comes once: types, prototypes, constants, inline and static functions that are the same word for word. What
 * is private to a file (static, or in an unnamed namespace) and has a namesake before it is renamed: variables
 * always, functions if they differ. Functions of the host are left out.
 */
#ifndef VPTRCC_JOINT_H
#define VPTRCC_JOINT_H

#include "buffer.h"

/* One file's text, and after cc_joint_make() what was renamed in it. */
typedef struct cc_joint_unit {
  const char *name, *text;
  cc_list renamed;         /* names */
  const char *suffix;      /* what they have behind them now */
} cc_joint_unit;

/* False: a text is not well-formed, which was said. */
bool cc_joint_make(vptr__arena *arena, cc_joint_unit *units, size_t count, cc_buffer *out);

/* The path under which the joint has what unit calls `path`. */
const char *cc_joint_path(vptr__arena *arena, const cc_joint_unit *unit, const char *path);

#endif
