/* SPDX-License-Identifier: MIT */
/*
 * print_record - what one call of printf() in a kernel left behind, printed as the host's printf() would.
 *
 *     words   0 words of the record   1 bytes of the format   2 the format, and then the values:
 *             a number has two words, the low one first; text its bytes, 0xffffffff for a null pointer, and the text
 *
 * The format has what the translator made of the program's (translate/emit/print.c): integers are of 64 bits, a real
 * with an h is a float's bits, and each `*` is a number among the values.
 *
 * A record of any format has the program's own, which was not known to the translator, and a word before each value: 0
 * a number, which is as wide as its place says, 1 a float's bits, 2 text. A conversion that has no value of its kind is
 * printed as it stands. No data; print.c, which uses it, holds the lock of the records, `printing`, of rank ARRAY.
 */
#ifndef VPTR_MODULE_PRINT_RECORD_H
#define VPTR_MODULE_PRINT_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A record of so many words. False: it is none, and what could be read of it has been printed. */
bool vptr__print_record(const uint32_t *record, uint32_t words, FILE *to);
bool vptr__print_any_record(const uint32_t *record, uint32_t words, FILE *to);

#endif
