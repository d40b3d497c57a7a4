/* SPDX-License-Identifier: MIT */
/*
 * meeting - see meeting.h. One walk finds what has a barrier, the next decides: it knows at each place whether anything
 * has been done since the last barrier that may have parted the threads (is_busy). What has no branch has not. The last
 * walk marks what may part them, where PoCL adds barriers: where a barrier is under a condition, or in a loop.
 */
#include "translate/lower/meeting.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"

/* Jumps to an end that all take together, past what stands behind them. */
typedef struct meeting_skips {
  bool is_skipped;  /* there was one */
  bool has_barrier; /* and there was a barrier behind it */
} meeting_skips;

typedef struct meeting_walk {
  vptr__arena *arena;
  vptr__instance *instance;
  vptr__meetings *meetings;
  vptr__map holders;              /* statement and place -> anything: there is a barrier in it */
  const vptr__statement *loop;    /* the innermost */
  const vptr__statement *breaks;  /* the innermost loop or switch */
  meeting_skips rounds, function; /* continue in the loop, return */
  bool is_busy;
  bool is_bare; /* the last barrier is one of the program's */
  bool has_goto;
  bool returns_alone;          /* some threads do */
  vptr__position leaves_alone; /* where some left the way that is walked by themselves; 0: nobody did */
} meeting_walk;

static bool is_in(const vptr__map *map, const vptr__statement *statement, vptr__meeting_place place) {
  return statement != NULL && vptr__map_find(map, vptr__meeting_key(statement, place)) != NULL;
}

static void insert_place(meeting_walk *walk, vptr__map *map, const vptr__statement *statement,
                         vptr__meeting_place place) {
  *vptr__map_put(walk->arena, map, vptr__meeting_key(statement, place)) = walk->meetings;
}

bool vptr__meeting_is_at(const vptr__instance *instance, const vptr__statement *statement,
                         vptr__meeting_place place) {
  return instance->meetings != NULL && is_in(&instance->meetings->places, statement, place);
}

bool vptr__meeting_is_at_end(const vptr__instance *instance, const vptr__statement *jump) {
  return instance->meetings != NULL && instance->meetings->ends_together &&
         is_in(&instance->meetings->apart, jump, VPTR__MEETING_BEFORE);
}

/* ---- expressions ------------------------------------------------------------------------------------------ */

typedef struct expression_walk {
  const vptr__instance *instance;
  bool has_barrier, has_flow;
  bool may_part; /* there is a branch in it; has_flow says so of any pointer, too */
} expression_walk;

static bool is_private(const expression_walk *found, const vptr__expression *lvalue) {
  return vptr__infer_lvalue(found->instance, lvalue) == VPTR__SPACE_PRIVATE;
}

static void look_at(void *context, vptr__expression *expression) {
  expression_walk *found = context;
  const vptr__instance *callee;
  switch (expression->kind) {
  case VPTR__EXPRESSION_CALL:
    callee = vptr__infer_callee(found->instance, expression);
    found->has_barrier |= callee != NULL && callee->has_barrier;
    found->has_flow = found->may_part = true;
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    found->has_barrier |= expression->builtin != NULL && (expression->builtin->flags & VPTR__BUILTIN_BARRIER);
    found->has_flow = found->may_part = true;
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    found->has_flow = found->may_part = true;
    break;
  case VPTR__EXPRESSION_BINARY:
    if (expression->op == VPTR__TOKEN_AND_AND || expression->op == VPTR__TOKEN_OR_OR)
      found->has_flow = found->may_part = true;
    break;
  case VPTR__EXPRESSION_LOAD: /* of a pointer in memory, whose buffer is looked for */
  case VPTR__EXPRESSION_ASSIGN:
    if (!vptr__infer_has_pointers(expression->type))
      break;
    found->has_flow = true;
    found->may_part |= !is_private(found, expression->operands[0]);
    break;
  default:
    break;
  }
}

static expression_walk look_at_expression(const meeting_walk *walk, const vptr__expression *expression) {
  expression_walk found = { .instance = walk->instance };
  vptr__visitor visitor = { .expression = look_at, .context = &found };
  if (expression != NULL)
    vptr__visit_expression(&visitor, (vptr__expression *)expression);
  return found;
}

static expression_walk look_at_declarations(const meeting_walk *walk, const vptr__declaration *declaration) {
  expression_walk all = { 0 };
  for (; declaration != NULL; declaration = declaration->next) {
    if (declaration->kind != VPTR__DECLARATION_VARIABLE)
      continue;
    expression_walk one = look_at_expression(walk, declaration->initializer);
    all.has_barrier |= one.has_barrier;
    all.has_flow |= one.has_flow;
    all.may_part |= one.may_part;
  }
  return all;
}

/* __syncthreads() and nothing else: not a function that has one, which may do more behind it. */
static bool is_barrier(const vptr__expression *expression) {
  return expression != NULL && expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL && expression->builtin != NULL &&
         (expression->builtin->flags & VPTR__BUILTIN_BARRIER) && expression->arguments == NULL;
}

static void do_found(meeting_walk *walk, expression_walk found) {
  walk->is_busy |= found.has_flow;
  walk->rounds.has_barrier |= found.has_barrier && walk->rounds.is_skipped;
  walk->function.has_barrier |= found.has_barrier && walk->function.is_skipped;
}

static void do_expression(meeting_walk *walk, const vptr__expression *expression) {
  do_found(walk, look_at_expression(walk, expression));
  if (!is_barrier(expression))
    return;
  walk->is_busy = false;
  walk->is_bare = true;
}

static void do_declarations(meeting_walk *walk, const vptr__declaration *declarations) {
  do_found(walk, look_at_declarations(walk, declarations));
}

/* ---- what has a barrier ----------------------------------------------------------------------------------- */

static bool find_holders(meeting_walk *walk, const vptr__statement *list);

static bool find_part(meeting_walk *walk, const vptr__statement *statement, const vptr__statement *part,
                      vptr__meeting_place place) {
  if (!find_holders(walk, part))
    return false;
  insert_place(walk, &walk->holders, statement, place);
  return true;
}

static bool is_holder(meeting_walk *walk, const vptr__statement *statement) {
  bool has = look_at_expression(walk, statement->expression).has_barrier;
  has |= look_at_expression(walk, statement->step).has_barrier;
  has |= look_at_declarations(walk, statement->declarations).has_barrier;
  has |= find_holders(walk, statement->first);
  has |= find_part(walk, statement, statement->body, VPTR__MEETING_AT_END);
  has |= find_part(walk, statement, statement->otherwise, VPTR__MEETING_AT_OTHERWISE);
  if (has)
    insert_place(walk, &walk->holders, statement, VPTR__MEETING_BEFORE);
  return has;
}

static bool find_holders(meeting_walk *walk, const vptr__statement *list) {
  bool has = false;
  for (; list != NULL; list = list->next)
    has |= is_holder(walk, list);
  return has;
}

static bool is_known_holder(const meeting_walk *walk, const vptr__statement *statement) {
  return is_in(&walk->holders, statement, VPTR__MEETING_BEFORE);
}

/* ---- where they meet -------------------------------------------------------------------------------------- */

static void do_list(meeting_walk *walk, const vptr__statement *list);

static void mark_torn(meeting_walk *walk, vptr__position position) {
  if (walk->meetings->torn == 0)
    walk->meetings->torn = position;
}

/* They do, if they have been apart; also if a barrier of the program's is the last thing that they did, and other ways
 * that lead to the same place may end so too: compilers make one barrier of these, behind the place. */
static void add_meeting(meeting_walk *walk, const vptr__statement *statement, vptr__meeting_place place,
                        bool has_others) {
  if (!walk->is_busy && !(walk->is_bare && has_others))
    return;
  if (is_in(&walk->meetings->apart, statement, place)) {
    mark_torn(walk, walk->leaves_alone != 0 ? walk->leaves_alone : statement->position);
    return;
  }
  insert_place(walk, &walk->meetings->places, statement, place);
  walk->is_busy = walk->is_bare = false;
}

/* One way of an if. */
static void do_way(meeting_walk *walk, const vptr__statement *statement, const vptr__statement *way,
                   vptr__meeting_place place) {
  do_list(walk, way);
  if (is_in(&walk->holders, statement, place))
    add_meeting(walk, statement, place, statement->otherwise != NULL);
}

static void do_if(meeting_walk *walk, const vptr__statement *statement) {
  do_list(walk, statement->first);
  do_declarations(walk, statement->declarations);
  do_expression(walk, statement->expression);
  if (!is_known_holder(walk, statement))
    walk->is_busy = true;
  bool before = walk->is_busy, bare_before = walk->is_bare;
  do_way(walk, statement, statement->body, VPTR__MEETING_AT_END);
  bool behind = walk->is_busy, bare_behind = walk->is_bare;
  walk->is_busy = before;
  walk->is_bare = bare_before;
  do_way(walk, statement, statement->otherwise, VPTR__MEETING_AT_OTHERWISE);
  walk->is_busy |= behind;
  walk->is_bare |= bare_behind;
}

/* A round begins as the last one ended. */
static void do_loop(meeting_walk *walk, const vptr__statement *loop) {
  const vptr__statement *outer_loop = walk->loop, *outer_breaks = walk->breaks;
  meeting_skips outer_rounds = walk->rounds;
  vptr__position left = walk->leaves_alone;
  walk->rounds = (meeting_skips){ false, false };
  do_list(walk, loop->first);
  do_declarations(walk, loop->declarations);
  do_expression(walk, loop->expression);
  walk->is_busy |= look_at_expression(walk, loop->step).has_flow;
  walk->loop = walk->breaks = loop;
  if (!is_known_holder(walk, loop) || is_in(&walk->meetings->apart, loop, VPTR__MEETING_AT_END))
    walk->is_busy = true;
  bool before = walk->is_busy;
  walk->leaves_alone = 0;
  do_list(walk, loop->body);
  if (is_known_holder(walk, loop) && !is_in(&walk->meetings->apart, loop, VPTR__MEETING_AT_END))
    add_meeting(walk, loop, VPTR__MEETING_AT_END, walk->rounds.is_skipped);
  walk->is_busy |= before;
  walk->loop = outer_loop;
  walk->breaks = outer_breaks;
  walk->rounds = outer_rounds;
  walk->leaves_alone = left;
}

static void do_switch(meeting_walk *walk, const vptr__statement *statement) {
  const vptr__statement *outer = walk->breaks;
  do_list(walk, statement->first);
  do_declarations(walk, statement->declarations);
  do_expression(walk, statement->expression);
  walk->breaks = statement;
  walk->is_busy = walk->is_bare = false; /* in front of the first label nobody is */
  do_list(walk, statement->body);
  if (is_known_holder(walk, statement))
    add_meeting(walk, statement, VPTR__MEETING_AT_END, true);
  walk->breaks = outer;
  walk->is_busy = true;
}

/* Who comes to a label from above meets; by the switch anybody comes. Where some jump past what others do in front of
 * the label there is no barrier in that, and none may be. */
static void do_label(meeting_walk *walk, const vptr__statement *label) {
  const vptr__statement *around =
      label->kind == VPTR__STATEMENT_LABEL ? walk->instance->function->body : walk->breaks;
  bool is_end_of_way =
      label->label != NULL && vptr__map_find(&walk->meetings->apart, (uintptr_t)label->label) != NULL;
  if (is_known_holder(walk, around) && !is_end_of_way)
    add_meeting(walk, label, VPTR__MEETING_BEFORE, true);
  walk->is_busy = true;
  do_list(walk, label->body);
}

static const vptr__statement *target_of(const meeting_walk *walk, const vptr__statement *jump) {
  if (jump->kind == VPTR__STATEMENT_BREAK)
    return walk->breaks;
  return jump->kind == VPTR__STATEMENT_CONTINUE ? walk->loop : walk->instance->function->body;
}

/* Some go to an end by themselves. From behind a barrier that not all who come to the end have passed they come there
 * by a jump of their own. At a kernel's end all meet (plan_instance). */
static void do_jump_alone(meeting_walk *walk, const vptr__statement *jump) {
  if (walk->leaves_alone == 0)
    walk->leaves_alone = jump->position;
  if (jump->kind == VPTR__STATEMENT_BREAK || (jump->kind == VPTR__STATEMENT_CONTINUE && walk->rounds.has_barrier) ||
      (jump->kind == VPTR__STATEMENT_RETURN && walk->function.has_barrier && !walk->instance->is_kernel))
    mark_torn(walk, jump->position);
}

static void do_jump(meeting_walk *walk, const vptr__statement *jump) {
  do_expression(walk, jump->expression);
  walk->has_goto |= jump->kind == VPTR__STATEMENT_GOTO;
  if (!is_known_holder(walk, target_of(walk, jump)))
    return;
  if (is_in(&walk->meetings->apart, jump, VPTR__MEETING_BEFORE)) {
    walk->returns_alone |= jump->kind == VPTR__STATEMENT_RETURN;
    do_jump_alone(walk, jump);
    return;
  }
  walk->rounds.is_skipped |= jump->kind == VPTR__STATEMENT_CONTINUE;
  walk->function.is_skipped |= jump->kind == VPTR__STATEMENT_RETURN;
  add_meeting(walk, jump, VPTR__MEETING_BEFORE, true);
  walk->is_busy = walk->is_bare = false; /* nobody comes by here */
}

static void do_statement(meeting_walk *walk, const vptr__statement *statement) {
  switch (statement->kind) {
  case VPTR__STATEMENT_EXPRESSION:
    do_expression(walk, statement->expression);
    break;
  case VPTR__STATEMENT_DECLARATION:
    do_declarations(walk, statement->declarations);
    break;
  case VPTR__STATEMENT_BLOCK:
    do_list(walk, statement->first);
    break;
  case VPTR__STATEMENT_IF:
    do_if(walk, statement);
    break;
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    do_loop(walk, statement);
    break;
  case VPTR__STATEMENT_SWITCH:
    do_switch(walk, statement);
    break;
  case VPTR__STATEMENT_CASE:
  case VPTR__STATEMENT_DEFAULT:
  case VPTR__STATEMENT_LABEL:
    do_label(walk, statement);
    break;
  case VPTR__STATEMENT_RETURN:
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
  case VPTR__STATEMENT_GOTO:
    do_jump(walk, statement);
    break;
  default:
    break;
  }
}

static void do_list(meeting_walk *walk, const vptr__statement *list) {
  for (; list != NULL; list = list->next)
    do_statement(walk, list);
}

/* ---- where they part -------------------------------------------------------------------------------------- */

/* What has a place where they meet has a barrier from now on. */
static bool spread_holders(meeting_walk *walk, const vptr__statement *list) {
  bool has = false;
  for (; list != NULL; list = list->next) {
    bool first = spread_holders(walk, list->first), body = spread_holders(walk, list->body);
    bool otherwise = spread_holders(walk, list->otherwise), own = is_known_holder(walk, list);
    for (int place = VPTR__MEETING_BEFORE; place <= VPTR__MEETING_AT_OTHERWISE; place++)
      own |= is_in(&walk->meetings->places, list, (vptr__meeting_place)place);
    if (first || body || otherwise || own)
      insert_place(walk, &walk->holders, list, VPTR__MEETING_BEFORE);
    has |= first || body || otherwise || own;
  }
  return has;
}

static bool has_branch(const meeting_walk *walk, const vptr__statement *statement) {
  return look_at_expression(walk, statement->expression).may_part ||
         look_at_expression(walk, statement->step).may_part ||
         look_at_declarations(walk, statement->declarations).may_part;
}

static bool list_may_part(const meeting_walk *walk, const vptr__statement *list);

/* Whether some threads may go another way than others in it. */
static bool parts_alone(const meeting_walk *walk, const vptr__statement *statement) {
  return is_in(&walk->meetings->apart, statement, VPTR__MEETING_AT_END) || has_branch(walk, statement) ||
         list_may_part(walk, statement->first) || list_may_part(walk, statement->body) ||
         list_may_part(walk, statement->otherwise);
}

static bool list_may_part(const meeting_walk *walk, const vptr__statement *list) {
  for (; list != NULL; list = list->next)
    if (parts_alone(walk, list))
      return true;
  return false;
}

static void mark_list(meeting_walk *walk, const vptr__statement *list, vptr__meeting_place mark, bool is_conditional);

static bool is_loop(const vptr__statement *statement) {
  return statement->kind == VPTR__STATEMENT_WHILE || statement->kind == VPTR__STATEMENT_DO ||
         statement->kind == VPTR__STATEMENT_FOR;
}

/* A construct with a barrier. A loop's condition is worked out in each round, behind the last barrier of the one
   before. */
static void mark_holder(meeting_walk *walk, const vptr__statement *statement, vptr__meeting_place mark,
                        bool is_conditional) {
  bool is_way = statement->kind == VPTR__STATEMENT_IF || statement->kind == VPTR__STATEMENT_SWITCH;
  bool is_block = !is_way && !is_loop(statement), is_flow = has_branch(walk, statement);
  if (is_loop(statement) && is_flow)
    insert_place(walk, &walk->meetings->places, statement, VPTR__MEETING_PARTS_IN_ROUND);
  if (is_conditional && (is_flow || (is_loop(statement) && list_may_part(walk, statement->first))))
    insert_place(walk, &walk->meetings->places, statement, mark);
  vptr__meeting_place inner = is_way ? VPTR__MEETING_PARTS_IN_WAY : is_block ? mark : VPTR__MEETING_PARTS;
  mark_list(walk, statement->first, mark, is_conditional);
  mark_list(walk, statement->body, inner, is_conditional || !is_block);
  mark_list(walk, statement->otherwise, inner, is_conditional || !is_block);
}

static bool is_label(const vptr__statement *statement) {
  return statement->kind == VPTR__STATEMENT_CASE || statement->kind == VPTR__STATEMENT_DEFAULT ||
         statement->kind == VPTR__STATEMENT_LABEL;
}

static void mark_list(meeting_walk *walk, const vptr__statement *list, vptr__meeting_place mark,
                      bool is_conditional) {
  for (; list != NULL; list = list->next)
    if (is_label(list))
      mark_list(walk, list->body, VPTR__MEETING_PARTS_IN_WAY, true);
    else if ((list->body != NULL || list->first != NULL) && is_known_holder(walk, list))
      mark_holder(walk, list, mark, is_conditional);
    else if (is_conditional && !is_barrier(list->expression) && parts_alone(walk, list))
      insert_place(walk, &walk->meetings->places, list, mark);
}

/* ---- instances -------------------------------------------------------------------------------------------- */

/* The end of a kernel is the end of all; of another function, what follows is reached around it too, perhaps. */
static void plan_instance(vptr__arena *arena, vptr__instance *instance) {
  const vptr__statement *body = instance->function->body;
  meeting_walk walk = { .arena = arena, .instance = instance, .meetings = instance->meetings };
  find_holders(&walk, body);
  do_list(&walk, body);
  if ((!instance->is_kernel || walk.function.is_skipped) && !is_in(&walk.meetings->apart, body, VPTR__MEETING_AT_END))
    add_meeting(&walk, body, VPTR__MEETING_AT_END, walk.function.is_skipped);
  if (instance->is_kernel && walk.function.is_skipped && walk.returns_alone) {
    walk.meetings->ends_together = true;
    insert_place(&walk, &walk.meetings->places, body, VPTR__MEETING_AT_END);
  }
  spread_holders(&walk, body);
  mark_list(&walk, body, VPTR__MEETING_PARTS, !instance->is_kernel || walk.function.is_skipped || walk.has_goto);
}

void vptr__meeting_plan(vptr__arena *arena, const vptr__inference *inference) {
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next)
    if (instance->meetings != NULL)
      plan_instance(arena, instance);
}
