/* SPDX-License-Identifier: MIT */
/* metadata - the lines in front of a module, for lib/cudart/module: what variables and kernels there are, and what
 * those take. */
#include "translate/emit/emitter.h"
#include "translate/lower/loops.h"

#include <string.h>

/* Values have no spaces, and no % but for that. */
static const char *encode_value(vptr__emitter *emitter, const char *value) {
  vptr__writer text;
  vptr__writer_init(&text, emitter->arena);
  for (; *value != '\0'; value++)
    if ((unsigned char)*value <= ' ' || *value == '%' || (unsigned char)*value > 126)
      vptr__writer_format(&text, "%%%02X", (unsigned char)*value);
    else
      vptr__writer_bytes(&text, value, 1);
  return vptr__writer_result(&text);
}

static const char *encode_qualified_name(vptr__emitter *emitter, const vptr__declaration *declaration) {
  const char *name = declaration->name != NULL ? declaration->name->text : "";
  if (declaration->scope == NULL || *declaration->scope == '\0')
    return encode_value(emitter, name);
  return encode_value(emitter, vptr__arena_format(emitter->arena, "%s::%s", declaration->scope, name));
}

/* The built-in header declares what only some modules use. */
static bool is_unused(const vptr__plan *plan, const vptr__declaration *each) {
  return each->name != NULL &&
         (strcmp(each->name->text, "vptr_children") == 0 || strcmp(each->name->text, "vptr_locks") == 0) &&
         vptr__map_find(&plan->members_by_variable, (uintptr_t)each) == NULL;
}

static bool is_of_module(const vptr__plan *plan, const vptr__declaration *each) {
  return each->kind == VPTR__DECLARATION_VARIABLE && !(each->flags & VPTR__SHARED) && !is_unused(plan, each) &&
         (each->flags & (VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED)) != 0 && !(each->flags & VPTR__BUILT_IN) &&
         (each->definition == NULL || each->definition == each);
}

static void write_initial(vptr__emitter *emitter, const vptr__declaration *variable, uint64_t size) {
  if (variable->initializer == NULL)
    return;
  unsigned char *bytes = vptr__arena_allocate(emitter->arena, size > 0 ? size : 1);
  if (!vptr__types_initial_bytes(variable, bytes, NULL, NULL)) {
    vptr__source_report(emitter->source, VPTR__ERROR, variable->position,
                        "the initialiser of '%s' is no constant: set it from the host, by cudaMemcpyToSymbol()",
                        variable->name->text);
    return;
  }
  uint64_t used = 0;
  while (used < size && bytes[used] == 0)
    used++;
  if (used == size) /* zeros are what a variable has anyway */
    return;
  vptr__writer_text(emitter->out, " initial=");
  for (uint64_t i = 0; i < size; i++)
    vptr__writer_format(emitter->out, "%02x", bytes[i]);
}

/* Of two declarations the definition is what comes here, so this one has no other in the unit. */
static bool is_defined_elsewhere(const vptr__declaration *variable, uint64_t size) {
  bool is_definition = (variable->flags & VPTR__LINKAGE) != 0 && size > 0;
  return (variable->flags & VPTR__EXTERN) != 0 && variable->initializer == NULL && !is_definition;
}

static void write_variable(vptr__emitter *emitter, const vptr__declaration *variable) {
  const char *kind = variable->flags & VPTR__MANAGED    ? "managed"
                     : variable->flags & VPTR__CONSTANT ? "constant"
                                                        : "device";
  uint64_t size = vptr__type_size(variable->type), alignment = vptr__type_alignment(variable->type);
  if (variable->align != NULL && variable->alignment > alignment)
    alignment = variable->alignment;
  vptr__writer_format(emitter->out, "//vptr variable name=%s lowered=%s size=%llu align=%llu kind=%s",
                      encode_qualified_name(emitter, variable), vptr__emit_lowered_name(emitter->arena, variable),
                      (unsigned long long)size, (unsigned long long)alignment, kind);
  if (variable->reference != NULL)
    vptr__writer_format(emitter->out, " reference=%s%s", variable->reference->is_surface ? "surface" : "texture",
                        variable->reference->reads_floats ? " reads=floats" : "");
  if (is_defined_elsewhere(variable, size))
    vptr__writer_text(emitter->out, " extern=1");
  else
    write_initial(emitter, variable, size);
  vptr__writer_text(emitter->out, "\n");
}

typedef struct address_pass {
  vptr__emitter *emitter;
  const vptr__declaration *variable;
} address_pass;

static void write_address(void *context, const vptr__address *address) {
  const address_pass *pass = context;
  vptr__arena *arena = pass->emitter->arena;
  vptr__writer_format(pass->emitter->out, "//vptr address variable=%s at=%llu of=%s",
                      vptr__emit_lowered_name(arena, pass->variable), (unsigned long long)address->at,
                      vptr__emit_lowered_name(arena, address->of));
  if (address->plus != 0)
    vptr__writer_format(pass->emitter->out, " plus=%llu", (unsigned long long)address->plus);
  vptr__writer_text(pass->emitter->out, "\n");
}

/* All variables are known before the first of them. */
static void write_addresses(vptr__emitter *emitter, const vptr__declaration *variable) {
  address_pass pass = { emitter, variable };
  if (!is_defined_elsewhere(variable, vptr__type_size(variable->type)))
    (void)vptr__types_initial_bytes(variable, NULL, write_address, &pass);
}

/* What a kernel finds in memory may lead to anything, so that nothing is said where it follows that. */
static void write_parameter(vptr__emitter *emitter, const vptr__declaration *parameter, bool follows) {
  const vptr__type *type = parameter->type;
  vptr__writer pointers;
  vptr__writer_init(&pointers, emitter->arena);
  bool is_pointer = type->kind == VPTR__TYPE_POINTER;
  if (!is_pointer)
    vptr__emit_pointer_offsets(type, 0, &pointers);
  bool is_read_only = is_pointer && !follows && !vptr__mod_ref_writes_through(&emitter->plan->mod_ref, parameter);
  vptr__writer_format(emitter->out, "//vptr param size=%llu align=%llu kind=%s%s%s%s\n",
                      (unsigned long long)vptr__type_size(type), (unsigned long long)vptr__type_alignment(type),
                      is_pointer ? "pointer" : "value", pointers.length > 0 ? " pointers=" : "",
                      vptr__writer_result(&pointers), is_read_only ? " access=read" : "");
}

static void write_hidden(vptr__emitter *emitter, const vptr__kernel_plan *kernel,
                         const vptr__context_member *member) {
  if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED)
    vptr__writer_text(emitter->out, "//vptr hidden kind=shared\n");
  else if (member->kind == VPTR__MEMBER_STATUS)
    vptr__writer_format(emitter->out, "//vptr hidden kind=status%s\n", kernel->instance->asserts ? "" : " of=block");
  else if (member->kind == VPTR__MEMBER_PRINTS)
    vptr__writer_text(emitter->out, "//vptr hidden kind=prints\n");
  else
    vptr__writer_format(emitter->out, "//vptr hidden kind=variable name=%s\n",
                        vptr__emit_lowered_name(emitter->arena, member->variable));
}

static void write_kernel(vptr__emitter *emitter, const vptr__kernel_plan *kernel) {
  enum { SCRATCH_BYTES = 4, USUAL_ARCH = 700 };
  const vptr__declaration *function = kernel->instance->function;
  uint64_t shared = kernel->shared_bytes;
  const unsigned reach = kernel->instance->reach;
  const bool has_table = (reach & VPTR__REACHES_TRANSLATION) != 0;
  /* in kernel C a pointer goes through a call where it is looked up, and who writes by it is not known */
  const bool follows = emitter->options->finds_buffers ? (reach & VPTR__REACHES_POINTERS) != 0 : has_table;
  if (kernel->instance->reach & VPTR__REACHES_SCRATCH)
    shared += SCRATCH_BYTES;
  vptr__writer_format(
      emitter->out,
      "//vptr kernel name=%s lowered=%s entry=%s%s shared=%llu max_threads=%llu min_blocks=%llu fast=%d",
      encode_qualified_name(emitter, function), vptr__emit_lowered_name(emitter->arena, function),
      vptr__emit_entry(emitter, kernel->instance), vptr__emit_is_packable(kernel) ? " packed=1" : "",
      (unsigned long long)shared, (unsigned long long)function->bounds[0], (unsigned long long)function->bounds[1],
      emitter->options->fast_math);
  if (emitter->options->arch != USUAL_ARCH)
    vptr__writer_format(emitter->out, " arch=%d", emitter->options->arch);
  if (kernel->instance->private_bytes > 0)
    vptr__writer_format(emitter->out, " private=%llu", (unsigned long long)kernel->instance->private_bytes);
  if (kernel->instance->loops != NULL && kernel->instance->loops->bytes > 0)
    vptr__writer_format(emitter->out, " loops=%llu", (unsigned long long)kernel->instance->loops->bytes);
  if (kernel->instance->loops != NULL && vptr__emit_has_placed(emitter, kernel->instance))
    vptr__writer_text(emitter->out, kernel->instance->arm != NULL ? " alone=split" : " alone=short");
  vptr__writer_text(emitter->out, kernel->instance->prints ? " prints=1\n" : "\n");
  for (const vptr__declaration *each = function->type->parameters; each != NULL; each = each->next)
    write_parameter(emitter, each, follows);
  for (vptr__context_member **member = kernel->members; *member != NULL; member++)
    if (vptr__emit_is_hidden(*member))
      write_hidden(emitter, kernel, *member);
  if (has_table)
    vptr__writer_format(emitter->out, "//vptr hidden kind=%s\n",
                        reach & VPTR__REACHES_POINTERS ? "translation" : "windows");
  if (kernel->instance->reach & VPTR__REACHES_TEXELS)
    vptr__writer_text(emitter->out, "//vptr hidden kind=texels\n");
  if (kernel->instance->reach & VPTR__REACHES_BLOCK)
    vptr__writer_text(emitter->out, "//vptr hidden kind=block\n");
  if (kernel->instance->reach & VPTR__REACHES_GRID)
    vptr__writer_text(emitter->out, "//vptr hidden kind=grid\n");
  if (vptr__infer_has_loops(kernel->instance) && (kernel->instance->reach & VPTR__REACHES_BLOCK) == 0)
    vptr__writer_text(emitter->out, "//vptr hidden kind=block of=loops\n");
  if (vptr__infer_has_loops(kernel->instance))
    vptr__writer_text(emitter->out, "//vptr hidden kind=blocks of=loops\n");
}

void vptr__emit_metadata(vptr__emitter *emitter) {
  vptr__writer_text(emitter->out, "//vptr-module 1\n");
  for (const vptr__declaration *each = emitter->plan->unit->declarations; each != NULL; each = each->next)
    if (is_of_module(emitter->plan, each))
      write_variable(emitter, each);
  for (const vptr__declaration *each = emitter->plan->unit->declarations; each != NULL; each = each->next)
    if (is_of_module(emitter->plan, each))
      write_addresses(emitter, each);
  for (const vptr__kernel_plan *kernel = emitter->plan->kernels; kernel != NULL; kernel = kernel->next)
    write_kernel(emitter, kernel);
}
