/* SPDX-License-Identifier: MIT */
/*
 * print - printf(), and what else says something in the same way (output.c).
 *
 * The host prints (cudart/module/print.c): a kernel leaves a record, which has the format and the values, in memory of
 * the device. OpenCL's printf() is not used: it wants less than CUDA's can say, and loses what its driver has no room
 * for without a word. So the format is read here, and written anew for the host; each argument is converted to what its
 * place prints, so that a %d for a long prints what CUDA prints, not what lies beside it, and becomes 8 bytes. Text is
 * copied by the prelude (print.cl), which is told for each value what it is:
 *
 *     printf("%d: %s %p\n", n, text, p)
 *
 * becomes stores of all values, which are evaluated before there is a record, and CUDA's result, their number:
 *
 *     (vptr_t1[0] = (ulong)n, vptr_t1[1] = (ulong)text, vptr_t1[2] = vptr_out(p),
 *      vptr_print(vptr->m_prints, 0, "%d: %s %p\n", "wgw", vptr_t1), 3)
 *
 * In that format integers have no length, since they are of 64 bits, and a real has an h where it is a float.
 *
 * A format that is known only when the kernel runs is copied as it is, and read twice there: by the prelude, which
 * asks what is printed as text, and by the host. Each argument has its own type then:
 *
 *     printf(n > 0 ? "%d %s\n" : "%d\n", n, text)
 *
 *     (vptr_t1[0] = (ulong)n, vptr_t1[1] = (ulong)text, vptr_t1[2] = vptr_out(text),
 *      vptr_print_any(vptr->m_prints, 'c', (ulong)(n > 0 ? "%d %s\n" : "%d\n"), "wgw", vptr_t1, vptr_t2))
 */
#include "translate/emit/emitter.h"

#include <string.h>

/* One conversion: %[flags][width][.precision][length]letter. */
typedef struct conversion {
  const char *modifier, *letter; /* modifier == letter: none */
  bool has_limit;                /* a precision, which is the value before */
} conversion;

typedef struct printing {
  vptr__emitter *emitter;
  const vptr__expression *call;
  const vptr__expression *argument; /* the next */
  const char *at, *end;             /* of the format */
  const char *values;               /* the array's name */
  vptr__writer format, kinds;
  unsigned count;       /* of arguments that were read */
  unsigned value_count; /* and of values */
} printing;

/* ---- reading --------------------------------------------------------------------------------------------- */

static void refuse_conversion(const printing *print, const char *begin) {
  size_t length = (size_t)(print->end - begin);
  vptr__source_report(print->emitter->source, VPTR__ERROR, print->call->arguments->position,
                      "printf: the conversion '%.*s' is not supported: there is no %%n and no long double",
                      (int)(length < 6 ? length : 6), begin);
}

static const vptr__expression *next_argument(printing *print) {
  const vptr__expression *argument = print->argument;
  if (argument == NULL)
    return NULL;
  print->argument = argument->next;
  print->count++;
  return argument;
}

/* What is written behind it is the value's, up to value_end(). */
static void value_begin(printing *print, char kind) {
  vptr__writer_bytes(&print->kinds, &kind, 1);
  vptr__writer_format(print->emitter->out, "%s[%u] = ", print->values, print->value_count++);
}

static void value_end(printing *print) {
  vptr__writer_text(print->emitter->out, ", ");
}

static void copy_while(printing *print, const char *letters) {
  const char *begin = print->at;
  while (print->at < print->end && strchr(letters, *print->at) != NULL)
    print->at++;
  vptr__writer_bytes(&print->format, begin, (size_t)(print->at - begin));
}

/* A width or a precision, a number or a `*`. False: it has been said what is wrong. */
static bool read_amount(printing *print) {
  if (print->at == print->end || *print->at != '*') {
    copy_while(print, "0123456789");
    return true;
  }
  const vptr__expression *argument = next_argument(print);
  print->at++;
  if (argument == NULL || !vptr__type_is_integer(argument->type)) {
    vptr__source_report(print->emitter->source, VPTR__ERROR, (argument != NULL ? argument : print->call)->position,
                        "printf: * needs an integer%s", argument == NULL ? ", and there are no more arguments" : "");
    return false;
  }
  vptr__writer_text(&print->format, "*");
  value_begin(print, 'w');
  vptr__writer_text(print->emitter->out, "(ulong)(int)");
  vptr__emit_expression(print->emitter, argument, VPTR__LEVEL_UNARY);
  value_end(print);
  return true;
}

/* A precision that is a number becomes a value, too, where text is bounded by it. */
static bool read_precision(printing *print) {
  const char *begin = ++print->at;
  while (print->at < print->end && *print->at >= '0' && *print->at <= '9')
    print->at++;
  if (print->at == print->end || *print->at != 's' || *begin == '*') {
    print->at = begin;
    vptr__writer_text(&print->format, ".");
    return read_amount(print);
  }
  long long number = 0;
  for (const char *digit = begin; digit < print->at; digit++)
    if (number < 1 << 24)
      number = number * 10 + (*digit - '0');
  vptr__writer_text(&print->format, ".*");
  value_begin(print, 'w');
  vptr__writer_format(print->emitter->out, "%lld", number);
  value_end(print);
  return true;
}

static bool read_conversion(printing *print, conversion *read) {
  const char *begin = print->at++;
  vptr__writer_text(&print->format, "%");
  copy_while(print, "-+ #0");
  if (!read_amount(print))
    return false;
  read->has_limit = print->at < print->end && *print->at == '.';
  if (read->has_limit && !read_precision(print))
    return false;
  read->modifier = print->at;
  while (print->at < print->end && strchr("hlLqjzt", *print->at) != NULL)
    print->at++;
  read->letter = print->at++;
  bool is_known = print->at <= print->end && strchr("diouxXcsfFeEgGaAp%", *read->letter) != NULL;
  if (!is_known || memchr(read->modifier, 'L', (size_t)(read->letter - read->modifier)) != NULL) {
    refuse_conversion(print, begin);
    return false;
  }
  return true;
}

/* True if the argument is fit for its conversion; else it has been said. */
static bool check_argument(const printing *print, const vptr__expression *argument, char letter) {
  const char *wanted = NULL;
  bool is_pointer = argument != NULL && argument->type->kind == VPTR__TYPE_POINTER;
  if (argument == NULL)
    wanted = "an argument, and there are no more";
  else if (strchr("fFeEgGaA", letter) != NULL && !vptr__type_is_floating(argument->type))
    wanted = "a floating-point number";
  else if (letter == 's' && (!is_pointer || vptr__type_size(argument->type->base) != 1))
    wanted = "a pointer to characters";
  else if (letter == 'p' && !is_pointer)
    wanted = "a pointer";
  else if (strchr("diouxXc", letter) != NULL && !vptr__type_is_integer(argument->type))
    wanted = "an integer";
  if (wanted != NULL)
    vptr__source_report(print->emitter->source, VPTR__ERROR, (argument != NULL ? argument : print->call)->position,
                        "printf: %%%c needs %s", letter, wanted);
  return wanted == NULL;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* Printed as double if it is one; a float is enough for itself, and need not have the device know doubles. */
static const vptr__expression *before_promotion(const vptr__expression *real) {
  bool was_float = real->kind == VPTR__EXPRESSION_CAST && real->cast == VPTR__CAST_IMPLICIT &&
                   real->operands[0]->type->kind == VPTR__TYPE_FLOAT;
  return was_float ? real->operands[0] : real;
}

static void write_bits(vptr__emitter *emitter, const vptr__expression *real) {
  vptr__writer_text(emitter->out, real->type->kind == VPTR__TYPE_FLOAT ? "as_uint(" : "as_ulong(");
  vptr__emit_expression(emitter, real, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ")");
}

static void write_real(printing *print, const vptr__expression *argument) {
  argument = before_promotion(argument);
  if (argument->type->kind == VPTR__TYPE_FLOAT)
    vptr__writer_text(&print->format, "h");
  write_bits(print->emitter, argument);
}

/* What its place takes of it. */
static const char *integer_type(const conversion *read) {
  bool is_signed = *read->letter == 'd' || *read->letter == 'i';
  size_t halves = 0;
  if (*read->letter == 'c')
    return "int";
  for (const char *at = read->modifier; at < read->letter; at++)
    if (*at != 'h')
      return is_signed ? "long" : "ulong";
    else
      halves++;
  if (halves == 0)
    return is_signed ? "int" : "uint";
  if (halves == 1)
    return is_signed ? "short" : "ushort";
  return is_signed ? "char" : "uchar";
}

static void write_integer(printing *print, const vptr__expression *argument, const conversion *read) {
  vptr__writer_format(print->emitter->out, "(ulong)(%s)", integer_type(read));
  vptr__emit_expression(print->emitter, argument, VPTR__LEVEL_UNARY);
}

static void write_text(vptr__emitter *emitter, const vptr__expression *argument, vptr__space space) {
  const vptr__expression *literal = vptr__emit_literal_of(argument);
  if (space == VPTR__SPACE_GLOBAL && emitter->options->finds_buffers)
    vptr__source_report(emitter->source, VPTR__ERROR, argument->position,
                        "printf: text in device memory has no form for --finds-buffers: copy it into an array of the "
                        "thread's own first");
  vptr__writer_format(emitter->out, "(ulong)(%sconst char *)", vptr__emit_space_word(space));
  vptr__emit_expression(emitter, literal != NULL ? literal : argument, VPTR__LEVEL_UNARY);
}

/* The host's address, as cudaMalloc() gave it, of what the host can reach. */
static void write_address(vptr__emitter *emitter, const vptr__expression *argument) {
  if (vptr__infer_pointee(emitter->instance, argument) == VPTR__SPACE_GLOBAL) {
    vptr__emit_stored(emitter, argument);
    return;
  }
  vptr__writer_text(emitter->out, "(ulong)");
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_UNARY);
}

static char kind_of_text(const vptr__emitter *emitter, const vptr__expression *argument, vptr__space *space_out) {
  static const char kinds[] = {
    [VPTR__SPACE_PRIVATE] = 'p', [VPTR__SPACE_GLOBAL] = 'g', [VPTR__SPACE_SHARED] = 'l', [VPTR__SPACE_CONSTANT] = 'c'
  };
  bool is_literal = vptr__emit_literal_of(argument) != NULL;
  *space_out = is_literal ? VPTR__SPACE_CONSTANT : vptr__infer_pointee(emitter->instance, argument);
  return kinds[*space_out];
}

static char kind_for(const printing *print, const vptr__expression *argument, const conversion *read,
                     vptr__space *space_out) {
  if (*read->letter != 's')
    return 'w';
  char kind = kind_of_text(print->emitter, argument, space_out);
  return read->has_limit ? (char)(kind - 'a' + 'A') : kind;
}

static bool write_argument(printing *print, const conversion *read) {
  const vptr__expression *argument = next_argument(print);
  char letter = *read->letter;
  vptr__space space = VPTR__SPACE_PRIVATE;
  if (!check_argument(print, argument, letter))
    return false;
  value_begin(print, kind_for(print, argument, read, &space));
  if (letter == 's')
    write_text(print->emitter, argument, space);
  else if (letter == 'p')
    write_address(print->emitter, argument);
  else if (strchr("fFeEgGaA", letter) != NULL)
    write_real(print, argument);
  else
    write_integer(print, argument, read);
  value_end(print);
  vptr__writer_bytes(&print->format, &letter, 1);
  return true;
}

/* ---- formats that are not known --------------------------------------------------------------------------- */

/* Text of device memory may also be printed as the host's address of it, which is a value of its own. */
static void write_any_pointer(printing *print, const vptr__expression *argument) {
  vptr__space space;
  if (vptr__type_size(argument->type->base) == 1) {
    value_begin(print, kind_of_text(print->emitter, argument, &space));
    write_text(print->emitter, argument, space);
    if (space != VPTR__SPACE_GLOBAL)
      return;
    value_end(print);
  }
  value_begin(print, 'w');
  write_address(print->emitter, argument);
}

static void write_any_value(printing *print, const vptr__expression *argument) {
  const vptr__expression *real = before_promotion(argument);
  bool is_pointer = argument->type->kind == VPTR__TYPE_POINTER;
  if (is_pointer && argument->type->base->kind != VPTR__TYPE_VOID &&
      argument->type->base->kind != VPTR__TYPE_FUNCTION) {
    write_any_pointer(print, argument);
  } else if (vptr__type_is_floating(real->type)) {
    value_begin(print, real->type->kind == VPTR__TYPE_FLOAT ? 'f' : 'w');
    write_bits(print->emitter, real);
  } else {
    value_begin(print, 'w');
    if (is_pointer) {
      write_address(print->emitter, argument);
    } else {
      vptr__writer_text(print->emitter->out, "(ulong)");
      vptr__emit_expression(print->emitter, argument, VPTR__LEVEL_UNARY);
    }
  }
  value_end(print);
}

static void write_any(vptr__emitter *emitter, const vptr__expression *call) {
  printing print = { .emitter = emitter, .call = call };
  const char *limits = vptr__emit_print_values(emitter);
  vptr__space space;
  print.values = vptr__emit_print_values(emitter);
  vptr__writer_init(&print.kinds, emitter->arena);
  emitter->reach |= VPTR__REACHES_CONTEXT;
  vptr__emit_need(emitter, "print_any", NULL);
  vptr__writer_text(emitter->out, "(");
  for (const vptr__expression *each = call->arguments->next; each != NULL; each = each->next)
    write_any_value(&print, each);
  char kind = kind_of_text(emitter, call->arguments, &space);
  vptr__writer_format(emitter->out, "vptr_print_any(vptr->m_prints, '%c', ", kind);
  write_text(emitter, call->arguments, space);
  vptr__writer_format(emitter->out, ", \"%s\", %s, %s))", vptr__writer_result(&print.kinds), print.values, limits);
  vptr__emit_print_values_end(emitter, print.values, print.value_count);
  vptr__writer_format(&emitter->temporaries, "  long %s[%u];\n", limits, print.value_count + 1);
}

/* ---- the call -------------------------------------------------------------------------------------------- */

static bool write_values(printing *print) {
  while (print->at < print->end) {
    conversion read;
    if (*print->at != '%') {
      vptr__emit_string_bytes(&print->format, print->at++, 1);
      continue;
    }
    if (!read_conversion(print, &read))
      return false;
    if (*read.letter == '%')
      vptr__writer_text(&print->format, "%");
    else if (!write_argument(print, &read))
      return false;
  }
  return true;
}

void vptr__emit_print_record(vptr__emitter *emitter, bool fails, const char *format, const char *kinds,
                             const char *values) {
  emitter->reach |= VPTR__REACHES_CONTEXT;
  vptr__emit_need(emitter, "print", NULL);
  vptr__writer_format(emitter->out, "vptr_print(vptr->m_prints, %d, \"%s\", \"%s\", %s)", fails, format, kinds,
                      values);
}

const char *vptr__emit_print_values(vptr__emitter *emitter) {
  return vptr__arena_format(emitter->arena, "vptr_t%d", ++emitter->temporary_count);
}

void vptr__emit_print_values_end(vptr__emitter *emitter, const char *values, unsigned count) {
  vptr__writer_format(&emitter->temporaries, "  ulong %s[%u];\n", values, count > 0 ? count : 1);
}

void vptr__emit_printf(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression *format = vptr__emit_literal_of(call->arguments);
  if (format == NULL) {
    write_any(emitter, call);
    return;
  }
  printing print = { .emitter = emitter, .call = call, .argument = call->arguments->next, .at = format->text };
  print.end = format->text + vptr__emit_printed_length(format);
  print.values = vptr__emit_print_values(emitter);
  vptr__writer_init(&print.format, emitter->arena);
  vptr__writer_init(&print.kinds, emitter->arena);
  vptr__writer_text(emitter->out, "(");
  if (write_values(&print) && print.argument != NULL)
    vptr__source_report(emitter->source, VPTR__WARNING, print.argument->position,
                        "printf: more arguments than the format prints");
  vptr__emit_print_record(emitter, false, vptr__writer_result(&print.format), vptr__writer_result(&print.kinds),
                          print.values);
  vptr__emit_print_values_end(emitter, print.values, print.value_count);
  vptr__writer_format(emitter->out, ", %u)", print.count);
}
