/* SPDX-License-Identifier: MIT */
/*
 * mod_ref - see mod_ref.h.
 *
 * Two walks that call each other: of values, which says where a pointer value goes, and of lvalues, which says what
 * is done at the place: nothing but reading, or writing, or that its address goes on somewhere. Both are said by a
 * carrier: NULL is nowhere, and `anywhere` is written to from the start.
 */
#include "translate/lower/mod_ref.h"

#include "translate/infer/infer.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"

#include <string.h>

typedef struct source {
  vptr__carrier *carrier;
  struct source *next;
} source;

struct vptr__carrier {
  bool is_written;
  source *sources;        /* whose pointers come here; none once it is written to */
  vptr__carrier *pending; /* in write_through()'s list */
};

static vptr__carrier anywhere = { .is_written = true };

typedef struct written_pass {
  vptr__mod_ref *mod_ref;
  const vptr__declaration *function;
} written_pass;

static void walk_value(written_pass *pass, const vptr__expression *value, vptr__carrier *to);
static void walk_place(written_pass *pass, const vptr__expression *lvalue, vptr__carrier *to);

/* ---- carriers -------------------------------------------------------------------------------------------- */

/* Of a function: what it returns. */
static vptr__carrier *carrier_of(vptr__mod_ref *mod_ref, const vptr__declaration *declaration) {
  void **slot = vptr__map_put(mod_ref->arena, &mod_ref->carriers, (uintptr_t)declaration);
  if (*slot == NULL)
    *slot = VPTR__ARENA_NEW(mod_ref->arena, vptr__carrier);
  return *slot;
}

/* With all whose pointers may be there. */
static void write_through(vptr__carrier *carrier) {
  vptr__carrier *list = carrier->is_written ? NULL : carrier;
  carrier->is_written = true;
  while (list != NULL) {
    vptr__carrier *first = list;
    list = first->pending;
    for (source *each = first->sources; each != NULL; each = each->next)
      if (!each->carrier->is_written) {
        each->carrier->is_written = true;
        each->carrier->pending = list;
        list = each->carrier;
      }
    first->sources = NULL;
  }
}

static void link_carriers(written_pass *pass, vptr__carrier *from, vptr__carrier *to) {
  if (to == NULL || from->is_written)
    return;
  if (to->is_written) {
    write_through(from);
    return;
  }
  source *made = VPTR__ARENA_NEW(pass->mod_ref->arena, source);
  *made = (source){ from, to->sources };
  to->sources = made;
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static bool is_pointer(const vptr__type *type) {
  return type != NULL && type->kind == VPTR__TYPE_POINTER;
}

static bool is_reference(const vptr__declaration *variable) {
  return variable->type->kind == VPTR__TYPE_REFERENCE;
}

/* A variable of a function's. */
static const vptr__declaration *local_of(const vptr__expression *name) {
  const unsigned elsewhere = VPTR__AT_NAMESPACE | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__BUILT_IN;
  const vptr__declaration *variable = name->declaration;
  if (name->kind != VPTR__EXPRESSION_NAME || variable == NULL || variable->type == NULL ||
      (variable->kind != VPTR__DECLARATION_VARIABLE && variable->kind != VPTR__DECLARATION_PARAMETER) ||
      (variable->flags & elsewhere))
    return NULL;
  return variable;
}

/* A pointer variable of a function's: assigning to it writes nothing that anybody pointed to. */
static vptr__carrier *pointer_variable(written_pass *pass, const vptr__expression *lvalue) {
  const vptr__declaration *variable = local_of(lvalue);
  return variable != NULL && is_pointer(variable->type) ? carrier_of(pass->mod_ref, variable) : NULL;
}

static bool is_step(const vptr__expression *unary) {
  return unary->op == VPTR__TOKEN_INCREMENT || unary->op == VPTR__TOKEN_DECREMENT;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static const vptr__declaration *callee_of(const vptr__expression *call) {
  const vptr__declaration *named = call->operands[0]->declaration;
  return named != NULL && named->definition != NULL ? named->definition : named;
}

static void walk_call(written_pass *pass, const vptr__expression *call, vptr__carrier *to) {
  const vptr__declaration *callee = callee_of(call);
  const vptr__declaration *parameter = callee != NULL && callee->body != NULL ? callee->type->parameters : NULL;
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next) {
    vptr__carrier *there = parameter != NULL ? carrier_of(pass->mod_ref, parameter) : &anywhere;
    if (parameter != NULL && is_reference(parameter) && argument->is_lvalue)
      walk_place(pass, argument, there);
    else
      walk_value(pass, argument, parameter != NULL && is_pointer(parameter->type) ? there : &anywhere);
    parameter = parameter != NULL ? parameter->next : NULL;
  }
  if (callee != NULL)
    link_carriers(pass, carrier_of(pass->mod_ref, callee), to);
}

/* Whether there are pointers where an argument points to: a copy of those leads anywhere. */
static bool shows_pointers(const vptr__expression *argument) {
  while (argument->kind == VPTR__EXPRESSION_CAST && is_pointer(argument->operands[0]->type))
    argument = argument->operands[0];
  return is_pointer(argument->type) && vptr__infer_has_pointers(argument->type->base);
}

/* CUDA's functions that read what they are given. memcpy() reads its second argument. */
static bool only_reads(const vptr__builtin *builtin, int index, const vptr__expression *argument) {
  static const char *const readers[] = { "load", "printf", "assert", "stuck" };
  bool is_copy = strcmp(builtin->lowered, "memcpy") == 0 || strcmp(builtin->lowered, "memmove") == 0;
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
    if (strcmp(builtin->lowered, readers[i]) == 0)
      return true;
  return is_copy && index == 1 && !shows_pointers(argument);
}

static void walk_built_in(written_pass *pass, const vptr__expression *call) {
  int index = 0;
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    walk_value(pass, argument, only_reads(call->builtin, index++, argument) ? NULL : &anywhere);
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static void walk_assignment(written_pass *pass, const vptr__expression *assign, vptr__carrier *to) {
  const vptr__expression *target = assign->operands[0], *value = assign->operands[1];
  vptr__carrier *variable = pointer_variable(pass, target);
  if (variable == NULL) {
    walk_place(pass, target, &anywhere);
    walk_value(pass, value, &anywhere);
    return;
  }
  walk_value(pass, value, assign->op == '=' ? variable : NULL);
  link_carriers(pass, variable, to);
}

/* ++ and --: of a pointer variable they lead nowhere but to where it points already. */
static void walk_step(written_pass *pass, const vptr__expression *step, vptr__carrier *to) {
  vptr__carrier *variable = pointer_variable(pass, step->operands[0]);
  if (variable != NULL)
    link_carriers(pass, variable, to);
  else
    walk_place(pass, step->operands[0], &anywhere);
}

/* What lies at an lvalue is the value. Pointers that lie in memory came there from nowhere that is known: where a
 * parameter's went into memory, it counted as a write. */
static void walk_load(written_pass *pass, const vptr__expression *lvalue, vptr__carrier *to) {
  vptr__carrier *variable = pointer_variable(pass, lvalue);
  if (variable != NULL) {
    link_carriers(pass, variable, to);
  } else if (lvalue->kind == VPTR__EXPRESSION_CONDITIONAL) {
    walk_value(pass, lvalue->operands[0], NULL);
    walk_load(pass, lvalue->operands[1], to);
    walk_load(pass, lvalue->operands[2], to);
  } else if (lvalue->kind == VPTR__EXPRESSION_BINARY) {
    walk_value(pass, lvalue->operands[0], NULL);
    walk_load(pass, lvalue->operands[1], to);
  } else if (lvalue->kind == VPTR__EXPRESSION_CAST && lvalue->is_lvalue) {
    walk_load(pass, lvalue->operands[0], to);
  } else if (lvalue->kind == VPTR__EXPRESSION_ASSIGN) {
    walk_assignment(pass, lvalue, to);
  } else if (lvalue->kind == VPTR__EXPRESSION_UNARY && is_step(lvalue)) {
    walk_step(pass, lvalue, to);
  } else {
    walk_place(pass, lvalue, NULL);
  }
}

static void walk_operator(written_pass *pass, const vptr__expression *value, vptr__carrier *to) {
  vptr__expression *const *operands = value->operands;
  bool goes_on = is_pointer(value->type);
  if (value->kind == VPTR__EXPRESSION_CONDITIONAL) {
    walk_value(pass, operands[0], NULL);
    walk_value(pass, operands[1], to);
    walk_value(pass, operands[2], to);
  } else if (value->kind == VPTR__EXPRESSION_BINARY) {
    walk_value(pass, operands[0], goes_on && value->op != ',' ? to : NULL);
    walk_value(pass, operands[1], goes_on ? to : NULL);
  } else if (value->op == '&') {
    walk_place(pass, operands[0], to);
  } else if (is_step(value)) {
    walk_step(pass, value, to);
  } else {
    walk_value(pass, operands[0], goes_on ? to : NULL);
  }
}

static void walk_cast(written_pass *pass, const vptr__expression *cast, vptr__carrier *to) {
  const vptr__expression *operand = cast->operands[0];
  if (operand->type != NULL && operand->type->kind == VPTR__TYPE_ARRAY)
    walk_place(pass, operand, to);
  else
    walk_value(pass, operand, is_pointer(cast->type) ? to : NULL); /* a number becomes no pointer again */
}

static void walk_one_value(written_pass *pass, const vptr__expression *value, vptr__carrier *to) {
  switch (value->kind) {
  case VPTR__EXPRESSION_LOAD:
    walk_load(pass, value->operands[0], to);
    break;
  case VPTR__EXPRESSION_ASSIGN:
    walk_assignment(pass, value, to);
    break;
  case VPTR__EXPRESSION_UNARY:
  case VPTR__EXPRESSION_BINARY:
  case VPTR__EXPRESSION_CONDITIONAL:
    walk_operator(pass, value, to);
    break;
  case VPTR__EXPRESSION_CAST:
    walk_cast(pass, value, to);
    break;
  case VPTR__EXPRESSION_CALL:
    walk_call(pass, value, to);
    break;
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    walk_built_in(pass, value);
    break;
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST: /* what is put into it may go anywhere */
    for (const vptr__expression *item = value->arguments; item != NULL; item = item->next)
      walk_value(pass, item, &anywhere);
    break;
  case VPTR__EXPRESSION_NAME:
  case VPTR__EXPRESSION_MEMBER:
  case VPTR__EXPRESSION_INDEX:
    walk_load(pass, value, to);
    break;
  default: /* literals */
    break;
  }
}

static void walk_value(written_pass *pass, const vptr__expression *value, vptr__carrier *to) {
  vptr__arena_enter(pass->mod_ref->arena);
  walk_one_value(pass, value, to);
  vptr__arena_leave(pass->mod_ref->arena);
}

/* ---- lvalues --------------------------------------------------------------------------------------------- */

/* Who knows where a variable lies may do anything to what it holds. */
static void walk_name(written_pass *pass, const vptr__expression *name, vptr__carrier *to) {
  const vptr__declaration *variable = local_of(name);
  if (variable == NULL || to == NULL)
    return;
  if (is_reference(variable))
    link_carriers(pass, carrier_of(pass->mod_ref, variable), to);
  else
    write_through(carrier_of(pass->mod_ref, variable));
}

static void walk_element(written_pass *pass, const vptr__expression *index, vptr__carrier *to) {
  for (int i = 0; i < 2; i++) {
    const vptr__expression *operand = index->operands[i];
    walk_value(pass, operand, is_pointer(operand->type) ? to : NULL);
  }
}

static void walk_one_place(written_pass *pass, const vptr__expression *lvalue, vptr__carrier *to) {
  const vptr__expression *operand = lvalue->operands[0];
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_NAME:
    walk_name(pass, lvalue, to);
    break;
  case VPTR__EXPRESSION_INDEX:
    walk_element(pass, lvalue, to);
    break;
  case VPTR__EXPRESSION_MEMBER:
    if (is_pointer(operand->type))
      walk_value(pass, operand, to);
    else
      walk_place(pass, operand, to);
    break;
  case VPTR__EXPRESSION_CONDITIONAL:
    walk_value(pass, operand, NULL);
    walk_place(pass, lvalue->operands[1], to);
    walk_place(pass, lvalue->operands[2], to);
    break;
  case VPTR__EXPRESSION_UNARY:
    if (lvalue->op == '*')
      walk_value(pass, operand, to);
    else
      walk_place(pass, operand, &anywhere);
    break;
  case VPTR__EXPRESSION_CAST:
    walk_place(pass, operand, lvalue->is_lvalue ? to : &anywhere);
    break;
  default: /* calls, and what is none: what it is made of may go anywhere, unless it is only looked at */
    walk_value(pass, lvalue, lvalue->is_lvalue && lvalue->kind == VPTR__EXPRESSION_CALL ? to : &anywhere);
    break;
  }
}

static void walk_place(written_pass *pass, const vptr__expression *lvalue, vptr__carrier *to) {
  vptr__arena_enter(pass->mod_ref->arena);
  walk_one_place(pass, lvalue, to);
  vptr__arena_leave(pass->mod_ref->arena);
}

/* ---- statements ------------------------------------------------------------------------------------------ */

static void walk_return(written_pass *pass, const vptr__expression *value) {
  const vptr__type *returned = pass->function->type->base;
  vptr__carrier *result = carrier_of(pass->mod_ref, pass->function);
  if (returned->kind == VPTR__TYPE_REFERENCE && value->is_lvalue)
    walk_place(pass, value, result);
  else
    walk_value(pass, value, is_pointer(returned) ? result : &anywhere);
}

static void walk_variables(written_pass *pass, const vptr__declaration *variable) {
  for (; variable != NULL; variable = variable->next) {
    if (variable->kind != VPTR__DECLARATION_VARIABLE || variable->initializer == NULL)
      continue;
    vptr__carrier *carrier = carrier_of(pass->mod_ref, variable);
    if (is_reference(variable) && variable->initializer->is_lvalue)
      walk_place(pass, variable->initializer, carrier);
    else
      walk_value(pass, variable->initializer, is_pointer(variable->type) ? carrier : &anywhere);
  }
}

static void walk_statements(written_pass *pass, const vptr__statement *statement) {
  vptr__arena_enter(pass->mod_ref->arena);
  for (; statement != NULL; statement = statement->next) {
    walk_statements(pass, statement->first);
    walk_variables(pass, statement->declarations);
    if (statement->kind == VPTR__STATEMENT_RETURN && statement->expression != NULL)
      walk_return(pass, statement->expression);
    else if (statement->kind != VPTR__STATEMENT_CASE && statement->expression != NULL)
      walk_value(pass, statement->expression, NULL);
    walk_statements(pass, statement->body);
    if (statement->step != NULL)
      walk_value(pass, statement->step, NULL);
    walk_statements(pass, statement->otherwise);
  }
  vptr__arena_leave(pass->mod_ref->arena);
}

void vptr__mod_ref_walk(vptr__mod_ref *mod_ref, const vptr__declaration *function) {
  void **slot = vptr__map_put(mod_ref->arena, &mod_ref->functions, (uintptr_t)function);
  if (*slot != NULL)
    return;
  *slot = mod_ref;
  written_pass pass = { .mod_ref = mod_ref, .function = function };
  walk_statements(&pass, function->body);
}

bool vptr__mod_ref_writes_through(const vptr__mod_ref *mod_ref, const vptr__declaration *parameter) {
  void **slot = vptr__map_find(&mod_ref->carriers, (uintptr_t)parameter);
  return slot != NULL && ((const vptr__carrier *)*slot)->is_written;
}
