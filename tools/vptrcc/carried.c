/* SPDX-License-Identifier: MIT */
/* carried - see carried.h. */
#include "carried.h"

#include <stdio.h>
#include <string.h>

#include "armor.h"
#include "clang.h"
#include "module.h"
#include "relocatable.h"
#include "section.h"
#include "unit.h"

static const char to_be_linked[] = CC_SECTION_MODULE "1\n//vptr relocatable\n";

/* What is loaded without a linker, if the text alone can be translated. Where not, the linker says why. */
static void add_translation(cc_driver *driver, const cc_device_text *unit, const char *source, cc_buffer *out) {
  cc_device_text whole;
  cc_module module;
  cc_options options = driver->options;
  cc_list_init(&options.defines, driver->arena);
  cc_list_init(&options.included, driver->arena);
  bool is_whole = cc_device_translate(&options, &driver->home, source, unit->module, strlen(unit->module), &whole);
  if (is_whole) {
    cc_module_read(&module, driver->arena, whole.module, strlen(whole.module));
    is_whole = cc_module_lacking_variable(&module) == NULL;
  }
  cc_buffer_print(out, "%s", is_whole ? whole.module : to_be_linked);
}

/* A text that no linking could mend is refused now. */
static bool make_own(cc_driver *driver, const char *source, const char *symbol, const char *text, size_t length,
                     cc_buffer *out) {
  const cc_options *options = &driver->options;
  cc_device_text judged, device;
  cc_buffer unit;
  cc_buffer_init(&unit, driver->arena);
  bool is_good = cc_device_judge(options, &driver->home, source, text, length, &judged);
  if (judged.log != NULL)
    fputs(judged.log, stderr);
  if (!is_good || !cc_relocatable_text(options, &driver->home, source, text, length, &device))
    return false;
  cc_unit_begin(driver, source, symbol, &unit);
  cc_unit_add_text(&device, &unit);
  add_translation(driver, &device, source, out);
  cc_armor_write(out, unit.text, unit.length);
  return true;
}

static bool make_by_clang(cc_driver *driver, const char *source, const char *symbol, cc_buffer *out) {
  const char *bitcode = cc_workshop_path(&driver->workshop, source, ".bc");
  cc_buffer unit;
  cc_buffer_init(&unit, driver->arena);
  cc_unit_begin(driver, source, symbol, &unit);
  cc_buffer_print(out, "%s", to_be_linked);
  if (cc_clang_compile_device(driver, source, symbol, bitcode) != 0 || !cc_clang_list_names(driver, bitcode, out) ||
      !cc_unit_add_bitcode(driver, bitcode, &unit))
    return false;
  cc_armor_write(out, unit.text, unit.length);
  return true;
}

int cc_carried_write(cc_driver *driver, const cc_input *input, bool is_by_clang, const char *output) {
  const char *text = NULL, *source = input->path;
  size_t length = 0;
  cc_buffer out;
  cc_buffer_init(&out, driver->arena);
  if (!cc_file_read(driver->arena, source, &text, &length))
    return 1;
  const char *symbol = cc_unit_symbol(driver, output, text);
  bool is_good = is_by_clang ? make_by_clang(driver, source, symbol, &out)
                             : make_own(driver, source, symbol, text, length, &out);
  return is_good && cc_file_write(output, out.text, out.length) ? 0 : 1;
}
