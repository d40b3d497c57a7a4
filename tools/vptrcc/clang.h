/* SPDX-License-Identifier: MIT */
/*
 * clang - the front end for C++ in kernels: clang, and the program that writes kernel C of its IR (tools/kernelc).
 *
 *     x.cu -- clang++ --cuda-device-only --> x.bc -- vptr-kernelc --> x.kernel.cu -- the translator --> module
 *          -- clang++ --cuda-host-only, with the module as its GPU binary --> x.o
 *
 * Both are child processes. Nothing is remembered between files but where they are.
 */
#ifndef VPTRCC_CLANG_H
#define VPTRCC_CLANG_H

#include "compile.h"
#include "device.h"

/* Whether there is a clang that is new enough, and vptr-kernelc; where not, *why_out says what to do. */
bool cc_clang_find(cc_driver *driver, const char **why_out);

/* Prints who can read kernels here, or what is missing: "name\tvalue\tremark" in lines, which vptr-info shows. */
void cc_clang_print(cc_driver *driver);

/* The module's text of a file's kernels, in device->module. False: it was said why. */
bool cc_clang_translate(cc_driver *driver, const cc_input *input, cc_device_text *device);

/* The device half of a source, as bitcode. unit: the word for names that are its own, in relocatable code; or NULL. An
 * exit status. */
int cc_clang_compile_device(cc_driver *driver, const char *source, const char *unit, const char *bitcode);

/* The module's text of bitcode. name: what files in between are called by; bitcode: words of vptr-kernelc's command. */
bool cc_clang_translate_bitcode(cc_driver *driver, const char *name, const cc_list *bitcode, cc_device_text *device);

/* Adds lines with the names of the kernels and variables that bitcode defines, as modules have them. False: it was said
 * why. */
bool cc_clang_list_names(cc_driver *driver, const char *bitcode, cc_buffer *out);

/* The command of the host half, which reads the module, with its zero, from `binary` when it has read the source. */
cc_list cc_clang_host_command(cc_driver *driver, const cc_input *input, const char *binary, const char *object,
                              const char *dependencies);

/* The host half of a unit of relocatable code; prelude: a file in front of the source. */
int cc_clang_compile_unit(cc_driver *driver, const cc_input *input, const char *unit, const char *prelude,
                          const char *object, const char *dependencies);

#endif
