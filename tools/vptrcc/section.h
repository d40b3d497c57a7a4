/* SPDX-License-Identifier: MIT */
/* section - finds the device texts in objects and archives, ELF of 64 bits and ar, and in modules (armor.h). */
#ifndef VPTRCC_SECTION_H
#define VPTRCC_SECTION_H

#include "buffer.h"

#define CC_SECTION ".vptr_rdc"

/* How a module's text begins. */
#define CC_SECTION_MODULE "//vptr-module "

/* A text's last line may be "//bitcode 1234": so many bytes follow its zero. */
#define CC_SECTION_BYTES "//bitcode "

/* Adds the texts of a file, each with its zero and the bytes that follow it; what is neither ELF, nor ar, nor a
 * module's text has none. False: it cannot be read, which was said. */
bool cc_section_read(vptr__arena *arena, const char *path, cc_list *texts);

#endif
