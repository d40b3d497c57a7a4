/* SPDX-License-Identifier: MIT */
/* reference - texture and surface references among the module's variables. */
#ifndef KERNELC_REFERENCE_H
#define KERNELC_REFERENCE_H

#include "writer.h"

/* The attribute that kernel C gives the variable of a reference: "vptr_texture", "vptr_texture_floats" or
 * "vptr_surface". NULL: the variable is none. */
const char *kc_reference_attribute(kc_writer *writer, LLVMValueRef global);

#endif
