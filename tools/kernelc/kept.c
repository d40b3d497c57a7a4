/* SPDX-License-Identifier: MIT */
/* kept - see kept.h. Both are equations over the blocks' graph, as those of live.c: the first forwards, the second
 * backwards. */
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "stop.h"

typedef unsigned long long word;

typedef struct solving {
  const kc_graph *graph;
  kc_kept *kept;
  size_t words;
  unsigned *first; /* of each block: the number of its first stop */
  word *front;     /* of each block: the set in front of it */
  word *set;       /* at the place that is passed */
} solving;

static bool is_stop(LLVMValueRef instruction) {
  return kc_stop_of(instruction).operation != NULL;
}

static word *front_of(const solving *solving, int block) {
  return solving->front + (size_t)block * solving->words;
}

static word *set_of(word *sets, const solving *solving, unsigned stop) {
  return sets + stop * solving->words;
}

/* Whether any were new. */
static bool join(word *into, const word *from, size_t words) {
  word new = 0;
  for (size_t i = 0; i < words; i++) {
    new |= from[i] & ~into[i];
    into[i] |= from[i];
  }
  return new != 0;
}

/* ---- stops ----------------------------------------------------------------------------------------------- */

static unsigned count_stops(const kc_graph *graph) {
  unsigned count = 0;
  for (int i = 0; i < graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      count += is_stop(each);
  return count;
}

static void list_stops(solving *solving) {
  kc_kept *kept = solving->kept;
  const kc_graph *graph = solving->graph;
  kept->stops = kc_allocate(count_stops(graph), sizeof *kept->stops);
  for (int i = 0; i < graph->count; i++) {
    solving->first[i] = kept->count;
    for (LLVMValueRef each = LLVMGetFirstInstruction(graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (is_stop(each))
        kept->stops[kept->count++] = each;
  }
}

unsigned kc_kept_stop(const kc_kept *kept, LLVMValueRef call) {
  unsigned stop = 0;
  while (kept->stops[stop] != call)
    stop++;
  return stop;
}

/* ---- saved ------------------------------------------------------------------------------------------------ */

static void save_at(const solving *solving, unsigned stop) {
  word *saved = set_of(solving->kept->saved, solving, stop);
  for (size_t i = 0; i < solving->words; i++)
    saved[i] &= solving->set[i];
}

/* saved[] has at first what is used behind a stop; the last round leaves of it what is fresh. */
static bool go_through(const solving *solving, int block, bool saves) {
  bool has_changed = false;
  unsigned stop = solving->first[block];
  memcpy(solving->set, front_of(solving, block), solving->words * sizeof *solving->set);
  for (LLVMValueRef each = LLVMGetFirstInstruction(solving->graph->blocks[block].ir); each != NULL;
       each = LLVMGetNextInstruction(each)) {
    size_t number = 0;
    if (is_stop(each)) {
      if (saves)
        save_at(solving, stop);
      memset(solving->set, 0, solving->words * sizeof *solving->set);
      stop++;
    }
    if (kc_live_number(each, &number))
      solving->set[number / 64] |= 1ull << number % 64;
  }
  for (unsigned k = 0; k < kc_graph_successor_count(solving->graph, block); k++)
    has_changed |=
        join(front_of(solving, kc_graph_successor(solving->graph, block, k)), solving->set, solving->words);
  return has_changed;
}

static bool go_round(const solving *solving, bool saves) {
  bool has_changed = false;
  for (int i = 0; i < solving->graph->count; i++)
    has_changed |= go_through(solving, i, saves);
  return has_changed;
}

static void find_saved(kc_writer *writer, const solving *solving) {
  kc_kept *kept = solving->kept;
  for (unsigned stop = 0; stop < kept->count; stop++) {
    word *live = kc_live_behind(writer, kept->live, kept->stops[stop]);
    memcpy(set_of(kept->saved, solving, stop), live, solving->words * sizeof *live);
    free(live);
  }
  while (go_round(solving, false))
    continue;
  go_round(solving, true);
}

/* ---- loaded ----------------------------------------------------------------------------------------------- */

/* What is needed behind a stop is taken there; in front of it, what it puts into the frame. */
static void load_behind(const solving *solving, unsigned stop) {
  word *loaded = set_of(solving->kept->loaded, solving, stop);
  size_t own = 0;
  memcpy(loaded, solving->set, solving->words * sizeof *loaded);
  if (kc_live_number(solving->kept->stops[stop], &own))
    loaded[own / 64] &= ~(1ull << own % 64);
  memcpy(solving->set, set_of(solving->kept->saved, solving, stop), solving->words * sizeof *loaded);
}

static bool go_back_through(const solving *solving, int block) {
  const kc_graph *graph = solving->graph;
  LLVMBasicBlockRef ir = graph->blocks[block].ir;
  unsigned stop = block + 1 < graph->count ? solving->first[block + 1] : solving->kept->count;
  memset(solving->set, 0, solving->words * sizeof *solving->set);
  for (unsigned k = 0; k < kc_graph_successor_count(graph, block); k++) {
    int next = kc_graph_successor(graph, block, k);
    join(solving->set, front_of(solving, next), solving->words);
    kc_live_edge(solving->set, ir, graph->blocks[next].ir);
  }
  for (LLVMValueRef each = LLVMGetLastInstruction(ir); each != NULL; each = LLVMGetPreviousInstruction(each)) {
    if (is_stop(each))
      load_behind(solving, --stop);
    kc_live_pass(solving->set, each);
  }
  return join(front_of(solving, block), solving->set, solving->words);
}

static void find_loaded(const solving *solving) {
  memset(solving->front, 0, (size_t)solving->graph->count * solving->words * sizeof *solving->front);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = solving->graph->count - 1; i >= 0; i--)
      has_changed |= go_back_through(solving, i);
  }
}

/* ---- answers ---------------------------------------------------------------------------------------------- */

kc_kept *kc_kept_of(kc_writer *writer, LLVMValueRef function) {
  kc_kept *kept = kc_allocate(1, sizeof *kept);
  size_t blocks = (size_t)writer->graph->count;
  kept->live = kc_live_of(writer, function);
  solving solving = { .graph = writer->graph, .kept = kept, .words = kept->live->words };
  solving.first = kc_allocate(blocks, sizeof *solving.first);
  solving.front = kc_allocate(blocks * solving.words, sizeof *solving.front);
  solving.set = kc_allocate(solving.words, sizeof *solving.set);
  list_stops(&solving);
  kept->saved = kc_allocate(kept->count * solving.words, sizeof *kept->saved);
  kept->loaded = kc_allocate(kept->count * solving.words, sizeof *kept->loaded);
  find_saved(writer, &solving);
  find_loaded(&solving);
  free(solving.first);
  free(solving.front);
  free(solving.set);
  return kept;
}

static void each_of(kc_writer *writer, const kc_live *live, const word *set, kc_kept_each *each, void *context) {
  for (size_t i = 0; i < live->count; i++)
    if ((set[i / 64] >> i % 64 & 1) != 0 && live->values[i] != NULL)
      each(writer, live->values[i], context);
}

void kc_kept_saved(kc_writer *writer, const kc_kept *kept, unsigned stop, kc_kept_each *each, void *context) {
  each_of(writer, kept->live, kept->saved + stop * kept->live->words, each, context);
}

void kc_kept_loaded(kc_writer *writer, const kc_kept *kept, unsigned stop, kc_kept_each *each, void *context) {
  each_of(writer, kept->live, kept->loaded + stop * kept->live->words, each, context);
}
