/* SPDX-License-Identifier: MIT */
/*
 * output - assert(), and who else says by printf() what has failed. Their formats are literals with all that is known
 * when the module is written.
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

static void write_literal(vptr__emitter *emitter, const vptr__expression *argument, const char *otherwise) {
  const vptr__expression *literal = vptr__emit_literal_of(argument);
  if (literal != NULL)
    write_inside_format(emitter->out, literal->text, vptr__emit_printed_length(literal));
  else
    write_inside_format(emitter->out, otherwise, strlen(otherwise));
}

static void write_indices(vptr__emitter *emitter, vptr__built_in of) {
  vptr__writer_format(emitter->out, ", %s, %s, %s", vptr__emit_index(emitter, of, "x"),
                      vptr__emit_index(emitter, of, "y"), vptr__emit_index(emitter, of, "z"));
}

/* The block's and the thread's places, as arguments of a format. */
static void write_places(vptr__emitter *emitter, const vptr__expression *places) {
  if (places == NULL) {
    write_indices(emitter, VPTR__BLOCK_IDX);
    write_indices(emitter, VPTR__THREAD_IDX);
  }
  for (; places != NULL; places = places->next) {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, places, VPTR__LEVEL_ASSIGN);
  }
}

/* Reads __assert_fail(text, file, line, function), or __vptr_assert(), which kernel C has: it says behind these where
 * block and thread are, who may be others than the driver's. */
void vptr__emit_assert(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_ASSERT = 710 };
  const vptr__expression *text = call->arguments, *file = text->next, *line = file->next, *function = line->next;
  const vptr__declaration *here = emitter->instance->function;
  vptr__place place = vptr__source_place(emitter->source, call->position);
  while (line->kind == VPTR__EXPRESSION_CAST)
    line = line->operands[0];
  vptr__writer_text(emitter->out, "(printf(\"");
  write_literal(emitter, file, place.file);
  vptr__writer_format(emitter->out,
                      ":%u: ", line->kind == VPTR__EXPRESSION_INTEGER ? (unsigned)line->integer : place.line);
  write_literal(emitter, function, here->name != NULL ? here->name->text : "");
  vptr__writer_text(emitter->out, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `");
  write_literal(emitter, text, "");
  vptr__writer_text(emitter->out, "` failed.\\n\"");
  write_places(emitter, function->next);
  vptr__writer_text(emitter->out, "), ");
  vptr__emit_failure(emitter, CUDA_ERROR_ASSERT);
  vptr__writer_text(emitter->out, ")");
}

/* Reads __vptr_stuck(file, line, kernel, block's x, y, z, thread's x, y, z): the first block whose threads wait for
 * ever says so. */
void vptr__emit_stuck(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_LAUNCH_FAILURE = 719 };
  const vptr__expression *file = call->arguments, *line = file->next, *kernel = line->next;
  emitter->reach |= VPTR__REACHES_CONTEXT;
  vptr__emit_need(emitter, "fail_first", NULL);
  vptr__writer_format(emitter->out, "(vptr_fail_first(vptr->m_status, %d) ? printf(\"", CUDA_ERROR_LAUNCH_FAILURE);
  write_literal(emitter, file, "");
  vptr__writer_text(emitter->out, ":%u: ");
  write_literal(emitter, kernel, "");
  vptr__writer_text(emitter->out, ": block: [%u,%u,%u], thread: [%u,%u,%u] waits here for ever, and others of its "
                                  "block somewhere else\\n\", ");
  vptr__emit_expression(emitter, line, VPTR__LEVEL_ASSIGN);
  write_places(emitter, kernel->next);
  vptr__writer_text(emitter->out, ") : 0)");
}
