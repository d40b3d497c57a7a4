/* SPDX-License-Identifier: MIT */
/*
 * name - which kernel or variable of a module has a name.
 *
 * A hash table with linear probing, in memory of the caller's, half full at most. Filled once, in the order of the
 * lines, and then only read, so that there is no lock: of two that have a name the first is found. Used by image.c,
 * module.c and nvidia/survey.c.
 */
#ifndef VPTR_MODULE_NAME_H
#define VPTR_MODULE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vptr__name_place {
  const char *name; /* NULL: free */
  uint32_t index;
} vptr__name_place;

typedef struct vptr__name_table {
  vptr__name_place *places; /* zeroed at first */
  size_t count;             /* a power of two; 0: there are no names */
} vptr__name_table;

/* How many places a table for so many names has. */
size_t vptr__name_places(size_t names);

/* Keeps the name's address. A name that is there stays what it is. */
void vptr__name_add(vptr__name_table *table, const char *name, uint32_t index);

bool vptr__name_find(const vptr__name_table *table, const char *name, uint32_t *index_out);

#endif
