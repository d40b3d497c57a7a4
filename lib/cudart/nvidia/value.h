/* SPDX-License-Identifier: MIT */
/*
 * value - the content that a PTX text gives a variable, as bytes. No data, no locks. Used by reference.c and writer.c.
 */
#ifndef VPTR_NVIDIA_VALUE_H
#define VPTR_NVIDIA_VALUE_H

#include "nvidia/survey.h"

/* Into symbol->size bytes, which are zeros; bytes may be NULL, to ask whether it can be. False: the content has
 * something else than numbers, or more of them than there is room for. */
bool vptr__ptx_value_read(const vptr__ptx_symbol *symbol, unsigned char *bytes);

#endif
