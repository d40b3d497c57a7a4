/* SPDX-License-Identifier: MIT */
/*
 * overload - which function a call means: C++'s way, over functions of the text and rows of CUDA's table alike.
 *
 * A function that belongs to the host alone stands back behind all that device code can call: it is found only where
 * nothing else fits, so that the message can name it. A function of the text is preferred to a row that fits as well:
 * programs bring their own. A function for the device that could not be read may be what the call means: then no choice
 * is made, unless one takes the arguments just as they are and the other is a template, which stands back in C++.
 */
#include "translate/types/check.h"

static bool is_callable(const vptr__candidate *candidate) {
  return candidate->builtin != NULL ||
         (candidate->function->flags & (VPTR__DEVICE | VPTR__GLOBAL | VPTR__CONSTEXPR)) != 0;
}

static vptr__candidate *read_function(vptr__checker *checker, vptr__declaration *function) {
  vptr__candidate *made = VPTR__ARENA_NEW(checker->arena, vptr__candidate);
  made->function = function;
  made->result = function->type->base;
  made->is_variadic = function->type->is_variadic;
  for (const vptr__declaration *parameter = function->type->parameters; parameter != NULL;
       parameter = parameter->next)
    made->count++;
  made->parameters = vptr__arena_allocate(checker->arena, (size_t)(made->count + 1) * sizeof *made->parameters);
  int index = 0;
  for (const vptr__declaration *parameter = function->type->parameters; parameter != NULL;
       parameter = parameter->next) {
    made->parameters[index++] = parameter->type;
    if (parameter->initializer == NULL)
      made->required = index;
  }
  return made;
}

static bool is_listed(const vptr__candidate *list, const vptr__declaration *function) {
  for (; list != NULL && (function->flags & VPTR__REPEATED) != 0; list = list->next)
    if (list->function != NULL && (list->function->flags & VPTR__REPEATED) != 0 &&
        vptr__compare_parameters(list->function, function))
      return true;
  return false;
}

static vptr__candidate *collect_candidates(vptr__checker *checker, const vptr__name *name,
                                           vptr__declaration *functions, bool with_builtins,
                                           const vptr__expression *arguments) {
  vptr__candidate *first = NULL, **last = &first;
  for (; functions != NULL; functions = functions->previous) {
    if (functions->kind != VPTR__DECLARATION_FUNCTION || functions->type == NULL)
      continue;
    if (!vptr__layout_resolve(checker, functions->type, functions->position) || is_listed(first, functions))
      continue;
    *last = read_function(checker, functions);
    last = &(*last)->next;
  }
  int count = 0;
  const vptr__builtin *row = with_builtins ? vptr__builtin_find(name->text, &count) : NULL;
  for (; count > 0; count--, row++)
    if ((*last = vptr__signature_read(checker, row, arguments)) != NULL)
      last = &(*last)->next;
  return first;
}

static vptr__rank rank_argument(vptr__checker *checker, const vptr__candidate *candidate, int index,
                                vptr__expression *argument) {
  if (index >= candidate->count)
    return (vptr__rank){ .level = VPTR__RANK_ELLIPSIS };
  bool takes_any = index < 32 && (candidate->any >> index & 1) != 0;
  if (takes_any && argument->type != NULL && vptr__type_is_arithmetic(argument->type))
    return (vptr__rank){ .level = VPTR__RANK_EXACT };
  return vptr__convert_rank(checker, argument, candidate->parameters[index]);
}

static bool is_viable(vptr__checker *checker, vptr__candidate *candidate, vptr__expression *arguments, int count) {
  if (count < candidate->required || (count > candidate->count && !candidate->is_variadic))
    return false;
  candidate->ranks = vptr__arena_allocate(checker->arena, (size_t)(count + 1) * sizeof *candidate->ranks);
  int index = 0;
  for (vptr__expression *argument = arguments; argument != NULL; argument = argument->next, index++) {
    candidate->ranks[index] = rank_argument(checker, candidate, index, argument);
    if (candidate->ranks[index].level == VPTR__RANK_NONE)
      return false;
  }
  return true;
}

static int compare_ranks(const vptr__rank *left, const vptr__rank *right) {
  if (left->level != right->level)
    return left->level < right->level ? -1 : 1;
  if (left->is_reference != right->is_reference || left->added == right->added)
    return 0;
  return left->added < right->added ? -1 : 1;
}

static bool is_better(const vptr__candidate *left, const vptr__candidate *right, int count) {
  bool wins = false;
  for (int i = 0; i < count; i++) {
    int order = compare_ranks(&left->ranks[i], &right->ranks[i]);
    if (order > 0)
      return false;
    wins = wins || order < 0;
  }
  if (wins)
    return true;
  if (left->is_generic != right->is_generic)
    return right->is_generic;
  return left->function != NULL && right->builtin != NULL;
}

static vptr__candidate *find_best(vptr__candidate **viable, int viable_count, int count) {
  for (int i = 0; i < viable_count; i++) {
    bool is_best = true;
    for (int j = 0; j < viable_count && is_best; j++)
      is_best = i == j || is_better(viable[i], viable[j], count);
    if (is_best)
      return viable[i];
  }
  return NULL;
}

/* CUDA's min, max and the like of mixed types: where C++'s ranks leave a tie among rows, the row that the usual
 * arithmetic conversions of all arguments lead to. */
static vptr__candidate *find_usual(vptr__checker *checker, vptr__candidate **viable, int viable_count,
                                   const vptr__expression *arguments) {
  vptr__type *usual = NULL;
  for (; arguments != NULL; arguments = arguments->next) {
    if (arguments->type == NULL || !vptr__kind_is_operand(arguments->type))
      return NULL;
    usual = usual == NULL ? vptr__kind_promoted(checker, arguments->type)
                          : vptr__kind_usual(checker, usual, arguments->type);
  }
  for (int i = 0; i < viable_count; i++) {
    bool fits = viable[i]->builtin != NULL && usual != NULL;
    for (int p = 0; p < viable[i]->count && fits; p++)
      fits = viable[i]->parameters[p]->kind == usual->kind;
    if (fits)
      return viable[i];
  }
  return NULL;
}

static int collect_viable(vptr__checker *checker, vptr__choice *choice, vptr__expression *arguments, int count,
                          bool callable, vptr__candidate **viable) {
  int found = 0;
  for (vptr__candidate *candidate = choice->candidates; candidate != NULL; candidate = candidate->next)
    if (is_callable(candidate) == callable && is_viable(checker, candidate, arguments, count))
      viable[found++] = candidate;
  return found;
}

static bool is_perfect(const vptr__candidate *candidate, int count) {
  for (int i = 0; i < count; i++)
    if (candidate->ranks[i].level != VPTR__RANK_EXACT || candidate->ranks[i].added != 0)
      return false;
  return true;
}

static const vptr__declaration *find_unread(const vptr__declaration *functions, const vptr__candidate *best,
                                            int count) {
  bool is_sure = best != NULL && is_perfect(best, count);
  for (; functions != NULL; functions = functions->previous)
    if (functions->kind == VPTR__DECLARATION_FUNCTION && functions->type == NULL &&
        !(is_sure && (functions->flags & VPTR__TEMPLATE) != 0))
      return functions;
  return NULL;
}

vptr__choice vptr__overload_choose(vptr__checker *checker, vptr__name *name, vptr__declaration *functions,
                                   bool with_builtins, vptr__expression *arguments) {
  vptr__choice choice = { .candidates = collect_candidates(checker, name, functions, with_builtins, arguments) };
  int count = 0;
  size_t total = 1;
  for (const vptr__expression *argument = arguments; argument != NULL; argument = argument->next)
    count++;
  for (const vptr__candidate *candidate = choice.candidates; candidate != NULL; candidate = candidate->next)
    total++;
  vptr__candidate **viable = vptr__arena_allocate(checker->arena, total * sizeof *viable);
  int found = collect_viable(checker, &choice, arguments, count, true, viable);
  if (found == 0)
    found = collect_viable(checker, &choice, arguments, count, false, viable);
  choice.best = find_best(viable, found, count);
  bool all_rows = found > 0;
  for (int i = 0; i < found; i++)
    all_rows = all_rows && viable[i]->builtin != NULL;
  if (choice.best == NULL && all_rows)
    choice.best = find_usual(checker, viable, found, arguments);
  choice.is_ambiguous = choice.best == NULL && found > 0;
  choice.unread = find_unread(functions, choice.best, count);
  return choice;
}
