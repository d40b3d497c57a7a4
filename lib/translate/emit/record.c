/* SPDX-License-Identifier: MIT */
/*
 * record - structs and unions, laid out as CUDA lays them out, and again as the host passes them: with numbers in
 * place of pointers. A record of which some lie in device memory has numbers always (stored.c), and needs no
 * counterpart.
 *
 * The driver checks each layout when it builds: a size that is not CUDA's ends the build, rather than the data.
 */
#include "translate/emit/emitter.h"

static bool is_anonymous_record(const vptr__declaration *field) {
  return field->name == NULL && field->type->kind == VPTR__TYPE_RECORD;
}

bool vptr__emit_has_pointers(const vptr__type *type) {
  if (type->kind == VPTR__TYPE_POINTER)
    return true;
  if (type->kind == VPTR__TYPE_ARRAY)
    return vptr__emit_has_pointers(type->base);
  if (type->kind != VPTR__TYPE_RECORD || (type->declaration->flags & VPTR__IN_MEMORY))
    return false;
  vptr__memo *memo = &type->declaration->points[VPTR__MEMO_EMIT];
  if (*memo != VPTR__MEMO_NONE)
    return *memo == VPTR__MEMO_YES;
  *memo = VPTR__MEMO_NO;
  for (const vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next)
    if (field->kind == VPTR__DECLARATION_FIELD && vptr__emit_has_pointers(field->type))
      *memo = VPTR__MEMO_YES;
  return *memo == VPTR__MEMO_YES;
}

void vptr__emit_pointer_offsets(const vptr__type *type, uint64_t base, vptr__writer *out) {
  if (type->kind == VPTR__TYPE_POINTER) {
    vptr__writer_format(out, "%s%llu", out->length > 0 ? "," : "", (unsigned long long)base);
  } else if (type->kind == VPTR__TYPE_ARRAY && vptr__emit_has_pointers(type->base)) {
    for (uint64_t i = 0; i < type->count; i++)
      vptr__emit_pointer_offsets(type->base, base + i * vptr__type_size(type->base), out);
  } else if (type->kind == VPTR__TYPE_RECORD && vptr__emit_has_pointers(type)) {
    for (const vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next)
      if (field->kind == VPTR__DECLARATION_FIELD)
        vptr__emit_pointer_offsets(field->type, base + field->offset, out);
  }
}

/* A field as the host knows it: pointers are ulong, records with pointers their passed counterparts. */
static const char *host_field(vptr__emitter *emitter, const vptr__declaration *field, const char *name) {
  const vptr__type *element = field->type;
  if (!vptr__emit_has_pointers(element))
    return vptr__emit_declarator(emitter, field->type, name, VPTR__SPACE_PRIVATE);
  for (; element->kind == VPTR__TYPE_ARRAY; element = element->base)
    name = vptr__arena_format(emitter->arena, "%s[%llu]", name, (unsigned long long)element->count);
  if (element->kind == VPTR__TYPE_POINTER)
    return vptr__arena_format(emitter->arena, "%sulong %s", element->qualifiers & VPTR__VOLATILE ? "volatile " : "",
                              name);
  return vptr__arena_format(emitter->arena, "%s__passed %s", vptr__emit_scalar(emitter, element), name);
}

static void write_fields(vptr__emitter *emitter, const vptr__declaration *record, bool as_passed) {
  bool is_host = as_passed || (record->flags & VPTR__IN_MEMORY) != 0;
  int count = 0;
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next) {
    if (field->kind != VPTR__DECLARATION_FIELD)
      continue;
    count++;
    if (is_anonymous_record(field)) {
      vptr__writer_format(emitter->out, "  %s {\n",
                          field->type->declaration->flags & VPTR__UNION ? "union" : "struct");
      vptr__arena_enter(emitter->arena);
      write_fields(emitter, field->type->declaration, as_passed);
      vptr__arena_leave(emitter->arena);
      vptr__writer_text(emitter->out, "  };\n");
      continue;
    }
    const char *name = vptr__emit_declaration_name(emitter, field);
    vptr__writer_format(emitter->out, "  %s",
                        is_host ? host_field(emitter, field, name)
                                : vptr__emit_declarator(emitter, field->type, name, VPTR__SPACE_PRIVATE));
    if (field->align != NULL && field->alignment > 0)
      vptr__writer_format(emitter->out, " __attribute__((aligned(%u)))", (unsigned)field->alignment);
    vptr__writer_text(emitter->out, ";\n");
  }
  if (count == 0)
    vptr__writer_text(emitter->out, "  uchar vptr_nothing;\n");
}

/* The alignment that the fields alone would give. */
static uint64_t natural_alignment(const vptr__declaration *record) {
  uint64_t most = 1;
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next)
    if (field->kind == VPTR__DECLARATION_FIELD && field->align == NULL && vptr__type_alignment(field->type) > most)
      most = vptr__type_alignment(field->type);
  return most;
}

static void write_record(vptr__emitter *emitter, const vptr__declaration *record, const char *name, bool as_passed) {
  const char *word = record->flags & VPTR__UNION ? "union" : "struct";
  vptr__writer_format(emitter->out, "%s %s {\n", word, name);
  write_fields(emitter, record, as_passed);
  vptr__writer_text(emitter->out, "}");
  if (record->alignment > natural_alignment(record))
    vptr__writer_format(emitter->out, " __attribute__((aligned(%u)))", (unsigned)record->alignment);
  vptr__writer_text(emitter->out, ";\n");
  if (record->size > 0 && (as_passed || !vptr__emit_has_pointers(record->type)))
    vptr__writer_format(emitter->out, "typedef char vptr_size_of_%s[sizeof(%s %s) == %llu ? 1 : -1];\n", name, word,
                        name, (unsigned long long)record->size);
}

void vptr__emit_record(vptr__emitter *emitter, const vptr__record_plan *plan) {
  const char *name = vptr__emit_name(emitter, plan->name);
  write_record(emitter, plan->record, name, false);
  if (plan->as_passed)
    write_record(emitter, plan->record, vptr__arena_format(emitter->arena, "%s__passed", name), true);
}

/* An anonymous member has no name to copy it by: its members are copied, in a union over each other. */
static void unpass_fields(vptr__emitter *emitter, const vptr__declaration *record, const char *to, const char *from) {
  vptr__arena *arena = emitter->arena;
  vptr__arena_enter(arena);
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next) {
    if (field->kind != VPTR__DECLARATION_FIELD)
      continue;
    if (is_anonymous_record(field)) {
      unpass_fields(emitter, field->type->declaration, to, from);
      continue;
    }
    const char *name = vptr__emit_declaration_name(emitter, field);
    vptr__emit_unpass(emitter, field->type, vptr__arena_format(arena, "%s.%s", to, name),
                      vptr__arena_format(arena, "%s.%s", from, name));
  }
  vptr__arena_leave(arena);
}

/* Statements that make `to` of what was passed as `from`. */
void vptr__emit_unpass(vptr__emitter *emitter, const vptr__type *type, const char *to, const char *from) {
  vptr__arena *arena = emitter->arena;
  vptr__arena_enter(arena);
  if (type->kind == VPTR__TYPE_POINTER) {
    vptr__writer_format(emitter->out, "  %s = (%s)%s;\n", to, vptr__emit_type_name(emitter, type), from);
  } else if (type->kind == VPTR__TYPE_ARRAY) {
    for (unsigned long long i = 0; i < type->count; i++)
      vptr__emit_unpass(emitter, type->base, vptr__arena_format(arena, "%s[%llu]", to, i),
                        vptr__arena_format(arena, "%s[%llu]", from, i));
  } else if (type->kind == VPTR__TYPE_RECORD && vptr__emit_has_pointers(type)) {
    unpass_fields(emitter, type->declaration, to, from);
  } else {
    vptr__writer_format(emitter->out, "  %s = %s;\n", to, from);
  }
  vptr__arena_leave(arena);
}
