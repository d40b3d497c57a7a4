/* SPDX-License-Identifier: MIT */
/*
 * place - see place.h.
 */
#include "translate/lower/place.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"

/* Of what is looked at of an index: longer sums are not taken apart. */
enum { TERMS_MOST = 8 };

/* ---- what differs between threads ------------------------------------------------------------------------ */

static bool is_varying_name(const vptr__varying *varying, const vptr__declaration *declaration) {
  if (declaration == NULL || declaration->type == NULL)
    return false;
  if (declaration->flags & VPTR__BUILT_IN)
    return declaration->built_in == VPTR__THREAD_IDX;
  if (declaration->kind == VPTR__DECLARATION_PARAMETER && !varying->instance->is_kernel &&
      declaration->type->kind != VPTR__TYPE_POINTER)
    return true;
  return vptr__map_find(&varying->variables, (uintptr_t)declaration) != NULL;
}

bool vptr__varying_is(const vptr__varying *varying, const vptr__expression *expression) {
  if (expression == NULL)
    return false;
  if (expression->kind == VPTR__EXPRESSION_NAME)
    return is_varying_name(varying, expression->declaration);
  if (expression->kind == VPTR__EXPRESSION_CALL)
    return true;
  if (expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL && expression->builtin != NULL) {
    if (expression->builtin->flags & (VPTR__BUILTIN_DIVERGENT | VPTR__BUILTIN_ATOMIC))
      return true;
    if (expression->builtin->flags & VPTR__BUILTIN_UNIFORM)
      return false;
  }
  for (int i = 0; i < 3; i++)
    if (vptr__varying_is(varying, expression->operands[i]))
      return true;
  for (const vptr__expression *argument = expression->arguments; argument != NULL; argument = argument->next)
    if (vptr__varying_is(varying, argument))
      return true;
  return false;
}

static void learn_assignment(vptr__varying *varying, const vptr__declaration *variable,
                             const vptr__expression *value) {
  if (variable == NULL || vptr__map_find(&varying->variables, (uintptr_t)variable) != NULL ||
      !vptr__varying_is(varying, value))
    return;
  *vptr__map_put(varying->arena, &varying->variables, (uintptr_t)variable) = varying;
  varying->has_changed = true;
}

static void learn_expression(void *context, vptr__expression *expression) {
  const vptr__expression *target = expression->operands[0];
  if (expression->kind == VPTR__EXPRESSION_ASSIGN && target->kind == VPTR__EXPRESSION_NAME)
    learn_assignment(context, target->declaration, expression->operands[1]);
}

static void learn_variable(void *context, vptr__declaration *variable) {
  if (variable->initializer != NULL)
    learn_assignment(context, variable, variable->initializer);
}

void vptr__varying_learn(vptr__varying *varying, vptr__arena *arena, const vptr__instance *instance) {
  enum { ROUNDS_MOST = 4 };
  *varying = (vptr__varying){ .instance = instance, .arena = arena, .has_changed = true };
  vptr__visitor visitor = { .expression = learn_expression, .variable = learn_variable, .context = varying };
  for (int i = 0; i < ROUNDS_MOST && varying->has_changed; i++) {
    varying->has_changed = false;
    vptr__visit_statement(&visitor, instance->function->body);
  }
}

/* ---- values side by side --------------------------------------------------------------------------------- */

static const vptr__expression *strip_casts(const vptr__expression *value) {
  while (value != NULL && value->kind == VPTR__EXPRESSION_CAST)
    value = value->operands[0];
  return value;
}

static bool is_same(const vptr__expression *left, const vptr__expression *right) {
  left = strip_casts(left);
  right = strip_casts(right);
  if (left == NULL || right == NULL)
    return left == right;
  if (left->kind != right->kind || left->op != right->op || left->declaration != right->declaration ||
      left->integer != right->integer || left->name != right->name || left->arguments != NULL ||
      right->arguments != NULL)
    return false;
  for (int i = 0; i < 3; i++)
    if (!is_same(left->operands[i], right->operands[i]))
      return false;
  return true;
}

static bool is_number(const vptr__expression *value) {
  return strip_casts(value)->kind == VPTR__EXPRESSION_INTEGER;
}

/* The terms of a sum, without their signs; how many. */
static int list_terms(const vptr__expression *sum, const vptr__expression **terms, int count) {
  sum = strip_casts(sum);
  if (sum->kind != VPTR__EXPRESSION_BINARY || (sum->op != '+' && sum->op != '-') || count + 2 > TERMS_MOST) {
    terms[count] = sum;
    return count + 1;
  }
  count = list_terms(sum->operands[0], terms, count);
  return count < TERMS_MOST ? list_terms(sum->operands[1], terms, count) : count;
}

static bool is_piece(const vptr__varying *varying, const vptr__expression *term) {
  return term->kind == VPTR__EXPRESSION_BINARY && (term->op == '*' || term->op == VPTR__TOKEN_SHIFT_LEFT) &&
         vptr__varying_is(varying, term);
}

/* Whether what differs between threads is in both the same, and times something. */
static bool is_of_one_piece(const vptr__varying *varying, const vptr__expression *left,
                            const vptr__expression *right) {
  const vptr__expression *terms[2][TERMS_MOST];
  const int counts[2] = { list_terms(left, terms[0], 0), list_terms(right, terms[1], 0) };
  bool has_piece = false;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < counts[side]; i++) {
      if (!vptr__varying_is(varying, terms[side][i]))
        continue;
      int j = 0;
      while (j < counts[!side] && !is_same(terms[side][i], terms[!side][j]))
        j++;
      if (j == counts[!side])
        return false;
      has_piece |= is_piece(varying, terms[side][i]);
    }
  return has_piece;
}

static vptr__place_relation relate_indices(const vptr__varying *varying, const vptr__expression *left,
                                           const vptr__expression *right) {
  bool is_varying = vptr__varying_is(varying, left) || vptr__varying_is(varying, right);
  if (is_same(left, right))
    return is_varying ? VPTR__PLACE_OWN : VPTR__PLACE_COMMON;
  if (is_number(left) && is_number(right))
    return VPTR__PLACE_APART;
  if (!is_varying)
    return VPTR__PLACE_COMMON;
  return is_of_one_piece(varying, left, right) ? VPTR__PLACE_OWN : VPTR__PLACE_OTHER;
}

/* ---- lvalues --------------------------------------------------------------------------------------------- */

static bool is_address(const vptr__expression *value) {
  const vptr__type *type = value->type;
  return type != NULL && (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_ARRAY);
}

/* What is indexed, and by what, if by anything: of p[i], p + i, *p. NULL: it is none of these. */
static const vptr__expression *base_of(const vptr__expression *place, const vptr__expression **index_out) {
  *index_out = NULL;
  if (place->kind == VPTR__EXPRESSION_UNARY && place->op == '*')
    return place->operands[0];
  int at = place->operands[0] != NULL && is_address(place->operands[0]) ? 0 : 1;
  if (place->kind == VPTR__EXPRESSION_INDEX) {
    *index_out = place->operands[!at];
    return place->operands[at];
  }
  if (place->kind != VPTR__EXPRESSION_BINARY || !is_address(place) || (place->op != '+' && place->op != '-'))
    return NULL;
  *index_out = place; /* the whole sum, which may have been written in any order */
  while (strip_casts(place)->kind == VPTR__EXPRESSION_BINARY && is_address(strip_casts(place)))
    place = strip_casts(place)->operands[is_address(strip_casts(place)->operands[0]) ? 0 : 1];
  return place;
}

/* Without what does not move. */
static const vptr__expression *place_of(const vptr__expression *value) {
  while (value->kind == VPTR__EXPRESSION_CAST || value->kind == VPTR__EXPRESSION_LOAD)
    value = value->operands[0];
  return value;
}

const vptr__expression *vptr__place_name(const vptr__expression *place) {
  for (;;) {
    place = place_of(place);
    const vptr__expression *index, *base = base_of(place, &index);
    if (base == NULL && place->kind != VPTR__EXPRESSION_MEMBER)
      return place->kind == VPTR__EXPRESSION_NAME && place->declaration != NULL ? place : NULL;
    place = base != NULL ? base : place->operands[0];
  }
}

static vptr__place_relation combine_relations(vptr__place_relation outer, vptr__place_relation inner) {
  static const vptr__place_relation order[] = { VPTR__PLACE_APART, VPTR__PLACE_OTHER, VPTR__PLACE_OWN };
  for (int i = 0; i < 3; i++)
    if (outer == order[i] || inner == order[i])
      return order[i];
  return VPTR__PLACE_COMMON;
}

static vptr__place_relation relate_elements(const vptr__varying *varying, const vptr__expression *left,
                                            const vptr__expression *right) {
  if (left == NULL && right == NULL)
    return VPTR__PLACE_COMMON;
  if (left == NULL || right == NULL) /* p[0] is *p */
    return vptr__varying_is(varying, left) || vptr__varying_is(varying, right) ? VPTR__PLACE_OTHER
                                                                               : VPTR__PLACE_COMMON;
  return relate_indices(varying, left, right);
}

vptr__place_relation vptr__place_relate(const vptr__varying *varying, const vptr__expression *left,
                                        const vptr__expression *right) {
  vptr__place_relation all = VPTR__PLACE_COMMON;
  for (;;) {
    left = place_of(left);
    right = place_of(right);
    const vptr__expression *left_index, *right_index;
    const vptr__expression *left_base = base_of(left, &left_index), *right_base = base_of(right, &right_index);
    if (left_base != NULL && right_base != NULL) {
      all = combine_relations(all, relate_elements(varying, left_index, right_index));
    } else if (left->kind == VPTR__EXPRESSION_MEMBER && right->kind == VPTR__EXPRESSION_MEMBER) {
      if (left->declaration != right->declaration)
        return VPTR__PLACE_APART;
      left_base = left->operands[0];
      right_base = right->operands[0];
    } else {
      return left->kind == VPTR__EXPRESSION_NAME && left->declaration == right->declaration ? all : VPTR__PLACE_APART;
    }
    left = left_base;
    right = right_base;
  }
}
