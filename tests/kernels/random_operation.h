/* SPDX-License-Identifier: MIT */
/*
 * random_operation - what random_graph.h makes graphs of: operations by chance, and a model that does them one by one.
 *
 *     operation   what one node does to the variables, or a part of others: a child graph, the bodies of a condition
 *     variable    a word of the device's or the host's, or of memory that a node allocates
 *
 * They are drawn as a list, with lists in it, before there is a graph. Bodies have no host functions and no memory, and
 * child graphs no conditions, as CUDA has it. A loop counts with a word that is small when it begins, that its last
 * operation but one brings down, and that nothing else in it writes.
 */
#ifndef VPTR_TESTS_RANDOM_OPERATION_H
#define VPTR_TESTS_RANDOM_OPERATION_H

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

enum { DEVICE_WORDS = 5, HOST_WORDS = 3, ALLOCATED = 8, VARIABLES = DEVICE_WORDS + HOST_WORDS + ALLOCATED };
enum { MOST_OPERATIONS = 300, MOST_PARTS = 3, MOST_NODES = 64, MOST_DEPTH = 3 };

enum random_kind {
  RANDOM_ADD, /* by a kernel */
  RANDOM_SET,
  RANDOM_COPY,
  RANDOM_CALL, /* of a host function */
  RANDOM_EMPTY,
  RANDOM_ALLOC,
  RANDOM_FREE,
  RANDOM_WAIT, /* for an event from outside, before the word is used */
  RANDOM_RECORD,
  RANDOM_STORE, /* of the condition */
  RANDOM_CHILD,
  RANDOM_IF,
  RANDOM_SWITCH,
  RANDOM_WHILE
};

typedef struct random_operation {
  struct random_operation *next, *parts[MOST_PARTS];
  int part_count;
  enum random_kind kind;
  int to, from;
  unsigned reads, writes; /* of variables, by bits; of its parts, too */
  unsigned value;         /* that the executable graph has, */
  unsigned graph_value;   /* and the graph */
  int is_off;
  int is_fixed;                    /* what follows rests on it: it is not changed */
  struct random_operation *behind; /* of an allocation: the free whose memory it may get; of a branch: its store */
  struct random_operation *branch; /* of a store: whose condition it is */
  cudaGraphNode_t node;            /* NULL: in a child graph, which is copied */
  cudaGraphConditionalHandle handle;
} random_operation;

/* What a host function is given; never changed, since what names it may be under way. */
typedef struct random_call {
  int *word;
  unsigned value;
} random_call;

typedef struct random_graph {
  unsigned long long state;
  random_operation operations[MOST_OPERATIONS];
  int operation_count;
  random_call calls[MOST_OPERATIONS];
  int call_count;
  random_operation *list;
  int *words[VARIABLES];
  unsigned model[VARIABLES];
  int is_open[ALLOCATED];  /* while operations are drawn: it is allocated */
  int was_open[ALLOCATED]; /* it was allocated: each is once */
  random_operation *last_free;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t streams[3]; /* the last one is outside the graph */
  cudaEvent_t waited, recorded, freed;
  int told;     /* the variable that goes out and in by events; below 0: none */
  int *outside; /* what went out */
  int has_memory, has_condition;
} random_graph;

static unsigned random_below(random_graph *it, unsigned limit) {
  it->state = it->state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(it->state >> 33) % limit;
}

/* ---- operations ----------------------------------------------------------------------------------------- */

static int is_of_device(int variable) {
  return variable < DEVICE_WORDS || variable >= DEVICE_WORDS + HOST_WORDS;
}

static random_operation *make_operation(random_graph *it, enum random_kind kind, int to, int from, unsigned value) {
  random_operation *made = &it->operations[it->operation_count++];
  require(it->operation_count <= MOST_OPERATIONS);
  memset(made, 0, sizeof *made);
  made->kind = kind;
  made->to = to;
  made->from = from;
  made->value = made->graph_value = value;
  made->reads = from >= 0 ? 1u << from : 0;
  made->writes = to >= 0 ? 1u << to : 0;
  return made;
}

/* A variable that can be used now, one of the device's if it has to be; none of `kept`. */
static int draw_variable(random_graph *it, int of_device, unsigned kept) {
  for (;;) {
    const int drawn = (int)random_below(it, VARIABLES), allocated = drawn - DEVICE_WORDS - HOST_WORDS;
    if ((kept >> drawn & 1) == 0 && (!of_device || is_of_device(drawn)) && (allocated < 0 || it->is_open[allocated]))
      return drawn;
  }
}

static random_operation *draw_simple(random_graph *it, int is_body, unsigned kept) {
  const unsigned value = random_below(it, 1000) + 1;
  switch (random_below(it, is_body ? 6 : 8)) {
  case 0:
  case 1:
    return make_operation(it, RANDOM_ADD, draw_variable(it, 1, kept), -1, value);
  case 2:
    return make_operation(it, RANDOM_SET, draw_variable(it, 1, kept), -1, value);
  case 3:
  case 4: {
    const int to = draw_variable(it, 0, kept);
    return make_operation(it, RANDOM_COPY, to, draw_variable(it, 0, 1u << to), 0);
  }
  case 5:
    return make_operation(it, RANDOM_EMPTY, -1, draw_variable(it, 0, 0), 0);
  default:
    return make_operation(it, RANDOM_CALL, DEVICE_WORDS + (int)random_below(it, HOST_WORDS), -1, value);
  }
}

static void push(random_operation ***end, random_operation *made) {
  **end = made;
  *end = &made->next;
}

static random_operation *draw_list(random_graph *it, int depth, int is_body, int has_branches, unsigned kept);

/* What a list of operations reads and writes is what the one does that it is part of. */
static void add_part(random_operation *whole, random_operation *list) {
  whole->parts[whole->part_count++] = list;
  for (; list != NULL; list = list->next) {
    whole->reads |= list->reads;
    whole->writes |= list->writes;
  }
}

static random_operation *make_store(random_graph *it, random_operation *branch) {
  random_operation *store = make_operation(it, RANDOM_STORE, -1, branch->from, 0);
  store->branch = branch;
  return store;
}

/* A part that depends on a word's value; a loop's word is a small one, which its last node but one brings down. */
static void draw_branch(random_graph *it, random_operation ***end, int depth, unsigned kept) {
  const enum random_kind kind = (enum random_kind)(RANDOM_IF + (int)random_below(it, 3));
  const int from = draw_variable(it, 1, kept);
  random_operation *branch = make_operation(it, kind, -1, from, 0);
  const int parts = kind == RANDOM_WHILE ? 1 : (int)random_below(it, kind == RANDOM_IF ? 2 : MOST_PARTS) + 1;
  it->has_condition = 1;
  if (kind != RANDOM_IF || random_below(it, 2) == 0) {
    random_operation *set = make_operation(it, RANDOM_SET, from, -1, random_below(it, 4));
    set->is_fixed = 1;
    push(end, set);
  }
  branch->behind = make_store(it, branch);
  push(end, branch->behind);
  for (int i = 0; i < parts; i++) {
    random_operation *list = draw_list(it, depth + 1, 1, 1, kind == RANDOM_WHILE ? kept | 1u << from : kept);
    if (kind == RANDOM_WHILE) {
      random_operation *down = make_operation(it, RANDOM_ADD, from, -1, (unsigned)-1), **last = &list;
      down->is_fixed = 1;
      while (*last != NULL)
        last = &(*last)->next;
      push(&last, down);
      push(&last, make_store(it, branch));
    }
    add_part(branch, list);
  }
  push(end, branch);
}

static void draw_child(random_graph *it, random_operation ***end, int depth, int is_body, unsigned kept) {
  random_operation *child = make_operation(it, RANDOM_CHILD, -1, -1, 0);
  add_part(child, draw_list(it, depth + 1, is_body, 0, kept));
  push(end, child);
}

/* Memory that is allocated, and set since nobody has before; or freed. */
static void draw_memory(random_graph *it, random_operation ***end) {
  const int which = (int)random_below(it, ALLOCATED), variable = DEVICE_WORDS + HOST_WORDS + which;
  if (it->is_open[which]) {
    random_operation *end_of_it = make_operation(it, RANDOM_FREE, variable, -1, 0);
    it->is_open[which] = 0;
    it->last_free = end_of_it;
    push(end, end_of_it);
  } else if (!it->was_open[which]) {
    random_operation *alloc = make_operation(it, RANDOM_ALLOC, variable, -1, random_below(it, 2) == 0 ? 4 : 50000),
                     *set;
    alloc->behind = random_below(it, 3) == 0 ? NULL : it->last_free;
    push(end, alloc);
    set = make_operation(it, RANDOM_SET, variable, -1, random_below(it, 1000));
    set->is_fixed = 1;
    push(end, set);
    it->is_open[which] = it->was_open[which] = it->has_memory = 1;
  }
}

/* Kernels one behind the other, which may go as one. */
static void draw_run(random_graph *it, random_operation ***end, unsigned kept) {
  const int to = draw_variable(it, 1, kept);
  for (unsigned count = 3 + random_below(it, 3); count > 0; count--)
    push(end, make_operation(it, RANDOM_ADD, to, -1, random_below(it, 1000)));
}

/* In bodies no function of the host is called and no memory allocated, and in child graphs nothing depends on a
 * condition. What is `kept` is not written: loops count with it. */
static random_operation *draw_list(random_graph *it, int depth, int is_body, int has_branches, unsigned kept) {
  random_operation *first = NULL, **end = &first;
  int count = depth == 0 ? 8 + (int)random_below(it, 16) : 1 + (int)random_below(it, 4);
  while (count-- > 0) {
    const unsigned drawn = random_below(it, 12);
    if (drawn < 2 && has_branches && depth < MOST_DEPTH)
      draw_branch(it, &end, depth, kept);
    else if (drawn == 2 && depth < MOST_DEPTH)
      draw_child(it, &end, depth, is_body, kept);
    else if (drawn < 6 && depth == 0)
      draw_memory(it, &end);
    else if (drawn == 6)
      draw_run(it, &end, kept);
    else
      push(&end, draw_simple(it, is_body, kept));
  }
  return first;
}

/* ---- the model ------------------------------------------------------------------------------------------ */

static void run_model(random_graph *it, const random_operation *list);

static void run_branch(random_graph *it, const random_operation *branch) {
  const unsigned value = it->model[branch->from];
  if (branch->kind == RANDOM_WHILE)
    while (it->model[branch->from] != 0)
      run_model(it, branch->parts[0]);
  else if (branch->kind == RANDOM_SWITCH)
    run_model(it, value < (unsigned)branch->part_count ? branch->parts[value] : NULL);
  else
    run_model(it, value != 0 ? branch->parts[0] : branch->part_count > 1 ? branch->parts[1] : NULL);
}

static void run_model(random_graph *it, const random_operation *list) {
  for (; list != NULL; list = list->next) {
    if (list->is_off)
      continue;
    if (list->kind == RANDOM_ADD)
      it->model[list->to] += list->value;
    else if (list->kind == RANDOM_SET)
      it->model[list->to] = list->value;
    else if (list->kind == RANDOM_COPY)
      it->model[list->to] = it->model[list->from];
    else if (list->kind == RANDOM_CALL)
      it->model[list->to] = it->model[list->to] * 3 + list->value;
    else if (list->kind == RANDOM_CHILD)
      run_model(it, list->parts[0]);
    else if (list->kind >= RANDOM_IF)
      run_branch(it, list);
  }
}

#endif
