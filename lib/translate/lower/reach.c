/* SPDX-License-Identifier: MIT */
/*
 * reach - see reach.h.
 */
#include "translate/lower/reach.h"

#include <stdlib.h>
#include <string.h>

#include "translate/infer/name.h"
#include "translate/infer/visit.h"
#include "translate/types/builtin.h"

static vptr__context_member *member_new(vptr__reach *reach, int kind, vptr__declaration *variable, const char *name) {
  vptr__context_member *member = VPTR__ARENA_NEW(reach->arena, vptr__context_member);
  member->kind = kind;
  member->variable = variable;
  member->name = vptr__name_unique(reach->plan->unit->source, &reach->names, name);
  member->index = reach->last != NULL ? reach->last->index + 1 : 0;
  if (reach->last != NULL)
    reach->last->next = member;
  else
    reach->plan->members = member;
  reach->last = member;
  return member;
}

/* All `extern __shared__` variables begin at the same place: the launch gives one piece of memory. */
static vptr__context_member *dynamic_shared(vptr__reach *reach, vptr__declaration *variable) {
  if (reach->plan->dynamic == NULL)
    reach->plan->dynamic = member_new(reach, VPTR__MEMBER_DYNAMIC_SHARED, variable, "dynamic_shared");
  return reach->plan->dynamic;
}

static vptr__context_member *member_of(vptr__reach *reach, vptr__declaration *variable) {
  if (variable->definition != NULL)
    variable = variable->definition;
  if ((variable->flags & VPTR__SHARED) && (variable->flags & VPTR__EXTERN))
    return dynamic_shared(reach, variable);
  void **slot = vptr__map_put(reach->arena, &reach->plan->members_by_variable, (uintptr_t)variable);
  if (*slot == NULL) {
    int kind = variable->flags & VPTR__SHARED ? VPTR__MEMBER_SHARED : VPTR__MEMBER_VARIABLE;
    *slot = member_new(reach, kind, variable, vptr__name_qualified(reach->arena, variable, "variable"));
  }
  return *slot;
}

static void list_add(vptr__arena *arena, vptr__member_list *list, vptr__context_member *member) {
  void **slot = vptr__map_put(arena, &list->seen, (uintptr_t)member);
  if (*slot != NULL)
    return;
  *slot = member;
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
    vptr__context_member **members = vptr__arena_allocate(arena, capacity * sizeof *members);
    for (uint32_t i = 0; i < list->count; i++)
      members[i] = list->members[i];
    list->members = members;
    list->capacity = capacity;
  }
  list->members[list->count++] = member;
}

typedef struct reach_pass {
  vptr__reach *reach;
  vptr__use *use;
} reach_pass;

static void use_expression(void *context, vptr__expression *expression) {
  reach_pass *pass = context;
  if (expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL && expression->builtin != NULL) {
    unsigned flags = expression->builtin->flags;
    pass->use->has_barrier |= (flags & VPTR__BUILTIN_BARRIER) != 0;
    pass->use->prints |= (flags & VPTR__BUILTIN_PRINTS) != 0;
    pass->use->tells |= (flags & VPTR__BUILTIN_TELLS) != 0;
    pass->use->uses_status |= (flags & VPTR__BUILTIN_STATUS) != 0;
    pass->use->asserts |= (flags & VPTR__BUILTIN_STATUS) != 0 && (flags & VPTR__BUILTIN_BLOCK) == 0;
    return;
  }
  unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED;
  vptr__declaration *variable = expression->declaration;
  if (expression->kind == VPTR__EXPRESSION_NAME && variable != NULL && variable->kind == VPTR__DECLARATION_VARIABLE &&
      (variable->flags & elsewhere) && !(variable->flags & VPTR__BUILT_IN))
    list_add(pass->reach->arena, &pass->use->members, member_of(pass->reach, variable));
}

static vptr__context_member *only_member(vptr__reach *reach, vptr__context_member **member, int kind,
                                         const char *name) {
  if (*member == NULL)
    *member = member_new(reach, kind, NULL, name);
  return *member;
}

vptr__use *vptr__reach_function(vptr__reach *reach, const vptr__declaration *function) {
  void **slot = vptr__map_put(reach->arena, &reach->functions, (uintptr_t)function);
  if (*slot != NULL)
    return *slot;
  vptr__use *use = VPTR__ARENA_NEW(reach->arena, vptr__use);
  *slot = use;
  reach_pass pass = { .reach = reach, .use = use };
  vptr__visitor visitor = { .expression = use_expression, .context = &pass };
  vptr__visit_statement(&visitor, function->body);
  if (use->uses_status)
    list_add(reach->arena, &use->members, only_member(reach, &reach->status, VPTR__MEMBER_STATUS, "status"));
  if (use->tells)
    list_add(reach->arena, &use->members, only_member(reach, &reach->prints, VPTR__MEMBER_PRINTS, "prints"));
  return use;
}

void vptr__reach_instances(vptr__reach *reach, vptr__inference *inference) {
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next) {
    const vptr__use *use = vptr__reach_function(reach, instance->function);
    instance->has_barrier = use->has_barrier;
    instance->asserts = use->asserts;
    instance->prints = use->prints;
    instance->needs_context = use->members.count != 0;
    for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next) {
      instance->has_barrier |= call->instance->has_barrier;
      instance->asserts |= call->instance->asserts;
      instance->prints |= call->instance->prints;
      instance->needs_context |= call->instance->needs_context;
    }
  }
}

static void collect_members(vptr__reach *reach, vptr__map *seen, vptr__member_list *wanted,
                            const vptr__instance *instance) {
  void **slot = vptr__map_put(reach->arena, seen, (uintptr_t)instance);
  if (*slot != NULL)
    return;
  *slot = seen;
  const vptr__use *use = vptr__reach_function(reach, instance->function);
  for (uint32_t i = 0; i < use->members.count; i++)
    list_add(reach->arena, wanted, use->members.members[i]);
  for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next)
    collect_members(reach, seen, wanted, call->instance);
}

static int by_index(const void *left, const void *right) {
  uint32_t first = (*(vptr__context_member *const *)left)->index,
           second = (*(vptr__context_member *const *)right)->index;
  return (first > second) - (first < second);
}

vptr__context_member **vptr__reach_kernel(vptr__reach *reach, const vptr__instance *kernel) {
  vptr__map seen = { 0 };
  vptr__member_list wanted = { 0 };
  collect_members(reach, &seen, &wanted, kernel);
  vptr__context_member **members = vptr__arena_allocate(reach->arena, (wanted.count + 1) * sizeof *members);
  if (wanted.count > 0) {
    memcpy(members, wanted.members, wanted.count * sizeof *members);
    qsort(members, wanted.count, sizeof *members, by_index);
  }
  return members;
}
