/* SPDX-License-Identifier: MIT */
/* module - see module.h. */
#include "module.h"

#include <string.h>

static bool begins_with(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

static size_t count_lines(const char *text, const char *with) {
  size_t count = 0;
  for (; text != NULL && *text != 0; text = strchr(text, '\n'), text += text != NULL)
    count += begins_with(text, with);
  return count;
}

/* Value of " key=", up to the next space; "" without it. */
static const char *value_of(vptr__arena *arena, const char *line, const char *key) {
  size_t end = strcspn(line, "\n"), length = strlen(key);
  for (const char *at = line; at + length < line + end; at++)
    if (*at == ' ' && strncmp(at + 1, key, length) == 0 && at[1 + length] == '=') {
      at += length + 2;
      return vptr__arena_copy(arena, at, strcspn(at, " \n"));
    }
  return "";
}

static cc_module_entry entry_of(vptr__arena *arena, const char *line) {
  return (cc_module_entry){
    .path = value_of(arena, line, "name"),
    .lowered = value_of(arena, line, "lowered"),
    .is_extern = strcmp(value_of(arena, line, "extern"), "1") == 0,
    .reference = value_of(arena, line, "reference"),
    .reads_floats = strcmp(value_of(arena, line, "reads"), "floats") == 0,
  };
}

void cc_module_read(cc_module *module, vptr__arena *arena, const char *text, size_t length) {
  *module = (cc_module){ .text = text, .length = length };
  module->kernels = vptr__arena_allocate(arena, (count_lines(text, "//vptr kernel ") + 1) * sizeof *module->kernels);
  module->variables =
      vptr__arena_allocate(arena, (count_lines(text, "//vptr variable ") + 1) * sizeof *module->variables);
  for (const char *line = text; line != NULL && *line == '/'; line = strchr(line, '\n'), line += line != NULL) {
    if (begins_with(line, "//vptr kernel "))
      module->kernels[module->kernel_count++] = entry_of(arena, line);
    else if (begins_with(line, "//vptr variable "))
      module->variables[module->variable_count++] = entry_of(arena, line);
    else if (begins_with(line, "//vptr param ") && module->kernel_count > 0)
      module->kernels[module->kernel_count - 1].parameter_count++;
  }
}

cc_module_entry *cc_module_take_kernel(cc_module *module, const char *path, uint32_t parameter_count) {
  for (uint32_t i = 0; i < module->kernel_count; i++) {
    cc_module_entry *it = &module->kernels[i];
    if (it->is_taken || it->parameter_count != parameter_count || strcmp(it->path, path) != 0)
      continue;
    it->is_taken = true;
    return it;
  }
  return NULL;
}

cc_module_entry *cc_module_take_variable(cc_module *module, const char *path) {
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (!module->variables[i].is_taken && strcmp(module->variables[i].path, path) == 0) {
      module->variables[i].is_taken = true;
      return &module->variables[i];
    }
  return NULL;
}

bool cc_module_has_reference(const cc_module *module, const char *path) {
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (*module->variables[i].reference != 0 && strcmp(module->variables[i].path, path) == 0)
      return true;
  return false;
}

/* The heap of kernels, the room for what they launch, and the locks of atomic operations. */
static bool is_of_runtime(const char *name) {
  return strcmp(name, "vptr_heap") == 0 || strcmp(name, "vptr_children") == 0 || strcmp(name, "vptr_locks") == 0;
}

const char *cc_module_lacking_variable(const cc_module *module) {
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (module->variables[i].is_extern && !is_of_runtime(module->variables[i].path))
      return module->variables[i].path;
  return NULL;
}
