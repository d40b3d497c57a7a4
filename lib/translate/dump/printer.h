/* SPDX-License-Identifier: MIT */
/*
 * printer - lines about a tree, as the files of this room write them: what was written, how deep it is indented, and
 * what stands in front of each line.
 *
 * A line has the source's line in a column of its own where it is asked for, and files are named where they change, so
 * that no text depends on where things lie in memory.
 *
 *     printer.c     lines
 *     expression.c  types and expressions
 *     tree.c        statements and declarations
 *     spaces.c      where pointers point, instance by instance
 *     plan.c        kernels: how their threads run, what they are passed; threads.c: statement by statement
 *     dump.c        which steps there are, and all of them in their order
 */
#ifndef VPTR_TRANSLATE_DUMP_PRINTER_H
#define VPTR_TRANSLATE_DUMP_PRINTER_H

#include "translate/emit/writer.h"
#include "translate/syntax/tree.h"

enum {
  VPTR__PRINT_LINES = 1,  /* the source's lines in front */
  VPTR__PRINT_TYPES = 2,  /* what types/ has found out, and only of what kernels reach */
  VPTR__PRINT_PROGRAM = 4 /* of kernel C: without what vptr-kernelc puts in front of every program */
};

typedef struct vptr__printer {
  vptr__source *source;
  vptr__writer out;
  unsigned form;
  int indent;
  const char *file;      /* the one that lines are of; NULL: none was named yet */
} vptr__printer;

void vptr__printer_init(vptr__printer *printer, vptr__source *source, unsigned form);

/* Begins a line. position: 0 where none of the source is meant. */
void vptr__printer_line(vptr__printer *printer, vptr__position position);
void vptr__printer_format(vptr__printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "7", or "a.h:7" where the file is not that of the line that is written. */
const char *vptr__printer_place(const vptr__printer *printer, vptr__position position);

/* "_" for what has none. */
const char *vptr__printer_name(const vptr__name *name);

/* expression.c: types as the parser has them, the outermost first ("*const float"); expressions in parentheses with the
 * operator first, with PRINT_TYPES behind it the type: (+{int} (load{int} n) 1). */
void vptr__printer_type(vptr__printer *printer, const vptr__type *type);
void vptr__printer_expression(vptr__printer *printer, const vptr__expression *expression);

/* tree.c: "do", "for", ... */
const char *vptr__printer_statement_word(vptr__statement_kind kind);

#endif
