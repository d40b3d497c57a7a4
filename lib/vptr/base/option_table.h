/* SPDX-License-Identifier: MIT */
/*
 * option_table - the VPTR_* environment variables: their names, what values they take, and the text about each.
 *
 * This is the only list of them. option.c reads the environment by it, and the tables in README and vptr(7) are made
 * from it: make update-environment. Constant data; no locks.
 */
#ifndef VPTR_BASE_OPTION_TABLE_H
#define VPTR_BASE_OPTION_TABLE_H

#include "base/option.h"

typedef enum vptr__option_kind {
  VPTR__OPTION_FLAG,
  VPTR__OPTION_LEVEL,
  VPTR__OPTION_NUMBER,
  VPTR__OPTION_BYTES,
  VPTR__OPTION_ADDRESS_WAYS,
  VPTR__OPTION_WAYS,
  VPTR__OPTION_FAULT_WAYS,
  VPTR__OPTION_ARGUMENT_WAYS,
  VPTR__OPTION_THREAD_WAYS,
  VPTR__OPTION_SPECTRA_WAYS,
  VPTR__OPTION_WORDS
} vptr__option_kind;

typedef struct vptr__option_entry {
  const char *name;
  vptr__option_kind kind;
  const char *help;     /* one sentence or less: for README, and for the message about a malformed value */
  const char *more;     /* further sentences for vptr(7), or NULL; what is in `these` is set off there */
  const char *fallback; /* what holds where it is unset, in words */
} vptr__option_entry;

/* In the order of vptr__option. */
extern const vptr__option_entry vptr__option_table[VPTR__OPTION_COUNT];

#endif
