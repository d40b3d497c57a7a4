/* SPDX-License-Identifier: MIT */
/*
 * print_record - see print_record.h.
 *
 * A record comes from a kernel, which may have written where it should not: nothing is read outside of it. No data and
 * no locks. Called by print.c, which holds the lock of the records, for the program's own stdout.
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
static bool print_text(reading *it, specification *of, FILE *to) {
  const char *text;
  long length;
  char room[256];
  if (!read_text(it, &text, &length))
    return false;
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

static bool print_number(reading *it, specification *of, char letter, FILE *to) {
  uint64_t number;
  bool is_integer = strchr("diouxX", letter) != NULL;
  if (!read_number(it, &number) || (is_integer && (!add_letter(of, 'l') || !add_letter(of, 'l'))) ||
      !add_letter(of, letter))
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
  if (!read_specification(it, at, end, &of))
    return false;
  char letter = *(*at)++;
  if (letter == '%') {
    (void)putc('%', to);
    return true;
  }
  return letter == 's' ? print_text(it, &of, to) : print_number(it, &of, letter, to);
}

bool vptr__print_record(const uint32_t *record, uint32_t words, FILE *to) {
  reading it = { record + 1, record + words };
  const char *at;
  long length;
  if (words < 2 || !read_text(&it, &at, &length) || length < 0)
    return false;
  for (const char *end = at + length; at < end;) {
    const char *percent = memchr(at, '%', (size_t)(end - at)), *stop = percent != NULL ? percent : end;
    (void)fwrite(at, 1, (size_t)(stop - at), to);
    at = stop;
    if (percent != NULL && !print_conversion(&it, &at, end, to))
      return false;
  }
  return true;
}
