/* SPDX-License-Identifier: MIT */
/* relocatable - see relocatable.h. A section's text begins with lines: what is in it, and the symbols that tell
 * addresses. */
#include "relocatable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clang.h"
#include "depend.h"
#include "entries.h"
#include "joint.h"
#include "register.h"
#include "section.h"
#include "unit.h"

static const char linked_line[] = "//vptr-linked"; /* what -dlink makes has that */

bool cc_relocatable_text(const cc_options *options, const cc_home *home, const char *name, const char *text,
                         size_t length, cc_device_text *device) {
  return cc_device_preprocess(options, home, name, text, length, device);
}

/* ---- compiling ------------------------------------------------------------------------------------------- */

static void finish_kernels(cc_split *split, const char *symbol, cc_buffer *head) {
  for (uint32_t i = 0; i < split->kernel_count; i++) {
    const cc_host_kernel *it = &split->kernels[i];
    cc_buffer_print(head, "//kernel %s %u %s_k%u\n", it->path, it->parameter_count, symbol, i);
    cc_buffer_print(
        &split->out,
        "extern \"C\" __attribute__((visibility(\"hidden\"))) const void *%s_k%u(void) { return %s(); }\n", symbol, i,
        it->teller);
  }
}

static void finish_variables(cc_split *split, const char *symbol, cc_buffer *head) {
  for (uint32_t i = 0; i < split->variable_count; i++) {
    const cc_host_variable *it = &split->variables[i];
    cc_buffer_print(head, "//variable %s %u %s_v%u\n", it->path, it->words, symbol, i);
    cc_buffer_print(&split->out,
                    "extern \"C\" __attribute__((visibility(\"hidden\"))) void *%s_v%u(::size_t *size) { return "
                    "%s(size); }\n",
                    symbol, i, it->teller);
  }
}

/* What -dlink makes defines it: an archive that has both gives both, and linking without is an error, as with nvcc. */
static void ask_for_linked(const char *symbol, cc_buffer *out) {
  cc_buffer_print(out,
                  "extern \"C\" {\nextern __attribute__((visibility(\"hidden\"))) const char %s_linked;\n}\n"
                  "__attribute__((used)) static const char *const vptr_rdc_linked = &%s_linked;\n",
                  symbol, symbol);
}

/* The section is marked as one that linkers leave out of programs. */
static void add_section(const char *path, cc_buffer *out) {
  cc_buffer_print(out, "asm(\".pushsection %s,\\\"e\\\",@progbits\\n.incbin \\\"%s\\\"\\n.byte 0\\n.popsection\");\n",
                  CC_SECTION, path);
}

bool cc_relocatable_finish(cc_driver *driver, cc_split *split, const char *source, const cc_device_text *device,
                           const char *object) {
  cc_buffer head;
  const char *text = device->module;
  const char *symbol = cc_unit_symbol(driver, object, text);
  const char *path = cc_workshop_path(&driver->workshop, source, ".rdc");
  cc_buffer_init(&head, driver->arena);
  cc_unit_begin(driver, source, symbol, &head);
  cc_buffer_print(&split->out, "\n# 1 \"<vptrcc>\" 3\n");
  ask_for_linked(symbol, &split->out);
  finish_kernels(split, symbol, &head);
  finish_variables(split, symbol, &head);
  cc_unit_add_text(device, &head);
  add_section(path, &split->out);
  return cc_file_write(path, head.text, head.length);
}

/* ---- compiling by clang ---------------------------------------------------------------------------------- */

static bool write_bitcode(cc_driver *driver, const char *source, const char *symbol, const char *bitcode,
                          const char *path) {
  cc_buffer all;
  cc_buffer_init(&all, driver->arena);
  cc_unit_begin(driver, source, symbol, &all);
  return cc_unit_add_bitcode(driver, bitcode, &all) && cc_file_write(path, all.text, all.length);
}

/* Stands in front of the host's half. */
static bool write_prelude(cc_driver *driver, const char *symbol, const char *section, const char *path) {
  cc_buffer out;
  cc_buffer_init(&out, driver->arena);
  ask_for_linked(symbol, &out);
  add_section(section, &out);
  return cc_file_write(path, out.text, out.length);
}

int cc_relocatable_compile(cc_driver *driver, const cc_input *input, const char *object, const char *dependencies) {
  const char *text = NULL, *path = input->path;
  size_t length = 0;
  if (!cc_file_read(driver->arena, path, &text, &length))
    return 1;
  const char *symbol = cc_unit_symbol(driver, object, text);
  const char *bitcode = cc_workshop_path(&driver->workshop, path, ".bc");
  const char *section = cc_workshop_path(&driver->workshop, path, ".rdc");
  const char *prelude = cc_workshop_path(&driver->workshop, path, ".rdc.h");
  const char *written = dependencies != NULL ? cc_workshop_path(&driver->workshop, path, ".d") : NULL;
  int status = cc_clang_compile_device(driver, path, symbol, bitcode);
  if (status != 0)
    return status;
  if (!driver->options.is_dry &&
      (!write_bitcode(driver, path, symbol, bitcode, section) || !write_prelude(driver, symbol, section, prelude)))
    return 1;
  status = cc_clang_compile_unit(driver, input, symbol, prelude, object, written);
  if (status == 0 && written != NULL && !driver->options.is_dry)
    status = cc_depend_copy_without(driver->arena, written, prelude, dependencies) ? 0 : 1;
  return status;
}

/* ---- linking --------------------------------------------------------------------------------------------- */

/* The whole program's device side while it is linked. */
typedef struct linking {
  cc_driver *driver;
  cc_whole_unit *units;
  cc_joint_unit *joints; /* of the units, if all have texts */
  size_t count;
  bool has_bitcode, is_by_clang;
  int *kernel_units, *variable_units; /* whose those of the split are */
  cc_split split;                     /* kernels and variables of all units, for registration */
} linking;

static bool is_object_file(const char *path) {
  const char *dot = strrchr(path, '.');
  return path[0] != '-' && dot != NULL &&
         (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0 || strcmp(dot, ".lo") == 0 || strcmp(dot, ".obj") == 0 ||
          strcmp(dot, ".ptx") == 0);
}

/* -lfoo that means libfoo.a in one of the -L folders. */
static const char *archive_of(const cc_driver *driver, const cc_list *files, const char *name) {
  for (size_t i = 0; i < files->count; i++) {
    if (strncmp(files->items[i], "-L", 2) != 0)
      continue;
    const char *archive = vptr__arena_format(driver->arena, "%s/lib%s.a", files->items[i] + 2, name);
    const char *shared = vptr__arena_format(driver->arena, "%s/lib%s.so", files->items[i] + 2, name);
    if (access(shared, R_OK) == 0)
      return NULL;
    if (access(archive, R_OK) == 0)
      return archive;
  }
  return NULL;
}

static bool is_linked(const cc_list *texts, size_t first) {
  for (size_t i = first; i < texts->count; i++)
    if (strncmp(texts->items[i], linked_line, strlen(linked_line)) == 0)
      return true;
  return false;
}

/* An archive that has what it was linked to besides needs no more. */
static bool collect_one(cc_driver *driver, const char *path, cc_list *texts) {
  size_t first = texts->count;
  if (!cc_section_read(driver->arena, path, texts))
    return false;
  if (texts->count > first + 1 && is_linked(texts, first))
    cc_list_cut(texts, first);
  return true;
}

static bool collect_texts(cc_driver *driver, const cc_list *files, cc_list *texts) {
  for (size_t i = 0; i < files->count; i++) {
    const char *path = files->items[i];
    if (strncmp(path, "-l", 2) == 0)
      path = archive_of(driver, files, path + 2);
    else if (!is_object_file(path))
      path = NULL;
    if (path != NULL && access(path, R_OK) == 0 && !collect_one(driver, path, texts))
      return false;
  }
  return true;
}

static bool read_units(linking *linking, const cc_list *texts) {
  vptr__arena *arena = linking->driver->arena;
  linking->units = vptr__arena_allocate(arena, texts->count * sizeof *linking->units);
  linking->joints = vptr__arena_allocate(arena, texts->count * sizeof *linking->joints);
  linking->count = texts->count;
  for (size_t i = 0; i < texts->count; i++) {
    cc_whole_unit *unit = &linking->units[i];
    if (!cc_unit_read(arena, texts->items[i], unit)) {
      fputs("vptrcc: error: an object's device code is of another version of vptrcc: compile it again\n", stderr);
      return false;
    }
    linking->joints[i] = (cc_joint_unit){ .name = unit->name, .text = unit->text };
    cc_list_init(&linking->joints[i].renamed, arena);
    linking->has_bitcode |= unit->text == NULL;
  }
  return true;
}

/* The three words of "//kernel path number symbol". */
static bool read_line(vptr__arena *arena, const char *line, const char *kind, const char *words[3]) {
  size_t length = strlen(kind);
  if (strncmp(line, kind, length) != 0)
    return false;
  line += length;
  for (int i = 0; i < 3; i++) {
    size_t word = strcspn(line, " \n");
    words[i] = vptr__arena_copy(arena, line, word);
    line += word + (line[word] == ' ');
  }
  return true;
}

static void add_line(linking *linking, size_t unit, const char *line, cc_buffer *externs) {
  vptr__arena *arena = linking->driver->arena;
  cc_split *split = &linking->split;
  const cc_joint_unit *joint = &linking->joints[unit];
  const char *words[3];
  if (read_line(arena, line, "//kernel ", words)) {
    linking->kernel_units[split->kernel_count] = (int)unit;
    split->kernels[split->kernel_count++] = (cc_host_kernel){ cc_joint_path(arena, joint, words[0]), words[2],
                                                              (uint32_t)strtoul(words[1], NULL, 10), joint->name };
    cc_buffer_print(externs, "extern \"C\" __attribute__((visibility(\"hidden\"))) const void *%s(void);\n",
                    words[2]);
  } else if (read_line(arena, line, "//variable ", words)) {
    linking->variable_units[split->variable_count] = (int)unit;
    split->variables[split->variable_count++] =
        (cc_host_variable){ cc_joint_path(arena, joint, words[0]), words[2], (unsigned)strtoul(words[1], NULL, 10),
                            joint->name };
    cc_buffer_print(externs, "extern \"C\" __attribute__((visibility(\"hidden\"))) void *%s(::size_t *);\n",
                    words[2]);
  }
}

static void add_linked(const linking *linking, cc_buffer *out) {
  for (size_t i = 0; i < linking->count; i++)
    cc_buffer_print(out,
                    "extern \"C\" {\nextern __attribute__((visibility(\"hidden\"))) const char %s_linked;\n"
                    "const char %s_linked = 1;\n}\n",
                    linking->units[i].symbol, linking->units[i].symbol);
}

static const char *head_end(const cc_whole_unit *unit) {
  return unit->text != NULL ? unit->text : unit->head;
}

static void add_hosts(linking *linking) {
  cc_split *split = &linking->split;
  vptr__arena *arena = linking->driver->arena;
  size_t lines = 1;
  for (size_t i = 0; i < linking->count; i++)
    for (const char *at = linking->units[i].head; at < head_end(&linking->units[i]); at++)
      lines += *at == '\n';
  *split = (cc_split){ .arena = arena };
  cc_buffer_init(&split->out, arena);
  cc_buffer_init(&split->messages, arena);
  split->kernels = vptr__arena_allocate(arena, lines * sizeof *split->kernels);
  split->variables = vptr__arena_allocate(arena, lines * sizeof *split->variables);
  linking->kernel_units = vptr__arena_allocate(arena, lines * sizeof(int));
  linking->variable_units = vptr__arena_allocate(arena, lines * sizeof(int));
  for (size_t i = 0; i < linking->count; i++)
    for (const char *line = linking->units[i].head; line < head_end(&linking->units[i]);
         line += strcspn(line, "\n") + 1)
      add_line(linking, i, line, &split->out);
}

/* ---- the module of all units ----------------------------------------------------------------------------- */

/* The texts are preprocessed: of the options only those for arithmetic count. */
static bool translate_texts(linking *linking, cc_device_text *device) {
  const cc_driver *driver = linking->driver;
  cc_options options = driver->options;
  cc_buffer text;
  cc_buffer_init(&text, driver->arena);
  cc_list_init(&options.defines, driver->arena);
  cc_list_init(&options.included, driver->arena);
  *device = (cc_device_text){ .module = NULL };
  return cc_joint_make(driver->arena, linking->joints, linking->count, &text) &&
         cc_device_translate(&options, &driver->home, "<linked>", text.text, text.length, device);
}

/* Nothing was renamed in the texts: each is a unit for clang. */
static bool translate_by_clang(linking *linking, cc_device_text *device) {
  linking->is_by_clang = true;
  for (size_t i = 0; i < linking->count; i++)
    cc_list_init(&linking->joints[i].renamed, linking->driver->arena);
  if (linking->driver->options.is_verbose)
    fputs("#$ (vptrcc links the kernels of C++ files: clang compiles those of files in C, too)\n", stderr);
  return cc_whole_translate(linking->driver, linking->units, linking->count, device);
}

/* What the own front end has not is clang's, if that may be; the own messages stand where there is none. */
static bool translate_units(linking *linking, cc_device_text *device) {
  cc_front_end front_end = linking->driver->options.front_end;
  const char *why = NULL;
  if (linking->has_bitcode && front_end == CC_FRONT_END_OWN) {
    fputs("vptrcc: error: clang compiled the kernels of some of these files: link without --front-end=own\n", stderr);
    return false;
  }
  if (linking->has_bitcode || front_end == CC_FRONT_END_CLANG)
    return translate_by_clang(linking, device);
  if (translate_texts(linking, device))
    return true;
  if (front_end == CC_FRONT_END_OWN || device->log == NULL || !cc_clang_find(linking->driver, &why))
    return false;
  cc_device_text own = *device;
  if (translate_by_clang(linking, device))
    return true;
  *device = own;
  return false;
}

static bool make_module(linking *linking, cc_module *module) {
  cc_device_text device = { .module = NULL };
  cc_unit_join_options(linking->units, linking->count, &linking->driver->options);
  bool is_good = translate_units(linking, &device);
  if (device.log != NULL)
    fputs(device.log, stderr);
  if (!is_good)
    return false;
  cc_module_read(module, linking->driver->arena, device.module, strlen(device.module));
  const char *lacking = cc_module_lacking_variable(module);
  if (lacking != NULL)
    fprintf(stderr, "vptrcc: error: the variable '%s' is declared extern, and no file defines it\n", lacking);
  return lacking == NULL;
}

static bool register_all(linking *linking, cc_module *module) {
  cc_split *split = &linking->split;
  add_hosts(linking);
  add_linked(linking, &split->out);
  bool is_good = true;
  if (linking->is_by_clang)
    cc_entries_write(split, module, linking->kernel_units, linking->variable_units);
  else
    is_good = cc_register_module(split, module, "this program");
  fputs(split->messages.text, stderr);
  cc_buffer_print(&split->out, "asm(\".pushsection %s,\\\"e\\\",@progbits\\n.asciz \\\"%s\\\"\\n.popsection\");\n",
                  CC_SECTION, linked_line);
  return is_good;
}

static int make_object(cc_driver *driver, const cc_list *texts, const char *object) {
  linking linking = { .driver = driver };
  cc_module module;
  if (!read_units(&linking, texts) || !make_module(&linking, &module) || !register_all(&linking, &module))
    return 1;
  const char *source = cc_workshop_path(&driver->workshop, "vptr_link", ".cpp");
  if (!cc_file_write(source, linking.split.out.text, linking.split.out.length))
    return 1;
  return cc_compile_generated(driver, source, object);
}

int cc_relocatable_device_link(cc_driver *driver, const cc_list *files, const char *output) {
  cc_list texts;
  cc_list_init(&texts, driver->arena);
  if (driver->options.is_dry)
    return 0;
  return collect_texts(driver, files, &texts) ? make_object(driver, &texts, output) : 1;
}

int cc_relocatable_module_link(cc_driver *driver, const cc_list *files, const char *output) {
  linking linking = { .driver = driver };
  cc_list texts;
  cc_module module;
  cc_list_init(&texts, driver->arena);
  if (driver->options.is_dry)
    return 0;
  if (!collect_texts(driver, files, &texts))
    return 1;
  if (texts.count == 0) {
    fputs("vptrcc: error: nothing to link has relocatable device code: compile with -dc, or -ptx -rdc=true\n",
          stderr);
    return 1;
  }
  bool is_good = read_units(&linking, &texts) && make_module(&linking, &module);
  return is_good && cc_file_write(output, module.text, module.length) ? 0 : 1;
}

int cc_relocatable_link(cc_driver *driver, cc_list *files) {
  cc_list texts;
  cc_list_init(&texts, driver->arena);
  if (driver->options.is_dry)
    return 0;
  if (!collect_texts(driver, files, &texts))
    return 1;
  if (texts.count == 0 || is_linked(&texts, 0))
    return 0;
  const char *object = cc_workshop_path(&driver->workshop, "vptr_link", ".o");
  int status = make_object(driver, &texts, object);
  /* first: archives behind it give what it asks for */
  cc_list all;
  cc_list_init(&all, driver->arena);
  cc_list_add(&all, object);
  cc_list_append(&all, files);
  *files = all;
  return status;
}
