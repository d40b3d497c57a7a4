/* SPDX-License-Identifier: MIT */
/* mangled - see mangled.h. */
#include "mangled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"

static const char stub_prefix[] = "__device_stub__";

/* "3fooE", and "L3fooE" of a name that the file has for itself. */
typedef struct component {
  const char *begin, *text; /* of its length, of itself */
  size_t length;
} component;

static bool read_component(const char **at, component *out) {
  const char *from = *at + (**at == 'L');
  char *text = NULL;
  if (!isdigit((unsigned char)*from))
    return false;
  unsigned long length = strtoul(from, &text, 10);
  if (length == 0 || length > strlen(text))
    return false;
  *out = (component){ from, text, length };
  *at = text + length;
  return true;
}

static bool is_unnamed(const component *it) {
  static const char unnamed[] = "_GLOBAL__N_";
  return it->length >= sizeof unnamed - 1 && memcmp(it->text, unnamed, sizeof unnamed - 1) == 0;
}

/* All of them; the last one is the name's. */
static bool read_components(const char **at, bool is_nested, cc_buffer *path, component *last) {
  do {
    if (!read_component(at, last))
      return false;
    if (!is_unnamed(last))
      cc_buffer_print(path, "%s%.*s", path->length > 0 ? "::" : "", (int)last->length, last->text);
  } while (is_nested && **at != 'E');
  *at += is_nested;
  return true;
}

static int unit_of(const char *name) {
  const char *mark = strstr(name, CC_MANGLED_UNIT);
  if (strstr(name, "__static__") != NULL || strstr(name, "__intern__") != NULL)
    return CC_MANGLED_CLANGS;
  return mark != NULL ? atoi(mark + strlen(CC_MANGLED_UNIT)) : CC_MANGLED_EVERYBODYS;
}

bool cc_mangled_read(vptr__arena *arena, const char *name, cc_mangled *mangled) {
  bool is_mangled = strncmp(name, "_Z", 2) == 0, is_nested = is_mangled && name[2] == 'N';
  const char *at = name + 2 + is_nested;
  component last;
  cc_buffer path;
  *mangled = (cc_mangled){ name, vptr__arena_format(arena, "%s%s", stub_prefix, name), CC_MANGLED_EVERYBODYS };
  if (!is_mangled)
    return true;
  cc_buffer_init(&path, arena);
  if (!read_components(&at, is_nested, &path, &last))
    return false;
  mangled->path = path.text;
  mangled->unit = unit_of(at);
  mangled->stub = vptr__arena_format(arena, "%.*s%zu%s%s", (int)(last.begin - name), name,
                                     last.length + strlen(stub_prefix), stub_prefix, last.text);
  return true;
}
