/* SPDX-License-Identifier: MIT */
/*
 * prelude - pieces of OpenCL C that modules begin with, those that they use.
 *
 * The pieces are in emit/prelude/<subject>.cl, where a line `//: name needs...` begins each. Where a piece has an @,
 * that is the space of a pointer, and the piece is written once for each space it is asked for. They are searched as
 * text: a module asks for few.
 */
#include "translate/emit/emitter.h"

#include <string.h>

#include "translate/source/text.h"

static const char mark[] = "//: ";

/* The first piece in `text`; NULL: no more. */
static const char *next_piece(const char *text) {
  while (text != NULL && strncmp(text, mark, sizeof mark - 1) != 0) {
    text = strchr(text, '\n');
    if (text != NULL)
      text++;
  }
  return text;
}

static bool is_named(const char *piece, const char *name) {
  size_t length = strlen(name);
  piece += sizeof mark - 1;
  return strncmp(piece, name, length) == 0 && (piece[length] == ' ' || piece[length] == '\n');
}

static void take_apart(const char *piece, size_t name_length, const char **text_out, size_t *length_out,
                       const char **needs_out, size_t *needs_length_out) {
  const char *end = strchr(piece, '\n'), *next = next_piece(end + 1);
  *needs_out = piece + sizeof mark - 1 + name_length;
  *needs_length_out = (size_t)(end - *needs_out);
  *text_out = end + 1;
  *length_out = next != NULL ? (size_t)(next - *text_out) : strlen(*text_out);
}

bool vptr__prelude_find(const char *name, const char **text_out, size_t *length_out, const char **needs_out,
                        size_t *needs_length_out) {
  for (const vptr__text *file = vptr__prelude_texts; file->name != NULL; file++)
    for (const char *piece = next_piece(file->text); piece != NULL; piece = next_piece(piece + 1))
      if (is_named(piece, name)) {
        take_apart(piece, strlen(name), text_out, length_out, needs_out, needs_length_out);
        return true;
      }
  return false;
}

static bool is_there(vptr__emitter *emitter, const char *name) {
  for (const vptr__piece_used *used = emitter->pieces; used != NULL; used = used->next)
    if (strcmp(used->name, name) == 0)
      return true;
  return false;
}

static void write_piece(vptr__emitter *emitter, const char *text, size_t length, const char *space) {
  vptr__writer piece;
  vptr__writer_init(&piece, emitter->arena);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '@')
      vptr__writer_text(&piece, space);
    else
      vptr__writer_bytes(&piece, text + i, 1);
  if (strstr(vptr__writer_result(&piece), "double") != NULL)
    emitter->uses_double = true;
  vptr__writer_bytes(&emitter->prelude, vptr__writer_result(&piece), piece.length);
}

static void need_listed(vptr__emitter *emitter, const char *names, size_t length) {
  for (size_t begin = 0; begin < length;) {
    size_t end = begin;
    while (end < length && names[end] != ' ')
      end++;
    if (end > begin)
      vptr__emit_need(emitter, vptr__arena_copy(emitter->arena, names + begin, end - begin), NULL);
    begin = end + 1;
  }
}

void vptr__emit_need(vptr__emitter *emitter, const char *piece, const char *space) {
  const char *text, *needs;
  size_t length, needs_length;
  if (!vptr__prelude_find(piece, &text, &length, &needs, &needs_length)) {
    vptr__source_report(emitter->source, VPTR__ERROR, 0, "the prelude has no piece '%s': report this as a bug",
                        piece);
    return;
  }
  const char *name =
      memchr(text, '@', length) != NULL ? vptr__arena_format(emitter->arena, "%s_%s", piece, space) : piece;
  if (is_there(emitter, name))
    return;
  vptr__piece_used *used = VPTR__ARENA_NEW(emitter->arena, vptr__piece_used);
  *used = (vptr__piece_used){ name, emitter->pieces };
  emitter->pieces = used;
  need_listed(emitter, needs, needs_length);
  write_piece(emitter, text, length, space != NULL ? space : "private");
}
