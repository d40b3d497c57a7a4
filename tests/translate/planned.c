/* SPDX-License-Identifier: MIT */
/*
 * planned - see planned.h.
 */
#include "translate/planned.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "translate/infer/variable.h"
#include "translate/infer/visit.h"
#include "translate/syntax/parser.h"
#include "translate/types/types.h"

static bool open_nothing(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                         const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

static void run(planned *made, const char *text) {
  static const vptr__reader reader = { .open = open_nothing };
  vptr__arena *arena = &made->arena;
  made->source = vptr__source_create(arena);
  vptr__source_file *file = vptr__source_add(made->source, "t.cu", text, strlen(text), 0);
  vptr__preprocessor *preprocessor = vptr__preprocessor_create(made->source, &reader);
  vptr__preprocessor_push(preprocessor, file);
  vptr__preprocessor_push_built_in(preprocessor, "cuda_runtime.h");
  made->unit = vptr__parser_run(made->source, preprocessor, false);
  if (vptr__source_errors(made->source) == 0 && vptr__types_check(made->unit))
    made->inference = vptr__infer_run(made->unit);
  if (made->inference != NULL)
    made->plan = vptr__plan_make(made->unit, made->inference);
  made->log = vptr__source_log(made->source);
}

planned *planned_make(const char *text) {
  planned *made = calloc(1, sizeof *made);
  jmp_buf out;
  ck_assert_ptr_nonnull(made);
  vptr__arena_init(&made->arena, &out);
  if (setjmp(out) != 0)
    ck_abort_msg("the arena ended: %s", text);
  run(made, text);
  return made;
}

void planned_free(planned *made) {
  vptr__arena_free(&made->arena);
  free(made);
}

vptr__instance *planned_instance(const planned *made, const char *name) {
  if (made->inference == NULL)
    ck_abort_msg("refused: %s", made->log);
  for (vptr__instance *instance = made->inference->instances; instance != NULL; instance = instance->next)
    if (strcmp(instance->name, name) == 0)
      return instance;
  return NULL;
}

typedef struct search {
  const char *name;
  vptr__declaration *found;
} search;

static void match(void *context, vptr__declaration *variable) {
  search *wanted = context;
  if (variable->name != NULL && strcmp(variable->name->text, wanted->name) == 0)
    wanted->found = variable;
}

vptr__declaration *planned_variable(const vptr__instance *instance, const char *name) {
  search wanted = { .name = name };
  vptr__visitor visitor = { .variable = match, .context = &wanted };
  for (vptr__declaration *parameter = instance->function->type->parameters; parameter; parameter = parameter->next)
    match(&wanted, parameter);
  vptr__visit_statement(&visitor, instance->function->body);
  if (wanted.found == NULL)
    ck_abort_msg("no variable %s in %s", name, instance->name);
  return wanted.found;
}

const char *planned_space(const planned *made, const char *name, const char *variable, int depth) {
  const vptr__instance *instance = planned_instance(made, name);
  if (instance == NULL)
    ck_abort_msg("no instance %s", name);
  for (const vptr__type *type = planned_variable(instance, variable)->type; type != NULL; type = type->base)
    if ((type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE) && depth-- == 0)
      return vptr__space_text(vptr__infer_space(instance, type));
  return "none";
}

vptr__kernel_plan *planned_kernel(const planned *made, const char *name) {
  if (made->plan == NULL)
    ck_abort_msg("refused: %s", made->log);
  for (vptr__kernel_plan *kernel = made->plan->kernels; kernel != NULL; kernel = kernel->next)
    if (strcmp(kernel->instance->function->name->text, name) == 0)
      return kernel;
  ck_abort_msg("no kernel %s", name);
  return NULL;
}

vptr__context_member *planned_member(const planned *made, const char *name) {
  for (vptr__context_member *member = made->plan->members; member != NULL; member = member->next)
    if (strcmp(member->name, name) == 0)
      return member;
  return NULL;
}

void planned_accept(const char *text) {
  planned *made = planned_make(text);
  if (made->plan == NULL)
    ck_abort_msg("refused: %s\n%s", made->log, text);
  ck_assert_str_eq(made->log, "");
  planned_free(made);
}

void planned_refuse(const char *text, const char *const *expected) {
  planned *made = planned_make(text);
  if (made->plan != NULL)
    ck_abort_msg("accepted:\n%s", text);
  for (; *expected != NULL; expected++)
    if (strstr(made->log, *expected) == NULL)
      ck_abort_msg("no \"%s\" in:\n%s\n%s", *expected, made->log, text);
  planned_free(made);
}
