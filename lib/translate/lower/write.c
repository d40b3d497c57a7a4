/* SPDX-License-Identifier: MIT */
/* write - see write.h. */
#include "translate/lower/write.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"

typedef struct write_walk {
  vptr__writes *writes;
  const vptr__statement *loop; /* around what is walked */
  const vptr__statement *head; /* whose head is walked; NULL: none's */
} write_walk;

static vptr__write *write_of(vptr__writes *writes, const vptr__declaration *variable) {
  void **slot = vptr__map_put(writes->arena, &writes->found, (uintptr_t)variable);
  if (*slot == NULL)
    *slot = VPTR__ARENA_NEW(writes->arena, vptr__write);
  return *slot;
}

const vptr__write *vptr__write_to(const vptr__writes *writes, const vptr__declaration *variable) {
  static const vptr__write none = { .count = 0 };
  void **slot = vptr__map_find(&writes->found, (uintptr_t)variable);
  return slot != NULL && *slot != NULL ? *slot : &none;
}

static void look_at(void *context, vptr__expression *expression) {
  write_walk *walk = context;
  const vptr__declaration *target = vptr__effect_target(expression);
  if (target == NULL)
    return;
  vptr__write *write = write_of(walk->writes, target);
  bool is_plain = expression->kind == VPTR__EXPRESSION_ASSIGN && expression->op == '=';
  write->value = is_plain ? expression->operands[1] : NULL;
  write->is_initializer = false;
  write->loop = walk->loop;
  write->counter = write->counter == walk->head ? write->counter : NULL;
  write->count++;
}

static void walk_expression(write_walk *walk, const vptr__expression *expression) {
  vptr__visitor visitor = { .expression = look_at, .context = walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
}

static void walk_declarations(write_walk *walk, const vptr__declaration *declaration) {
  for (; declaration != NULL; declaration = declaration->next) {
    if (declaration->kind != VPTR__DECLARATION_VARIABLE)
      continue;
    walk_expression(walk, declaration->initializer);
    vptr__write *write = write_of(walk->writes, declaration);
    write->value = declaration->initializer;
    write->is_initializer = true;
    write->loop = walk->loop;
    write->counter = walk->head;
    write->count += declaration->initializer != NULL;
  }
}

static bool is_loop(const vptr__statement *statement) {
  return statement->kind == VPTR__STATEMENT_WHILE || statement->kind == VPTR__STATEMENT_DO ||
         statement->kind == VPTR__STATEMENT_FOR;
}

static void walk_list(write_walk *walk, const vptr__statement *list);

/* What a FOR begins with is not in the loop; the rest of its head is. */
static void walk_loop(write_walk *walk, const vptr__statement *loop) {
  const vptr__statement *outer = walk->loop, *head = walk->head;
  *vptr__map_put(walk->writes->arena, &walk->writes->outer, (uintptr_t)loop) = (void *)outer;
  walk->head = loop->kind == VPTR__STATEMENT_FOR ? loop : NULL;
  walk_list(walk, loop->first);
  walk->loop = loop;
  walk_expression(walk, loop->step);
  walk->head = NULL;
  walk_declarations(walk, loop->declarations);
  walk_expression(walk, loop->expression);
  walk_list(walk, loop->body);
  walk->loop = outer;
  walk->head = head;
}

static void walk_list(write_walk *walk, const vptr__statement *list) {
  for (; list != NULL; list = list->next) {
    if (is_loop(list)) {
      walk_loop(walk, list);
      continue;
    }
    walk_list(walk, list->first);
    walk_declarations(walk, list->declarations);
    if (list->kind != VPTR__STATEMENT_CASE)
      walk_expression(walk, list->expression);
    walk_list(walk, list->body);
    walk_list(walk, list->otherwise);
  }
}

void vptr__writes_find(vptr__writes *writes, const vptr__declaration *function) {
  write_walk walk = { .writes = writes };
  walk_list(&walk, function->body);
}

bool vptr__write_is_within(const vptr__writes *writes, const vptr__statement *loop, const vptr__statement *outer) {
  while (loop != NULL && loop != outer) {
    void **slot = vptr__map_find(&writes->outer, (uintptr_t)loop);
    loop = slot != NULL ? *slot : NULL;
  }
  return loop == outer;
}
