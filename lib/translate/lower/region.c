/* SPDX-License-Identifier: MIT */
/* region - see region.h. */
#include "translate/lower/region.h"

#include "translate/infer/visit.h"
#include "translate/lower/effect.h"

typedef struct use_walk {
  vptr__usages *usages;
  vptr__region *region;
} use_walk;

void vptr__usages_begin(vptr__usages *usages, vptr__arena *arena) {
  *usages = (vptr__usages){ .arena = arena };
  usages->end = &usages->first;
}

vptr__usage *vptr__usage_of(vptr__usages *usages, vptr__declaration *variable) {
  void **slot = vptr__map_put(usages->arena, &usages->found, (uintptr_t)variable);
  if (*slot != NULL)
    return *slot;
  vptr__usage *usage = VPTR__ARENA_NEW(usages->arena, vptr__usage);
  usage->variable = variable;
  *usages->end = usage;
  usages->end = &usage->next;
  *slot = usage;
  return usage;
}

vptr__region *vptr__region_new(vptr__arena *arena, const vptr__statement *loop, const vptr__mask *mask) {
  vptr__region *region = VPTR__ARENA_NEW(arena, vptr__region);
  region->loop = loop;
  region->mask = mask;
  region->items_end = &region->items;
  return region;
}

static void note_use(use_walk *walk, vptr__declaration *variable) {
  vptr__usage *usage = vptr__usage_of(walk->usages, variable);
  if (walk->region == NULL) {
    usage->is_outside = true;
    return;
  }
  if (usage->last == walk->region)
    return;
  usage->is_many |= usage->region != NULL;
  if (usage->region == NULL)
    usage->region = walk->region;
  usage->last = walk->region;
  vptr__region_name *name = VPTR__ARENA_NEW(walk->usages->arena, vptr__region_name);
  *name = (vptr__region_name){ variable, walk->region->names };
  walk->region->names = name;
}

/* A reference is a variable, too. */
static void look_at_name(void *context, vptr__expression *expression) {
  vptr__declaration *variable = expression->declaration;
  if (expression->kind != VPTR__EXPRESSION_NAME || variable == NULL || variable->type == NULL)
    return;
  bool is_reference =
      variable->type->kind == VPTR__TYPE_REFERENCE && (variable->flags & (VPTR__AT_NAMESPACE | VPTR__BUILT_IN)) == 0;
  if (is_reference || vptr__effect_is_own(expression))
    note_use(context, variable);
}

void vptr__region_use(vptr__usages *usages, vptr__region *region, const vptr__expression *expression) {
  use_walk walk = { usages, region };
  vptr__visitor visitor = { .expression = look_at_name, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
}

/* A statement alone, not those behind it. */
static void use_statement(vptr__usages *usages, vptr__region *region, const vptr__statement *statement) {
  use_walk walk = { usages, region };
  vptr__visitor visitor = { .expression = look_at_name, .context = &walk };
  vptr__statement alone = *statement;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
}

void vptr__region_add(vptr__usages *usages, vptr__region *region, const vptr__statement *statement,
                      vptr__declaration *variable) {
  vptr__region_item *item = VPTR__ARENA_NEW(usages->arena, vptr__region_item);
  *item = (vptr__region_item){ .statement = statement, .variable = variable };
  *region->items_end = item;
  region->items_end = &item->next;
  if (statement != NULL) {
    use_statement(usages, region, statement);
    return;
  }
  use_walk walk = { usages, region };
  vptr__region_use(usages, region, variable->initializer);
  note_use(&walk, variable);
  vptr__usage_of(usages, variable)->declared = region;
}
