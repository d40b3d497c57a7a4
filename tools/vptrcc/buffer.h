/* SPDX-License-Identifier: MIT */
/*
 * buffer - a text that grows, and a list of texts that grows.
 *
 * Both take from the driver's arena, so nobody frees and nobody checks: a run of the driver is short, and when memory
 * ends there is one way out (vptrcc.c).
 */
#ifndef VPTRCC_BUFFER_H
#define VPTRCC_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "translate/source/arena.h"

typedef struct cc_buffer {
  vptr__arena *arena;
  char *text;              /* length bytes and a zero; "" at first */
  size_t length, capacity;
} cc_buffer;

void cc_buffer_init(cc_buffer *buffer, vptr__arena *arena);
void cc_buffer_add(cc_buffer *buffer, const char *text, size_t length);
void cc_buffer_print(cc_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As a string literal of C, in pieces of a line each. */
void cc_buffer_quote(cc_buffer *buffer, const char *text, size_t length);

typedef struct cc_list {
  vptr__arena *arena;
  const char **items;      /* count of them, then NULL; NULL itself while the list is empty */
  size_t count, capacity;
} cc_list;

void cc_list_init(cc_list *list, vptr__arena *arena);
void cc_list_add(cc_list *list, const char *text); /* not copied */
void cc_list_print(cc_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cc_list_append(cc_list *list, const cc_list *others);
void cc_list_cut(cc_list *list, size_t count); /* the first `count` stay */
bool cc_list_has(const cc_list *list, const char *text);

#endif
