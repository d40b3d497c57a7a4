/* SPDX-License-Identifier: MIT */
/*
 * text - strings that grow, and lists of them (text.h).
 *
 * There is no data and no lock: who has a text or a list has it alone, or holds the mutex of the program that it is
 * part of. Called by the other files of this folder, for all that they put together. Nothing blocks.
 */
#include "nvrtc/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

char *vptr__nvrtc_copy(const char *bytes, size_t length) {
  char *copy = length < SIZE_MAX ? vptr__memory_calloc(length + 1, 1) : NULL;
  if (copy != NULL && length > 0)
    memcpy(copy, bytes, length);
  return copy;
}

/* Room for so many more bytes and a zero. */
static bool reserve_room(vptr__nvrtc_text *text, size_t more) {
  if (text->failed || more >= SIZE_MAX / 2 - text->length)
    return !(text->failed = true);
  size_t needed = text->length + more + 1;
  if (needed <= text->room)
    return true;
  size_t room = needed > 2 * text->room ? needed : 2 * text->room;
  char *bytes = vptr__memory_calloc(room, 1);
  if (bytes == NULL)
    return !(text->failed = true);
  if (text->bytes != NULL)
    memcpy(bytes, text->bytes, text->length);
  vptr__memory_free(text->bytes);
  text->bytes = bytes;
  text->room = room;
  return true;
}

void vptr__nvrtc_text_add(vptr__nvrtc_text *text, const char *bytes, size_t length) {
  if (!reserve_room(text, length))
    return;
  if (length > 0)
    memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void vptr__nvrtc_text_print(vptr__nvrtc_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length >= 0 && reserve_room(text, (size_t)length)) {
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(arguments);
}

void vptr__nvrtc_text_free(vptr__nvrtc_text *text) {
  vptr__memory_free(text->bytes);
  *text = (vptr__nvrtc_text){ 0 };
}

static bool list_reserve(vptr__nvrtc_list *list) {
  if (list->failed || list->count + 1 < list->room)
    return !list->failed;
  size_t room = list->room > 0 ? 2 * list->room : 8;
  char **items = vptr__memory_calloc(room, sizeof *items);
  if (items == NULL)
    return !(list->failed = true);
  for (size_t i = 0; i < list->count; i++)
    items[i] = list->items[i];
  vptr__memory_free(list->items);
  list->items = items;
  list->room = room;
  return true;
}

char *vptr__nvrtc_list_add(vptr__nvrtc_list *list, const char *bytes, size_t length) {
  char *copy = list_reserve(list) ? vptr__nvrtc_copy(bytes, length) : NULL;
  if (copy == NULL) {
    list->failed = true;
    return NULL;
  }
  list->items[list->count++] = copy;
  return copy;
}

void vptr__nvrtc_list_free(vptr__nvrtc_list *list) {
  for (size_t i = 0; i < list->count; i++)
    vptr__memory_free(list->items[i]);
  vptr__memory_free(list->items);
  *list = (vptr__nvrtc_list){ 0 };
}
