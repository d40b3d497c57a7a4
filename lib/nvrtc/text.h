/* SPDX-License-Identifier: MIT */
/*
 * text - strings that grow, and lists of them. Host memory that runs out is remembered instead of returned, so that
 * whoever builds something asks once, at the end. No locks: each belongs to one call or one program.
 */
#ifndef VPTR_NVRTC_TEXT_H
#define VPTR_NVRTC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vptr__nvrtc_text {
  char *bytes; /* and a zero; NULL while it is empty */
  size_t length, room;
  bool failed; /* memory ran out: what it holds is not whole */
} vptr__nvrtc_text;

void vptr__nvrtc_text_add(vptr__nvrtc_text *text, const char *bytes, size_t length);
void vptr__nvrtc_text_print(vptr__nvrtc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vptr__nvrtc_text_free(vptr__nvrtc_text *text);

/* Of strings that it owns, NULL behind the last. */
typedef struct vptr__nvrtc_list {
  char **items; /* NULL while it is empty */
  size_t count, room;
  bool failed;
} vptr__nvrtc_list;

/* A copy of so many bytes. Returns it, or NULL. */
char *vptr__nvrtc_list_add(vptr__nvrtc_list *list, const char *bytes, size_t length);
void vptr__nvrtc_list_free(vptr__nvrtc_list *list);

/* A copy with a zero behind it, or NULL: host memory is out. */
char *vptr__nvrtc_copy(const char *bytes, size_t length);

#endif
