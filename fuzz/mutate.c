/* SPDX-License-Identifier: MIT */
/*
 * mutate - a program made wrong by a word: what libFuzzer does to texts beside its own ways.
 *
 * Bytes that change at random rarely get past the parser. Here whole words go, come twice, change places, or come from
 * elsewhere in the text, so that most of the program stays right and the later rooms of the translator see it. A word
 * is an identifier or a number, or one character of the rest, with the blanks behind it; or up to eight of these.
 *
 * For `make fuzz-translate` alone: libFuzzer calls it, and has LLVMFuzzerMutate().
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8, BYTES_IN_8 = 2 /* of eight times, how often libFuzzer's own ways are gone */ };

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t room, unsigned seed);

typedef struct text {
  const uint8_t *bytes;
  size_t length;
} text;

/* A part of a text. */
typedef struct part {
  size_t begin, end;
} part;

static size_t below(unsigned *seed, size_t limit) {
  return limit == 0 ? 0 : (size_t)rand_r(seed) % limit;
}

static bool is_of_word(uint8_t byte) {
  return isalnum(byte) || byte == '_';
}

static size_t behind_word(text text, size_t at) {
  if (at < text.length && !is_of_word(text.bytes[at]))
    at++;
  else
    while (at < text.length && is_of_word(text.bytes[at]))
      at++;
  while (at < text.length && isspace(text.bytes[at]))
    at++;
  return at;
}

/* From the begin of a word on. */
static part some_words(text text, unsigned *seed) {
  part part;
  part.begin = below(seed, text.length);
  while (part.begin > 0 && is_of_word(text.bytes[part.begin]) && is_of_word(text.bytes[part.begin - 1]))
    part.begin--;
  part.end = part.begin;
  size_t count = below(seed, 2) == 0 ? 1 : 1 + below(seed, MOST_WORDS);
  while (count-- > 0)
    part.end = behind_word(text, part.end);
  return part;
}

static void append(uint8_t *bytes, size_t *length, size_t room, text from, size_t begin, size_t end) {
  size_t size = end > begin ? end - begin : 0;
  if (size > room - *length)
    size = room - *length;
  memcpy(bytes + *length, from.bytes + begin, size);
  *length += size;
}

/* One part goes, or another comes in its place or before it, or the two change places. */
static size_t change_words(uint8_t *bytes, text old, size_t room, unsigned *seed) {
  part one = some_words(old, seed), other = some_words(old, seed);
  size_t length = 0, way = below(seed, 4);
  if (way == 3 && other.begin < one.end) {
    part first = other;
    other = one;
    one = first;
  }
  append(bytes, &length, room, old, 0, one.begin);
  if (way > 0)
    append(bytes, &length, room, old, other.begin, other.end);
  if (way == 3 && other.begin >= one.end) {
    append(bytes, &length, room, old, one.end, other.begin);
    append(bytes, &length, room, old, one.begin, one.end);
    append(bytes, &length, room, old, other.end, old.length);
    return length;
  }
  append(bytes, &length, room, old, way == 1 ? one.begin : one.end, old.length);
  return length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t room, unsigned seed) {
  if (length == 0 || below(&seed, 8) < BYTES_IN_8)
    return LLVMFuzzerMutate(bytes, length, room);
  uint8_t *copy = malloc(length);
  if (copy == NULL)
    return length;
  for (size_t times = 1 + below(&seed, 3); times-- > 0 && length > 0;) {
    uint8_t *again = realloc(copy, length);
    if (again == NULL)
      break;
    copy = memcpy(again, bytes, length);
    length = change_words(bytes, (text){ copy, length }, room, &seed);
  }
  free(copy);
  return length;
}
