/* SPDX-License-Identifier: MIT */
/*
 * random_make - see random_kernel.h.
 */
#include "translate/random_kernel.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/support.h"

/* What a driver has to copy grows fast with what a kernel has: more statements than these are plain ones. */
enum { MOST_NODES = 4096, MOST_NESTED = 5, MOST_STATEMENTS = 16, DEEPEST = 3 };

typedef struct maker {
  random_kernel *kernel;
  random_node *nodes;
  unsigned node_count;
  uint64_t state;
  unsigned counters;      /* made so far */
  unsigned live;          /* bits: of these the loop is around what is made */
  int loops;              /* around it */
  int nested, statements; /* made so far */
  bool in_switch;         /* and nearer than the loop */
  bool is_helper, is_free;
} maker;

static unsigned pick(maker *make, unsigned count) {
  return (unsigned)(support_random(&make->state) >> 24) % count;
}

static random_node *node(maker *make, random_kind kind, unsigned number) {
  if (make->node_count == MOST_NODES)
    abort();
  random_node *made = &make->nodes[make->node_count++];
  *made = (random_node){ .kind = kind, .number = number };
  return made;
}

/* ---- values ----------------------------------------------------------------------------------------------- */

static random_node *same_for_all(maker *make, int depth);

static random_node *same_leaf(maker *make) {
  switch (pick(make, 6)) {
  case 0:
    return node(make, RANDOM_NUMBER, pick(make, 6));
  case 1:
    return node(make, RANDOM_PARAMETER, pick(make, 2));
  case 2:
    return node(make, RANDOM_BLOCK, 0);
  case 3:
    if (make->live != 0)
      for (unsigned i = pick(make, RANDOM_COUNTERS);; i = (i + 1) % RANDOM_COUNTERS)
        if (make->live >> i & 1)
          return node(make, RANDOM_COUNTER, i);
    return node(make, RANDOM_PARAMETER, 0);
  default:
    return node(make, RANDOM_SAME, pick(make, RANDOM_UNIFORM));
  }
}

static random_node *same_for_all(maker *make, int depth) {
  random_node *made;
  if (depth == 0 || pick(make, 4) == 0)
    return same_leaf(make);
  if (pick(make, 2) == 0) {
    made = node(make, RANDOM_INPUT, 0);
    made->a = same_for_all(make, depth - 1);
    return made;
  }
  made = node(make, RANDOM_BINARY, pick(make, 9));
  made->a = same_for_all(make, depth - 1);
  made->b = same_for_all(make, depth - 1);
  return made;
}

static random_node *of_thread(maker *make, int depth) {
  random_node *made;
  unsigned what = pick(make, depth == 0 ? 4 : 8);
  switch (what) {
  case 0:
    return same_for_all(make, 1);
  case 1:
    return node(make, RANDOM_THREAD, 0);
  case 2:
    return node(make, make->is_free ? RANDOM_ROW : RANDOM_SLOT, 0);
  case 3:
    return node(make, RANDOM_MINE, pick(make, RANDOM_OWN));
  default:
    made = node(make, what == 4 ? RANDOM_CHOICE : RANDOM_BINARY, pick(make, 9));
    made->a = of_thread(make, depth - 1);
    made->b = of_thread(make, depth - 1);
    made->c = what == 4 ? of_thread(make, depth - 1) : NULL;
    return made;
  }
}

/* Often about a single thread, as programs have it. */
static random_node *condition_of_thread(maker *make) {
  random_node *made = node(make, RANDOM_BINARY, 4 + pick(make, 2));
  made->a = pick(make, 2) ? node(make, RANDOM_THREAD, 0) : of_thread(make, 1);
  made->b = node(make, RANDOM_NUMBER, pick(make, 4));
  if (pick(make, 4) == 0) { /* && or || what is the same for all */
    random_node *both = node(make, RANDOM_BINARY, 7 + pick(make, 2));
    both->a = made;
    both->b = same_for_all(make, 1);
    return both;
  }
  return made;
}

/* ---- statements ------------------------------------------------------------------------------------------- */

typedef random_node *statement_maker(maker *make, int depth);

static random_node *list(maker *make, statement_maker *one, unsigned most, int depth) {
  random_node *first = NULL, **end = &first;
  for (unsigned count = 1 + pick(make, most); count > 0; count--) {
    *end = one(make, depth);
    end = &(*end)->next;
  }
  return first;
}

static random_node *conditional(maker *make, random_node *condition, random_node *then) {
  random_node *made = node(make, RANDOM_IF, 0);
  made->a = condition;
  made->ways[0] = then;
  return made;
}

static random_node *alone(maker *make, int depth);
static random_node *add_alone(maker *make);

/* Parts the threads for sure: compilers make a plain assignment under a condition one that all do. */
static random_node *parted(maker *make) {
  random_node *made = conditional(make, condition_of_thread(make), add_alone(make));
  if (pick(make, 4) == 0)
    made->ways[1] = add_alone(make);
  return made;
}

/* What all do, then often a barrier, and behind it what some do. */
static random_node *way(maker *make, statement_maker *one, unsigned most, int depth) {
  random_node *first = list(make, one, most, depth), **end = &first;
  if (one == alone || make->is_free || pick(make, 2) == 0)
    return first;
  while (*end != NULL)
    end = &(*end)->next;
  *end = node(make, RANDOM_BARRIER, 0);
  (*end)->next = parted(make);
  return first;
}

/* At the end of a round some go on to the next without the rest. */
static void end_round_apart(maker *make, random_node *first) {
  while (first->next != NULL)
    first = first->next;
  first->next = conditional(make, condition_of_thread(make), node(make, RANDOM_CONTINUE, 0));
  first->next->next = alone(make, 1);
}

/* Bits of `live` are numbers of counters: one that is used up is used again when its loop has ended. */
static random_node *loop(maker *make, random_kind kind, random_node *rounds, statement_maker *one, int depth) {
  bool in_switch = make->in_switch;
  unsigned counter = one == alone ? RANDOM_COUNTERS / 2 : 0;
  while (counter < RANDOM_COUNTERS && make->live >> counter & 1)
    counter++;
  if (counter == RANDOM_COUNTERS)
    return node(make, RANDOM_BARRIER, 0);
  random_node *made = node(make, kind, 0);
  made->counter = counter;
  made->a = rounds;
  make->live |= 1u << counter;
  make->loops++;
  make->in_switch = false;
  made->ways[0] = way(make, one, 3, depth - 1);
  if (one != alone && pick(make, 6) == 0)
    end_round_apart(make, made->ways[0]);
  make->live &= ~(1u << counter);
  make->loops--;
  make->in_switch = in_switch;
  return made;
}

static random_node *jump(maker *make, bool with_return) {
  if (make->loops > 0 && !make->in_switch && pick(make, 3) > 0)
    return node(make, pick(make, 2) ? RANDOM_BREAK : RANDOM_CONTINUE, 0);
  if (make->loops > 0 && pick(make, 2))
    return node(make, RANDOM_CONTINUE, 0);
  if (with_return && pick(make, 3) == 0)
    return node(make, RANDOM_RETURN, 0);
  random_node *add = node(make, RANDOM_ADD, pick(make, RANDOM_SUMS));
  add->a = node(make, RANDOM_NUMBER, 1);
  return add;
}

static random_node *add_alone(maker *make) {
  random_node *made = node(make, RANDOM_ADD, pick(make, RANDOM_SUMS));
  made->a = of_thread(make, 1);
  return made;
}

static random_node *set_mine(maker *make) {
  random_node *made = node(make, RANDOM_SET_MINE, pick(make, RANDOM_OWN));
  made->a = of_thread(make, 2);
  return made;
}

/* What only some threads may do: no barriers. */
static random_node *alone(maker *make, int depth) {
  random_node *made;
  if (make->is_free && pick(make, 8) > 0)
    return set_mine(make);
  switch (pick(make, depth > 0 ? 8 : 4)) {
  case 0:
    made = make->is_free ? node(make, RANDOM_SET_MINE, pick(make, RANDOM_OWN)) : node(make, RANDOM_SET_SLOT, 0);
    made->a = of_thread(make, 2);
    return made;
  case 1:
    return add_alone(make);
  case 4:
    made = conditional(make, condition_of_thread(make), list(make, alone, 2, depth - 1));
    if (pick(make, 2))
      made->ways[1] = list(make, alone, 2, depth - 1);
    return made;
  case 5: {
    random_node *rounds = node(make, RANDOM_BINARY, 3);
    int loops = make->loops;
    rounds->a = of_thread(make, 1);
    rounds->b = node(make, RANDOM_NUMBER, 3);
    make->loops = 0;
    made = loop(make, pick(make, 2) ? RANDOM_FOR : RANDOM_WHILE, rounds, alone, depth);
    if (made->kind == RANDOM_BARRIER) /* no counter was left */
      *made = (random_node){ .kind = RANDOM_ADD, .a = node(make, RANDOM_NUMBER, 2) };
    else if (pick(make, 2)) {
      random_node *leave =
          conditional(make, condition_of_thread(make), node(make, pick(make, 2) ? RANDOM_BREAK : RANDOM_CONTINUE, 0));
      leave->next = made->ways[0];
      made->ways[0] = leave;
    }
    make->loops = loops;
    return made;
  }
  default:
    made = node(make, RANDOM_SET_MINE, pick(make, RANDOM_OWN));
    made->a = of_thread(make, 2);
    return made;
  }
}

static random_node *together(maker *make, int depth);

static random_node *switch_of(maker *make, int depth) {
  bool in_switch = make->in_switch;
  random_node *made = node(make, RANDOM_SWITCH, 0);
  made->a = same_for_all(make, 2);
  make->in_switch = true;
  for (int i = 0; i < 4; i++)
    if (i == 0 || pick(make, 3) > 0)
      made->ways[i] = way(make, together, 2, depth - 1);
  make->in_switch = in_switch;
  made->falls = pick(make, 16) & pick(make, 16);
  return made;
}

static random_node *nested(maker *make, int depth) {
  random_node *rounds, *made;
  switch (pick(make, 5)) {
  case 0:
  case 1:
    made = conditional(make, same_for_all(make, 1), way(make, together, 3, depth - 1));
    if (pick(make, 2))
      made->ways[1] = way(make, together, 3, depth - 1);
    return made;
  case 2:
    return switch_of(make, depth);
  default:
    rounds = node(make, RANDOM_BINARY, 3);
    rounds->a = same_for_all(make, 1);
    rounds->b = node(make, RANDOM_NUMBER, 3);
    return loop(make, RANDOM_FOR + pick(make, 3), rounds, together, depth);
  }
}

/* What all do. */
static random_node *together(maker *make, int depth) {
  random_node *made;
  bool is_nested = depth > 0 && make->nested < MOST_NESTED;
  if (make->statements++ >= MOST_STATEMENTS)
    return alone(make, 0);
  switch (pick(make, is_nested ? 16 : 9)) {
  case 0:
    return node(make, RANDOM_BARRIER, 0);
  case 1:
    made = node(make, RANDOM_SET_SAME, pick(make, RANDOM_UNIFORM));
    made->a = same_for_all(make, 2);
    return made;
  case 2:
    made = node(make, RANDOM_EXCHANGE, pick(make, RANDOM_OWN));
    made->a = same_for_all(make, 1);
    return made;
  case 3:
    made = node(make, RANDOM_REPORT, pick(make, RANDOM_UNIFORM));
    made->a = of_thread(make, 1);
    made->counter = pick(make, RANDOM_TABLE);
    return made;
  case 4:
    return conditional(make, same_for_all(make, 2), jump(make, true));
  case 5:
    if (pick(make, 3) == 0) {
      made = node(make, RANDOM_VOTE, pick(make, RANDOM_UNIFORM));
      made->a = condition_of_thread(make);
      made->counter = pick(make, 3);
      return made;
    }
    if (!make->is_helper && make->kernel->helper != NULL && pick(make, 2)) {
      made = node(make, RANDOM_CALL, pick(make, RANDOM_OWN));
      made->a = same_for_all(make, 1);
      return made;
    }
    return node(make, RANDOM_BARRIER, 0);
  case 6:
  case 7:
    return parted(make);
  case 8:
    return alone(make, 2);
  default:
    make->nested++;
    return nested(make, depth);
  }
}

/* Behind which nobody waits any more: some leave first. */
static random_node *last(maker *make, int depth) {
  if (pick(make, 3) == 0)
    return conditional(make, condition_of_thread(make), node(make, RANDOM_RETURN, 0));
  return alone(make, depth);
}

static random_node *body(maker *make) {
  random_node *first = list(make, together, 6, DEEPEST), *end = first;
  while (end->next != NULL)
    end = end->next;
  end->next = list(make, last, 3, 1);
  return first;
}

/* ---- without barriers -------------------------------------------------------------------------------------- */

static random_node *freely(maker *make, int depth);

static random_node *loop_of_all(maker *make, int depth) {
  random_node *rounds = node(make, RANDOM_BINARY, 3);
  make->nested++;
  rounds->a = same_for_all(make, 1);
  rounds->b = node(make, RANDOM_NUMBER, 3);
  return loop(make, RANDOM_FOR + pick(make, 3), rounds, freely, depth);
}

/* Mostly what can be done by all next to each other. */
static random_node *freely(maker *make, int depth) {
  random_node *made;
  bool is_nested = depth > 0 && make->nested < MOST_NESTED;
  switch (pick(make, is_nested ? 12 : 6)) {
  case 0:
    made = node(make, RANDOM_SET_SAME, pick(make, RANDOM_UNIFORM));
    made->a = same_for_all(make, 2);
    return made;
  case 1:
    made = jump(make, false);
    return conditional(make, same_for_all(make, 2),
                       made->kind == RANDOM_ADD && pick(make, 8) ? set_mine(make) : made);
  case 2:
    return make->loops == 0 && pick(make, 4) == 0 ? parted(make) : set_mine(make);
  case 3:
  case 4:
  case 5:
    return set_mine(make);
  case 6:
    make->nested++;
    return conditional(make, same_for_all(make, 1), list(make, freely, 3, depth - 1));
  case 7:
    return conditional(make, condition_of_thread(make), set_mine(make));
  default:
    return loop_of_all(make, depth);
  }
}

/* x < n, or the other way round: at an edge, at a border, in a triangle. */
static random_node *compared(maker *make) {
  static const random_kind places[] = { RANDOM_THREAD, RANDOM_ROW, RANDOM_PLACE, RANDOM_PLACE };
  random_node *made = node(make, RANDOM_BINARY, pick(make, 6) ? 5 : 4);
  random_node *place = node(make, places[pick(make, 4)], 0);
  random_node *with = pick(make, 8) == 0 ? node(make, places[pick(make, 4)], 0) : same_leaf(make);
  if (pick(make, 4) == 0) { /* some further */
    random_node *sum = node(make, RANDOM_BINARY, 0);
    sum->a = with;
    sum->b = node(make, RANDOM_NUMBER, 4 + pick(make, 24));
    with = sum;
  }
  bool is_behind = pick(make, 2);
  made->a = is_behind ? with : place;
  made->b = is_behind ? place : with;
  return made;
}

static random_node *place_condition(maker *make) {
  if (pick(make, 8) == 0)
    return condition_of_thread(make);
  random_node *one = compared(make);
  if (pick(make, 3) > 0)
    return one;
  random_node *both = node(make, RANDOM_BINARY, 7 + pick(make, 2));
  both->a = one;
  both->b = compared(make);
  return both;
}

/* Who leaves has hardly ever done something first. */
static random_node *leaving(maker *make, int depth) {
  random_node *way = node(make, RANDOM_LEAVE, 0), *first;
  (void)depth;
  if (pick(make, 5) == 0) {
    first = pick(make, 3) ? set_mine(make) : add_alone(make);
    first->next = way;
    way = first;
  }
  random_node *made = conditional(make, place_condition(make), way);
  return pick(make, 4) == 0 ? conditional(make, same_for_all(make, 1), made) : made;
}

static random_node *before_leaving(maker *make, int depth) {
  (void)depth;
  return pick(make, 12) == 0 ? add_alone(make) : set_mine(make);
}

static random_node *last_of(random_node *list) {
  while (list->next != NULL)
    list = list->next;
  return list;
}

static random_node *free_body(maker *make) {
  random_node *first = list(make, before_leaving, 2, 0), *end = last_of(first);
  for (unsigned count = pick(make, 4); count > 0; count--) {
    end->next = pick(make, 3) == 0 ? set_mine(make) : leaving(make, 0);
    end = end->next;
  }
  random_node *rest = pick(make, 4) ? loop_of_all(make, DEEPEST) : set_mine(make);
  rest->next = list(make, freely, 4, DEEPEST);
  last_of(rest)->next = list(make, last, 2, 1);
  end->next = rest;
  if (pick(make, 3) == 0) {
    last_of(rest)->next = node(make, RANDOM_RETURN, 0);
    end->next = conditional(make, place_condition(make), rest);
    make->kernel->ends_inside = true;
  }
  return first;
}

random_kernel *random_make_free(uint64_t seed) {
  static const unsigned counts[] = { 5, 9, 16, 21 };
  random_kernel *kernel = calloc(1, sizeof *kernel);
  maker make = { .kernel = kernel, .state = seed * 2654435761u + 3, .is_free = true };
  make.nodes = calloc(MOST_NODES, sizeof *make.nodes);
  kernel->memory = make.nodes;
  kernel->is_free = true;
  kernel->threads = counts[pick(&make, 4)];
  kernel->rows = 1 + pick(&make, 3);
  kernel->blocks = 1 + pick(&make, 4);
  kernel->n = pick(&make, 24);
  kernel->m = pick(&make, 8);
  kernel->body = free_body(&make);
  return kernel;
}

random_kernel *random_make(uint64_t seed) {
  static const unsigned counts[] = { 4, 7, 16, 33 };
  random_kernel *kernel = calloc(1, sizeof *kernel);
  maker make = { .kernel = kernel, .state = seed * 2654435761u + 1 };
  make.nodes = calloc(MOST_NODES, sizeof *make.nodes);
  kernel->memory = make.nodes;
  kernel->rows = 1;
  kernel->threads = counts[pick(&make, 4)];
  kernel->blocks = 1 + pick(&make, 3);
  kernel->n = pick(&make, 8);
  kernel->m = pick(&make, 8);
  if (pick(&make, 3) == 0) {
    make.is_helper = true;
    random_node *helper = list(&make, together, 4, 2);
    make.is_helper = false;
    kernel->helper = helper;
  }
  kernel->body = body(&make);
  return kernel;
}

void random_free(random_kernel *kernel) {
  free(kernel->memory);
  free(kernel);
}
