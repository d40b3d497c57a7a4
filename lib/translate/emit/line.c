/* SPDX-License-Identifier: MIT */
/*
 * line - where the next text of a function's body stands: on the line that the program has it on, so that the driver's
 * messages name that. `#line` is written where the driver would count otherwise. What is known of the text is the
 * emitter's (emitter.h).
 */
#include "translate/emit/emitter.h"

#include <string.h>

void vptr__emit_newline(vptr__emitter *emitter) {
  if (!emitter->is_line_ended)
    return;
  vptr__writer_text(emitter->out, "\n");
  emitter->line++;
  emitter->is_line_ended = false;
}

static void write_indent(vptr__emitter *emitter) {
  for (int i = 0; i < emitter->depth; i++)
    vptr__writer_text(emitter->out, "  ");
}

static bool is_here(const vptr__emitter *emitter, const vptr__place *place) {
  return emitter->file != NULL && strcmp(emitter->file, place->file) == 0;
}

/* Makes the next line that of `position`. A few empty lines read better than a directive. */
void vptr__emit_line(vptr__emitter *emitter, vptr__position position) {
  enum { FEW = 3 };
  vptr__emit_newline(emitter);
  if (position == 0)
    return;
  vptr__place place = vptr__source_place(emitter->source, position);
  if (is_here(emitter, &place) && place.line >= emitter->line && place.line - emitter->line <= FEW) {
    for (; emitter->line < place.line; emitter->line++)
      vptr__writer_text(emitter->out, "\n");
    return;
  }
  vptr__writer_format(emitter->out, "#line %u \"", place.line);
  vptr__emit_string_bytes(emitter->out, place.file, strlen(place.file));
  vptr__writer_text(emitter->out, "\"\n");
  emitter->file = place.file;
  emitter->line = place.line;
}

/* Goes on where `position` is: behind what was written, if that is of the same line. */
void vptr__emit_line_begin(vptr__emitter *emitter, vptr__position position) {
  vptr__place place = vptr__source_place(emitter->source, position);
  if (emitter->is_line_ended && (position == 0 || (is_here(emitter, &place) && place.line == emitter->line))) {
    vptr__writer_text(emitter->out, " ");
    emitter->is_line_ended = false;
    return;
  }
  vptr__emit_line(emitter, position);
  write_indent(emitter);
}

void vptr__emit_line_end(vptr__emitter *emitter, const char *text) {
  vptr__writer_text(emitter->out, text);
  emitter->is_line_ended = true;
}

/* A brace that closes what was opened on `line`: on a line of its own unless all is on one. */
void vptr__emit_brace_end(vptr__emitter *emitter, unsigned line) {
  if (line != emitter->line) {
    vptr__emit_newline(emitter);
    write_indent(emitter);
  } else if (emitter->is_line_ended) {
    vptr__writer_text(emitter->out, " ");
  }
  vptr__writer_text(emitter->out, "}");
  emitter->is_line_ended = false;
}

void vptr__emit_directive(vptr__emitter *emitter, const char *text) {
  vptr__emit_newline(emitter);
  vptr__writer_text(emitter->out, text);
  emitter->file = NULL; /* the next line says where it is */
}
