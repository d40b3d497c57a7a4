/* SPDX-License-Identifier: MIT */
/*
 * entries - see entries.h.
 *
 * The section's rows are LLVM's `__tgt_offload_entry`: the same from clang 16 to 19. A row with a size is a variable;
 * its flags say which are surface (2) and texture (3) references, and of which the reading is normalized (32).
 *
 * Both sides launch each other's kernels: vptrcc's own stub of a kernel has the kernel's name, clang's has one of its
 * own. So the text has for each kernel a weak function of the other name, which goes on to the stub.
 */
#include "entries.h"

#include <string.h>

#include "mangled.h"

static void write_beginning(cc_buffer *out, const cc_module *module) {
  cc_buffer_print(out, "\n# 1 \"<vptrcc>\" 3\n#include <vptr_binary.h>\nextern \"C\" {\n"
                       "struct vptr_entry { void *address; const char *name; ::size_t size; int flags, reserved; };\n"
                       "#define VPTR_BOUND extern __attribute__((weak, visibility(\"hidden\"))) const vptr_entry\n"
                       "VPTR_BOUND __start_cuda_offloading_entries[];\n"
                       "VPTR_BOUND __stop_cuda_offloading_entries[];\n}\n"
                       "namespace {\nconst char vptr_unit_text[] =\n");
  cc_buffer_quote(out, module->text, module->length);
  cc_buffer_print(
      out, ";\nstruct { int magic, version; const void *content; void *unused; } vptr_unit_record = {\n"
           "  0x466243b1, 1, vptr_unit_text, 0 };\nvoid **vptr_unit_handle;\n"
           "void vptr_add_kernel(const void *stub, const char *name) {\n"
           "  ::__cudaRegisterFunction(vptr_unit_handle, (const char *)stub, (char *)name, name, -1, 0, 0, 0, 0, "
           "0);\n}\n"
           "void vptr_add_variable(void *shadow, const char *name, ::size_t size) {\n"
           "  ::__cudaRegisterVar(vptr_unit_handle, (char *)shadow, (char *)name, name, 0, size, 0, 0);\n}\n"
           "void vptr_add_reference(void *shadow, const char *name, ::size_t flags) {\n"
           "  if ((flags & VPTR_CUDA_VARIABLE_TEXTURE) != 0)\n"
           "    ::__cudaRegisterTexture(vptr_unit_handle, (const textureReference *)shadow, 0, name, 0,\n"
           "                            (flags & VPTR_CUDA_VARIABLE_NORMALIZED) != 0, 0);\n"
           "  else if ((flags & VPTR_CUDA_VARIABLE_SURFACE) != 0)\n"
           "    ::__cudaRegisterSurface(vptr_unit_handle, (const surfaceReference *)shadow, 0, name, 0, 0);\n}\n}\n");
}

/* Of the kernels or variables of a module that own units have: the next one of that path. */
static const char *take_entry(vptr__arena *arena, cc_module_entry *entries, uint32_t count, const char *path,
                              int unit, uint32_t parameter_count) {
  for (uint32_t i = 0; i < count; i++) {
    cc_mangled mangled;
    cc_module_entry *it = &entries[i];
    if (it->is_taken || it->parameter_count != parameter_count || !cc_mangled_read(arena, it->lowered, &mangled) ||
        strcmp(mangled.path, path) != 0 || (mangled.unit != CC_MANGLED_EVERYBODYS && mangled.unit != unit))
      continue;
    it->is_taken = true;
    return it->lowered;
  }
  return NULL;
}

/* ---- stubs of two names ---------------------------------------------------------------------------------- */

static void write_jumps(cc_buffer *out) {
  cc_buffer_print(out, "#if defined(__x86_64__)\n#define VPTR_JUMP(to) \"jmp \" to \"@PLT\\n\"\n"
                       "#elif defined(__aarch64__)\n#define VPTR_JUMP(to) \"b \" to \"\\n\"\n"
                       "#elif defined(__riscv)\n#define VPTR_JUMP(to) \"tail \" to \"@plt\\n\"\n#endif\n"
                       "#ifdef VPTR_JUMP\n#define VPTR_OTHER(name, to, function) asm(\".pushsection .text\\n.weak \" "
                       "name \"\\n.hidden \" name \"\\n.type \" name \",%%function\\n\" name \":\\n\" VPTR_JUMP(to) "
                       "\".popsection\"); extern \"C\" void function(void) asm(name);\n"
                       "#else\n#define VPTR_OTHER(name, to, function) static void function(void) {}\n#endif\n");
}

static void write_others(vptr__arena *arena, cc_buffer *out, const cc_module *module) {
  write_jumps(out);
  for (uint32_t i = 0; i < module->kernel_count; i++) {
    const cc_module_entry *it = &module->kernels[i];
    cc_mangled mangled;
    if (!cc_mangled_read(arena, it->lowered, &mangled) || mangled.unit != CC_MANGLED_EVERYBODYS)
      continue;
    cc_buffer_print(out, "VPTR_OTHER(\"%s\", \"%s\", vptr_other_%u)\n", it->is_taken ? mangled.stub : it->lowered,
                    it->is_taken ? it->lowered : mangled.stub, i);
  }
}

/* The address of a kernel may be either of them. */
static void register_others(vptr__arena *arena, cc_buffer *out, const cc_module *module) {
  for (uint32_t i = 0; i < module->kernel_count; i++) {
    cc_mangled mangled;
    if (cc_mangled_read(arena, module->kernels[i].lowered, &mangled) && mangled.unit == CC_MANGLED_EVERYBODYS)
      cc_buffer_print(out, "  vptr_add_kernel((const void *)vptr_other_%u, \"%s\");\n", i,
                      module->kernels[i].lowered);
  }
}

/* ---- registration ---------------------------------------------------------------------------------------- */

/* What the device's half lacks is an error when it is used: nobody used it there. */
static void write_own(cc_split *split, const cc_module *module, const int *kernel_units, const int *variable_units,
                      cc_buffer *out) {
  for (uint32_t i = 0; i < split->kernel_count; i++) {
    const cc_host_kernel *it = &split->kernels[i];
    const char *name = take_entry(split->arena, module->kernels, module->kernel_count, it->path, kernel_units[i],
                                  it->parameter_count);
    if (name != NULL)
      cc_buffer_print(out, "  vptr_add_kernel(%s(), \"%s\");\n", it->teller, name);
  }
  for (uint32_t i = 0; i < split->variable_count; i++) {
    const cc_host_variable *it = &split->variables[i];
    const char *name =
        take_entry(split->arena, module->variables, module->variable_count, it->path, variable_units[i], 0);
    if (name != NULL)
      cc_buffer_print(out, "  { ::size_t told = 0; void *host = %s(&told); vptr_add_%s(host, \"%s\", told); }\n",
                      it->teller, it->words == CC_REFERENCE ? "reference" : "variable", name);
  }
}

static void write_clangs(cc_buffer *out) {
  cc_buffer_print(out, "  for (const vptr_entry *it = __start_cuda_offloading_entries; it != "
                       "__stop_cuda_offloading_entries; it++)\n"
                       "    if (it->size == 0)\n      vptr_add_kernel(it->address, it->name);\n"
                       "    else if ((it->flags & 7) == 2)\n"
                       "      vptr_add_reference(it->address, it->name, VPTR_CUDA_VARIABLE_SURFACE);\n"
                       "    else if ((it->flags & 7) == 3)\n"
                       "      vptr_add_reference(it->address, it->name, VPTR_CUDA_VARIABLE_TEXTURE |\n"
                       "                         ((it->flags & 32) != 0 ? VPTR_CUDA_VARIABLE_NORMALIZED : 0));\n"
                       "    else\n      vptr_add_variable(it->address, it->name, it->size);\n");
}

/* Own kernels are found before others are written: which way a jump goes depends on it. */
void cc_entries_write(cc_split *split, const cc_module *module, const int *kernel_units, const int *variable_units) {
  cc_buffer *out = &split->out, own;
  cc_buffer_init(&own, split->arena);
  write_own(split, module, kernel_units, variable_units, &own);
  write_beginning(out, module);
  if (split->kernel_count + split->variable_count > 0)
    write_others(split->arena, out, module);
  cc_buffer_print(out, "__attribute__((constructor(200))) static void vptr_unit_begin(void) {\n"
                       "  vptr_unit_handle = ::__cudaRegisterFatBinary(&vptr_unit_record);\n");
  cc_buffer_add(out, own.text, own.length);
  write_clangs(out);
  if (split->kernel_count + split->variable_count > 0)
    register_others(split->arena, out, module);
  cc_buffer_print(out, "  ::__cudaRegisterFatBinaryEnd(vptr_unit_handle);\n}\n"
                       "__attribute__((destructor(200))) static void vptr_unit_end(void) {\n"
                       "  ::__cudaUnregisterFatBinary(vptr_unit_handle);\n}\n");
}
