/* SPDX-License-Identifier: MIT */
/*
 * track - see track.h.
 */
#include "translate/lower/track.h"

#include <string.h>

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"

/* ---- which variables are followed -------------------------------------------------------------------------- */

/* A variable of which each use is a plain load or store. */
typedef struct track_pass {
  vptr__arena *arena;
  vptr__map uses, plain; /* declaration -> how many */
  bool has_goto;
} track_pass;

static void count_up(track_pass *pass, vptr__map *map, const vptr__declaration *variable) {
  uintptr_t *slot = (uintptr_t *)vptr__map_put(pass->arena, map, (uintptr_t)variable);
  ++*slot;
}

static uintptr_t count_of(const vptr__map *map, const vptr__declaration *variable) {
  void **slot = vptr__map_find(map, (uintptr_t)variable);
  return slot != NULL ? (uintptr_t)*slot : 0;
}

static bool is_step(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_UNARY &&
         (expression->op == VPTR__TOKEN_INCREMENT || expression->op == VPTR__TOKEN_DECREMENT);
}

static void look_at_use(void *context, vptr__expression *expression) {
  track_pass *pass = context;
  if (expression->kind == VPTR__EXPRESSION_NAME && expression->declaration != NULL)
    count_up(pass, &pass->uses, expression->declaration);
  if (expression->kind != VPTR__EXPRESSION_LOAD && expression->kind != VPTR__EXPRESSION_ASSIGN &&
      !is_step(expression))
    return;
  const vptr__expression *operand = expression->operands[0];
  if (operand->kind == VPTR__EXPRESSION_NAME && operand->declaration != NULL)
    count_up(pass, &pass->plain, operand->declaration);
}

static void look_for_goto(void *context, vptr__statement *statement) {
  ((track_pass *)context)->has_goto |= statement->kind == VPTR__STATEMENT_GOTO;
}

static bool is_scalar(const vptr__type *type) {
  return type != NULL && type->kind != VPTR__TYPE_RECORD && type->kind != VPTR__TYPE_ARRAY &&
         type->kind != VPTR__TYPE_REFERENCE;
}

static bool is_followed(const track_pass *pass, const vptr__declaration *variable) {
  unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__STATIC | VPTR__EXTERN |
                       VPTR__BUILT_IN | VPTR__AT_NAMESPACE | VPTR__ADDRESSED;
  return is_scalar(variable->type) && !(variable->flags & elsewhere) &&
         count_of(&pass->uses, variable) == count_of(&pass->plain, variable);
}

typedef struct number_pass {
  vptr__track *track;
  const track_pass *uses;
} number_pass;

static void give_number(void *context, vptr__declaration *variable) {
  number_pass *pass = context;
  if (is_followed(pass->uses, variable))
    *vptr__map_put(pass->track->arena, &pass->track->numbers, (uintptr_t)variable) =
        (void *)(uintptr_t)++pass->track->count;
}

void vptr__track_make(vptr__track *track, vptr__arena *arena, const vptr__instance *instance) {
  const vptr__statement *body = vptr__infer_looped(instance);
  enum { BITS = 64 };
  track_pass uses = { .arena = arena };
  number_pass numbers = { .track = track, .uses = &uses };
  vptr__visitor look = { .expression = look_at_use, .statement = look_for_goto, .context = &uses };
  vptr__visitor number = { .variable = give_number, .context = &numbers };
  track->arena = arena;
  vptr__visit_statement(&look, (vptr__statement *)body);
  if (!uses.has_goto) {
    for (vptr__declaration *each = instance->function->type->parameters; each != NULL; each = each->next)
      give_number(&numbers, each);
    vptr__visit_statement(&number, (vptr__statement *)body);
  }
  track->words = (track->count + BITS - 1) / BITS;
  track->now = vptr__track_bits(track);
}

/* ---- what they hold ----------------------------------------------------------------------------------------- */

int vptr__track_number(const vptr__track *track, const vptr__declaration *variable) {
  void **slot = vptr__map_find(&track->numbers, (uintptr_t)variable);
  return slot != NULL ? (int)(uintptr_t)*slot - 1 : -1;
}

int vptr__track_lvalue(const vptr__track *track, const vptr__expression *lvalue) {
  return lvalue->kind == VPTR__EXPRESSION_NAME && lvalue->declaration != NULL
             ? vptr__track_number(track, lvalue->declaration)
             : -1;
}

bool vptr__track_differs(const vptr__track *track, int number) {
  return track->now->words[number / 64] >> number % 64 & 1;
}

void vptr__track_set(vptr__track *track, int number, bool differs) {
  uint64_t bit = UINT64_C(1) << number % 64;
  if (differs)
    track->now->words[number / 64] |= bit;
  else
    track->now->words[number / 64] &= ~bit;
}

vptr__bits *vptr__track_bits(vptr__track *track) {
  size_t bytes = track->words * sizeof(uint64_t);
  vptr__bits *bits = track->spare;
  if (bits != NULL)
    track->spare = bits->next;
  else
    bits = vptr__arena_allocate(track->arena, sizeof *bits + bytes);
  memset(bits->words, 0, bytes);
  return bits;
}

vptr__bits *vptr__track_copy(vptr__track *track) {
  vptr__bits *bits = vptr__track_bits(track);
  vptr__track_join(track, bits, track->now);
  return bits;
}

void vptr__track_give(vptr__track *track, vptr__bits *bits) {
  bits->next = track->spare;
  track->spare = bits;
}

bool vptr__track_join(const vptr__track *track, vptr__bits *into, const vptr__bits *from) {
  uint64_t new = 0;
  for (uint32_t i = 0; i < track->words; i++) {
    new |= from->words[i] & ~into->words[i];
    into->words[i] |= from->words[i];
  }
  return new != 0;
}

void vptr__track_leave(vptr__track *track, vptr__bits *to) {
  if (to != NULL)
    vptr__track_join(track, to, track->now);
  memset(track->now->words, 0, track->words * sizeof(uint64_t));
}

vptr__bits *vptr__track_head(vptr__track *track, const vptr__statement *loop) {
  void **slot = vptr__map_put(track->arena, &track->heads, (uintptr_t)loop);
  if (*slot == NULL)
    *slot = vptr__track_bits(track);
  return *slot;
}
