/* SPDX-License-Identifier: MIT */
/* register - see register.h. */
#include "register.h"

#include <string.h>

/* All that the unit points to stays: its registration may be tried again later. Only constants initialize it, so that
 * it needs no constructor of its own. */
static void write_text(cc_buffer *out, const cc_module *module) {
  cc_buffer_print(out, "\n# 1 \"<vptrcc>\" 3\nnamespace {\nconst char vptr_unit_text[] =\n");
  cc_buffer_quote(out, module->text, module->length);
  cc_buffer_print(out, ";\n");
}

static void write_kernels(cc_split *split, cc_module *module) {
  for (uint32_t i = 0; i < split->kernel_count; i++) {
    const cc_host_kernel *it = &split->kernels[i];
    const cc_module_entry *entry = cc_module_take_kernel(module, it->path, it->parameter_count);
    if (entry == NULL)
      cc_buffer_print(&split->messages,
                      "%s: error: the kernel '%s' is there for the host and not for devices: is it behind a "
                      "condition such as __CUDA_ARCH__?\n",
                      it->place, it->path);
    else
      cc_buffer_print(&split->out, "  { 0, \"%s\" },\n", entry->lowered);
  }
}

static const char *flags_of(const cc_host_variable *it, const cc_module_entry *entry) {
  if (strcmp(entry->reference, "texture") == 0)
    return entry->reads_floats ? "vptr_cuda_is_texture_of_floats" : "vptr_cuda_is_texture";
  if (strcmp(entry->reference, "surface") == 0)
    return "vptr_cuda_is_surface";
  return (it->words & CC_MANAGED) != 0    ? "vptr_cuda_is_managed"
         : (it->words & CC_CONSTANT) != 0 ? "vptr_cuda_is_constant"
                                          : "vptr_cuda_is_device";
}

/* What looks like a reference, and was none to the translator, is the host's alone: a template by that name. */
static void forget_others(cc_split *split, const cc_module *module) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < split->variable_count; i++)
    if ((split->variables[i].words & CC_REFERENCE) == 0 || cc_module_has_reference(module, split->variables[i].path))
      split->variables[count++] = split->variables[i];
  split->variable_count = count;
}

static void write_variable(cc_split *split, cc_module *module, const cc_host_variable *it) {
  const cc_module_entry *entry = cc_module_take_variable(module, it->path);
  if (entry == NULL) {
    cc_buffer_print(&split->messages,
                    "%s: error: the variable '%s' is there for the host and not for devices: is it behind a "
                    "condition such as __CUDA_ARCH__?\n",
                    it->place, it->path);
    return;
  }
  cc_buffer_print(&split->out, "  { 0, \"%s\", 0, %s },\n", entry->lowered, flags_of(it, entry));
}

static void write_unit(cc_split *split, cc_module *module, const char *file) {
  cc_buffer *out = &split->out;
  cc_buffer_print(out, "::vptr_cuda_kernel vptr_unit_kernels[] = {\n");
  write_kernels(split, module);
  cc_buffer_print(out, "  { 0, 0 }\n};\n::vptr_cuda_variable vptr_unit_variables[] = {\n");
  for (uint32_t i = 0; i < split->variable_count; i++)
    write_variable(split, module, &split->variables[i]);
  cc_buffer_print(
      out,
      "  { 0, 0, 0, 0 }\n};\n::vptr_cuda_unit vptr_unit = { sizeof(::vptr_cuda_unit),\n"
      "  { sizeof(::vptr_cuda_module), vptr_unit_text, sizeof vptr_unit_text - 1, vptr_unit_kernels, %u,\n"
      "    vptr_unit_variables, %u }, ",
      split->kernel_count, split->variable_count);
  cc_buffer_quote(out, file, strlen(file));
  cc_buffer_print(out, ", 0, 0, 0, ::cudaSuccess };\n}\n");
}

/* The tellers' answers are no constants. Those of variables give the size besides, and of references
 * what they are. */
static void write_answers(cc_split *split) {
  for (uint32_t i = 0; i < split->kernel_count; i++)
    cc_buffer_print(&split->out, "  vptr_unit_kernels[%u].stub = %s();\n", i, split->kernels[i].teller);
  for (uint32_t i = 0; i < split->variable_count; i++) {
    cc_buffer_print(&split->out, "  vptr_unit_variables[%u].host = %s(&vptr_unit_variables[%u].size);\n", i,
                    split->variables[i].teller, i);
    if (split->variables[i].words == CC_REFERENCE) /* a number to devices */
      cc_buffer_print(&split->out, "  vptr_unit_variables[%u].size = 8;\n", i);
  }
}

bool cc_register_module(cc_split *split, cc_module *module, const char *file) {
  cc_buffer *out = &split->out;
  forget_others(split, module);
  if (split->kernel_count == 0 && split->variable_count == 0)
    return true;
  write_text(out, module);
  write_unit(split, module, file);
  cc_buffer_print(out, "__attribute__((constructor(200))) static void vptr_unit_begin(void) {\n");
  write_answers(split);
  cc_buffer_print(out, "  ::vptr_cuda_register_unit(&vptr_unit);\n}\n"
                       "__attribute__((destructor(200))) static void vptr_unit_end(void) {\n"
                       "  ::vptr_cuda_unregister_unit(&vptr_unit);\n}\n");
  return split->messages.length == 0;
}
