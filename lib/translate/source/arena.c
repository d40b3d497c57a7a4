/* SPDX-License-Identifier: MIT */
/*
 * arena - see arena.h.
 *
 * Chunks grow with what was asked for, so that a small translation takes 64 KiB and a large one few chunks. Under the
 * address sanitizer each piece is a chunk of its own: then it sees what runs over a piece's end, and fuzzing is worth
 * it.
 */
#include "translate/source/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

struct vptr__arena_chunk {
  vptr__arena_chunk *older;
  size_t size, taken; /* of bytes */
  _Alignas(16) unsigned char bytes[];
};

enum { ALIGNMENT = 16, FIRST_CHUNK = 64 << 10, LARGEST_CHUNK = 4 << 20 };

#if defined(__SANITIZE_ADDRESS__)
enum { IS_EXACT = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { IS_EXACT = 1 };
#else
enum { IS_EXACT = 0 };
#endif
#else
enum { IS_EXACT = 0 };
#endif

void vptr__arena_init(vptr__arena *arena, jmp_buf *out) {
  *arena = (vptr__arena){ .limit = VPTR__ARENA_LIMIT, .depth_limit = VPTR__ARENA_DEPTH_LIMIT, .out = out };
}

void vptr__arena_free(vptr__arena *arena) {
  while (arena->chunks != NULL) {
    vptr__arena_chunk *chunk = arena->chunks;
    arena->chunks = chunk->older;
    vptr__memory_free(chunk);
  }
  arena->used = 0;
}

static _Noreturn void jump_out(vptr__arena *arena, vptr__arena_end why) {
  longjmp(*arena->out, (int)why);
}

static size_t chunk_size(const vptr__arena *arena, size_t needed) {
  if (IS_EXACT)
    return needed;
  size_t size = arena->used < FIRST_CHUNK ? FIRST_CHUNK : arena->used;
  size = size > LARGEST_CHUNK ? LARGEST_CHUNK : size;
  return size < needed ? needed : size;
}

static vptr__arena_chunk *add_chunk(vptr__arena *arena, size_t needed) {
  size_t size = chunk_size(arena, needed);
  if (size > arena->limit - arena->used)
    size = needed;
  if (size > arena->limit - arena->used)
    jump_out(arena, VPTR__ARENA_TOO_LARGE);
  vptr__arena_chunk *chunk = vptr__memory_calloc(1, sizeof *chunk + size);
  if (chunk == NULL)
    jump_out(arena, VPTR__ARENA_NO_MEMORY);
  chunk->size = size;
  chunk->older = arena->chunks;
  arena->chunks = chunk;
  arena->used += size;
  return chunk;
}

void *vptr__arena_allocate(vptr__arena *arena, size_t size) {
  if (size > arena->limit)
    jump_out(arena, VPTR__ARENA_TOO_LARGE);
  size_t step = IS_EXACT ? size + (size == 0) : (size + (size == 0) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  vptr__arena_chunk *chunk = arena->chunks;
  if (chunk == NULL || chunk->size - chunk->taken < step)
    chunk = add_chunk(arena, step);
  void *piece = chunk->bytes + chunk->taken;
  chunk->taken += step;
  return piece;
}

char *vptr__arena_copy(vptr__arena *arena, const char *text, size_t length) {
  char *copy = vptr__arena_allocate(arena, length + 1);
  if (length > 0)
    memcpy(copy, text, length);
  return copy;
}

char *vptr__arena_format(vptr__arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = vptr__arena_format_list(arena, format, arguments);
  va_end(arguments);
  return text;
}

/* Twice, for the length is not known before: messages and names are short. */
char *vptr__arena_format_list(vptr__arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0)
    jump_out(arena, VPTR__ARENA_NO_MEMORY);
  char *text = vptr__arena_allocate(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

void vptr__arena_enter(vptr__arena *arena) {
  if (arena->depth >= arena->depth_limit)
    jump_out(arena, VPTR__ARENA_TOO_DEEP);
  arena->depth++;
}

void vptr__arena_leave(vptr__arena *arena) {
  arena->depth--;
}
