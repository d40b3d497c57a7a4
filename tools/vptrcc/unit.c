/* SPDX-License-Identifier: MIT */
/* unit - see unit.h. */
#include "unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "section.h"

static const char first_line[] = "//vptr-relocatable 4";
static const char arithmetic[] = "\n//arithmetic", no_fma[] = " no-fma", fast_math[] = " fast-math",
                  finds[] = " finds-buffers";

/* ---- writing --------------------------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const char *text) {
  for (; *text != 0; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

const char *cc_unit_symbol(const cc_driver *driver, const char *object, const char *text) {
  char folder[4096];
  const cc_list *options = &driver->options.preprocessing;
  uint64_t hash = hash_of(14695981039346656037u, getcwd(folder, sizeof folder) != NULL ? folder : "");
  hash = hash_of(hash_of(hash, object), text);
  for (size_t i = 0; i < options->count; i++)
    hash = hash_of(hash, options->items[i]);
  return vptr__arena_format(driver->arena, "vptr_rdc_%016llx", (unsigned long long)hash);
}

void cc_unit_begin(const cc_driver *driver, const char *source, const char *symbol, cc_buffer *out) {
  const cc_options *options = &driver->options;
  cc_buffer_print(out, "%s\n//source %s\n//symbol %s%s%s%s%s\n", first_line, source, symbol, arithmetic,
                  options->no_fma ? no_fma : "", options->fast_math ? fast_math : "",
                  options->finds_buffers ? finds : "");
}

void cc_unit_add_text(const cc_device_text *device, cc_buffer *out) {
  for (size_t i = 0; i < device->headers.count; i++)
    cc_buffer_print(out, CC_WHOLE_HEADER "%s\n", device->headers.items[i]);
  cc_buffer_print(out, "//text\n%s", device->module);
}

bool cc_unit_add_bitcode(const cc_driver *driver, const char *bitcode, cc_buffer *out) {
  const char *bytes = NULL;
  size_t length = 0;
  if (!cc_file_read(driver->arena, bitcode, &bytes, &length))
    return false;
  cc_buffer_print(out, CC_SECTION_BYTES "%zu\n", length);
  cc_buffer_add(out, "", 1);
  cc_buffer_add(out, bytes, length);
  return true;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* The word behind `key` in the lines of a unit; NULL: there is none. */
static const char *line_of(vptr__arena *arena, const char *text, const char *key) {
  const char *at = strstr(text, key);
  return at != NULL ? vptr__arena_copy(arena, at + strlen(key), strcspn(at + strlen(key), "\n")) : NULL;
}

bool cc_unit_read(vptr__arena *arena, const char *text, cc_whole_unit *unit) {
  const char *body = strstr(text, "\n//text\n"), *bitcode = line_of(arena, text, "\n" CC_SECTION_BYTES);
  *unit = (cc_whole_unit){ .head = text,
                           .name = line_of(arena, text, "\n//source "),
                           .symbol = line_of(arena, text, "\n//symbol "),
                           .arithmetic = line_of(arena, text, arithmetic) };
  if (body != NULL)
    unit->text = body + strlen("\n//text\n");
  else if (bitcode != NULL)
    unit->bitcode = text + strlen(text) + 1;
  unit->length = bitcode != NULL ? strtoul(bitcode, NULL, 10) : 0;
  return strncmp(text, first_line, strlen(first_line)) == 0 && unit->name != NULL && unit->symbol != NULL &&
         unit->arithmetic != NULL && (unit->text != NULL || unit->bitcode != NULL);
}

void cc_unit_join_options(const cc_whole_unit *units, size_t count, cc_options *options) {
  bool is_fast = count > 0;
  for (size_t i = 0; i < count; i++) {
    options->no_fma |= strstr(units[i].arithmetic, no_fma) != NULL;
    options->finds_buffers |= strstr(units[i].arithmetic, finds) != NULL;
    is_fast &= strstr(units[i].arithmetic, fast_math) != NULL;
  }
  options->fast_math |= is_fast;
}
