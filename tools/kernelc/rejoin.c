/* SPDX-License-Identifier: MIT */
/* rejoin - see rejoin.h. */
#include "rejoin.h"

#include <stdlib.h>

typedef struct turned {
  const kc_graph *graph;
  int end;     /* behind all blocks */
  int *first;  /* where the blocks before each begin in `before`; one more behind the last */
  int *before; /* of each block, then of the end */
  int *number; /* in postorder from the end; KC_NO_BLOCK: the end is never reached */
  int *order;  /* the other way: blocks by number */
  int count;   /* of numbers */
  int *rejoin;
} turned;

static unsigned way_count(const turned *turned, int block) {
  unsigned count = kc_graph_successor_count(turned->graph, block);
  return count > 0 ? count : 1;
}

/* A block that nothing follows leads to the end. */
static int way(const turned *turned, int block, unsigned which) {
  return kc_graph_successor_count(turned->graph, block) > 0 ? kc_graph_successor(turned->graph, block, which)
                                                            : turned->end;
}

static void turn_edges(turned *turned) {
  int blocks = turned->graph->count;
  turned->first = kc_allocate((size_t)blocks + 3, sizeof(int));
  for (int i = 0; i < blocks; i++)
    for (unsigned k = 0; k < way_count(turned, i); k++)
      turned->first[way(turned, i, k) + 2]++;
  for (int i = 0; i <= blocks; i++)
    turned->first[i + 2] += turned->first[i + 1];
  turned->before = kc_allocate((size_t)turned->first[blocks + 2] + 1, sizeof(int));
  for (int i = 0; i < blocks; i++)
    for (unsigned k = 0; k < way_count(turned, i); k++)
      turned->before[turned->first[way(turned, i, k) + 1]++] = i;
}

/* Without recursion, as in graph.c. */
static void number_blocks(turned *turned) {
  int *stack = kc_allocate((size_t)turned->end + 1, sizeof *stack), depth = 0;
  int *next = kc_allocate((size_t)turned->end + 1, sizeof *next);
  bool *is_seen = kc_allocate((size_t)turned->end + 1, sizeof *is_seen);
  stack[depth++] = turned->end;
  is_seen[turned->end] = true;
  while (depth > 0) {
    int block = stack[depth - 1], edge = turned->first[block] + next[block]++;
    if (edge == turned->first[block + 1]) {
      turned->order[turned->count] = block;
      turned->number[block] = turned->count++;
      depth--;
    } else if (!is_seen[turned->before[edge]]) {
      is_seen[turned->before[edge]] = true;
      stack[depth++] = turned->before[edge];
    }
  }
  free(stack);
  free(next);
  free(is_seen);
}

static int common_of(const turned *turned, int one, int other) {
  while (one != other) {
    while (turned->number[one] < turned->number[other])
      one = turned->rejoin[one];
    while (turned->number[other] < turned->number[one])
      other = turned->rejoin[other];
  }
  return one;
}

static bool improve(turned *turned, int block) {
  int found = KC_NO_BLOCK;
  for (unsigned k = 0; k < way_count(turned, block); k++) {
    int to = way(turned, block, k);
    if (turned->rejoin[to] != KC_NO_BLOCK)
      found = found == KC_NO_BLOCK ? to : common_of(turned, to, found);
  }
  bool is_better = turned->rejoin[block] != found;
  turned->rejoin[block] = found;
  return is_better;
}

int *kc_rejoin_of(const kc_graph *graph) {
  turned turned = { .graph = graph, .end = graph->count };
  size_t count = (size_t)graph->count + 1;
  turned.number = kc_allocate(count, sizeof(int));
  turned.order = kc_allocate(count, sizeof(int));
  turned.rejoin = kc_allocate(count, sizeof(int));
  for (size_t i = 0; i < count; i++)
    turned.number[i] = turned.rejoin[i] = KC_NO_BLOCK;
  turn_edges(&turned);
  number_blocks(&turned);
  turned.rejoin[turned.end] = turned.end;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = turned.count - 2; i >= 0; i--)
      has_changed |= improve(&turned, turned.order[i]);
  }
  for (int i = 0; i < graph->count; i++)
    if (turned.rejoin[i] == turned.end)
      turned.rejoin[i] = KC_NO_BLOCK;
  free(turned.first);
  free(turned.before);
  free(turned.number);
  free(turned.order);
  return turned.rejoin;
}
