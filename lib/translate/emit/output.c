/* SPDX-License-Identifier: MIT */
/*
 * output - printf() and assert().
 *
 * OpenCL's printf() wants a literal format, and has neither long long, size_t nor `*`. So the format is read here,
 * and written anew; each argument is converted to what its place prints, so that a %d for a long prints what CUDA
 * prints, not what lies beside it.
 */
#include "translate/emit/emitter.h"

#include <string.h>

/* The literal that a pointer is; NULL: none. */
static const vptr__expression *literal_of(const vptr__expression *expression) {
  while (expression != NULL &&
         (expression->kind == VPTR__EXPRESSION_CAST || expression->kind == VPTR__EXPRESSION_LOAD))
    expression = expression->operands[0];
  return expression != NULL && expression->kind == VPTR__EXPRESSION_STRING ? expression : NULL;
}

/* Bytes of a string before its zero. */
static size_t printed_length(const vptr__expression *literal) {
  const char *end = literal->length > 0 ? memchr(literal->text, '\0', literal->length) : NULL;
  return end != NULL ? (size_t)(end - literal->text) : literal->length;
}

/* One conversion: %[flags][width][.precision][length]letter. */
typedef struct conversion {
  const char *begin, *modifier, *letter; /* modifier == letter: none */
  const char *end;
} conversion;

static bool read_conversion(const char *at, const char *end, conversion *conversion_out) {
  conversion_out->begin = at++;
  while (at < end && strchr("-+ #0123456789.", *at) != NULL)
    at++;
  conversion_out->modifier = at;
  while (at < end && strchr("hlLqjzt", *at) != NULL)
    at++;
  conversion_out->letter = at;
  conversion_out->end = at + 1;
  return at < end && strchr("diouxXcsfFeEgGaAp%", *at) != NULL;
}

static bool is_long(const conversion *read) {
  for (const char *at = read->modifier; at < read->letter; at++)
    if (strchr("lqjzt", *at) != NULL)
      return true;
  return false;
}

static void write_cast_argument(vptr__emitter *emitter, const vptr__expression *argument, const char *type) {
  bool is_same = strcmp(type, vptr__emit_scalar(emitter, argument->type)) == 0;
  vptr__writer_format(emitter->out, is_same ? ", " : ", (%s)", type);
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_UNARY);
}

/* Printed as double if it is one; a float is enough for itself, and need not have the device know doubles. */
static void write_floating_argument(vptr__emitter *emitter, const vptr__expression *argument) {
  if (argument->kind == VPTR__EXPRESSION_CAST && argument->cast == VPTR__CAST_IMPLICIT &&
      argument->operands[0]->type->kind == VPTR__TYPE_FLOAT)
    argument = argument->operands[0];
  vptr__writer_text(emitter->out, ", ");
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
}

static const char *integer_type(const conversion *read) {
  bool is_signed = *read->letter == 'd' || *read->letter == 'i';
  size_t halves = 0;
  for (const char *at = read->modifier; at < read->letter; at++)
    halves += *at == 'h';
  if (is_long(read))
    return is_signed ? "long" : "ulong";
  if (halves == 1)
    return is_signed ? "int)(short" : "uint)(ushort";
  if (halves == 2)
    return is_signed ? "int)(char" : "uint)(uchar";
  return is_signed ? "int" : "uint";
}

/* True if the argument is fit for its conversion; else it has been said. */
static bool check_argument(vptr__emitter *emitter, const vptr__expression *call, const vptr__expression *argument,
                           char letter) {
  const char *wanted = NULL;
  if (argument == NULL)
    wanted = "an argument, and there are no more";
  else if (strchr("fFeEgGaA", letter) != NULL && !vptr__type_is_floating(argument->type))
    wanted = "a floating-point number";
  else if (letter == 's' && literal_of(argument) == NULL)
    wanted = "a string literal: OpenCL prints no other strings";
  else if (letter == 'p' && argument->type->kind != VPTR__TYPE_POINTER)
    wanted = "a pointer";
  else if (strchr("diouxXc", letter) != NULL && !vptr__type_is_integer(argument->type))
    wanted = "an integer";
  if (wanted != NULL)
    vptr__source_report(emitter->source, VPTR__ERROR, argument != NULL ? argument->position : call->position,
                        "printf: %%%c needs %s", letter, wanted);
  return wanted == NULL;
}

static void write_argument(vptr__emitter *emitter, const vptr__expression *argument, const conversion *read) {
  char letter = *read->letter;
  if (strchr("fFeEgGaA", letter) != NULL) {
    write_floating_argument(emitter, argument);
  } else if (letter == 's') {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, literal_of(argument), VPTR__LEVEL_ASSIGN);
  } else if (letter == 'p') {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
  } else {
    write_cast_argument(emitter, argument, letter == 'c' ? "int" : integer_type(read));
  }
}

/* Flags, width and precision as they are; of lengths only `l` for 64 bits, what is shorter has been converted. */
static void write_conversion(vptr__writer *out, const conversion *read) {
  vptr__writer_bytes(out, read->begin, (size_t)(read->modifier - read->begin));
  if (strchr("diouxX", *read->letter) != NULL && is_long(read))
    vptr__writer_text(out, "l");
  vptr__writer_bytes(out, read->letter, 1);
}

/* The format, rewritten; the arguments go to the emitter's place. */
static bool rewrite_format(vptr__emitter *emitter, const vptr__expression *call, const vptr__expression *format,
                           vptr__writer *text) {
  const char *end = format->text + printed_length(format);
  const vptr__expression *argument = call->arguments->next;
  for (const char *at = format->text; at < end;) {
    conversion read;
    if (*at != '%') {
      vptr__emit_string_bytes(text, at++, 1);
      continue;
    }
    if (!read_conversion(at, end, &read)) {
      vptr__source_report(
          emitter->source, VPTR__ERROR, format->position,
          "printf: the conversion '%.*s' is not supported: OpenCL has no `*`, no %%n and no long double",
          (int)(end - at < 6 ? end - at : 6), at);
      return false;
    }
    write_conversion(text, &read);
    at = read.end;
    if (*read.letter == '%')
      continue;
    if (!check_argument(emitter, call, argument, *read.letter))
      return false;
    write_argument(emitter, argument, &read);
    argument = argument->next;
  }
  if (argument != NULL)
    vptr__source_report(emitter->source, VPTR__WARNING, argument->position,
                        "printf: more arguments than the format prints");
  return true;
}

void vptr__emit_printf(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression *format = literal_of(call->arguments);
  if (format == NULL) {
    vptr__source_report(emitter->source, VPTR__ERROR, call->position,
                        "printf: the format must be a string literal here: OpenCL takes no other");
    return;
  }
  vptr__writer text, arguments, *out = emitter->out;
  vptr__writer_init(&text, emitter->arena);
  vptr__writer_init(&arguments, emitter->arena);
  emitter->out = &arguments;
  rewrite_format(emitter, call, format, &text);
  emitter->out = out;
  vptr__writer_format(out, "printf(\"%s\"", vptr__writer_result(&text));
  vptr__writer_format(out, "%s)", vptr__writer_result(&arguments));
}

/* ---- assert ----------------------------------------------------------------------------------------------- */

/* Text inside a format. */
static void write_inside_format(vptr__writer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == '%')
      vptr__writer_text(out, "%%");
    else
      vptr__emit_string_bytes(out, text + i, 1);
}

static void write_literal(vptr__emitter *emitter, const vptr__expression *argument, const char *otherwise) {
  const vptr__expression *literal = literal_of(argument);
  if (literal != NULL)
    write_inside_format(emitter->out, literal->text, printed_length(literal));
  else
    write_inside_format(emitter->out, otherwise, strlen(otherwise));
}

/* The block's and the thread's places, as arguments of a format. */
static void write_places(vptr__emitter *emitter, const vptr__expression *places) {
  if (places == NULL)
    vptr__writer_text(emitter->out, emitter->has_place ? ", VPTR_BLOCK_IDX_x, VPTR_BLOCK_IDX_y, VPTR_BLOCK_IDX_z, "
                                                         "vptr_x, vptr_y, vptr_z"
                                                       : ", VPTR_BLOCK_IDX_x, VPTR_BLOCK_IDX_y, VPTR_BLOCK_IDX_z, "
                                                         "VPTR_THREAD_IDX_x, VPTR_THREAD_IDX_y, VPTR_THREAD_IDX_z");
  for (; places != NULL; places = places->next) {
    vptr__writer_text(emitter->out, ", ");
    vptr__emit_expression(emitter, places, VPTR__LEVEL_ASSIGN);
  }
}

/* Reads __assert_fail(text, file, line, function), or __vptr_assert(), which kernel C has: it says behind these where block
 * and thread are, who may be others than the driver's. */
void vptr__emit_assert(vptr__emitter *emitter, const vptr__expression *call) {
  enum { CUDA_ERROR_ASSERT = 710 };
  const vptr__expression *text = call->arguments, *file = text->next, *line = file->next, *function = line->next;
  const vptr__declaration *here = emitter->instance->function;
  vptr__place place = vptr__source_place(emitter->source, call->position);
  while (line->kind == VPTR__EXPRESSION_CAST)
    line = line->operands[0];
  vptr__emit_need(emitter, "index", NULL);
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

/* Reads __vptr_stuck(file, line, kernel, block's x, y, z, thread's x, y, z): the first block whose threads wait for ever says so. */
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
