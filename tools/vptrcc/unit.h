/* SPDX-License-Identifier: MIT */
/*
 * unit - what is kept of one file of a relocatable program: lines about it, then its text, or clang's bitcode.
 *
 *     //vptr-relocatable 4
 *     //source x.cu
 *     //symbol vptr_rdc_...         what its names are told apart by
 *     //arithmetic no-fma fast-math
 *     //text, and the text; or //bitcode 1234, a zero, and so many bytes
 */
#ifndef VPTRCC_UNIT_H
#define VPTRCC_UNIT_H

#include "whole.h"

/* Two objects of one program have different names, or lie in different folders; of one source there may be two
 * with different options, hence the text and them. */
const char *cc_unit_symbol(const cc_driver *driver, const char *object, const char *text);

/* The lines that every unit has. */
void cc_unit_begin(const cc_driver *driver, const char *source, const char *symbol, cc_buffer *out);

/* What stands behind them. bitcode: a file; false: it cannot be read, which was said. */
void cc_unit_add_text(const cc_device_text *device, cc_buffer *out);
bool cc_unit_add_bitcode(const cc_driver *driver, const char *bitcode, cc_buffer *out);

/* False: another version wrote it. */
bool cc_unit_read(vptr__arena *arena, const char *text, cc_whole_unit *unit_out);

/* Arithmetic is of all units at once: products and sums stay apart where one of them says so, and it is fast where all
 * do. What the command says besides is kept. */
void cc_unit_join_options(const cc_whole_unit *units, size_t count, cc_options *options);

#endif
