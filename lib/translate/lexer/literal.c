/* SPDX-License-Identifier: MIT */
/*
 * literal - see literal.h.
 *
 * Floating numbers go through strtod() and strtof(): they round once and right. Both obey the program's locale, which
 * may want a decimal comma, so they get the "C" one.
 */
#include "translate/lexer/literal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char byte) {
  if (byte >= '0' && byte <= '9')
    return byte - '0';
  byte |= 0x20;
  return byte >= 'a' && byte <= 'z' ? byte - 'a' + 10 : 99;
}

static bool refuse_literal(vptr__source *source, const vptr__token *token, const char *why) {
  int shown = token->length > 60 ? 60 : (int)token->length;
  vptr__source_report(source, VPTR__ERROR, token->position, "%.*s %s", shown, token->text, why);
  return false;
}

/* ---- integers -------------------------------------------------------------------------------------------- */

enum { SUFFIX_UNSIGNED = 1, SUFFIX_LONG = 2, SUFFIX_LONG_LONG = 4 };

/* u, l, ll in any order and case, but for lL; -1: something else. */
static int suffix_of(const char *p) {
  int suffix = 0;
  while (*p != 0) {
    if ((*p == 'u' || *p == 'U') && !(suffix & SUFFIX_UNSIGNED)) {
      suffix |= SUFFIX_UNSIGNED;
      p++;
    } else if ((*p == 'l' || *p == 'L') && !(suffix & (SUFFIX_LONG | SUFFIX_LONG_LONG))) {
      suffix |= p[1] == *p ? SUFFIX_LONG_LONG : SUFFIX_LONG;
      p += p[1] == *p ? 2 : 1;
    } else {
      return -1;
    }
  }
  return suffix;
}

/* The first type of C++'s list that holds the value; decimal ones without u never become unsigned. */
static bool choose_type(vptr__literal *literal, int suffix, bool is_decimal) {
  uint64_t value = literal->integer;
  bool is_long = value > UINT32_MAX || (suffix & (SUFFIX_LONG | SUFFIX_LONG_LONG)) != 0;
  bool is_unsigned = (suffix & SUFFIX_UNSIGNED) != 0;
  if (!is_unsigned && !is_long && value > INT32_MAX) {
    is_unsigned = !is_decimal;
    is_long = is_decimal;
  }
  if (!is_unsigned && is_long && value > INT64_MAX) {
    if (is_decimal)
      return false;
    is_unsigned = true;
  }
  if (!is_long)
    literal->type = is_unsigned ? VPTR__LITERAL_UNSIGNED : VPTR__LITERAL_INT;
  else if (suffix & SUFFIX_LONG_LONG)
    literal->type = is_unsigned ? VPTR__LITERAL_UNSIGNED_LONG_LONG : VPTR__LITERAL_LONG_LONG;
  else
    literal->type = is_unsigned ? VPTR__LITERAL_UNSIGNED_LONG : VPTR__LITERAL_LONG;
  return true;
}

static int base_of(const char **p) {
  if (**p != '0')
    return 10;
  char second = (*p)[1] | 0x20;
  if (second != 'x' && second != 'b')
    return 8;
  *p += 2;
  return second == 'x' ? 16 : 2;
}

static bool read_integer(vptr__source *source, const vptr__token *token, const char *p, vptr__literal *literal) {
  const char *begin = p;
  int base = base_of(&p);
  const char *digits = p;
  for (; digit_of(*p) < base; p++)
    if (__builtin_mul_overflow(literal->integer, (uint64_t)base, &literal->integer) ||
        __builtin_add_overflow(literal->integer, (uint64_t)digit_of(*p), &literal->integer))
      return refuse_literal(source, token, "is too large for any integer type");
  if (p == digits || digit_of(*p) < 10)
    return refuse_literal(source, token, base == 8 ? "is no octal number: a leading 0 means octal" : "is no number");
  int suffix = suffix_of(p);
  if (suffix < 0)
    return refuse_literal(source, token,
                          *begin == '0' || digit_of(*p) < 99 ? "has a suffix that is not known: u, l, ll and f are"
                                                             : "is no number");
  if (!choose_type(literal, suffix, base == 10))
    return refuse_literal(source, token, "is too large for a signed type: write it with the suffix u");
  return true;
}

/* ---- floating -------------------------------------------------------------------------------------------- */

static bool is_floating(const char *p) {
  bool is_hex = p[0] == '0' && (p[1] | 0x20) == 'x';
  return strpbrk(p, is_hex ? ".pP" : ".eE") != NULL;
}

/* strtod() knows more than C++ (0x without p, "inf"): what it must not eat is kept from it. */
static bool has_floating_form(const char *p) {
  if (p[0] == '0' && (p[1] | 0x20) == 'x')
    return strpbrk(p, "pP") != NULL;
  return digit_of(*p) < 10 || (*p == '.' && digit_of(p[1]) < 10);
}

static bool read_floating(vptr__source *source, const vptr__token *token, const char *p, vptr__literal *literal) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    longjmp(*vptr__source_arena(source)->out, VPTR__ARENA_NO_MEMORY);
  char *end;
  literal->type = VPTR__LITERAL_DOUBLE;
  literal->floating = strtod_l(p, &end, plain);
  if ((*end | 0x20) == 'f') {
    literal->type = VPTR__LITERAL_FLOAT;
    literal->floating = strtof_l(p, &end, plain);
    end++;
  } else if ((*end | 0x20) == 'l') {
    end++; /* CUDA's long double is double in kernels */
  }
  freelocale(plain);
  if (!has_floating_form(p))
    return refuse_literal(source, token,
                          "is no number: a hexadecimal one with a point needs an exponent, as 0x1.8p0");
  if (*end != 0)
    return refuse_literal(source, token, "has a suffix or exponent that is not known: f and l are");
  return true;
}

static bool read_number(vptr__source *source, const vptr__token *token, vptr__literal *literal) {
  char *text = vptr__arena_allocate(vptr__source_arena(source), token->length + 1), *end = text;
  for (uint32_t i = 0; i < token->length; i++)
    if (token->text[i] != '\'')
      *end++ = token->text[i];
  return is_floating(text) ? read_floating(source, token, text, literal) : read_integer(source, token, text, literal);
}

/* ---- characters and strings ------------------------------------------------------------------------------ */

static char *put_utf8(char *out, uint32_t code) {
  if (code < 0x80) {
    *out++ = (char)code;
  } else if (code < 0x800) {
    *out++ = (char)(0xc0 | code >> 6);
    *out++ = (char)(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *out++ = (char)(0xe0 | code >> 12);
    *out++ = (char)(0x80 | (code >> 6 & 63));
    *out++ = (char)(0x80 | (code & 63));
  } else {
    *out++ = (char)(0xf0 | code >> 18);
    *out++ = (char)(0x80 | (code >> 12 & 63));
    *out++ = (char)(0x80 | (code >> 6 & 63));
    *out++ = (char)(0x80 | (code & 63));
  }
  return out;
}

/* Up to `most` digits from *p; how many there were. */
static int read_digits(const char **p, const char *end, int base, int most, uint32_t *value_out) {
  int count = 0;
  uint32_t value = 0;
  for (; *p < end && count < most && digit_of(**p) < base; (*p)++, count++) {
    if (value > UINT32_MAX / (uint32_t)base)
      return -1;
    value = value * (uint32_t)base + (uint32_t)digit_of(**p);
  }
  *value_out = value;
  return count;
}

/* \x, \u, \U and octal: with *p at the letter or digit. An escape is never shorter than what it stands for. */
static bool put_number_escape(const char **p, const char *end, char **out) {
  uint32_t value = 0;
  if (**p >= '0' && **p <= '7') {
    read_digits(p, end, 8, 3, &value);
    *(*out)++ = (char)value;
    return value <= 255;
  }
  char kind = *(*p)++;
  if (kind == 'x') {
    *(*out)++ = 0;
    int count = read_digits(p, end, 16, 1 << 20, &value);
    (*out)[-1] = (char)value;
    return count > 0 && value <= 255;
  }
  int digits = kind == 'u' ? 4 : 8;
  if (read_digits(p, end, 16, digits, &value) != digits || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
    return false;
  *out = put_utf8(*out, value);
  return true;
}

static bool put_escape(const char **p, const char *end, char **out) {
  static const char letters[] = "abfnrtve'\"\\?", bytes[] = "\a\b\f\n\r\t\v\033'\"\\?";
  if (*p >= end)
    return false;
  const char *letter = **p == 0 ? NULL : strchr(letters, **p);
  if (letter != NULL) {
    *(*out)++ = bytes[letter - letters];
    (*p)++;
    return true;
  }
  return ((**p >= '0' && **p <= '7') || **p == 'x' || **p == 'u' || **p == 'U') && put_number_escape(p, end, out);
}

/* Behind the closing quote: where a suffix begins, if there is one. */
static const char *end_of_quoted(const vptr__token *token) {
  const char *end = token->text + token->length;
  while (end > token->text && end[-1] != '"' && end[-1] != '\'')
    end--;
  return end;
}

/* What stands between the quotes; false: the prefix asks for wide characters. */
static bool strip_quotes(const vptr__token *token, const char **begin_out, const char **end_out, bool *is_raw_out) {
  const char *p = token->text, *end = end_of_quoted(token);
  if (end - p > 2 && p[0] == 'u' && p[1] == '8')
    p += 2;
  bool is_raw = *p == 'R';
  p += is_raw;
  if (*p != '"' && *p != '\'')
    return false;
  const char *open = is_raw ? memchr(p, '(', (size_t)(end - p)) : p;
  if (open == NULL)
    return false;
  end -= open - p; /* the delimiter again */
  p = open;
  *is_raw_out = is_raw;
  *begin_out = p + 1;
  *end_out = end - 1;
  return true;
}

const char *vptr__literal_string(vptr__source *source, const vptr__token *token, uint32_t *length_out) {
  const char *p, *end;
  bool is_raw;
  if (end_of_quoted(token) < token->text + token->length) {
    refuse_literal(source, token, "has a suffix, which calls a function of the host's: write the call");
    return NULL;
  }
  if (!strip_quotes(token, &p, &end, &is_raw)) {
    refuse_literal(source, token, "is a wide string, which kernels cannot have: drop the prefix");
    return NULL;
  }
  char *text = vptr__arena_allocate(vptr__source_arena(source), (size_t)(end - p) + 1), *out = text;
  while (p < end) {
    if (*p != '\\' || is_raw)
      *out++ = *p++;
    else if (p++, !put_escape(&p, end, &out)) {
      refuse_literal(source, token, "has an escape (\\) that is not known or too large");
      return NULL;
    }
  }
  *out = 0;
  *length_out = (uint32_t)(out - text);
  return text;
}

static bool read_character(vptr__source *source, const vptr__token *token, vptr__literal *literal) {
  if (token->text[0] != '\'')
    return refuse_literal(source, token, "is a wide character, which kernels cannot have: drop the prefix");
  uint32_t length;
  const char *text = vptr__literal_string(source, token, &length);
  if (text == NULL)
    return false;
  if (length != 1)
    return refuse_literal(source, token, length == 0 ? "holds no character" : "holds more than one byte");
  literal->type = VPTR__LITERAL_CHAR;
  literal->integer = (uint64_t)(int64_t)(signed char)text[0];
  return true;
}

bool vptr__literal_read(vptr__source *source, const vptr__token *token, vptr__literal *literal_out) {
  vptr__literal literal = { 0 };
  bool is_read = token->kind == VPTR__TOKEN_CHARACTER ? read_character(source, token, &literal)
                                                      : read_number(source, token, &literal);
  if (is_read)
    *literal_out = literal;
  return is_read;
}
