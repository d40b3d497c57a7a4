/* SPDX-License-Identifier: MIT */
/*
 * source - the texts of a translation, positions in them, and what is said about them.
 *
 * A position is 32 bits: an offset into all texts laid end to end. Whoever wants file, line and column asks
 * vptr__source_place(), which also knows `#line`. A macro's expansion has the position where the macro was used.
 *
 * Errors are collected, not fatal: each is a line `file:line:column: error: ...`, as compilers print them, and says
 * what is wrong and what to do instead. A pass that has met one goes on as far as it safely can; the next pass does not
 * begin.
 */
#ifndef VPTR_TRANSLATE_SOURCE_SOURCE_H
#define VPTR_TRANSLATE_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "translate/source/arena.h"

typedef uint32_t vptr__position; /* 0: nowhere */

/* An identifier: interned, so that equal spellings are equal pointers. */
typedef struct vptr__name {
  const char *text;
  uint32_t length;
  uint32_t hash;
  uint16_t keyword;       /* a vptr__token_kind, or 0; set by the lexer's table */
  void *macro;            /* the preprocessor's */
  void *declaration;      /* the parser's: its innermost binding (syntax/scope.c) */
  struct vptr__name *next;
} vptr__name;

/* One text. Lines are found when asked for. */
typedef struct vptr__source_file {
  const char *name;       /* as messages show it */
  const char *text;       /* length bytes, then a zero */
  uint32_t length;
  vptr__position begin;   /* position of its first byte */
  vptr__position included_at;
  bool is_ours;           /* a header of ours: built in */
  struct vptr__renumbering *renumberings; /* the source's own, like what follows */
  uint32_t renumbering_count, renumbering_capacity;
  const uint32_t *lines;  /* offsets at which lines begin, once somebody has asked; lines[0] is 0 */
  uint32_t line_count;
  struct vptr__source_file *next;
} vptr__source_file;

typedef struct vptr__place {
  const char *file;
  unsigned line, column;  /* from 1; column in bytes */
} vptr__place;

typedef enum vptr__severity { VPTR__NOTE, VPTR__WARNING, VPTR__ERROR } vptr__severity;

typedef struct vptr__source vptr__source;

vptr__source *vptr__source_create(vptr__arena *arena);
vptr__arena *vptr__source_arena(vptr__source *source);

/* Adds a text, which must live as long as the source. Ends by the arena's way out when all texts together pass 1
 * GiB. */
vptr__source_file *vptr__source_add(vptr__source *source, const char *name, const char *text, size_t length,
                                    vptr__position included_at);
const vptr__source_file *vptr__source_file_at(const vptr__source *source, vptr__position position);
/* Nowhere: file is NULL. */
vptr__place vptr__source_place(vptr__source *source, vptr__position position);

/* `#line` and line markers: the line after `position`'s is `line` of `file` (NULL: the same as before). */
void vptr__source_renumber(vptr__source *source, vptr__position position, const char *file, unsigned line);

vptr__name *vptr__source_intern(vptr__source *source, const char *text, size_t length);

/* Says something about a position. After 100 errors the rest is counted only. While silenced (nests), errors are
 * counted and not kept: for attempts that may fail, see the parser. */
void vptr__source_report(vptr__source *source, vptr__severity severity, vptr__position position, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));
/* From now on no warning is kept, nor the notes behind one. */
void vptr__source_mute_warnings(vptr__source *source);
int vptr__source_errors(const vptr__source *source);   /* said or silenced */
void vptr__source_silence(vptr__source *source);
void vptr__source_unsilence(vptr__source *source, int errors_before); /* and the count goes back to that */
/* However often it was silenced: what was counted and not kept is forgotten. For who was left by the arena's way
 * out. */
void vptr__source_unsilence_all(vptr__source *source);
/* Between the two, what is said is neither kept nor counted: the second gives it, NULL where no error was among it. For
 * texts that count only if something reaches them. Does not nest. */
typedef struct vptr__held vptr__held;
void vptr__source_hold(vptr__source *source);
vptr__held *vptr__source_release(vptr__source *source);
void vptr__source_report_held(vptr__source *source, const vptr__held *held);
const char *vptr__source_log(vptr__source *source);    /* all that was said, a line each; in the arena */

#endif
