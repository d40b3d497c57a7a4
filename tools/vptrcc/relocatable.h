/* SPDX-License-Identifier: MIT */
/*
 * relocatable - relocatable device code: kernels of one file use functions and variables of another.
 *
 * OpenCL 1.2 has no linker that all drivers share, and address spaces are inferred over whole calls, so texts are
 * linked, not code. An object carries its file's device text, preprocessed, in a section of its own, with a list of
 * its kernels and variables and the symbols that tell their addresses. Linking reads those sections, joins the texts
 * to one, translates that, and compiles an object that registers all of it as one module.
 *
 * The object of a file that clang compiles carries bitcode in the text's place. Where one unit has that, all are linked
 * as bitcode (whole.h).
 */
#ifndef VPTRCC_RELOCATABLE_H
#define VPTRCC_RELOCATABLE_H

#include "compile.h"
#include "device.h"
#include "split.h"

/* The device's side of one file: its text for the section, in device_out->module. False: errors were printed. */
bool cc_relocatable_text(const cc_options *options, const cc_home *home, const char *name, const char *text,
                         size_t length, cc_device_text *device_out);

/* The host's side: the section, and the symbols. object: what makes their names unique. */
bool cc_relocatable_finish(cc_driver *driver, cc_split *split, const char *source, const cc_device_text *device,
                           const char *object);

/* Both sides of a file by clang: the section and the object. dependencies: a file, or NULL. An exit status. */
int cc_relocatable_compile(cc_driver *driver, const cc_input *input, const char *object, const char *dependencies);

/* If any of the files has such a section, adds the registering object to them. An exit status. */
int cc_relocatable_link(cc_driver *driver, cc_list *files);

/* The same as a step of its own: -dlink. */
int cc_relocatable_device_link(cc_driver *driver, const cc_list *files, const char *output);

/* And to a module's text instead of an object: -dlink -ptx. */
int cc_relocatable_module_link(cc_driver *driver, const cc_list *files, const char *output);

#endif
