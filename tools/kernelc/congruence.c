/* SPDX-License-Identifier: MIT */
/* congruence - see congruence.h. */
#include "congruence.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "graph.h"
#include "live.h"
#include "name.h"
#include "type.h"

typedef unsigned long long word;

/* Of values by number: a class is its leader, the value with the least number of it. */
typedef struct congruence {
  kc_writer *writer;
  const kc_live *live;
  const bool *differs; /* from the first instruction's number on */
  size_t first;        /* that number */
  size_t *leader;
  word **members;   /* of a leader; NULL: the value has a variable of its own */
  word **conflicts; /* of a leader: values that are used behind a definition of its class, or the other way round */
} congruence;

/* ---- which values ----------------------------------------------------------------------------------------- */

/* Its statement is one assignment, whose right side is read before the variable is written. */
static bool is_assigned_at_once(kc_writer *writer, LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPHI:
    return true;
  case LLVMLoad:
    return LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
  case LLVMCall:
    return kc_call_is_expression(value);
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return false;
  default:
    return kc_leaf_count(writer, LLVMTypeOf(value)) == 1;
  }
}

static bool may_share(kc_writer *writer, LLVMValueRef value, size_t *number_out) {
  return value != NULL && LLVMIsAInstruction(value) != NULL && kc_live_number(value, number_out) &&
         !kc_is_pointer(LLVMTypeOf(value)) && kc_leaf_count(writer, LLVMTypeOf(value)) == 1 &&
         is_assigned_at_once(writer, value);
}

static void add_class(congruence *congruence, size_t number) {
  if (congruence->members[number] != NULL)
    return;
  congruence->members[number] = kc_allocate(congruence->live->words, sizeof(word));
  congruence->conflicts[number] = kc_allocate(congruence->live->words, sizeof(word));
  congruence->members[number][number / 64] |= 1ull << number % 64;
}

/* Calls for each phi and value that comes into it, of which either may share a variable. */
typedef void each_pair(congruence *congruence, size_t phi, size_t value);

static void for_each_pair(congruence *congruence, each_pair *each) {
  const kc_graph *graph = congruence->writer->graph;
  for (int i = 0; i < graph->count; i++)
    for (LLVMValueRef phi = LLVMGetFirstInstruction(graph->blocks[i].ir); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
      size_t own = 0, other = 0;
      for (unsigned k = 0; may_share(congruence->writer, phi, &own) && k < LLVMCountIncoming(phi); k++)
        if (may_share(congruence->writer, LLVMGetIncomingValue(phi, k), &other) && other != own)
          each(congruence, own, other);
    }
}

static void add_pair(congruence *congruence, size_t phi, size_t value) {
  add_class(congruence, phi);
  add_class(congruence, value);
}

/* ---- conflicts -------------------------------------------------------------------------------------------- */

/* `behind` is what is used behind the definition of that value. */
static void note_definition(congruence *congruence, size_t number, const word *behind) {
  word *conflicts = congruence->conflicts[number];
  if (conflicts == NULL)
    return;
  for (size_t i = 0; i < congruence->live->words; i++) {
    conflicts[i] |= behind[i];
    for (word left = behind[i]; left != 0; left &= left - 1) {
      word *others = congruence->conflicts[i * 64 + (size_t)__builtin_ctzll(left)];
      if (others != NULL)
        others[number / 64] |= 1ull << number % 64;
    }
  }
  conflicts[number / 64] &= ~(1ull << number % 64);
}

/* Phis are defined at once, in front of their block, each beside all that is used there. */
static void note_phis(congruence *congruence, LLVMBasicBlockRef block, const word *front) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
       phi = LLVMGetNextInstruction(phi)) {
    size_t number = 0;
    if (kc_live_number(phi, &number))
      note_definition(congruence, number, front);
  }
}

static void note_block(congruence *congruence, int block, word *set) {
  const kc_live *live = congruence->live;
  LLVMBasicBlockRef ir = congruence->writer->graph->blocks[block].ir;
  memcpy(set, live->behind + (size_t)block * live->words, live->words * sizeof *set);
  for (LLVMValueRef each = LLVMGetLastInstruction(ir); each != NULL && LLVMIsAPHINode(each) == NULL;
       each = LLVMGetPreviousInstruction(each)) {
    size_t number = 0;
    if (kc_live_number(each, &number))
      note_definition(congruence, number, set);
    kc_live_pass(set, each);
  }
  note_phis(congruence, ir, set);
}

/* ---- classes ---------------------------------------------------------------------------------------------- */

static size_t leader_of(const congruence *congruence, size_t number) {
  while (congruence->leader[number] != number)
    number = congruence->leader[number];
  return number;
}

static bool have_common(const word *a, const word *b, size_t words) {
  word common = 0;
  for (size_t i = 0; i < words; i++)
    common |= a[i] & b[i];
  return common != 0;
}

static bool is_alike(const congruence *congruence, size_t one, size_t other) {
  const LLVMValueRef *values = congruence->live->values;
  return LLVMTypeOf(values[one]) == LLVMTypeOf(values[other]) &&
         congruence->differs[one - congruence->first] == congruence->differs[other - congruence->first];
}

static void join_pair(congruence *congruence, size_t phi, size_t value) {
  size_t one = leader_of(congruence, phi), other = leader_of(congruence, value), words = congruence->live->words;
  size_t least = one < other ? one : other, most = one < other ? other : one;
  if (one == other || !is_alike(congruence, one, other) ||
      have_common(congruence->conflicts[one], congruence->members[other], words) ||
      have_common(congruence->conflicts[other], congruence->members[one], words))
    return;
  congruence->leader[most] = least;
  for (size_t i = 0; i < words; i++) {
    congruence->members[least][i] |= congruence->members[most][i];
    congruence->conflicts[least][i] |= congruence->conflicts[most][i];
  }
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

static void name_classes(const congruence *congruence) {
  for (size_t i = 0; i < congruence->live->count; i++)
    if (congruence->members[i] != NULL && leader_of(congruence, i) != i)
      kc_name_share(congruence->live->values[i], congruence->live->values[leader_of(congruence, i)]);
}

static void free_classes(congruence *congruence) {
  for (size_t i = 0; i < congruence->live->count; i++) {
    free(congruence->members[i]);
    free(congruence->conflicts[i]);
  }
  free(congruence->members);
  free(congruence->conflicts);
  free(congruence->leader);
}

void kc_congruence_name(kc_writer *writer, LLVMValueRef function, const bool *differs) {
  const kc_live *live = kc_live_of(writer, function);
  congruence congruence = { .writer = writer, .live = live, .differs = differs, .first = LLVMCountParams(function) };
  word *set = kc_allocate(live->words, sizeof *set);
  congruence.leader = kc_allocate(live->count, sizeof *congruence.leader);
  congruence.members = kc_allocate(live->count, sizeof *congruence.members);
  congruence.conflicts = kc_allocate(live->count, sizeof *congruence.conflicts);
  for (size_t i = 0; i < live->count; i++)
    congruence.leader[i] = i;
  for_each_pair(&congruence, add_pair);
  for (int i = 0; i < writer->graph->count; i++)
    note_block(&congruence, i, set);
  for_each_pair(&congruence, join_pair);
  name_classes(&congruence);
  free_classes(&congruence);
  free(set);
}
