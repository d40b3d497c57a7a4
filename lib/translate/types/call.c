/* SPDX-License-Identifier: MIT */
/*
 * call - calls of functions, of CUDA's functions, and of operators that are functions.
 *
 * Types of parameters and results are written anew for each call: they are the callee's, and a pointer in one call
 * may point into another space than in the next.
 */
#include "translate/types/check.h"

#include <string.h>

static const char *list_types(vptr__checker *checker, const vptr__expression *arguments) {
  const char *text = "";
  for (; arguments != NULL; arguments = arguments->next) {
    const char *one = arguments->type != NULL ? VPTR__CHECK_TEXT(checker, arguments->type) : "{...}";
    text = vptr__arena_format(checker->arena, "%s%s%s", text, *text != '\0' ? ", " : "", one);
  }
  return text;
}

static bool check_arguments(vptr__checker *checker, vptr__expression **list) {
  bool is_good = true;
  for (; *list != NULL; list = &(*list)->next) {
    vptr__expression *next = (*list)->next;
    if ((*list)->kind == VPTR__EXPRESSION_INIT_LIST)
      continue;
    (*list)->next = NULL;
    *list = vptr__expression_check(checker, *list);
    (*list)->next = next;
    is_good = is_good && !vptr__expression_is_wrong(checker, *list);
  }
  return is_good;
}

/* What goes through "...": promoted, as C has it. */
static vptr__expression *pass_promoted(vptr__checker *checker, vptr__expression *argument) {
  vptr__expression *value = vptr__expression_value(checker, argument);
  if (vptr__expression_is_wrong(checker, value))
    return value;
  if (!vptr__kind_is_scalar(value->type)) {
    VPTR__CHECK_ERROR(checker, argument->position, "'%s' cannot be passed to '...': pass its members",
                      VPTR__CHECK_TEXT(checker, value->type));
    return vptr__expression_wrong(checker, argument);
  }
  if (value->type->kind == VPTR__TYPE_FLOAT)
    return vptr__convert_cast(checker, value, vptr__kind_basic(checker, VPTR__TYPE_DOUBLE));
  if (vptr__kind_is_operand(value->type))
    return vptr__convert_cast(checker, value, vptr__kind_promoted(checker, value->type));
  return value;
}

static vptr__expression *convert_argument(vptr__checker *checker, vptr__expression *argument, vptr__type *parameter) {
  vptr__type *type = vptr__type_again(checker->unit, parameter);
  return type->kind == VPTR__TYPE_REFERENCE ? vptr__convert_bind(checker, argument, type, "pass to")
                                            : vptr__convert_to(checker, argument, type, "pass to");
}

static bool convert_arguments(vptr__checker *checker, vptr__expression *call, const vptr__candidate *chosen) {
  vptr__expression **link = &call->arguments;
  bool is_good = true;
  for (int index = 0; *link != NULL; link = &(*link)->next, index++) {
    vptr__expression *next = (*link)->next;
    (*link)->next = NULL;
    *link = index < chosen->count ? convert_argument(checker, *link, chosen->parameters[index])
                                  : pass_promoted(checker, *link);
    (*link)->next = next;
    is_good = is_good && !vptr__expression_is_wrong(checker, *link);
  }
  return is_good;
}

static void add_defaults(vptr__checker *checker, vptr__expression *call, const vptr__declaration *function) {
  vptr__expression **link = &call->arguments;
  const vptr__declaration *parameter = function->type->parameters;
  for (; *link != NULL && parameter != NULL; parameter = parameter->next)
    link = &(*link)->next;
  for (; parameter != NULL && parameter->initializer != NULL; parameter = parameter->next) {
    vptr__expression *value = vptr__clone_expression(checker, parameter->initializer);
    value->position = call->position;
    *link = convert_argument(checker, value, parameter->type);
    link = &(*link)->next;
  }
}

static vptr__expression *give_type(vptr__checker *checker, vptr__expression *call, vptr__type *result) {
  vptr__type *type = vptr__type_again(checker->unit, result);
  call->is_lvalue = type->kind == VPTR__TYPE_REFERENCE;
  call->type = call->is_lvalue ? type->base : vptr__kind_unqualified(checker, type);
  if (call->type->kind != VPTR__TYPE_VOID && !call->is_lvalue &&
      !vptr__layout_complete(checker, call->type, call->position))
    return vptr__expression_wrong(checker, call);
  return call;
}

/* The locks, which the built-in header declares. */
static vptr__expression *name_locks(vptr__checker *checker, vptr__position position) {
  vptr__declaration *locks = checker->unit->declarations;
  while (locks->name == NULL || strcmp(locks->name->text, "vptr_locks") != 0)
    locks = locks->next;
  vptr__expression *name = vptr__expression_new(checker->unit, VPTR__EXPRESSION_NAME, position);
  name->name = locks->name;
  name->declaration = locks;
  return vptr__expression_value(checker, vptr__expression_check(checker, name));
}

static void add_locks(vptr__checker *checker, vptr__expression *call) {
  vptr__expression **link = &call->arguments;
  while (*link != NULL)
    link = &(*link)->next;
  *link = name_locks(checker, call->position);
}

static vptr__expression *call_builtin(vptr__checker *checker, vptr__expression *call, const vptr__candidate *chosen) {
  if (!convert_arguments(checker, call, chosen))
    return vptr__expression_wrong(checker, call);
  if (chosen->builtin->flags & VPTR__BUILTIN_LOCKED)
    add_locks(checker, call);
  call->kind = VPTR__EXPRESSION_BUILT_IN_CALL;
  call->builtin = chosen->builtin;
  call->operands[0]->type = vptr__kind_basic(checker, VPTR__TYPE_VOID);
  return give_type(checker, call, chosen->result);
}

static vptr__expression *call_function(vptr__checker *checker, vptr__expression *call,
                                       const vptr__candidate *chosen) {
  vptr__declaration *function = chosen->function;
  vptr__place place = vptr__source_place(checker->source, function->position);
  if ((function->flags & VPTR__GLOBAL) != 0) {
    VPTR__CHECK_ERROR(checker, call->position,
                      "'%s' is a kernel, declared at %s:%u: device code cannot call it; make what it does a "
                      "__device__ function that both use",
                      function->name->text, place.file, place.line);
    return vptr__expression_wrong(checker, call);
  }
  if ((function->flags & (VPTR__DEVICE | VPTR__CONSTEXPR)) == 0) {
    VPTR__CHECK_ERROR(checker, call->position, "'%s' is declared at %s:%u for the host: mark it __device__",
                      function->name->text, place.file, place.line);
    return vptr__expression_wrong(checker, call);
  }
  vptr__declaration_use(checker, function, call->position);
  if (function->definition != NULL)
    function = function->definition;
  if (function->type->base->kind == VPTR__TYPE_AUTO || function->type->base == checker->wrong)
    return vptr__expression_wrong(checker, call);
  if (!convert_arguments(checker, call, chosen))
    return vptr__expression_wrong(checker, call);
  add_defaults(checker, call, chosen->function);
  call->operands[0]->declaration = function;
  call->operands[0]->type = function->type;
  return give_type(checker, call, function->type->base);
}

/* ---- what is said where no function fits -------------------------------------------------------------------- */

static void note_candidates(vptr__checker *checker, const vptr__candidate *candidate) {
  int left = 4;
  for (; candidate != NULL && left > 0; candidate = candidate->next) {
    if (candidate->function == NULL)
      continue;
    left--;
    vptr__source_report(checker->source, VPTR__NOTE, candidate->function->position, "there is '%s %s'",
                        candidate->function->name->text, VPTR__CHECK_TEXT(checker, candidate->function->type));
  }
}

static vptr__expression *refuse_choice(vptr__checker *checker, vptr__expression *call, const char *name,
                                       const vptr__choice *choice) {
  const char *types = list_types(checker, call->arguments);
  if (choice->is_ambiguous)
    VPTR__CHECK_ERROR(checker, call->position,
                      "'%s(%s)' is ambiguous: cast the arguments to the types that are meant", name, types);
  else
    VPTR__CHECK_ERROR(checker, call->position,
                      "no function '%s' takes (%s): cast the arguments, or write that overload", name, types);
  note_candidates(checker, choice->candidates);
  return vptr__expression_wrong(checker, call);
}

static vptr__expression *refuse_unread(vptr__checker *checker, vptr__expression *call,
                                       const vptr__declaration *unread) {
  const vptr__declaration *cause = unread->cause != NULL ? unread->cause : unread;
  vptr__place place = vptr__source_place(checker->source, unread->position);
  VPTR__CHECK_ERROR(checker, call->position, "'%s' (%s:%u) cannot be used in device code%s%s%s; as device code: %s",
                    unread->name->text, place.file, place.line, cause != unread ? ", since it uses '" : "",
                    cause != unread ? cause->name->text : "", cause != unread ? "'" : "",
                    cause->message != NULL ? cause->message : "it could not be read");
  return vptr__expression_wrong(checker, call);
}

static vptr__expression *refuse_unknown(vptr__checker *checker, vptr__expression *call,
                                        const vptr__expression *callee) {
  const char *why = vptr__builtin_missing(callee->name->text);
  const vptr__declaration *hidden = callee->declaration;
  if (hidden != NULL && hidden->type == NULL) {
    if ((hidden->flags & VPTR__DEVICE) != 0)
      return refuse_unread(checker, call, hidden);
    vptr__place place = vptr__source_place(checker->source, hidden->position);
    VPTR__CHECK_ERROR(checker, callee->position, "'%s' is declared at %s:%u for the host%s%s", callee->name->text,
                      place.file, place.line, hidden->message != NULL ? ": " : ": mark it __device__",
                      hidden->message != NULL ? hidden->message : "");
  } else if (why != NULL) {
    VPTR__CHECK_ERROR(checker, callee->position, "'%s': %s", callee->name->text, why);
  } else {
    VPTR__CHECK_ERROR(checker, callee->position,
                      "there is no function '%s' in device code: declare it before this, with __device__",
                      callee->name->text);
  }
  return vptr__expression_wrong(checker, call);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

/* Functions in the namespace of an argument's record, where the plain name means nothing. */
static vptr__declaration *find_by_arguments(vptr__checker *checker, const vptr__expression *callee,
                                            const vptr__expression *arguments) {
  vptr__declaration *found = NULL;
  for (; arguments != NULL && found == NULL; arguments = arguments->next) {
    const vptr__type *type = arguments->type;
    if (type == NULL || type->kind != VPTR__TYPE_RECORD || type->declaration->scope == NULL)
      continue;
    for (vptr__declaration *other = checker->unit->declarations; other != NULL; other = other->next)
      if (other->kind == VPTR__DECLARATION_FUNCTION && other->name == callee->name && other->scope != NULL &&
          strcmp(other->scope, type->declaration->scope) == 0)
        found = other;
    for (vptr__declaration *other = checker->unit->unread; other != NULL; other = other->next)
      if (other->name == callee->name && other->scope != NULL &&
          strcmp(other->scope, type->declaration->scope) == 0 &&
          (found == NULL || other->position > found->position)) /* the newest leads to all */
        found = other;
  }
  return found;
}

static bool may_be_builtin(const vptr__expression *callee) {
  if (callee->scope != NULL && callee->scope[0] != '\0' && strcmp(callee->scope, "std") != 0)
    return false;
  const vptr__declaration *known = callee->declaration;
  return known == NULL || known->scope == NULL || (known->flags & VPTR__HOST_ONLY) != 0;
}

vptr__expression *vptr__call_check(vptr__checker *checker, vptr__expression *call) {
  vptr__expression *callee = call->operands[0];
  bool is_name =
      callee->kind == VPTR__EXPRESSION_NAME && (callee->declaration == NULL || callee->declaration->type == NULL ||
                                                callee->declaration->kind == VPTR__DECLARATION_FUNCTION);
  if (callee->kind == VPTR__EXPRESSION_MEMBER) {
    VPTR__CHECK_ERROR(checker, callee->position,
                      "'%s' is called as a member: functions in structs and classes are not supported yet, nor are "
                      "function pointers; write a function outside that takes the struct",
                      callee->name != NULL ? callee->name->text : "");
    return vptr__expression_wrong(checker, call);
  }
  if (!is_name) {
    VPTR__CHECK_ERROR(checker, callee->position,
                      "only functions can be called, by their names: function pointers, "
                      "objects and member functions are not supported");
    return vptr__expression_wrong(checker, call);
  }
  if (!check_arguments(checker, &call->arguments))
    return vptr__expression_wrong(checker, call);
  vptr__declaration *functions = callee->declaration;
  if (functions == NULL && callee->scope == NULL)
    functions = find_by_arguments(checker, callee, call->arguments);
  vptr__choice choice =
      vptr__overload_choose(checker, callee->name, functions, may_be_builtin(callee), call->arguments);
  if (choice.unread != NULL)
    return refuse_unread(checker, call, choice.unread);
  if (choice.candidates == NULL)
    return refuse_unknown(checker, call, callee);
  if (choice.best == NULL)
    return refuse_choice(checker, call, callee->name->text, &choice);
  return choice.best->builtin != NULL ? call_builtin(checker, call, choice.best)
                                      : call_function(checker, call, choice.best);
}

static bool may_be_function(const vptr__expression *operand) {
  return operand != NULL && operand->type != NULL &&
         (operand->type->kind == VPTR__TYPE_RECORD || operand->type->kind == VPTR__TYPE_ENUM);
}

/* x++ is operator++(x, 0). */
static vptr__expression *operator_arguments(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *first = expression->operands[0], *second = expression->operands[1];
  if (expression->kind == VPTR__EXPRESSION_UNARY && expression->is_postfix) {
    second = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INTEGER, expression->position);
    second->type = vptr__kind_basic(checker, VPTR__TYPE_INT);
  }
  first->next = second;
  if (second != NULL)
    second->next = NULL;
  return first;
}

/* A member of the left operand's, which nobody has read: it may be what is meant. */
static const vptr__declaration *find_member_operator(const vptr__expression *left, const vptr__name *name) {
  const vptr__declaration *unread =
      left->type != NULL && left->type->kind == VPTR__TYPE_RECORD ? left->type->declaration->unread : NULL;
  while (unread != NULL && unread->name != name)
    unread = unread->next;
  return unread;
}

vptr__expression *vptr__call_operator(vptr__checker *checker, vptr__expression *expression) {
  vptr__declaration *functions = expression->declaration;
  if (functions == NULL || !(may_be_function(expression->operands[0]) || may_be_function(expression->operands[1])))
    return NULL;
  const vptr__declaration *member = find_member_operator(expression->operands[0], functions->name);
  if (member != NULL)
    return refuse_unread(checker, expression, member);
  vptr__expression *arguments = operator_arguments(checker, expression);
  vptr__choice choice = vptr__overload_choose(checker, functions->name, functions, false, arguments);
  if (choice.unread != NULL && (choice.best != NULL || choice.is_ambiguous))
    return refuse_unread(checker, expression, choice.unread);
  if (choice.best == NULL && !choice.is_ambiguous) {
    arguments->next = NULL;
    return NULL;
  }
  vptr__expression *callee = vptr__expression_new(checker->unit, VPTR__EXPRESSION_NAME, expression->position);
  callee->name = functions->name;
  callee->declaration = functions;
  expression->kind = VPTR__EXPRESSION_CALL;
  expression->arguments = arguments;
  expression->operands[0] = callee;
  expression->operands[1] = NULL;
  expression->declaration = NULL;
  if (choice.is_ambiguous)
    return refuse_choice(checker, expression, functions->name->text, &choice);
  return call_function(checker, expression, choice.best);
}
