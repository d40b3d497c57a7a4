/* SPDX-License-Identifier: MIT */
/* whole - see whole.h. */
#include "whole.h"

#include <stdio.h>
#include <string.h>

#include "clang.h"
#include "mangled.h"

/* ---- a unit in C ----------------------------------------------------------------------------------------- */

/* What the own preprocessor took for empty: types of the host's may stand in declarations that both sides have. */
static void add_headers(const cc_whole_unit *unit, cc_buffer *out) {
  const char *line = unit->head;
  while ((line = strstr(line, "\n" CC_WHOLE_HEADER)) != NULL && line < unit->text) {
    line += 1 + strlen(CC_WHOLE_HEADER);
    cc_buffer_print(out, "#include <%.*s>\n", (int)strcspn(line, "\n"), line);
  }
}

/* Static variables of the device stay, and get a name that is known, where a function of the host uses them. */
static void add_uses(vptr__arena *arena, const cc_whole_unit *unit, cc_buffer *out) {
  const char *line = unit->head;
  for (int i = 0; (line = strstr(line, "\n//variable ")) != NULL && line < unit->text; i++) {
    line += strlen("\n//variable ");
    const char *path = vptr__arena_copy(arena, line, strcspn(line, " \n"));
    cc_buffer_print(out, "static inline const void *vptr_use_%d() { return &::%s; }\n", i, path);
  }
}

/* Without the functions of the host, as joints are. */
static bool write_source(cc_driver *driver, const cc_whole_unit *unit, const char *path) {
  cc_joint_unit alone = { .name = unit->name, .text = unit->text };
  cc_buffer out;
  cc_buffer_init(&out, driver->arena);
  add_headers(unit, &out);
  if (!cc_joint_make(driver->arena, &alone, 1, &out))
    return false;
  cc_buffer_print(&out, "# 1 \"<vptrcc>\" 3\n");
  add_uses(driver->arena, unit, &out);
  return cc_file_write(path, out.text, out.length);
}

/* The text is preprocessed: macros and folders of this command are not for it. */
static bool compile_text(cc_driver *driver, const cc_whole_unit *unit, const char *bitcode) {
  const char *source = cc_workshop_path(&driver->workshop, unit->name, ".rdc.cu");
  cc_list before = driver->options.preprocessing;
  if (!write_source(driver, unit, source))
    return false;
  cc_list_init(&driver->options.preprocessing, driver->arena);
  int status = cc_clang_compile_device(driver, source, unit->symbol, bitcode);
  driver->options.preprocessing = before;
  return status == 0;
}

/* ---- all units ------------------------------------------------------------------------------------------- */

bool cc_whole_translate(cc_driver *driver, const cc_whole_unit *units, size_t count, cc_device_text *device) {
  const char *why = NULL;
  cc_list words;
  cc_list_init(&words, driver->arena);
  if (!cc_clang_find(driver, &why)) {
    fprintf(stderr, "vptrcc: error: %s\n", why);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    const char *bitcode = cc_workshop_path(&driver->workshop, units[i].name, ".bc");
    bool is_there = units[i].text != NULL ? compile_text(driver, &units[i], bitcode)
                                          : cc_file_write(bitcode, units[i].bitcode, units[i].length);
    if (!is_there)
      return false;
    if (units[i].text != NULL) {
      cc_list_add(&words, "--suffix");
      cc_list_print(&words, CC_MANGLED_UNIT "%zu", i);
    }
    cc_list_add(&words, bitcode);
  }
  return cc_clang_translate_bitcode(driver, "vptr_link.cu", &words, device);
}
