/* SPDX-License-Identifier: MIT */
/*
 * function - instances as static functions, and the context that they reach the module's variables by.
 *
 * A kernel's body is such a function too: its entry (kernel.c) has three forms, and one body serves all. Compilers
 * inline it.
 */
#include "translate/emit/emitter.h"
#include "translate/lower/meeting.h"

static const char *parameter_text(vptr__emitter *emitter, const vptr__declaration *parameter, int index) {
  const char *name = parameter->name != NULL ? vptr__emit_declaration_name(emitter, parameter)
                                             : vptr__arena_format(emitter->arena, "vptr_unused_%d", index);
  return vptr__emit_declarator(emitter, parameter->type, name, VPTR__SPACE_PRIVATE);
}

const char *vptr__emit_prototype(vptr__emitter *emitter, vptr__instance *instance) {
  vptr__writer text;
  vptr__writer_init(&text, emitter->arena);
  emitter->instance = instance;
  const char *separator = "";
  if (instance->reach != 0) {
    vptr__writer_text(&text, "const struct vptr_context *vptr");
    separator = ", ";
  }
  int index = 0;
  for (const vptr__declaration *each = instance->function->type->parameters; each != NULL; each = each->next) {
    vptr__writer_format(&text, "%s%s", separator, parameter_text(emitter, each, index++));
    separator = ", ";
  }
  const char *parameters = text.length > 0 ? vptr__writer_result(&text) : "void";
  const char *head =
      vptr__arena_format(emitter->arena, "%s(%s)", vptr__emit_function_name(emitter, instance), parameters);
  return vptr__arena_format(emitter->arena, "static %s",
                            vptr__emit_bare_declarator(emitter, instance->function->type->base, head));
}

/* What such a device would run wrongly it refuses to build. */
static void write_refusal(vptr__emitter *emitter, vptr__writer *out) {
  const vptr__meetings *meetings = emitter->instance->meetings;
  if (meetings == NULL || meetings->torn == 0)
    return;
  vptr__writer *before = emitter->out;
  emitter->out = out;
  vptr__writer_text(out, "\n#if VPTR_MEETS\n");
  emitter->file = NULL;
  vptr__emit_line(emitter, meetings->torn);
  vptr__writer_text(out,
                    "#error some threads leave by themselves here what has a barrier before it and is not run by all "
                    "blocks: this device's driver would run what follows wrongly; put the work that they do not have "
                    "under a condition, instead of leaving early\n#endif\n");
  emitter->file = NULL;
  emitter->out = before;
}

/* Parameters live in the body's scope in both languages, so the body's braces are the function's. */
void vptr__emit_function(vptr__emitter *emitter, vptr__instance *instance) {
  vptr__writer body, *out = emitter->out;
  vptr__writer_init(&body, emitter->arena);
  vptr__writer_init(&emitter->temporaries, emitter->arena);
  emitter->instance = instance;
  write_refusal(emitter, out);
  emitter->reach = instance->needs_context ? VPTR__REACHES_CONTEXT : 0;
  emitter->out = &body;
  emitter->file = NULL;
  emitter->is_line_ended = false;
  vptr__emit_line(emitter, instance->function->body->position);
  vptr__emit_block(emitter, instance->function->body);
  vptr__emit_newline(emitter);
  emitter->out = out;
  instance->reach = emitter->reach;
  vptr__writer_format(out, "\n%s\n", vptr__emit_prototype(emitter, instance));
  if (emitter->temporaries.length > 0) /* a block around, for them */
    vptr__writer_format(out, "{\n%s", vptr__writer_result(&emitter->temporaries));
  vptr__writer_text(out, vptr__writer_result(&body));
  if (emitter->temporaries.length > 0)
    vptr__writer_text(out, "}\n");
}

/* ---- the context ------------------------------------------------------------------------------------------ */

static void write_member(vptr__emitter *emitter, const vptr__context_member *member) {
  if (member->kind == VPTR__MEMBER_DYNAMIC_SHARED) {
    vptr__writer_text(emitter->out, "  __local uchar *m_dynamic;\n");
  } else if (member->kind == VPTR__MEMBER_STATUS) {
    vptr__writer_text(emitter->out, "  volatile __global int *m_status;\n");
  } else {
    const vptr__type *type = member->variable->type;
    vptr__space space = member->kind == VPTR__MEMBER_SHARED ? VPTR__SPACE_SHARED : VPTR__SPACE_GLOBAL;
    const char *name =
        vptr__arena_format(emitter->arena, type->kind == VPTR__TYPE_ARRAY ? "(*m_%s)" : "*m_%s", member->name);
    vptr__writer_format(emitter->out, "  %s;\n", vptr__emit_declarator(emitter, type, name, space));
  }
}

/* Private, and known to the compiler in full: it takes it apart again. */
void vptr__emit_context(vptr__emitter *emitter, unsigned reach) {
  emitter->instance = NULL;
  vptr__writer_text(emitter->out, "\nstruct vptr_context {\n");
  for (const vptr__context_member *member = emitter->plan->members; member != NULL; member = member->next)
    write_member(emitter, member);
  if (reach & VPTR__REACHES_SCRATCH)
    vptr__writer_text(emitter->out, "  __local int *m_scratch;\n");
  if (reach & VPTR__REACHES_TRANSLATION)
    vptr__writer_text(emitter->out, "  struct vptr_translation m_translation;\n");
  if (reach & VPTR__REACHES_TEXELS)
    vptr__writer_text(emitter->out, "  __global const ulong *m_texels;\n");
  if (reach & VPTR__REACHES_BLOCK)
    vptr__writer_text(emitter->out, "  ulong m_block;\n");
  if (reach & VPTR__REACHES_GRID)
    vptr__writer_text(emitter->out, "  ulong m_grid;\n");
  if (emitter->plan->members == NULL && (reach & ~VPTR__REACHES_CONTEXT) == 0)
    vptr__writer_text(emitter->out, "  uchar m_nothing;\n");
  vptr__writer_text(emitter->out, "};\n");
}
