/* SPDX-License-Identifier: MIT */
/*
 * types - the order of things: what is linked first, where checking starts, and what it follows.
 *
 * A list of work begins with kernels and variables of the device; functions join it where they are called. Recursion is
 * looked for at the end, over the calls that were met: OpenCL has none, on any device.
 */
#include "translate/types/check.h"

enum { ON_PATH = VPTR__CHECK_DONE + 1, CLEARED };

static void find_recursion(vptr__checker *checker, vptr__declaration *function) {
  if (function->checked != VPTR__CHECK_DONE)
    return;
  vptr__arena_enter(checker->arena);
  function->checked = ON_PATH;
  for (const vptr__check_call *call = function->calls; call != NULL; call = call->next) {
    if (call->callee->checked == ON_PATH)
      VPTR__CHECK_ERROR(checker, call->position,
                        "'%s' comes back to itself by this call: device code has no recursion; use a loop",
                        call->callee->name->text);
    else
      find_recursion(checker, call->callee);
  }
  function->checked = CLEARED;
  vptr__arena_leave(checker->arena);
}

/* An assertion at namespace level may be about the host: what cannot be understood is left alone. */
static void check_assertion(vptr__checker *checker, vptr__declaration *declaration) {
  int before = vptr__source_errors(checker->source);
  int64_t value = 1;
  vptr__source_silence(checker->source);
  vptr__type *type = vptr__kind_basic(checker, VPTR__TYPE_BOOL);
  if (!vptr__constant_integer(checker, declaration->initializer, type, "a static_assert", &value))
    value = 1;
  vptr__source_unsilence(checker->source, before);
  if (value == 0)
    vptr__declaration_assert(checker, declaration);
}

/* In a part of a program another file may call any function of the device. */
static bool is_root(const vptr__checker *checker, const vptr__declaration *function) {
  if ((function->flags & VPTR__GLOBAL) != 0)
    return true;
  return checker->unit->is_part && (function->flags & VPTR__DEVICE) != 0 && (function->flags & VPTR__TEMPLATE) == 0;
}

static void check_root(vptr__checker *checker, vptr__declaration *declaration) {
  switch (declaration->kind) {
  case VPTR__DECLARATION_FUNCTION:
    if (!is_root(checker, declaration) || vptr__declaration_report_held(checker, declaration))
      break;
    if (declaration->body != NULL) {
      declaration->flags |= VPTR__USED;
      vptr__declaration_function(checker, declaration);
    }
    break;
  case VPTR__DECLARATION_VARIABLE:
    if ((declaration->flags & (VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED)) != 0 &&
        (declaration->definition == NULL || declaration->definition == declaration)) {
      declaration->flags |= VPTR__USED;
      vptr__declaration_variable(checker, declaration);
    }
    break;
  case VPTR__DECLARATION_STATIC_ASSERT:
    check_assertion(checker, declaration);
    break;
  default:
    break;
  }
}

bool vptr__types_check(vptr__unit *unit) {
  vptr__checker checker = { .unit = unit, .source = unit->source, .arena = vptr__source_arena(unit->source) };
  int errors = vptr__source_errors(unit->source);
  checker.wrong = vptr__type_new(unit, VPTR__TYPE_VOID);
  checker.pending_last = &checker.pending;
  for (vptr__declaration *declaration = unit->declarations; declaration != NULL; declaration = declaration->next) {
    if (declaration->kind == VPTR__DECLARATION_VARIABLE)
      declaration->flags |= VPTR__AT_NAMESPACE;
    vptr__declaration_link(&checker, declaration);
  }
  for (vptr__declaration *declaration = unit->declarations; declaration != NULL; declaration = declaration->next)
    check_root(&checker, declaration);
  for (; checker.pending != NULL; checker.pending = checker.pending->next)
    vptr__declaration_function(&checker, checker.pending->function);
  for (vptr__declaration *declaration = unit->declarations; declaration != NULL; declaration = declaration->next)
    if (declaration->kind == VPTR__DECLARATION_FUNCTION)
      find_recursion(&checker, declaration);
  return vptr__source_errors(unit->source) == errors;
}
