/* SPDX-License-Identifier: MIT */
/*
 * storage - the variables of a function in which one work-item runs a block: see outline.h.
 *
 * What lies outside of loops over threads is declared in front of all, whatever block of the program it is of, so two
 * variables of one name get two.
 */
#include "translate/emit/outline.h"

/* Elements that are const are written to once. */
static vptr__type *without_const(vptr__arena *arena, const vptr__type *type) {
  vptr__type *bare = VPTR__ARENA_NEW(arena, vptr__type);
  *bare = *type;
  bare->qualifiers &= ~(unsigned)VPTR__CONST;
  if (bare->kind == VPTR__TYPE_ARRAY)
    bare->base = without_const(arena, bare->base);
  return bare;
}

const char *vptr__outline_array(const vptr__outline *outline, const vptr__type *type, const char *name) {
  vptr__emitter *emitter = outline->emitter;
  const char *array =
      vptr__arena_format(emitter->arena, "%s[%llu]", name, (unsigned long long)outline->loops->threads);
  return vptr__emit_declarator(emitter, without_const(emitter->arena, type), array, VPTR__SPACE_PRIVATE);
}

/* An array of elements that are arrays with one for each thread. */
static const char *spread_array(const vptr__outline *outline, const vptr__type *type, const char *name) {
  vptr__emitter *emitter = outline->emitter;
  for (; type->kind == VPTR__TYPE_ARRAY; type = type->base)
    name = vptr__arena_format(emitter->arena, "%s[%llu]", name, (unsigned long long)type->count);
  return vptr__outline_array(outline, type, name);
}

/* The first of a name has it. */
static const char *choose_name(vptr__outline *outline, vptr__map *taken, const vptr__declaration *variable) {
  vptr__emitter *emitter = outline->emitter;
  const char *own = vptr__emit_declaration_name(emitter, variable);
  void **slot = vptr__map_put(emitter->arena, taken, (uintptr_t)variable->name);
  bool is_first = *slot == NULL;
  *slot = taken;
  return is_first ? own : vptr__arena_format(emitter->arena, "vptr_u%d_%s", emitter->temporary_count++, own);
}

static void rename_variable(vptr__outline *outline, const vptr__declaration *variable, const char *name) {
  *vptr__map_put(outline->emitter->arena, &outline->emitter->names, (uintptr_t)variable) = (void *)name;
}

static const char *element_name(vptr__outline *outline, const char *name) {
  return vptr__arena_format(outline->emitter->arena, "%s[VPTR_AT]", name);
}

/* A kernel's parameter that threads change: each has its own from the start. */
static void spread_parameter(vptr__outline *outline, const vptr__declaration *parameter, const char *own) {
  vptr__emitter *emitter = outline->emitter;
  const char *array = vptr__arena_format(emitter->arena, "vptr_u%d_%s", emitter->temporary_count++, own);
  vptr__emit_need(emitter, "threads", NULL);
  vptr__writer_format(&outline->heads, "  %s;\n  VPTR_THREADS_BEGIN %s[VPTR_AT] = %s; VPTR_THREADS_END\n",
                      vptr__outline_array(outline, parameter->type, array), array, own);
  rename_variable(outline, parameter, element_name(outline, array));
}

static void declare_parameters(vptr__outline *outline, vptr__map *taken, const vptr__instance *instance) {
  for (const vptr__declaration *each = instance->function->type->parameters; each != NULL; each = each->next) {
    const vptr__place_of *place = vptr__loops_place(outline->loops, each);
    if (each->name == NULL)
      continue;
    const char *own = choose_name(outline, taken, each);
    if (place == NULL || place->storage == VPTR__STORAGE_PLAIN)
      continue;
    if (instance->is_kernel)
      spread_parameter(outline, each, own);
    else
      rename_variable(outline, each, element_name(outline, own));
  }
}

static void declare_table(vptr__outline *outline, const vptr__declaration *variable, const char *name) {
  vptr__emitter *emitter = outline->emitter;
  vptr__writer *out = emitter->out;
  emitter->out = &outline->heads;
  vptr__writer_format(emitter->out,
                      "  %s = ", vptr__emit_declarator(emitter, variable->type, name, VPTR__SPACE_PRIVATE));
  vptr__emit_initializer(emitter, variable->initializer, variable->type);
  vptr__writer_text(emitter->out, ";\n");
  emitter->out = out;
}

static void declare_variable(vptr__outline *outline, vptr__map *taken, const vptr__place_of *place) {
  vptr__emitter *emitter = outline->emitter;
  const vptr__declaration *variable = place->variable;
  const char *name = choose_name(outline, taken, variable);
  rename_variable(outline, variable, name);
  if (place->is_spread) {
    vptr__writer_format(&outline->heads, "  %s;\n", spread_array(outline, variable->type, name));
  } else if (place->storage == VPTR__STORAGE_KEPT) {
    vptr__writer_format(&outline->heads, "  %s;\n", vptr__outline_array(outline, variable->type, name));
    rename_variable(outline, variable, element_name(outline, name));
  } else if (place->storage == VPTR__STORAGE_PLAIN && variable->type->kind == VPTR__TYPE_ARRAY) {
    declare_table(outline, variable, name);
  } else if (place->storage == VPTR__STORAGE_PLAIN) {
    vptr__writer_format(&outline->heads, "  %s;\n", vptr__emit_bare_declarator(emitter, variable->type, name));
  }
}

void vptr__outline_declare(vptr__outline *outline, const vptr__instance *instance) {
  vptr__map taken = { 0 };
  declare_parameters(outline, &taken, instance);
  for (const vptr__place_of *place = outline->loops->all; place != NULL; place = place->next)
    if (place->variable->kind != VPTR__DECLARATION_PARAMETER)
      declare_variable(outline, &taken, place);
}
