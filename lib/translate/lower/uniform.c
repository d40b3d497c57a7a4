/* SPDX-License-Identifier: MIT */
/*
 * uniform - see uniform.h. Statements, with what threads may have left, in rounds until nothing changes; the last
 * one speaks.
 */
#include "translate/lower/uniform.h"

#include "translate/lower/apart.h"
#include "translate/lower/divergence.h"
#include "translate/lower/meeting.h"
#include "translate/lower/warp.h"

/* Threads that went to a label by themselves. Those that come to it from above meet them there. */
typedef struct away {
  const vptr__name *label;
  const vptr__reason *reason;
  struct away *next;
} away;

/* Threads that are no longer here, and why: until where they come back. */
typedef struct escape {
  const vptr__reason *breaks, *continues, *returns;
  away *jumps;
} escape;

static escape run_statement(vptr__divergence *divergence, const vptr__statement *statement,
                            const vptr__reason *control);

/* One object for each maker, kept from round to round. */
const vptr__reason *vptr__flow_reason(vptr__divergence *divergence, const void *maker, int kind,
                                      vptr__position position) {
  void **slot = vptr__map_put(divergence->arena, &divergence->flow->reasons, (uintptr_t)maker);
  if (*slot == NULL) {
    vptr__reason *reason = VPTR__ARENA_NEW(divergence->arena, vptr__reason);
    reason->kind = kind;
    reason->position = position;
    *slot = reason;
  }
  return *slot;
}

/* ---- what is said ---------------------------------------------------------------------------------------- */

static const char *advice_of(const vptr__reason *reason) {
  return reason->kind == VPTR__REASON_CONDITION
             ? "move it out of the condition, and let the condition guard only the work around it"
             : "put the work that some threads do not have under a condition, instead of leaving early";
}

static const char *note_of(const vptr__reason *reason) {
  static const char *const notes[] = {
    "this condition may differ between the threads of a block",
    "some threads may have returned here",
    "some threads may have left the loop here",
    "some threads may have gone on to the next round here",
    "some threads may have gone elsewhere here",
  };
  return notes[reason->kind];
}

/* Who is called by some threads only is told at the call. */
void vptr__divergence_barrier(vptr__divergence *divergence, const vptr__expression *call, const char *name,
                              bool is_call) {
  const vptr__reason *reason = divergence->control;
  divergence->barriers++;
  if (!divergence->is_reporting || reason == NULL || reason == divergence->flow->entry)
    return;
  vptr__source_report(divergence->unit->source, VPTR__ERROR, call->position,
                      is_call ? "'%s', which has a barrier, may not be called by all threads of a block: %s"
                              : "%s() may not be reached by all threads of a block: %s",
                      name, advice_of(reason));
  vptr__source_report(divergence->unit->source, VPTR__NOTE, reason->position, "%s", note_of(reason));
}

/* ---- statements ------------------------------------------------------------------------------------------ */

/* What is known in the last round of who comes to a place. */
static void distinguish(vptr__divergence *divergence, const vptr__statement *statement, vptr__meeting_place place,
                        const vptr__reason *control) {
  vptr__meetings *meetings = divergence->flow->instance->meetings;
  if (divergence->is_reporting && control != NULL && meetings != NULL)
    *vptr__map_put(divergence->arena, &meetings->apart, vptr__meeting_key(statement, place)) = (void *)control;
}

static const vptr__reason *first_of(const vptr__reason *left, const vptr__reason *right) {
  return left != NULL ? left : right;
}

static away *join_away(vptr__divergence *divergence, away *list, away *more) {
  for (; more != NULL; more = more->next) {
    away *copy = VPTR__ARENA_NEW(divergence->arena, away);
    *copy = (away){ more->label, more->reason, list };
    list = copy;
  }
  return list;
}

static void merge_escape(vptr__divergence *divergence, escape *into, escape other) {
  into->jumps = into->jumps != NULL ? join_away(divergence, into->jumps, other.jumps) : other.jumps;
  into->breaks = first_of(into->breaks, other.breaks);
  into->continues = first_of(into->continues, other.continues);
  into->returns = first_of(into->returns, other.returns);
}

static const vptr__reason *any_of(escape left) {
  const vptr__reason *jump = left.jumps != NULL ? left.jumps->reason : NULL;
  return first_of(left.returns, first_of(left.breaks, first_of(left.continues, jump)));
}

static bool walk_expression(vptr__divergence *divergence, const vptr__expression *expression,
                            const vptr__reason *control) {
  divergence->control = control;
  return vptr__divergence_walk(divergence, expression);
}

static void run_declarations(vptr__divergence *divergence, const vptr__declaration *declaration,
                             const vptr__reason *control) {
  divergence->control = control;
  for (; declaration != NULL; declaration = declaration->next)
    if (declaration->kind == VPTR__DECLARATION_VARIABLE)
      vptr__divergence_initialize(divergence, declaration);
}

/* The control of what a condition decides about: the innermost reason tells a reader most. */
static const vptr__reason *decide_control(vptr__divergence *divergence, const vptr__statement *statement,
                                          const vptr__reason *control) {
  run_declarations(divergence, statement->declarations, control);
  if (statement->expression == NULL || !walk_expression(divergence, statement->expression, control))
    return control;
  vptr__divergence_note(divergence, statement->expression);
  return vptr__flow_reason(divergence, statement->expression, VPTR__REASON_CONDITION,
                           statement->expression->position);
}

/* From now on anything may be in this function. */
static void lose_sight(vptr__divergence *divergence, const vptr__reason *reason) {
  if (divergence->flow->jump != NULL)
    return;
  divergence->flow->jump = reason;
  divergence->has_changed = true;
}

static away *without(vptr__divergence *divergence, const away *list, const vptr__name *label) {
  away *left = NULL;
  for (; list != NULL; list = list->next)
    if (list->label != label)
      left = join_away(divergence, left, &(away){ list->label, list->reason, NULL });
  return left;
}

/* A jump out of something with a barrier in it would have to be a meeting, as other ways out of it are: it is none. */
static escape run_list(vptr__divergence *divergence, const vptr__statement *statement, const vptr__reason *control) {
  escape all = { 0 };
  for (; statement != NULL; statement = statement->next) {
    unsigned barriers = divergence->barriers;
    if (statement->kind == VPTR__STATEMENT_LABEL && all.jumps != NULL)
      all.jumps = without(divergence, all.jumps, statement->label);
    escape one = run_statement(divergence, statement, first_of(any_of(all), control));
    if (one.jumps != NULL && divergence->barriers != barriers)
      lose_sight(divergence, one.jumps->reason);
    merge_escape(divergence, &all, one);
  }
  return all;
}

/* The track of the function that is walked. */
static vptr__track *track_of(const vptr__divergence *divergence) {
  return &divergence->flow->track;
}

/* What was put aside is what is known now, and the other way round. */
static void change_bits(vptr__track *track, vptr__bits **aside) {
  vptr__bits *now = track->now;
  track->now = *aside;
  *aside = now;
}

/* Two ways have met. */
static void join_bits(vptr__track *track, vptr__bits *aside) {
  vptr__track_join(track, track->now, aside);
  vptr__track_give(track, aside);
}

/* Behind a choice of warps: some have been there. */
static void part_written(vptr__divergence *divergence, const vptr__warp_name *written) {
  vptr__track *track = track_of(divergence);
  for (; written->variable != NULL; written = written->next) {
    int number = vptr__track_number(track, written->variable);
    if (number < 0)
      continue;
    vptr__track_set(track, number, true);
    vptr__divergence_note_variable(divergence, written->variable, true);
  }
}

/* The warps that come to either arm of a choice of theirs are there together. */
static escape run_if(vptr__divergence *divergence, const vptr__statement *statement, const vptr__reason *control) {
  vptr__track *track = track_of(divergence);
  escape all = run_list(divergence, statement->first, control);
  const vptr__reason *inner = decide_control(divergence, statement, control);
  const vptr__warp_name *written =
      inner != control ? vptr__warps_written(divergence->flow->instance->warps, statement) : NULL;
  inner = written != NULL ? control : inner;
  vptr__leave leave = vptr__apart_leave(divergence->flow->instance->apart, statement);
  vptr__bits *aside = vptr__track_copy(track);
  escape body = run_list(divergence, statement->body, leave == VPTR__LEAVE_REST ? control : inner);
  change_bits(track, &aside);
  escape otherwise = run_list(divergence, statement->otherwise, inner);
  join_bits(track, aside);
  if (written != NULL)
    part_written(divergence, written);
  distinguish(divergence, statement, VPTR__MEETING_AT_END, first_of(any_of(body), inner));
  distinguish(divergence, statement, VPTR__MEETING_AT_OTHERWISE, first_of(any_of(otherwise), inner));
  merge_escape(divergence, &all, body);
  merge_escape(divergence, &all, otherwise);
  if (leave == VPTR__LEAVE_RETURNS) /* who is left counts as all */
    all.returns = NULL;
  return all;
}

static escape run_switch(vptr__divergence *divergence, const vptr__statement *statement,
                         const vptr__reason *control) {
  escape all = run_list(divergence, statement->first, control);
  vptr__track *track = track_of(divergence);
  vptr__bits *outer_chosen = track->chosen, *outer_breaks = track->breaks;
  bool outer_default = track->has_default;
  const vptr__reason *inner = decide_control(divergence, statement, control);
  track->chosen = vptr__track_copy(track);
  track->breaks = vptr__track_bits(track);
  track->has_default = false;
  vptr__track_leave(track, NULL);
  escape body = run_list(divergence, statement->body, inner);
  join_bits(track, track->breaks);
  if (!track->has_default) /* no label may be the one */
    vptr__track_join(track, track->now, track->chosen);
  vptr__track_give(track, track->chosen);
  track->has_default = outer_default;
  track->chosen = outer_chosen;
  track->breaks = outer_breaks;
  distinguish(divergence, statement, VPTR__MEETING_AT_END, first_of(any_of(body), inner));
  body.breaks = NULL; /* they meet behind it */
  merge_escape(divergence, &all, body);
  return all;
}

/* Once some threads may leave, all of the loop is for those that are left: also what stands before the place where
 * they leave, in the next round. That round of the loop is the next round of the check. */
static void mark_divergent_loop(vptr__divergence *divergence, const vptr__statement *loop,
                                const vptr__reason *reason) {
  void **slot = vptr__map_put(divergence->arena, &divergence->flow->reasons, (uintptr_t)loop);
  if (*slot != NULL || reason == NULL)
    return;
  *slot = (void *)reason;
  divergence->has_changed = true;
}

static escape run_rounds(vptr__divergence *divergence, const vptr__statement *loop, const vptr__reason *control) {
  vptr__track *track = track_of(divergence);
  void **slot = vptr__map_find(&divergence->flow->reasons, (uintptr_t)loop);
  const vptr__reason *known = slot != NULL ? *slot : NULL, *outer = first_of(known, control);
  bool is_do = loop->kind == VPTR__STATEMENT_DO;
  /* What was found first is the cause; a counter that differs for it makes the condition differ, and would be named
   * instead. */
  const vptr__reason *inner = first_of(known, is_do ? outer : decide_control(divergence, loop, outer));
  if (!is_do)
    vptr__track_join(track, track->breaks, track->now);
  escape body = run_list(divergence, loop->body, inner);
  vptr__track_join(track, track->now, track->continues);
  distinguish(divergence, loop, VPTR__MEETING_AT_END, first_of(any_of(body), inner));
  if (loop->step != NULL)
    walk_expression(divergence, loop->step, inner);
  if (is_do)
    inner = first_of(known, decide_control(divergence, loop, inner));
  if (inner != outer)
    mark_divergent_loop(divergence, loop, inner);
  body.continues = NULL; /* they meet before the next round */
  mark_divergent_loop(divergence, loop, any_of(body));
  if (is_do)
    vptr__track_join(track, track->breaks, track->now);
  return (escape){ .returns = body.returns, .jumps = body.jumps };
}

static escape run_loop(vptr__divergence *divergence, const vptr__statement *loop, const vptr__reason *control) {
  vptr__track *track = track_of(divergence);
  vptr__bits *outer_breaks = track->breaks, *outer_continues = track->continues;
  run_list(divergence, loop->first, control);
  vptr__bits *head = vptr__track_head(track, loop);
  vptr__track_join(track, track->now, head);
  track->breaks = vptr__track_bits(track);
  track->continues = vptr__track_bits(track);
  escape all = run_rounds(divergence, loop, control);
  divergence->has_changed |= vptr__track_join(track, head, track->now);
  change_bits(track, &track->breaks);
  vptr__track_give(track, track->breaks);
  vptr__track_give(track, track->continues);
  track->breaks = outer_breaks;
  track->continues = outer_continues;
  return all;
}

/* Some go to the label by themselves, or all together. Where there is both, the label may be reached around a
   barrier. */
static void note_goto(vptr__divergence *divergence, const vptr__statement *jump, const vptr__reason *reason) {
  vptr__flow *flow = divergence->flow;
  bool is_alone = reason != NULL;
  const vptr__reason *known = vptr__flow_reason(divergence, jump, VPTR__REASON_GOTO, jump->position);
  uintptr_t alone = (uintptr_t)jump->label, together = alone + 1;
  *vptr__map_put(divergence->arena, &flow->labels, is_alone ? alone : together) = divergence->round;
  void **other = vptr__map_find(&flow->labels, is_alone ? together : alone);
  if (other != NULL && *other == divergence->round)
    lose_sight(divergence, known);
  vptr__meetings *meetings = flow->instance->meetings;
  if (is_alone && divergence->is_reporting && meetings != NULL)
    *vptr__map_put(divergence->arena, &meetings->apart, (uintptr_t)jump->label) = (void *)known;
}

/* A jump that all take together leaves nobody behind. */
static escape run_jump(vptr__divergence *divergence, const vptr__statement *jump, const vptr__reason *control) {
  escape all = { 0 };
  vptr__track *track = track_of(divergence);
  vptr__track_leave(track, jump->kind == VPTR__STATEMENT_BREAK      ? track->breaks
                           : jump->kind == VPTR__STATEMENT_CONTINUE ? track->continues
                                                                    : NULL);
  if (jump->kind == VPTR__STATEMENT_GOTO)
    note_goto(divergence, jump, control);
  if (control == NULL)
    return all;
  distinguish(divergence, jump, VPTR__MEETING_BEFORE, control);
  if (jump->kind == VPTR__STATEMENT_BREAK) {
    all.breaks = vptr__flow_reason(divergence, jump, VPTR__REASON_BREAK, jump->position);
  } else if (jump->kind == VPTR__STATEMENT_CONTINUE) {
    all.continues = vptr__flow_reason(divergence, jump, VPTR__REASON_CONTINUE, jump->position);
  } else if (jump->kind == VPTR__STATEMENT_RETURN) {
    all.returns = vptr__flow_reason(divergence, jump, VPTR__REASON_RETURN, jump->position);
  } else {
    all.jumps = VPTR__ARENA_NEW(divergence->arena, away);
    *all.jumps = (away){ jump->label, vptr__flow_reason(divergence, jump, VPTR__REASON_GOTO, jump->position), NULL };
  }
  return all;
}

static escape run_return(vptr__divergence *divergence, const vptr__statement *statement,
                         const vptr__reason *control) {
  const vptr__expression *value = statement->expression;
  if (value != NULL) {
    bool differs = walk_expression(divergence, value, control);
    bool is_reference = divergence->flow->instance->function->type->base->kind == VPTR__TYPE_REFERENCE;
    if (value->is_lvalue && !is_reference)
      differs |= vptr__node_find(vptr__flow_content(divergence, divergence->flow, value))->is_divergent;
    if (differs || control != NULL)
      vptr__divergence_mark(divergence, divergence->flow->result);
  }
  return run_jump(divergence, statement, control);
}

/* From above, or by the switch. */
static void come_to_label(vptr__track *track, const vptr__statement *label) {
  if (label->kind == VPTR__STATEMENT_LABEL || track->chosen == NULL)
    return;
  vptr__track_join(track, track->now, track->chosen);
  track->has_default |= label->kind == VPTR__STATEMENT_DEFAULT;
}

static escape run_statement(vptr__divergence *divergence, const vptr__statement *statement,
                            const vptr__reason *control) {
  if (control != NULL)
    vptr__divergence_note(divergence, statement);
  switch (statement->kind) {
  case VPTR__STATEMENT_EXPRESSION:
    walk_expression(divergence, statement->expression, control);
    return (escape){ 0 };
  case VPTR__STATEMENT_DECLARATION:
    run_declarations(divergence, statement->declarations, control);
    return (escape){ 0 };
  case VPTR__STATEMENT_BLOCK:
    return run_list(divergence, statement->first, control);
  case VPTR__STATEMENT_IF:
    return run_if(divergence, statement, control);
  case VPTR__STATEMENT_SWITCH:
    return run_switch(divergence, statement, control);
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    return run_loop(divergence, statement, control);
  case VPTR__STATEMENT_CASE:
  case VPTR__STATEMENT_DEFAULT:
  case VPTR__STATEMENT_LABEL:
    distinguish(divergence, statement, VPTR__MEETING_BEFORE, control);
    come_to_label(track_of(divergence), statement);
    return run_list(divergence, statement->body, control);
  case VPTR__STATEMENT_RETURN:
    return run_return(divergence, statement, control);
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
  case VPTR__STATEMENT_GOTO:
    return run_jump(divergence, statement, control);
  default:
    return (escape){ 0 };
  }
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

/* Only what stands below a kernel with a barrier matters: callers pass what differs down to it. */
static void make_flows(vptr__divergence *divergence, const vptr__instance *instance) {
  vptr__divergence_flow(divergence, instance);
  for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next)
    if (vptr__map_find(&divergence->flows, (uintptr_t)call->instance) == NULL)
      make_flows(divergence, call->instance);
}

/* The inference lists callees first: put in front of each other, callers come first. */
static void list_flows(vptr__divergence *divergence, const vptr__inference *inference) {
  for (const vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next) {
    void **slot = vptr__map_find(&divergence->flows, (uintptr_t)instance);
    if (slot == NULL)
      continue;
    vptr__flow *flow = *slot;
    if (instance->has_barrier) {
      flow->instance->meetings = VPTR__ARENA_NEW(divergence->arena, vptr__meetings);
      flow->instance->apart = VPTR__ARENA_NEW(divergence->arena, vptr__apart);
    }
    flow->next = divergence->first;
    divergence->first = flow;
  }
}

/* Parameters hold what callers gave. */
static void begin_function(vptr__divergence *divergence, vptr__flow *flow) {
  vptr__track_leave(&flow->track, NULL);
  for (const vptr__declaration *each = flow->instance->function->type->parameters; each != NULL; each = each->next) {
    int number = vptr__track_number(&flow->track, each);
    void **node = vptr__map_find(&flow->nodes, (uintptr_t)each);
    bool differs = number >= 0 && node != NULL && vptr__node_find(*node)->is_divergent;
    if (number < 0)
      continue;
    vptr__track_set(&flow->track, number, differs);
    vptr__divergence_note_variable(divergence, each, differs);
  }
}

static void go_round(vptr__divergence *divergence) {
  divergence->has_changed = false;
  divergence->round = VPTR__ARENA_NEW(divergence->arena, char);
  for (vptr__flow *flow = divergence->first; flow != NULL; flow = flow->next) {
    const vptr__reason *control = first_of(flow->jump, flow->entry);
    divergence->flow = flow;
    begin_function(divergence, flow);
    escape all = run_list(divergence, vptr__infer_looped(flow->instance), control);
    if (all.jumps != NULL) /* back, or into something */
      lose_sight(divergence, all.jumps->reason);
    distinguish(divergence, flow->instance->function->body, VPTR__MEETING_AT_END, first_of(any_of(all), control));
  }
}

static void go_rounds(vptr__divergence *divergence, const vptr__inference *inference) {
  list_flows(divergence, inference);
  for (vptr__flow *flow = divergence->first; flow != NULL; flow = flow->next)
    vptr__divergence_aim(divergence, flow);
  for (vptr__flow *flow = divergence->first; flow != NULL; flow = flow->next)
    vptr__track_make(&flow->track, divergence->arena, flow->instance);
  do
    go_round(divergence);
  while (divergence->has_changed);
  divergence->is_reporting = true;
  go_round(divergence);
}

void vptr__uniform_check(vptr__unit *unit, const vptr__inference *inference) {
  vptr__divergence divergence = { .unit = unit, .arena = vptr__source_arena(unit->source) };
  for (const vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next)
    if (instance->is_kernel && instance->has_barrier)
      make_flows(&divergence, instance);
  go_rounds(&divergence, inference);
}

void vptr__uniform_look(vptr__unit *unit, const vptr__inference *inference, vptr__instance *kernel) {
  vptr__divergence divergence = { .unit = unit, .arena = vptr__source_arena(unit->source) };
  make_flows(&divergence, kernel);
  go_rounds(&divergence, inference);
}
