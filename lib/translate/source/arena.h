/* SPDX-License-Identifier: MIT */
/*
 * arena - the memory of one translation: taken piece by piece, given back at once.
 *
 * A translation makes tens of thousands of small objects that live exactly as long as it does. None is freed alone, and
 * nobody checks an allocation: when memory ends, or a limit is reached (bytes, depth of nesting), the arena leaves by
 * longjmp() to the one place that started the translation, which says why and frees all. So the passes hold no resource
 * but the arena's.
 *
 * Not thread-safe: a translation is one thread's. Several may run at once, each with its own.
 */
#ifndef VPTR_TRANSLATE_SOURCE_ARENA_H
#define VPTR_TRANSLATE_SOURCE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct vptr__arena_chunk vptr__arena_chunk;

typedef enum vptr__arena_end { VPTR__ARENA_NO_MEMORY = 1, VPTR__ARENA_TOO_LARGE, VPTR__ARENA_TOO_DEEP } vptr__arena_end;

typedef struct vptr__arena {
  vptr__arena_chunk *chunks; /* newest first */
  size_t used;               /* bytes asked of the system */
  size_t limit;              /* of `used` */
  int depth, depth_limit;    /* of nesting: see vptr__arena_enter() */
  jmp_buf *out;              /* where to go when it ends, with a vptr__arena_end; set it before the first allocation */
} vptr__arena;

enum { VPTR__ARENA_LIMIT = 1 << 30, VPTR__ARENA_DEPTH_LIMIT = 400 };

void vptr__arena_init(vptr__arena *arena, jmp_buf *out);
void vptr__arena_free(vptr__arena *arena);

/* Zeroed, aligned for anything. Does not return without memory. */
void *vptr__arena_allocate(vptr__arena *arena, size_t size);
#define VPTR__ARENA_NEW(arena, type) ((type *)vptr__arena_allocate((arena), sizeof(type)))

/* A copy of length bytes, and a terminating zero behind them. */
char *vptr__arena_copy(vptr__arena *arena, const char *text, size_t length);
char *vptr__arena_format(vptr__arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *vptr__arena_format_list(vptr__arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0), nonnull(2)));

/* Around whatever recurses on input: statements in statements, parentheses, macros, includes. */
void vptr__arena_enter(vptr__arena *arena);
void vptr__arena_leave(vptr__arena *arena);

#endif
