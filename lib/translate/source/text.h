/* SPDX-License-Identifier: MIT */
/*
 * text - files of the tree as arrays of the library: the built-in headers, and the pieces of the emitter's prelude.
 *
 * They are written as files, in their own language, and made into C by texts.awk when the library is built.
 */
#ifndef VPTR_TRANSLATE_SOURCE_TEXT_H
#define VPTR_TRANSLATE_SOURCE_TEXT_H

#include <stddef.h>

typedef struct vptr__text {
  const char *name;   /* of the file, without its folder; NULL behind the last */
  const char *text;   /* length bytes, and a zero */
  size_t length;
} vptr__text;

extern const vptr__text vptr__header_texts[];  /* preprocessor/headers: names as they are included */
extern const vptr__text vptr__prelude_texts[]; /* emit/prelude */

#endif
