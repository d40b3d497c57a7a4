/* SPDX-License-Identifier: MIT */
/* writer - text that grows by doubling. What it leaves behind is the arena's, and goes with it. */
#include "translate/emit/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 512 };

void vptr__writer_init(vptr__writer *writer, vptr__arena *arena) {
  *writer = (vptr__writer){ .arena = arena };
}

void vptr__writer_bytes(vptr__writer *writer, const char *text, size_t length) {
  if (length == 0)
    return;
  if (writer->length + length + 1 > writer->room) {
    size_t room = writer->room > 0 ? writer->room : FIRST_ROOM;
    while (room < writer->length + length + 1)
      room *= 2;
    char *grown = vptr__arena_allocate(writer->arena, room);
    if (writer->length > 0)
      memcpy(grown, writer->text, writer->length);
    writer->text = grown;
    writer->room = room;
  }
  memcpy(writer->text + writer->length, text, length);
  writer->length += length;
  writer->text[writer->length] = '\0';
}

void vptr__writer_text(vptr__writer *writer, const char *text) {
  vptr__writer_bytes(writer, text, strlen(text));
}

void vptr__writer_format(vptr__writer *writer, const char *format, ...) {
  char small[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(small, sizeof small, format, arguments);
  va_end(arguments);
  if (length < 0)
    return;
  if ((size_t)length < sizeof small) {
    vptr__writer_bytes(writer, small, (size_t)length);
    return;
  }
  char *large = vptr__arena_allocate(writer->arena, (size_t)length + 1);
  va_start(arguments, format);
  vsnprintf(large, (size_t)length + 1, format, arguments);
  va_end(arguments);
  vptr__writer_bytes(writer, large, (size_t)length);
}

const char *vptr__writer_result(const vptr__writer *writer) {
  return writer->text != NULL ? writer->text : "";
}
