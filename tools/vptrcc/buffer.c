/* SPDX-License-Identifier: MIT */
/* buffer - see buffer.h. */
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cc_buffer_init(cc_buffer *buffer, vptr__arena *arena) {
  *buffer = (cc_buffer){ .arena = arena, .text = vptr__arena_copy(arena, "", 0), .capacity = 1 };
}

static void reserve_room(cc_buffer *buffer, size_t more) {
  if (buffer->length + more < buffer->capacity)
    return;
  size_t capacity = (buffer->length + more + 64) * 2;
  char *text = vptr__arena_allocate(buffer->arena, capacity);
  memcpy(text, buffer->text, buffer->length + 1);
  buffer->text = text;
  buffer->capacity = capacity;
}

void cc_buffer_add(cc_buffer *buffer, const char *text, size_t length) {
  reserve_room(buffer, length);
  memcpy(buffer->text + buffer->length, text, length);
  buffer->length += length;
  buffer->text[buffer->length] = 0;
}

void cc_buffer_print(cc_buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = vptr__arena_format_list(buffer->arena, format, arguments);
  va_end(arguments);
  cc_buffer_add(buffer, text, strlen(text));
}

void cc_buffer_quote(cc_buffer *buffer, const char *text, size_t length) {
  cc_buffer_add(buffer, "\"", 1);
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    char escape[5] = "";
    if (byte == '\n')
      cc_buffer_add(buffer, "\\n\"\n\"", 5);
    else if (byte == '"' || byte == '\\' || byte == '?' || byte < 0x20 || byte >= 0x7f)
      cc_buffer_add(buffer, escape, (size_t)snprintf(escape, sizeof escape, "\\%03o", byte));
    else
      cc_buffer_add(buffer, text + i, 1);
  }
  cc_buffer_add(buffer, "\"", 1);
}

void cc_list_init(cc_list *list, vptr__arena *arena) {
  *list = (cc_list){ .arena = arena };
}

void cc_list_add(cc_list *list, const char *text) {
  if (list->count + 1 >= list->capacity) {
    size_t capacity = list->capacity * 2 + 16;
    const char **items = vptr__arena_allocate(list->arena, capacity * sizeof *items);
    if (list->count > 0)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = text;
  list->items[list->count] = NULL;
}

void cc_list_print(cc_list *list, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  cc_list_add(list, vptr__arena_format_list(list->arena, format, arguments));
  va_end(arguments);
}

void cc_list_append(cc_list *list, const cc_list *others) {
  for (size_t i = 0; i < others->count; i++)
    cc_list_add(list, others->items[i]);
}

void cc_list_cut(cc_list *list, size_t count) {
  list->count = count;
  if (list->items != NULL)
    list->items[count] = NULL;
}

bool cc_list_has(const cc_list *list, const char *text) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i], text) == 0)
      return true;
  return false;
}
