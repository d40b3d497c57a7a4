/* SPDX-License-Identifier: MIT */
/*
 * print - printf().
 *
 * OpenCL's printf() wants a literal format, and has neither long long, size_t nor `*`; it prints no text in memory,
 * and addresses that mean nothing to the host. So the format is read here, and written anew; each argument is
 * converted to what its place prints, so that a %d for a long prints what CUDA prints, not what lies beside it. A
 * width or precision that is a number known now goes into the format. What is left are functions of the prelude
 * (print.cl): the format is cut there, and
 *
 *     printf("%d: %s %p\n", n, text, p)
 *
 * becomes a printf() for each piece around them, and CUDA's result, the number of arguments:
 *
 *     (printf("%d: ", n), vptr_print_text_global(text, 0, 0, -1), printf(" "), vptr_print_address(..., 0, 0),
 *      printf("\n"), 3)
 */
#include "translate/emit/emitter.h"

#include <string.h>

enum { FLAG_LEFT = 1, FLAG_PLUS = 2, FLAG_SPACE = 4, FLAG_ALTERNATE = 8, FLAG_ZERO = 16 };

/* A width or a precision. */
typedef struct amount {
  bool is_there;
  const vptr__expression *argument; /* not known now; NULL: it is the number */
  long long number;
} amount;

/* One conversion: %[flags][width][.precision][length]letter. */
typedef struct conversion {
  unsigned flags;
  amount width, precision;
  const char *modifier, *letter; /* modifier == letter: none */
} conversion;

typedef struct printing {
  vptr__emitter *emitter;
  const vptr__expression *call;
  const vptr__expression *argument; /* the next */
  const char *at, *end;             /* of the format */
  vptr__writer text, arguments;     /* of the piece at work */
  unsigned count;                   /* of arguments that were read */
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

static unsigned read_flags(printing *print) {
  static const char letters[] = "-+ #0";
  unsigned flags = 0;
  for (const char *found; print->at < print->end && (found = memchr(letters, *print->at, 5)) != NULL; print->at++)
    flags |= 1u << (found - letters);
  return flags;
}

static bool is_number(const vptr__expression *argument, long long *number_out) {
  bool is_negative = false;
  for (;; argument = argument->operands[0])
    if (argument->kind == VPTR__EXPRESSION_UNARY && argument->op == '-')
      is_negative = !is_negative;
    else if (argument->kind != VPTR__EXPRESSION_CAST || !vptr__type_is_integer(argument->operands[0]->type))
      break;
  if (argument->kind != VPTR__EXPRESSION_INTEGER)
    return false;
  *number_out = (int)argument->integer;
  *number_out = is_negative ? -*number_out : *number_out;
  return true;
}

/* False: it has been said what is wrong. */
static bool read_amount(printing *print, amount *amount_out) {
  *amount_out = (amount){ .is_there = true };
  if (print->at < print->end && *print->at == '*') {
    const vptr__expression *argument = next_argument(print);
    print->at++;
    if (argument == NULL || !vptr__type_is_integer(argument->type)) {
      vptr__source_report(print->emitter->source, VPTR__ERROR, (argument != NULL ? argument : print->call)->position,
                          "printf: * needs an integer%s",
                          argument == NULL ? ", and there are no more arguments" : "");
      return false;
    }
    if (!is_number(argument, &amount_out->number))
      amount_out->argument = argument;
    return true;
  }
  for (; print->at < print->end && *print->at >= '0' && *print->at <= '9'; print->at++)
    if (amount_out->number < 1 << 24)
      amount_out->number = amount_out->number * 10 + (*print->at - '0');
  return true;
}

/* As C has it: a width below 0 is a flag, a precision below 0 is none. */
static void settle_amounts(conversion *read) {
  if (read->width.is_there && read->width.number < 0) {
    read->flags |= FLAG_LEFT;
    read->width.number = -read->width.number;
  }
  if (read->precision.is_there && read->precision.number < 0)
    read->precision.is_there = false;
}

static bool read_conversion(printing *print, conversion *read) {
  const char *begin = print->at++;
  *read = (conversion){ .flags = read_flags(print) };
  if (print->at < print->end && strchr("*123456789", *print->at) != NULL && !read_amount(print, &read->width))
    return false;
  if (print->at < print->end && *print->at == '.') {
    print->at++;
    if (!read_amount(print, &read->precision))
      return false;
  }
  settle_amounts(read);
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

static bool is_long(const conversion *read) {
  for (const char *at = read->modifier; at < read->letter; at++)
    if (strchr("lqjzt", *at) != NULL)
      return true;
  return false;
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

/* ---- what the driver prints ------------------------------------------------------------------------------ */

/* Printed as double if it is one; a float is enough for itself, and need not have the device know doubles. */
static const vptr__expression *floating_argument(const vptr__expression *argument) {
  bool is_float = argument->kind == VPTR__EXPRESSION_CAST && argument->cast == VPTR__CAST_IMPLICIT &&
                  argument->operands[0]->type->kind == VPTR__TYPE_FLOAT;
  return is_float ? argument->operands[0] : argument;
}

static bool is_real(const conversion *read) {
  return strchr("fFeEgGaA", *read->letter) != NULL;
}

static const char *integer_type(const conversion *read) {
  bool is_signed = *read->letter == 'd' || *read->letter == 'i';
  size_t halves = 0;
  for (const char *at = read->modifier; at < read->letter; at++)
    halves += *at == 'h';
  if (*read->letter == 'c')
    return "int";
  if (is_long(read))
    return is_signed ? "long" : "ulong";
  if (halves == 1)
    return is_signed ? "int)(short" : "uint)(ushort";
  if (halves == 2)
    return is_signed ? "int)(char" : "uint)(uchar";
  return is_signed ? "int" : "uint";
}

static void write_integer_argument(vptr__emitter *emitter, const vptr__expression *argument, const conversion *read) {
  const char *type = integer_type(read);
  if (strcmp(type, vptr__emit_scalar(emitter, argument->type)) != 0)
    vptr__writer_format(emitter->out, "(%s)", type);
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_UNARY);
}

/* Of lengths only `l` for 64 bits: what is shorter has been converted. */
static void write_conversion(vptr__writer *out, const conversion *read) {
  static const char letters[] = "-+ #0";
  vptr__writer_text(out, "%");
  for (unsigned i = 0; letters[i] != '\0'; i++)
    if ((read->flags & 1u << i) != 0)
      vptr__writer_bytes(out, letters + i, 1);
  if (read->width.is_there)
    vptr__writer_format(out, "%lld", read->width.number);
  if (read->precision.is_there)
    vptr__writer_format(out, ".%lld", read->precision.number);
  if (strchr("diouxX", *read->letter) != NULL && is_long(read))
    vptr__writer_text(out, "l");
  vptr__writer_bytes(out, read->letter, 1);
}

static void write_driver_argument(printing *print, const vptr__expression *argument, const conversion *read) {
  vptr__emitter *emitter = print->emitter;
  write_conversion(&print->text, read);
  vptr__writer *out = emitter->out;
  emitter->out = &print->arguments;
  vptr__writer_text(emitter->out, ", ");
  if (is_real(read))
    vptr__emit_expression(emitter, floating_argument(argument), VPTR__LEVEL_ASSIGN);
  else if (*read->letter == 's')
    vptr__emit_expression(emitter, vptr__emit_literal_of(argument), VPTR__LEVEL_ASSIGN);
  else
    write_integer_argument(emitter, argument, read);
  emitter->out = out;
}

/* What has been read since the last piece. */
static void write_piece(printing *print) {
  if (print->text.length > 0)
    vptr__writer_format(print->emitter->out, "printf(\"%s\"%s), ", vptr__writer_result(&print->text),
                        vptr__writer_result(&print->arguments));
  vptr__writer_init(&print->text, print->emitter->arena);
  vptr__writer_init(&print->arguments, print->emitter->arena);
}

/* ---- what the prelude prints ----------------------------------------------------------------------------- */

static void write_amount(vptr__emitter *emitter, const amount *written, long long otherwise) {
  vptr__writer_text(emitter->out, ", ");
  if (written->argument == NULL) {
    vptr__writer_format(emitter->out, "%lld", written->is_there ? written->number : otherwise);
    return;
  }
  vptr__writer_text(emitter->out, "(int)");
  vptr__emit_expression(emitter, written->argument, VPTR__LEVEL_UNARY);
}

static void write_text(vptr__emitter *emitter, const vptr__expression *argument) {
  static const char *const names[] = { "private", "global", "local", "constant" };
  bool is_literal = vptr__emit_literal_of(argument) != NULL;
  vptr__space space = is_literal ? VPTR__SPACE_CONSTANT : vptr__infer_pointee(emitter->instance, argument);
  vptr__emit_need(emitter, "print_text", names[space]);
  vptr__writer_format(emitter->out, "vptr_print_text_%s((%sconst char *)", names[space],
                      vptr__emit_space_word(space));
  vptr__emit_expression(emitter, is_literal ? vptr__emit_literal_of(argument) : argument, VPTR__LEVEL_UNARY);
}

/* The host's address, as cudaMalloc() gave it, of what the host can reach. */
static void write_address(vptr__emitter *emitter, const vptr__expression *argument) {
  vptr__emit_need(emitter, "print_address", NULL);
  vptr__writer_text(emitter->out, "vptr_print_address(");
  if (vptr__infer_pointee(emitter->instance, argument) == VPTR__SPACE_GLOBAL) {
    vptr__emit_stored(emitter, argument);
    return;
  }
  vptr__writer_text(emitter->out, "(ulong)");
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_UNARY);
}

static void write_digits(vptr__emitter *emitter, const vptr__expression *argument, const conversion *read) {
  bool is_signed = *read->letter == 'd' || *read->letter == 'i';
  vptr__emit_need(emitter, is_signed ? "print_signed" : "print_digits", NULL);
  vptr__writer_text(emitter->out, is_signed ? "vptr_print_signed((long)(" : "vptr_print_digits((ulong)(");
  write_integer_argument(emitter, argument, read);
  if (is_signed)
    vptr__writer_text(emitter->out, ")");
  else
    vptr__writer_format(emitter->out, "), '%c', 0", *read->letter);
}

static void write_real(vptr__emitter *emitter, const vptr__expression *argument, char letter) {
  argument = floating_argument(argument);
  const char *name = argument->type->kind == VPTR__TYPE_FLOAT ? "print_real_float" : "print_real_double";
  vptr__emit_need(emitter, name, NULL);
  vptr__writer_format(emitter->out, "vptr_%s(", name);
  vptr__emit_expression(emitter, argument, VPTR__LEVEL_ASSIGN);
  vptr__writer_format(emitter->out, ", '%c'", letter);
}

static void write_prelude_argument(printing *print, const vptr__expression *argument, const conversion *read) {
  vptr__emitter *emitter = print->emitter;
  char letter = *read->letter;
  write_piece(print);
  if (letter == 's') {
    write_text(emitter, argument);
  } else if (letter == 'p') {
    write_address(emitter, argument);
  } else if (letter == 'c') {
    vptr__emit_need(emitter, "print_character", NULL);
    vptr__writer_text(emitter->out, "vptr_print_character(");
    write_integer_argument(emitter, argument, read);
  } else if (is_real(read)) {
    write_real(emitter, argument, letter);
  } else {
    write_digits(emitter, argument, read);
  }
  vptr__writer_format(emitter->out, ", %u", read->flags);
  write_amount(emitter, &read->width, 0);
  if (letter != 'p' && letter != 'c')
    write_amount(emitter, &read->precision, -1);
  vptr__writer_text(emitter->out, "), ");
}

/* ---- the call -------------------------------------------------------------------------------------------- */

static bool is_for_prelude(const vptr__expression *argument, const conversion *read) {
  return read->width.argument != NULL || read->precision.argument != NULL || *read->letter == 'p' ||
         (*read->letter == 's' && vptr__emit_literal_of(argument) == NULL);
}

static bool write_argument(printing *print, const conversion *read) {
  const vptr__expression *argument = next_argument(print);
  if (!check_argument(print, argument, *read->letter))
    return false;
  if (!is_for_prelude(argument, read)) {
    write_driver_argument(print, argument, read);
    return true;
  }
  write_prelude_argument(print, argument, read);
  return true;
}

static bool write_format(printing *print) {
  while (print->at < print->end) {
    conversion read;
    if (*print->at != '%') {
      vptr__emit_string_bytes(&print->text, print->at++, 1);
      continue;
    }
    if (!read_conversion(print, &read))
      return false;
    if (*read.letter == '%')
      vptr__writer_text(&print->text, "%%");
    else if (!write_argument(print, &read))
      return false;
  }
  write_piece(print);
  return true;
}

void vptr__emit_printf(vptr__emitter *emitter, const vptr__expression *call) {
  const vptr__expression *format = vptr__emit_literal_of(call->arguments);
  if (format == NULL) {
    vptr__source_report(emitter->source, VPTR__ERROR, call->position,
                        "printf: the format must be a string literal here: OpenCL takes no other");
    return;
  }
  printing print = { .emitter = emitter, .call = call, .argument = call->arguments->next, .at = format->text };
  print.end = format->text + vptr__emit_printed_length(format);
  vptr__writer_init(&print.text, emitter->arena);
  vptr__writer_init(&print.arguments, emitter->arena);
  vptr__writer_text(emitter->out, "(");
  if (write_format(&print) && print.argument != NULL)
    vptr__source_report(emitter->source, VPTR__WARNING, print.argument->position,
                        "printf: more arguments than the format prints");
  vptr__writer_format(emitter->out, "%u)", print.count);
}
