/* SPDX-License-Identifier: MIT */
/*
 * writer - text that grows, in the arena.
 */
#ifndef VPTR_TRANSLATE_EMIT_WRITER_H
#define VPTR_TRANSLATE_EMIT_WRITER_H

#include "translate/source/arena.h"

typedef struct vptr__writer {
  vptr__arena *arena;
  char *text;        /* length bytes and a zero; NULL: nothing yet */
  size_t length, room;
} vptr__writer;

void vptr__writer_init(vptr__writer *writer, vptr__arena *arena);
void vptr__writer_bytes(vptr__writer *writer, const char *text, size_t length);
void vptr__writer_text(vptr__writer *writer, const char *text);
void vptr__writer_format(vptr__writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *vptr__writer_result(const vptr__writer *writer); /* "" if nothing was written */

#endif
