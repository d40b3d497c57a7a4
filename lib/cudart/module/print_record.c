/* SPDX-License-Identifier: MIT */
/*
 * print_record - printing what one call of printf() in a kernel left behind (print_record.h).
 *
 * A record comes from a kernel, which may have written where it should not: nothing is read outside of it. No data and
 * no locks. Called by print.c, which holds its lock `printing`, of rank ARRAY, that guards the records, and the lock of
 * the stream, stdout or stderr.
 */
#include "module/print_record.h"

#include <stdlib.h>
#include <string.h>

enum { SPECIFICATION = 64, NULL_TEXT = -1 };

/* A record, or what is left of one. */
typedef struct reading {
  const uint32_t *at, *end;
} reading;

/* One conversion as the C library takes it: the text, and how many of the amounts it has. */
typedef struct specification {
  char text[SPECIFICATION];
  size_t length;
  int amounts[2], amount_count;
  bool is_float;
} specification;

static bool read_words(reading *it, uint32_t count, const uint32_t **words_out) {
  if ((size_t)(it->end - it->at) < count)
    return false;
  *words_out = it->at;
  it->at += count;
  return true;
}

static bool read_number(reading *it, uint64_t *number_out) {
  const uint32_t *words;
  if (!read_words(it, 2, &words))
    return false;
  *number_out = words[0] | (uint64_t)words[1] << 32;
  return true;
}

/* A length below 0 is that of a null pointer. */
static bool read_text(reading *it, const char **text_out, long *length_out) {
  const uint32_t *length, *text;
  if (!read_words(it, 1, &length))
    return false;
  *length_out = *length == UINT32_MAX ? NULL_TEXT : (long)*length;
  if (!read_words(it, *length_out > 0 ? (uint32_t)(((uint64_t)*length + 3) / 4) : 0, &text))
    return false;
  *text_out = (const char *)text;
  return true;
}

/* False: it is longer than any that makes sense. */
static bool add_letter(specification *of, char letter) {
  if (of->length + 1 >= SPECIFICATION)
    return false;
  of->text[of->length++] = letter;
  of->text[of->length] = '\0';
  return true;
}

/* Up to the letter of the conversion, at which *at is then. */
static bool read_specification(reading *it, const char **at, const char *end, specification *of) {
  *of = (specification){ .length = 0 };
  for (; *at < end && strchr("%-+ #0123456789.*h", **at) != NULL && !(of->length > 0 && **at == '%'); ++*at) {
    uint64_t number;
    if (**at == 'h') {
      of->is_float = true;
      continue;
    }
    if (**at == '*' && (of->amount_count == 2 || !read_number(it, &number)))
      return false;
    if (**at == '*')
      of->amounts[of->amount_count++] = (int)number;
    if (!add_letter(of, **at))
      return false;
  }
  return *at < end;
}

/* The C library's compilers cannot check a format that comes from elsewhere; its parts were checked above. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PRINT_VALUE(to, of, value)                                                                                   \
  ((of)->amount_count == 0   ? fprintf(to, (of)->text, value)                                                        \
   : (of)->amount_count == 1 ? fprintf(to, (of)->text, (of)->amounts[0], value)                                      \
                             : fprintf(to, (of)->text, (of)->amounts[0], (of)->amounts[1], value))

static double real_of(const specification *of, uint64_t number) {
  const uint32_t low = (uint32_t)number;
  float small;
  double large;
  memcpy(&small, &low, sizeof small);
  memcpy(&large, &number, sizeof large);
  return of->is_float ? (double)small : large;
}

/* The text has no zero behind it in the record; long ones go by without being copied where nothing is asked of them. */
static bool print_text(specification *of, const char *text, long length, FILE *to) {
  char room[256];
  bool is_plain = of->length == 1 && length >= 0;
  if (is_plain) {
    (void)fwrite(text, 1, (size_t)length, to);
    return true;
  }
  if (!add_letter(of, 's'))
    return false;
  if (length < (long)sizeof room) {
    size_t bytes = length == NULL_TEXT ? sizeof "(null)" - 1 : (size_t)length;
    memcpy(room, length == NULL_TEXT ? "(null)" : text, bytes);
    room[bytes] = '\0';
    if (length == NULL_TEXT && of->amount_count > 0 && strchr(of->text, '.') != NULL &&
        of->amounts[of->amount_count - 1] >= 0 && of->amounts[of->amount_count - 1] < (int)bytes)
      room[0] = '\0'; /* as the C library has it */
    PRINT_VALUE(to, of, room);
    return true;
  }
  char *copy = strndup(text, (size_t)length);
  if (copy == NULL)
    return false;
  PRINT_VALUE(to, of, copy);
  free(copy);
  return true;
}

static bool is_integer_letter(char letter) {
  return strchr("diouxX", letter) != NULL;
}

static bool print_number(specification *of, char letter, uint64_t number, FILE *to) {
  bool is_integer = is_integer_letter(letter);
  if ((is_integer && (!add_letter(of, 'l') || !add_letter(of, 'l'))) || !add_letter(of, letter))
    return false;
  if (is_integer)
    PRINT_VALUE(to, of, (long long)number);
  else if (letter == 'c')
    PRINT_VALUE(to, of, (int)number);
  else if (letter == 'p')
    PRINT_VALUE(to, of, (void *)(uintptr_t)number);
  else if (strchr("fFeEgGaA", letter) != NULL)
    PRINT_VALUE(to, of, real_of(of, number));
  else
    return false;
  return true;
}

static bool print_conversion(reading *it, const char **at, const char *end, FILE *to) {
  specification of;
  const char *text;
  long length;
  uint64_t number;
  if (!read_specification(it, at, end, &of))
    return false;
  char letter = *(*at)++;
  if (letter == '%') {
    (void)putc('%', to);
    return true;
  }
  if (letter == 's')
    return read_text(it, &text, &length) && print_text(&of, text, length, to);
  return read_number(it, &number) && print_number(&of, letter, number, to);
}

/* ---- any format ----------------------------------------------------------------------------------------- */

typedef enum value_kind { IS_NUMBER, IS_FLOAT, IS_TEXT, IS_NONE } value_kind;

typedef struct value {
  value_kind kind; /* IS_NONE: there are no more */
  uint64_t number;
  const char *text;
  long length;
} value;

/* One conversion of the program's. */
typedef struct conversion {
  specification of;
  const char *begin;
  int halves;
  bool is_long;
  bool is_whole; /* it is as it stands what is printed, if not: its `*` have no numbers, or it is far too long */
} conversion;

/* False: what is there is none. */
static bool read_value(reading *it, value *out) {
  const uint32_t *kind;
  *out = (value){ .kind = IS_NONE };
  if (it->at == it->end)
    return true;
  if (!read_words(it, 1, &kind) || *kind >= IS_NONE)
    return false;
  out->kind = (value_kind)*kind;
  return out->kind == IS_TEXT ? read_text(it, &out->text, &out->length) : read_number(it, &out->number);
}

static bool read_any_amount(reading *it, conversion *read) {
  value amount;
  if (!read_value(it, &amount))
    return false;
  if (amount.kind != IS_NUMBER || read->of.amount_count == 2)
    read->is_whole = false;
  else
    read->of.amounts[read->of.amount_count++] = (int)amount.number;
  return true;
}

/* Up to the letter of the conversion, or to the end. */
static bool read_any_conversion(reading *it, const char **at, const char *end, conversion *read) {
  *read = (conversion){ .of = { .text = "%", .length = 1 }, .begin = (*at)++, .is_whole = true };
  for (; *at < end && **at != '\0' && strchr("-+ #0123456789.*hlqjztL", **at) != NULL; ++*at) {
    if (**at == '*' && !read_any_amount(it, read))
      return false;
    if (**at == 'h')
      read->halves++;
    else if (strchr("lqjzt", **at) != NULL)
      read->is_long = true;
    else if (**at == 'L' || !add_letter(&read->of, **at))
      read->is_whole = false;
  }
  return true;
}

/* What its place takes of it. */
static uint64_t narrowed(const conversion *read, char letter, uint64_t number) {
  bool is_signed = letter == 'd' || letter == 'i';
  if (read->is_long)
    return number;
  if (read->halves == 0)
    return is_signed ? (uint64_t)(int32_t)number : (uint32_t)number;
  if (read->halves == 1)
    return is_signed ? (uint64_t)(int16_t)number : (uint16_t)number;
  return is_signed ? (uint64_t)(int8_t)number : (uint8_t)number;
}

/* False: the conversion has none of its kind. */
static bool print_value(conversion *read, char letter, const value *shown, FILE *to) {
  if (!read->is_whole || shown->kind == IS_NONE || (letter == 's') != (shown->kind == IS_TEXT))
    return false;
  if (letter == 's')
    return print_text(&read->of, shown->text, shown->length, to);
  bool is_integer = is_integer_letter(letter);
  if (shown->kind == IS_FLOAT && (is_integer || letter == 'c' || letter == 'p'))
    return false;
  read->of.is_float = shown->kind == IS_FLOAT;
  return print_number(&read->of, letter, is_integer ? narrowed(read, letter, shown->number) : shown->number, to);
}

static bool print_any_conversion(reading *it, const char **at, const char *end, FILE *to) {
  conversion read;
  value shown;
  if (!read_any_conversion(it, at, end, &read))
    return false;
  const char letter = *at < end ? *(*at)++ : '\0';
  if (letter == '%') {
    (void)putc('%', to);
    return true;
  }
  if (letter != '\0' && !read_value(it, &shown))
    return false;
  if (letter == '\0' || !print_value(&read, letter, &shown, to))
    (void)fwrite(read.begin, 1, (size_t)(*at - read.begin), to);
  return true;
}

/* ---- records -------------------------------------------------------------------------------------------- */

typedef bool print_next(reading *it, const char **at, const char *end, FILE *to);

static bool print_record(const uint32_t *record, uint32_t words, FILE *to, print_next *print) {
  reading it = { record + 1, record + words };
  const char *at;
  long length;
  if (words < 2 || !read_text(&it, &at, &length) || length < 0)
    return false;
  for (const char *end = at + length; at < end;) {
    const char *percent = memchr(at, '%', (size_t)(end - at)), *stop = percent != NULL ? percent : end;
    (void)fwrite(at, 1, (size_t)(stop - at), to);
    at = stop;
    if (percent != NULL && !print(&it, &at, end, to))
      return false;
  }
  return true;
}

bool vptr__print_record(const uint32_t *record, uint32_t words, FILE *to) {
  return print_record(record, words, to, print_conversion);
}

bool vptr__print_any_record(const uint32_t *record, uint32_t words, FILE *to) {
  return print_record(record, words, to, print_any_conversion);
}
