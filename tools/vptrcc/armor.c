/* SPDX-License-Identifier: MIT */
/* armor - see armor.h. */
#include "armor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char mark[] = "\n//vptr-unit ";

enum { BYTES_IN_LINE = 48 };

static void write_three(const unsigned char *bytes, size_t count, char *to) {
  uint32_t all = (uint32_t)bytes[0] << 16;
  all |= count > 1 ? (uint32_t)bytes[1] << 8 : 0;
  all |= count > 2 ? bytes[2] : 0;
  for (int i = 0; i < 4; i++)
    to[i] = letters[all >> (18 - 6 * i) & 63];
}

void cc_armor_write(cc_buffer *out, const char *bytes, size_t length) {
  char line[BYTES_IN_LINE / 3 * 4];
  cc_buffer_print(out, "%s%zu\n", mark, length);
  for (size_t at = 0; at < length; at += BYTES_IN_LINE) {
    size_t count = length - at < BYTES_IN_LINE ? length - at : BYTES_IN_LINE, used = 0;
    for (size_t i = 0; i < count; i += 3, used += 4)
      write_three((const unsigned char *)bytes + at + i, count - i, line + used);
    cc_buffer_print(out, "//%.*s\n", (int)used, line);
  }
}

/* The value of a letter; 64: it is none. */
static uint32_t value_of(char letter) {
  const char *found = letter != 0 ? strchr(letters, letter) : NULL;
  return found != NULL ? (uint32_t)(found - letters) : 64;
}

/* So many bytes of the lines from `at` on; false: there are fewer. */
static bool read_bytes(const char *at, char *to, size_t length) {
  for (size_t done = 0; done < length;) {
    uint32_t all = 0;
    if (strncmp(at, "\n//", 3) == 0)
      at += 3;
    for (int i = 0; i < 4; i++, at++) {
      uint32_t value = value_of(*at);
      if (value > 63)
        return false;
      all = all << 6 | value;
    }
    for (int i = 0; i < 3 && done < length; i++)
      to[done++] = (char)(all >> (16 - 8 * i) & 255);
  }
  return true;
}

void cc_armor_read(vptr__arena *arena, const char *text, cc_list *texts) {
  for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
    char *end;
    at += sizeof mark - 1;
    size_t length = strtoul(at, &end, 10);
    if (*end != '\n' || length > strlen(end))
      return;
    char *unit = vptr__arena_allocate(arena, length + 1);
    if (!read_bytes(end, unit, length))
      return;
    unit[length] = 0;
    cc_list_add(texts, unit);
  }
}
