/* SPDX-License-Identifier: MIT */
/*
 * builtin - finds a function of CUDA's in the tables. Each table is sorted by name, so that overloads stand together
 * and a search is a bisection; a name is asked for once for each call that is written, after the program's own names.
 */
#include "translate/types/builtin.h"

#include <stddef.h>
#include <string.h>

const vptr__builtin *const vptr__builtin_tables[] = {
  vptr__builtin_math,    vptr__builtin_integers,    vptr__builtin_atomics,
  vptr__builtin_threads, vptr__builtin_conversions, vptr__builtin_rounded,
  vptr__builtin_special, vptr__builtin_warps,       NULL
};

static size_t rows_in(const vptr__builtin *table) {
  size_t rows = 0;
  while (table[rows].name != NULL)
    rows++;
  return rows;
}

/* The first row that is not before `name`; the row behind the last if there is none. */
static const vptr__builtin *lower_bound(const vptr__builtin *table, const char *name) {
  size_t low = 0, high = rows_in(table);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(table[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return table + low;
}

const vptr__builtin *vptr__builtin_find(const char *name, int *count_out) {
  for (const vptr__builtin *const *table = vptr__builtin_tables; *table != NULL; table++) {
    const vptr__builtin *row = lower_bound(*table, name);
    int count = 0;
    while (row[count].name != NULL && strcmp(row[count].name, name) == 0)
      count++;
    if (count > 0) {
      *count_out = count;
      return row;
    }
  }
  return NULL;
}
