/* SPDX-License-Identifier: MIT */
/*
 * output - assert(), and who else says as printf() does what has failed. Their formats are literals with all that is
 * known when the module is written.
 */
#include "translate/emit/emitter.h"

#include <string.h>

const vptr__expression *vptr__emit_literal_of(const vptr__expression *expression) {
  while (expression != NULL &&
         (expression->kind == VPTR__EXPRESSION_CAST || expression->kind == VPTR__EXPRESSION_LOAD))
    expression = expression->operands[0];
  return expression != NULL && expression->kind == VPTR__EXPRESSION_STRING ? expression : NULL;
}

size_t vptr__emit_printed_length(const vptr__expression *literal) {
  const char *end = literal->length > 0 ? memchr(literal->text, '\0', literal->length) : NULL;
  return end != NULL ? (size_t)(end - literal->text) : literal->length;
}

/* Text inside a format. */
static void write_inside_format(vptr__writer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == '%')
      vptr__writer_text(out, "%%");
    else
      vptr__emit_string_bytes(out, text + i, 1);
}

static void write_literal(vptr__writer *out, const vptr__expression *argument, const char *otherwise) {
  const vptr__expression *literal = vptr__emit_literal_of(argument);
  if (literal != NULL)
    write_inside_format(out, literal->text, vptr__emit_printed_length(literal));
  else
    write_inside_format(out, otherwise, strlen(otherwise));
}

/* The block's and the thread's places, as values from that one on. */
static void write_places(vptr__emitter *emitter, const vptr__expression *places, const char *values, unsigned first) {
  static const char *const axes[] = { "x", "y", "z" };
  for (unsigned i = 0; i < 6; i++) {
    vptr__writer_format(emitter->out, "%s[%u] = (ulong)(uint)", values, first + i);
    if (places == NULL) {
      vptr__writer_format(emitter->out, "(%s)",
                          vptr__emit_index(emitter, i < 3 ? VPTR__BLOCK_IDX : VPTR__THREAD_IDX, axes[i % 3]));
    } else {
      vptr__emit_expression(emitter, places, VPTR__LEVEL_UNARY);
      places = places->next;
    }
    vptr__writer_text(emitter->out, ", ");
  }
}

/* Reads __assert_fail(text, file, line, function), or __vptr_assert(), which kernel C has: it says behind these where
 * block and thread are, who may be others than the driver's. */
void vptr__emit_assert(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_ASSERT = 710, VALUES = 6 };
  const vptr__expression *text = call->arguments, *file = text->next, *line = file->next, *function = line->next;
  const vptr__declaration *here = emitter->instance->function;
  vptr__place place = vptr__source_place(emitter->source, call->position);
  const char *values = vptr__emit_print_values(emitter);
  vptr__writer format;
  vptr__writer_init(&format, emitter->arena);
  while (line->kind == VPTR__EXPRESSION_CAST)
    line = line->operands[0];
  write_literal(&format, file, place.file);
  vptr__writer_format(&format,
                      ":%u: ", line->kind == VPTR__EXPRESSION_INTEGER ? (unsigned)line->integer : place.line);
  write_literal(&format, function, here->name != NULL ? here->name->text : "");
  vptr__writer_text(&format, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `");
  write_literal(&format, text, "");
  vptr__writer_text(&format, "` failed.\\n");
  vptr__writer_text(emitter->out, "(");
  write_places(emitter, function->next, values, 0);
  vptr__emit_print_record(emitter, true, vptr__writer_result(&format), "wwwwww", values);
  vptr__emit_print_values_end(emitter, values, VALUES);
  vptr__writer_text(emitter->out, ", ");
  vptr__emit_failure(emitter, CUDA_ERROR_ASSERT);
  vptr__writer_text(emitter->out, ")");
}

/* Reads __vptr_stuck(file, line, kernel, block's x, y, z, thread's x, y, z): the first block whose threads wait for
 * ever says so. */
void vptr__emit_stuck(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_LAUNCH_FAILURE = 719, VALUES = 7 };
  const vptr__expression *file = call->arguments, *line = file->next, *kernel = line->next;
  const char *values = vptr__emit_print_values(emitter);
  vptr__writer format;
  vptr__writer_init(&format, emitter->arena);
  write_literal(&format, file, "");
  vptr__writer_text(&format, ":%u: ");
  write_literal(&format, kernel, "");
  vptr__writer_text(&format, ": block: [%u,%u,%u], thread: [%u,%u,%u] waits here for ever, and others of its "
                             "block somewhere else\\n");
  emitter->reach |= VPTR__REACHES_CONTEXT;
  vptr__emit_need(emitter, "fail_first", NULL);
  vptr__writer_format(emitter->out, "(vptr_fail_first(vptr->m_status, %d) ? (%s[0] = (ulong)(uint)",
                      CUDA_ERROR_LAUNCH_FAILURE, values);
  vptr__emit_expression(emitter, line, VPTR__LEVEL_UNARY);
  vptr__writer_text(emitter->out, ", ");
  write_places(emitter, kernel->next, values, 1);
  vptr__emit_print_record(emitter, true, vptr__writer_result(&format), "wwwwwww", values);
  vptr__emit_print_values_end(emitter, values, VALUES);
  vptr__writer_text(emitter->out, ", 1) : 0)");
}
