/* SPDX-License-Identifier: MIT */
/*
 * words - the values of options, taken apart as nvcc takes them.
 *
 * nvcc's lists are joined by commas; a comma stands for itself between double quotes and behind a backslash, and each
 * backslash is used up. What nvcc then hands to other programs goes through a shell, which splits it at blanks and
 * takes quotes away. That is done here without one: `$` and backquotes stand for themselves, so no text is run, and a
 * run path may say $ORIGIN.
 */
#ifndef VPTRCC_WORDS_H
#define VPTRCC_WORDS_H

#include "buffer.h"

/* a,b,c: three; quotes stay. Empty parts are left out. */
void cc_words_list(cc_list *out, const char *value);

/* The same for names of files and libraries: double quotes are taken away. */
void cc_words_names(cc_list *out, const char *value);

/* The words of a shell's line, or of several lines. */
void cc_words_shell(cc_list *out, const char *text);

/* Parts of a list, and the words in each: what -Xcompiler takes. */
void cc_words_options(cc_list *out, const char *value);

#endif
