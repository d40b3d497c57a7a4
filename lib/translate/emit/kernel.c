/* SPDX-License-Identifier: MIT */
/*
 * kernel - the entries of a module. An entry takes its parameters as the host passes them, declares the block's
 * shared variables, fills the context, and calls the kernel's body.
 *
 * What a parameter is passed as has a name that no parameter can have, since those that begin with vptr_ are renamed:
 * vptr_a_x is the address of x, vptr_b_x and vptr_o_x its buffer and offset, vptr_p_x a structure as it is passed.
 *
 * Parameters come in one of four forms, chosen when the module is built, for the device that it is built for:
 * pointers as addresses, which are numbers to the driver (a number costs it less than a pointer: 5.3 us a launch with
 * eight of them on an H100, against 8.3 with buffers and 9.1 with shared virtual pointers, and the kernels are as
 * fast); the same numbers and all values packed in one struct, laid out as CUDA does, where each argument costs a
 * driver time; pointers as a buffer and an offset in bytes (interior pointers have any alignment, so sub-buffers
 * would not do; NULL is no buffer and 0); or, where there are more than the device takes, all in one buffer, laid out
 * as CUDA does.
 */
#include "translate/emit/emitter.h"
#include "translate/emit/hidden.h"
#include "translate/lower/loops.h"

#include "base/number.h"

#include <string.h>

typedef enum passing { BY_ADDRESS, BY_PAIR, PACKED } passing;

const char *vptr__emit_entry(vptr__emitter *emitter, const vptr__instance *kernel) {
  bool has_prefix = strncmp(kernel->name, "vptr_k_", 7) == 0;
  return has_prefix ? kernel->name : vptr__arena_format(emitter->arena, "vptr_k_%s", kernel->name);
}

bool vptr__emit_is_hidden(const vptr__context_member *member) {
  return member->kind != VPTR__MEMBER_SHARED;
}

static const vptr__declaration *parameters_of(const vptr__kernel_plan *kernel) {
  return kernel->instance->function->type->parameters;
}

const char *vptr__emit_parameter_name(vptr__emitter *emitter, const vptr__declaration *parameter, int index) {
  return parameter->name != NULL ? vptr__emit_declaration_name(emitter, parameter)
                                 : vptr__arena_format(emitter->arena, "vptr_unused_%d", index);
}

bool vptr__emit_is_packable(const vptr__kernel_plan *kernel) {
  unsigned count = vptr__hidden_count_pointers(kernel);
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next)
    count++;
  return count > 1;
}

/* ---- heads ------------------------------------------------------------------------------------------------ */

static const char *passed_type(vptr__emitter *emitter, const vptr__type *type) {
  const char *name = vptr__emit_type_name(emitter, type);
  return vptr__emit_has_pointers(type) ? vptr__arena_format(emitter->arena, "%s__passed", name) : name;
}

static bool is_passed_otherwise(const vptr__declaration *parameter) {
  return parameter->type->kind == VPTR__TYPE_RECORD && vptr__emit_has_pointers(parameter->type);
}

static const char *parameter_as_value(vptr__emitter *emitter, const vptr__declaration *parameter, const char *name) {
  if (is_passed_otherwise(parameter))
    return vptr__arena_format(emitter->arena, "%s vptr_p_%s", passed_type(emitter, parameter->type), name);
  return vptr__emit_bare_declarator(emitter, parameter->type, name);
}

static const char *parameter_as_address(vptr__emitter *emitter, const vptr__declaration *parameter,
                                        const char *name) {
  if (parameter->type->kind == VPTR__TYPE_POINTER)
    return vptr__arena_format(emitter->arena, "ulong vptr_a_%s", name);
  return parameter_as_value(emitter, parameter, name);
}

static const char *parameter_as_pair(vptr__emitter *emitter, const vptr__declaration *parameter, const char *name) {
  if (parameter->type->kind == VPTR__TYPE_POINTER)
    return vptr__arena_format(emitter->arena, "__global uchar *vptr_b_%s, ulong vptr_o_%s", name, name);
  return parameter_as_value(emitter, parameter, name);
}

/* What the entry calls it, once it is a pointer. */
static const char *hidden_pointer(vptr__emitter *emitter, const vptr__context_member *member) {
  return member->kind == VPTR__MEMBER_PRINTS   ? "vptr_prints"
         : member->kind == VPTR__MEMBER_STATUS ? "vptr_status"
                                               : vptr__arena_format(emitter->arena, "vptr_h_%s", member->name);
}

static void write_hidden(vptr__emitter *emitter, const vptr__kernel_plan *kernel, const char *separator,
                         passing form) {
  for (vptr__context_member **each = kernel->members; *each != NULL; each++) {
    const vptr__context_member *member = *each;
    if (!vptr__emit_is_hidden(member) || (form == PACKED && vptr__hidden_is_pointer(member)))
      continue;
    vptr__writer_text(emitter->out, separator);
    separator = ", ";
    if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED)
      vptr__writer_text(emitter->out, "__local uint4 *vptr_dynamic");
    else if (form == BY_PAIR)
      vptr__writer_format(emitter->out, "__global uchar *vptr_b_%s, ulong vptr_o_%s", hidden_pointer(emitter, member),
                          hidden_pointer(emitter, member));
    else
      vptr__writer_format(emitter->out, "ulong vptr_a_%s", hidden_pointer(emitter, member));
  }
  if (vptr__hidden_has_translation(
          kernel)) { /* a buffer in all forms: the driver keeps it until the kernel has run */
    /* restrict: what a stream's look-up reads no store changes, so that it stays in front of loops over threads */
    vptr__writer_format(emitter->out, "%s__global const ulong *%svptr_table", separator,
                        kernel->instance->reach & VPTR__REACHES_STREAM ? "restrict " : "");
    separator = ", ";
  }
  if (vptr__hidden_has_texels(kernel)) { /* the same */
    vptr__writer_format(emitter->out, "%s__global const ulong *vptr_texels", separator);
    separator = ", ";
  }
  if (vptr__hidden_has_block(kernel)) {
    vptr__writer_format(emitter->out, "%sulong vptr_block", separator);
    separator = ", ";
  }
  if (vptr__hidden_has_grid(kernel)) /* such a kernel has a block, too; an address, whatever the form */
    vptr__writer_text(emitter->out, ", ulong vptr_grid");
  if (vptr__hidden_has_loops(kernel)) /* in both of its forms, or in this one alone */
    vptr__writer_format(emitter->out, "\n#if VPTR_LOOPS\n%s%sulong vptr_blocks\n#endif\n", separator,
                        vptr__hidden_has_block(kernel) ? "" : "ulong vptr_block, ");
}

static void write_head(vptr__emitter *emitter, const vptr__kernel_plan *kernel, passing form) {
  const char *separator = "";
  int index = 0;
  vptr__writer_format(emitter->out, "__kernel void %s(", vptr__emit_entry(emitter, kernel->instance));
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next) {
    const char *name = vptr__emit_parameter_name(emitter, each, index++);
    vptr__writer_format(emitter->out, "%s%s", separator,
                        form == BY_PAIR ? parameter_as_pair(emitter, each, name)
                                        : parameter_as_address(emitter, each, name));
    separator = ", ";
  }
  write_hidden(emitter, kernel, separator, form);
  vptr__writer_text(emitter->out, ") {\n");
}

/* A walk over the parameters in their struct. Values of 32 bits are halves of a uint2 where they have 8 bytes for
 * themselves or fill them by two: a number that is loaded alone is widened by LLVM beside its load, far from where it
 * is an index and multiplied, and NVIDIA's assembler then finds no multiplication that widens and adds (a matrix
 * product took 14 % longer). Halves of a vector are left alone. */
typedef struct packing {
  const vptr__declaration *parameter; /* NULL: no more */
  const char *name;
  const char *pair; /* the uint2 that it is half of; NULL: it is a member by itself */
  bool is_second;
  int index;
  uint64_t end; /* of it in the struct */
} packing;

static const char *word_name(const vptr__type *type) {
  switch (type->kind) {
  case VPTR__TYPE_INT:
    return "int";
  case VPTR__TYPE_UNSIGNED:
    return "uint";
  default:
    return type->kind == VPTR__TYPE_FLOAT ? "float" : NULL;
  }
}

static bool begins_pair(const vptr__kernel_plan *kernel, const vptr__declaration *parameter, uint64_t offset) {
  const vptr__declaration *next = parameter->next;
  if (word_name(parameter->type) == NULL || offset % 8 != 0 || vptr__hidden_packed_bytes(kernel) % 8 != 0)
    return false;
  return next == NULL || word_name(next->type) != NULL || vptr__type_alignment(next->type) % 8 == 0;
}

static void look_at_packed(vptr__emitter *emitter, const vptr__kernel_plan *kernel, packing *at) {
  if (at->parameter == NULL)
    return;
  const vptr__type *type = at->parameter->type;
  bool is_second = at->pair != NULL && !at->is_second && word_name(type) != NULL;
  uint64_t offset = vptr__align_up(at->end, vptr__type_alignment(type));
  at->end = offset + vptr__type_size(type);
  at->name = vptr__emit_parameter_name(emitter, at->parameter, at->index++);
  if (!is_second)
    at->pair =
        begins_pair(kernel, at->parameter, offset) ? vptr__arena_format(emitter->arena, "vptr_w_%s", at->name) : NULL;
  at->is_second = is_second;
}

static packing first_packed(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  packing at = { .parameter = parameters_of(kernel) };
  look_at_packed(emitter, kernel, &at);
  return at;
}

static void next_packed(vptr__emitter *emitter, const vptr__kernel_plan *kernel, packing *at) {
  at->parameter = at->parameter->next;
  look_at_packed(emitter, kernel, at);
}

/* Other members are what would be arguments of their own, and have their names. As with records, the driver checks the
 * layout. */
static void write_packed_type(vptr__emitter *emitter, const vptr__kernel_plan *kernel, const char *name) {
  vptr__writer_format(emitter->out, "struct %s {\n", name);
  for (packing at = first_packed(emitter, kernel); at.parameter != NULL; next_packed(emitter, kernel, &at))
    if (at.pair == NULL)
      vptr__writer_format(emitter->out, "  %s;\n", parameter_as_address(emitter, at.parameter, at.name));
    else if (!at.is_second)
      vptr__writer_format(emitter->out, "  uint2 %s;\n", at.pair);
  for (vptr__context_member **each = kernel->members; *each != NULL; each++)
    if (vptr__hidden_is_pointer(*each))
      vptr__writer_format(emitter->out, "  ulong vptr_a_%s;\n", hidden_pointer(emitter, *each));
  vptr__writer_format(emitter->out, "};\ntypedef char vptr_size_of_%s[sizeof(struct %s) == %llu ? 1 : -1];\n", name,
                      name, (unsigned long long)vptr__hidden_packed_bytes(kernel));
}

static void write_packed_head(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  const char *entry = vptr__emit_entry(emitter, kernel->instance);
  const char *type = vptr__arena_format(emitter->arena, "%s__packed", entry);
  write_packed_type(emitter, kernel, type);
  vptr__writer_format(emitter->out, "__kernel void %s(struct %s vptr_packed", entry, type);
  write_hidden(emitter, kernel, ", ", PACKED);
  vptr__writer_text(emitter->out, ") {\n");
}

static void write_spilled_head(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  vptr__writer_format(emitter->out, "__kernel void %s(ulong vptr_parameters_address",
                      vptr__emit_entry(emitter, kernel->instance));
  write_hidden(emitter, kernel, ", ", BY_ADDRESS);
  vptr__writer_text(emitter->out, ") {\n");
}

/* ---- first statements -------------------------------------------------------------------------------------- */

/* Whatever a vector load could take is aligned for it: NVIDIA's compilers then read shared memory in fours, as CUDA's
 * does, which is worth a quarter of the time of a product of tiles. The dynamic part is for that reason, and since a
 * driver aligns it only as its type asks, a pointer to vectors. */
static unsigned shared_alignment(const vptr__declaration *variable) {
  unsigned declared = variable->align != NULL ? (unsigned)variable->alignment : 0;
  return declared < VPTR__SHARED_ALIGNMENT && vptr__type_size(variable->type) >= VPTR__SHARED_ALIGNMENT
             ? VPTR__SHARED_ALIGNMENT
             : declared;
}

/* `__local` variables come first: PoCL wants them so. */
static void write_shared(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_scratch) {
  for (vptr__context_member **each = kernel->members; *each != NULL; each++) {
    const vptr__context_member *member = *each;
    if (member->kind != VPTR__MEMBER_SHARED)
      continue;
    const char *name = vptr__arena_format(emitter->arena, "vptr_s_%s", member->name);
    vptr__writer_format(emitter->out, "  %s",
                        vptr__emit_declarator(emitter, member->variable->type, name, VPTR__SPACE_SHARED));
    unsigned alignment = shared_alignment(member->variable);
    if (alignment > 0)
      vptr__writer_format(emitter->out, " __attribute__((aligned(%u)))", alignment);
    vptr__writer_text(emitter->out, ";\n");
  }
  if (with_scratch)
    vptr__writer_text(emitter->out, "  __local int vptr_scratch;\n");
}

static void write_spilled_loads(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  uint64_t offset = 0;
  int index = 0;
  vptr__writer_text(emitter->out,
                    "  __global const uchar *vptr_parameters = (__global const uchar *)vptr_parameters_address;\n");
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next) {
    const char *name = vptr__emit_parameter_name(emitter, each, index++);
    offset = vptr__align_up(offset, vptr__type_alignment(each->type));
    unsigned long long at = offset;
    offset += vptr__type_size(each->type);
    if (each->type->kind == VPTR__TYPE_POINTER)
      vptr__writer_format(emitter->out, "  %s = (%s)*(__global const ulong *)(vptr_parameters + %llu);\n",
                          vptr__emit_bare_declarator(emitter, each->type, name),
                          vptr__emit_type_name(emitter, each->type), at);
    else
      vptr__writer_format(emitter->out, "  %s = *(__global const %s *)(vptr_parameters + %llu);\n",
                          parameter_as_value(emitter, each, name), passed_type(emitter, each->type), at);
  }
}

/* What a pointer is made of. */
static const char *pointer_value(vptr__emitter *emitter, const char *name, passing form) {
  if (form == BY_PAIR)
    return vptr__arena_format(emitter->arena, "(vptr_b_%s + vptr_o_%s)", name, name);
  return vptr__arena_format(emitter->arena, form == PACKED ? "vptr_packed.vptr_a_%s" : "vptr_a_%s", name);
}

static void write_pointers(vptr__emitter *emitter, const vptr__kernel_plan *kernel, passing form) {
  int index = 0;
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next) {
    const char *name = vptr__emit_parameter_name(emitter, each, index++);
    if (each->type->kind == VPTR__TYPE_POINTER)
      vptr__writer_format(emitter->out, "  %s = (%s)%s;\n", vptr__emit_bare_declarator(emitter, each->type, name),
                          vptr__emit_type_name(emitter, each->type), pointer_value(emitter, name, form));
  }
}

/* Compilers read each from where the parameters are, as if it were one of its own. */
static const char *packed_value(vptr__emitter *emitter, const packing *at) {
  if (at->pair != NULL)
    return vptr__arena_format(emitter->arena, "as_%s(vptr_packed.%s.%c)", word_name(at->parameter->type), at->pair,
                              at->is_second ? 'y' : 'x');
  return vptr__arena_format(emitter->arena, "vptr_packed.%s%s", is_passed_otherwise(at->parameter) ? "vptr_p_" : "",
                            at->name);
}

static void write_packed_values(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  for (packing at = first_packed(emitter, kernel); at.parameter != NULL; next_packed(emitter, kernel, &at))
    if (at.parameter->type->kind != VPTR__TYPE_POINTER)
      vptr__writer_format(emitter->out, "  %s = %s;\n", parameter_as_value(emitter, at.parameter, at.name),
                          packed_value(emitter, &at));
}

static void write_hidden_pointers(vptr__emitter *emitter, const vptr__kernel_plan *kernel, passing form) {
  for (vptr__context_member **each = kernel->members; *each != NULL; each++)
    if (vptr__hidden_is_pointer(*each)) {
      const char *name = hidden_pointer(emitter, *each);
      vptr__writer_format(emitter->out, "  __global uchar *%s = (__global uchar *)%s;\n", name,
                          pointer_value(emitter, name, form));
    }
}

static void write_unpassed(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  int index = 0;
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next) {
    const char *name = vptr__emit_parameter_name(emitter, each, index++);
    if (!is_passed_otherwise(each))
      continue;
    vptr__writer_format(emitter->out, "  %s;\n", vptr__emit_bare_declarator(emitter, each->type, name));
    vptr__emit_unpass(emitter, each->type, name, vptr__arena_format(emitter->arena, "vptr_p_%s", name));
  }
}

static void write_filled_context(vptr__emitter *emitter, const vptr__kernel_plan *kernel, unsigned reach) {
  vptr__writer_text(emitter->out, "  struct vptr_context vptr;\n");
  for (vptr__context_member **each = kernel->members; *each != NULL; each++) {
    const vptr__context_member *member = *each;
    if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED) {
      vptr__writer_text(emitter->out, "  vptr.m_dynamic = (__local uchar *)vptr_dynamic;\n");
    } else if (member->kind == VPTR__MEMBER_STATUS) {
      vptr__writer_text(emitter->out, "  vptr.m_status = (volatile __global int *)vptr_status;\n");
    } else if (member->kind == VPTR__MEMBER_PRINTS) {
      vptr__writer_text(emitter->out, "  vptr.m_prints = (volatile __global uint *)vptr_prints;\n");
    } else if (member->kind == VPTR__MEMBER_SHARED) {
      vptr__writer_format(emitter->out, "  vptr.m_%s = &vptr_s_%s;\n", member->name, member->name);
    } else {
      const vptr__type *type = member->variable->type;
      const char *cast =
          vptr__emit_declarator(emitter, type, type->kind == VPTR__TYPE_ARRAY ? "(*)" : "*", VPTR__SPACE_GLOBAL);
      vptr__writer_format(emitter->out, "  vptr.m_%s = (%s)vptr_h_%s;\n", member->name, cast, member->name);
    }
  }
  if (kernel->instance->asserts)
    vptr__writer_text(emitter->out, "  vptr.m_stopped = 0;\n");
  if (reach & VPTR__REACHES_SCRATCH)
    vptr__writer_text(emitter->out, "  vptr.m_scratch = &vptr_scratch;\n");
  if (reach & VPTR__REACHES_POINTERS)
    vptr__writer_text(emitter->out, "  vptr.m_translation = vptr_translation_of(vptr_table);\n");
  else if (reach & VPTR__REACHES_TRANSLATION) /* in one form there is no table */
    vptr__writer_text(emitter->out,
                      "#ifdef VPTR_APART\n  vptr.m_translation = vptr_translation_of(vptr_table);\n#endif\n");
  if (reach & VPTR__REACHES_TEXELS)
    vptr__writer_text(emitter->out, "  vptr.m_texels = vptr_texels;\n");
  if (reach & VPTR__REACHES_BLOCK)
    vptr__writer_text(emitter->out, "  vptr.m_block = vptr_block & 0xfffffffffffful;\n");
  if (reach & VPTR__REACHES_GRID)
    vptr__writer_text(emitter->out, "  vptr.m_grid = vptr_grid;\n");
}

/* Hidden ones included. */
static bool has_pointer_parameter(const vptr__kernel_plan *kernel) {
  for (const vptr__declaration *each = parameters_of(kernel); each != NULL; each = each->next)
    if (each->type->kind == VPTR__TYPE_POINTER)
      return true;
  return vptr__hidden_count_pointers(kernel) > 0;
}

static void write_spilled(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_scratch) {
  write_spilled_head(emitter, kernel);
  write_shared(emitter, kernel, with_scratch);
  write_spilled_loads(emitter, kernel);
  write_hidden_pointers(emitter, kernel, BY_ADDRESS);
}

static void write_packed(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_scratch) {
  write_packed_head(emitter, kernel);
  write_shared(emitter, kernel, with_scratch);
  write_packed_values(emitter, kernel);
  write_pointers(emitter, kernel, PACKED);
  write_hidden_pointers(emitter, kernel, PACKED);
}

static void write_separate(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_scratch, passing form) {
  write_head(emitter, kernel, form);
  write_shared(emitter, kernel, with_scratch);
  write_pointers(emitter, kernel, form);
  write_hidden_pointers(emitter, kernel, form);
}

static void write_forms(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_scratch) {
  bool has_pointers = has_pointer_parameter(kernel);
  unsigned long long counted = vptr__hidden_counted_bytes(kernel);
  unsigned long long packed = vptr__hidden_packed_bytes(kernel) + 8 * vptr__hidden_count_separate(kernel);
  vptr__writer_format(emitter->out, "\n#if VPTR_PARAMETER_LIMIT < %llu\n", counted);
  write_spilled(emitter, kernel, with_scratch);
  if (vptr__emit_is_packable(kernel)) {
    vptr__writer_format(emitter->out, "#elif VPTR_PACKED && VPTR_PARAMETER_LIMIT >= %llu\n", packed);
    write_packed(emitter, kernel, with_scratch);
  }
  vptr__writer_text(emitter->out, has_pointers ? "#elif VPTR_ADDRESSES\n" : "#else\n");
  write_separate(emitter, kernel, with_scratch, BY_ADDRESS);
  if (has_pointers) {
    vptr__writer_text(emitter->out, "#else\n");
    write_separate(emitter, kernel, with_scratch, BY_PAIR);
  }
  vptr__writer_text(emitter->out, "#endif\n");
}

void vptr__emit_kernel(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  unsigned reach = kernel->instance->reach;
  bool with_scratch = (reach & VPTR__REACHES_SCRATCH) != 0;
  emitter->instance = kernel->instance;
  if (parameters_of(kernel) == NULL && !has_pointer_parameter(kernel)) { /* nothing to take in several forms */
    vptr__writer_text(emitter->out, "\n");
    write_head(emitter, kernel, BY_ADDRESS);
    write_shared(emitter, kernel, with_scratch);
  } else {
    write_forms(emitter, kernel, with_scratch);
  }
  write_unpassed(emitter, kernel);
  if (reach != 0)
    write_filled_context(emitter, kernel, reach);
  vptr__emit_kernel_call(emitter, kernel, reach != 0);
}
