/* SPDX-License-Identifier: MIT */
/* printer - see printer.h. */
#include "translate/dump/printer.h"

#include <string.h>

void vptr__printer_init(vptr__printer *printer, vptr__source *source, unsigned form) {
  *printer = (vptr__printer){ .source = source, .form = form };
  vptr__writer_init(&printer->out, vptr__source_arena(source));
}

void vptr__printer_format(vptr__printer *printer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = vptr__arena_format_list(printer->out.arena, format, arguments);
  va_end(arguments);
  vptr__writer_text(&printer->out, text);
}

static void name_file(vptr__printer *printer, const char *file) {
  if (file == NULL || (printer->file != NULL && strcmp(printer->file, file) == 0))
    return;
  printer->file = file;
  vptr__printer_format(printer, "in %s:\n", file);
}

void vptr__printer_line(vptr__printer *printer, vptr__position position) {
  if (printer->out.length > 0)
    vptr__writer_text(&printer->out, "\n");
  if (printer->form & VPTR__PRINT_LINES) {
    vptr__place place = vptr__source_place(printer->source, position);
    name_file(printer, place.file);
    if (place.file != NULL)
      vptr__printer_format(printer, "%5u  ", place.line);
    else
      vptr__writer_text(&printer->out, "       ");
  }
  vptr__printer_format(printer, "%*s", 2 * printer->indent, "");
}

const char *vptr__printer_place(const vptr__printer *printer, vptr__position position) {
  vptr__place place = vptr__source_place(printer->source, position);
  if (place.file == NULL)
    return "?";
  if (printer->file != NULL && strcmp(printer->file, place.file) == 0)
    return vptr__arena_format(printer->out.arena, "%u", place.line);
  return vptr__arena_format(printer->out.arena, "%s:%u", place.file, place.line);
}

const char *vptr__printer_name(const vptr__name *name) {
  return name == NULL ? "_" : name->text;
}
