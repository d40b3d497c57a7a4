/* SPDX-License-Identifier: MIT */
/*
 * module - what a translated text says of itself (the lines of lib/cudart/module/image.h), as far as registration asks:
 * names, and how many parameters.
 */
#ifndef VPTRCC_MODULE_H
#define VPTRCC_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "translate/source/arena.h"

typedef struct cc_module_entry {
  const char *path;        /* "a::k" */
  const char *lowered;
  uint32_t parameter_count; /* of a kernel */
  bool is_extern;          /* of a variable */
  const char *reference;   /* of one that is a reference: "texture" or "surface"; else "" */
  bool reads_floats;       /* such a texture */
  bool is_taken;           /* somebody on the host has it */
} cc_module_entry;

typedef struct cc_module {
  const char *text;
  size_t length;
  cc_module_entry *kernels, *variables; /* as they stand in the text */
  uint32_t kernel_count, variable_count;
} cc_module;

void cc_module_read(cc_module *module, vptr__arena *arena, const char *text, size_t length);

/* The next one of that name that nobody has taken, or NULL: overloads come in the order in which they are written. */
cc_module_entry *cc_module_take_kernel(cc_module *module, const char *path, uint32_t parameter_count);
cc_module_entry *cc_module_take_variable(cc_module *module, const char *path);

/* A variable that is declared extern and defined nowhere, or NULL. */
const char *cc_module_lacking_variable(const cc_module *module);
bool cc_module_has_reference(const cc_module *module, const char *path);

#endif
