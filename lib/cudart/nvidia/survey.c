/* SPDX-License-Identifier: MIT */
/*
 * survey - reading the declarations of a PTX text (survey.h).
 *
 * Room is counted by the words that declare something, before anything is read: a text with few of them needs little,
 * and nothing has to grow. What is not understood of a variable makes it stay in the program, where the driver reads
 * it; what is not understood of a kernel is an error, since its parameters are the launch's matter.
 *
 * No static data but constants, and no locks: a survey is a variable of one call's, whose arrays are made here and in
 * reference.c, and freed by vptr__ptx_survey_free(). Called by ptx.c, and by reference.c and writer.c, which look names
 * up. Fails without host memory, and for texts that are none.
 */
#include "nvidia/survey.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "nvidia/declaration.h"
#include "nvidia/statement.h"

#include <string.h>

vptr_status vptr__ptx_refuse(const vptr__ptx_survey *survey, const char *at, const char *what) {
  unsigned line = 1;
  for (const char *p = survey->text; p < at; p++)
    line += *p == '\n';
  size_t left = (size_t)(survey->text + survey->length - at);
  const char *newline = memchr(at, '\n', left);
  size_t length = newline != NULL ? (size_t)(newline - at) : left;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "PTX, line %u: %s: %.*s", line, what,
                     (int)vptr__smaller(length, 120), at);
}

/* ---- room ----------------------------------------------------------------------------------------------- */

static uint32_t count_words(const vptr__ptx_survey *survey, const char *word) {
  uint32_t count = 0;
  size_t length = strlen(word);
  const char *at = survey->text, *end = at + survey->length;
  while ((at = memmem(at, (size_t)(end - at), word, length)) != NULL) {
    at += length;
    count++;
  }
  return count;
}

/* Instructions have some of these words too, so it is more than enough. */
static vptr_status make_room(vptr__ptx_survey *survey) {
  static const char *const words[] = { ".global", ".const", ".shared", ".entry", ".func" };
  survey->room = 1;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    survey->room += count_words(survey, words[i]);
  survey->param_room = 1 + count_words(survey, ".param");
  survey->symbols = vptr__memory_calloc(survey->room, sizeof *survey->symbols);
  survey->params = vptr__memory_calloc(survey->param_room, sizeof *survey->params);
  survey->names.count = vptr__name_places(survey->room);
  survey->names.places = vptr__memory_calloc(survey->names.count, sizeof *survey->names.places);
  survey->name_bytes = vptr__memory_calloc(survey->length + survey->room, 1);
  survey->scratch = vptr__memory_calloc(survey->length + 1, 1);
  bool has_all = survey->symbols != NULL && survey->params != NULL && survey->names.places != NULL &&
                 survey->name_bytes != NULL && survey->scratch != NULL;
  return has_all ? VPTR_SUCCESS : vptr__error_host_memory(survey->length);
}

void vptr__ptx_survey_free(vptr__ptx_survey *survey) {
  for (uint32_t i = 0; i < survey->param_count; i++)
    vptr__memory_free(survey->params[i].words);
  vptr__memory_free(survey->symbols);
  vptr__memory_free(survey->params);
  vptr__memory_free(survey->names.places);
  vptr__memory_free(survey->name_bytes);
  vptr__memory_free(survey->scratch);
  vptr__memory_free(survey->references);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

vptr__ptx_symbol *vptr__ptx_survey_find(const vptr__ptx_survey *survey, const vptr__ptx_token *token) {
  size_t length = (size_t)(token->end - token->begin);
  uint32_t index;
  if (token->kind != VPTR__PTX_WORD || *token->begin == '%' || *token->begin == '.' || length > survey->longest_name)
    return NULL;
  memcpy(survey->scratch, token->begin, length);
  survey->scratch[length] = 0;
  return vptr__name_find(&survey->names, survey->scratch, &index) ? &survey->symbols[index] : NULL;
}

/* The one of that name, or a new one. NULL: there is no room, which is no valid text's. */
static vptr__ptx_symbol *have_symbol(vptr__ptx_survey *survey, const vptr__ptx_token *name,
                                     vptr__ptx_symbol_kind kind) {
  vptr__ptx_symbol *symbol = vptr__ptx_survey_find(survey, name);
  size_t length = (size_t)(name->end - name->begin);
  if (symbol != NULL || survey->count == survey->room)
    return symbol;
  symbol = &survey->symbols[survey->count];
  symbol->kind = kind;
  symbol->name = survey->count == 0 ? survey->name_bytes : symbol[-1].name + strlen(symbol[-1].name) + 1;
  memcpy(symbol->name, name->begin, length);
  survey->longest_name = (size_t)vptr__larger(survey->longest_name, length);
  vptr__name_add(&survey->names, symbol->name, survey->count++);
  return symbol;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* sm_90a: 900. */
static vptr_status read_target(vptr__ptx_survey *survey, const char *at, const char *end) {
  (void)vptr__ptx_next(&at, end);
  vptr__ptx_token token = vptr__ptx_next(&at, end);
  uint32_t arch = 0;
  if (!vptr__ptx_begins(&token, "sm_"))
    return vptr__ptx_refuse(survey, token.begin, "the target is none of NVIDIA's");
  for (const char *p = token.begin + 3; p < token.end && *p >= '0' && *p <= '9' && arch < 10000; p++)
    arch = 10 * arch + (uint32_t)(*p - '0');
  survey->arch = 10 * arch;
  return VPTR_SUCCESS;
}

static vptr_status read_line(vptr__ptx_survey *survey, const vptr__ptx_walk *walk) {
  const char *at = walk->begin;
  vptr__ptx_token word = vptr__ptx_next(&at, walk->end), number = vptr__ptx_next(&at, walk->end);
  if (vptr__ptx_is(&word, ".target"))
    return read_target(survey, walk->begin, walk->end);
  if (vptr__ptx_is(&word, ".address_size") && !vptr__ptx_is(&number, "64"))
    return vptr__ptx_refuse(survey, walk->begin, "addresses have 64 bits here");
  return VPTR_SUCCESS;
}

/* ---- variables ------------------------------------------------------------------------------------------ */

static vptr__ptx_symbol_kind kind_of(const vptr__ptx_declaration *found) {
  if (!found->is_shared)
    return VPTR__PTX_VARIABLE;
  return found->is_extern ? VPTR__PTX_DYNAMIC : VPTR__PTX_SHARED;
}

/* Texts, and tables of the mathematical library: no host knows their names. */
static bool is_of_compiler(const char *name) {
  static const char library[] = "__cudart_";
  return strchr(name, '$') != NULL || strncmp(name, library, sizeof library - 1) == 0;
}

static vptr_status read_variable(vptr__ptx_survey *survey, const vptr__ptx_walk *walk) {
  vptr__ptx_declaration found;
  if (!vptr__ptx_declaration_read(walk->begin, walk->end, &found))
    return VPTR_SUCCESS;
  vptr__ptx_symbol *symbol = have_symbol(survey, &found.name, kind_of(&found));
  if (symbol == NULL)
    return vptr__ptx_refuse(survey, walk->begin, "this is no variable");
  if (symbol->kind != kind_of(&found) || (symbol->size > 0 && found.is_extern))
    return VPTR_SUCCESS; /* what it was said to be before */
  symbol->size = found.size;
  symbol->align = found.align;
  symbol->width = found.width;
  symbol->is_constant = found.is_constant;
  symbol->is_managed = found.is_managed;
  symbol->is_extern = found.is_extern;
  symbol->value = found.value;
  symbol->value_end = found.value_end;
  symbol->stays = symbol->kind == VPTR__PTX_VARIABLE && (found.is_strange || is_of_compiler(symbol->name));
  return VPTR_SUCCESS;
}

/* ---- functions ------------------------------------------------------------------------------------------ */

static vptr_status add_param(vptr__ptx_survey *survey, vptr__ptx_symbol *kernel, const char *begin, const char *end) {
  enum { MOST = 1 << 16 };
  vptr__ptx_declaration found;
  if (!vptr__ptx_declaration_read(begin, end, &found) || found.is_strange || found.size == 0 || found.size > MOST)
    return vptr__ptx_refuse(survey, begin, "this parameter is not understood");
  if (survey->param_count == survey->param_room)
    return vptr__ptx_refuse(survey, begin, "this is one parameter too many");
  vptr__ptx_param *param = &survey->params[survey->param_count++];
  *param = (vptr__ptx_param){ .name = found.name.begin,
                              .name_length = (size_t)(found.name.end - found.name.begin),
                              .size = (uint32_t)found.size,
                              .align = (uint32_t)found.align };
  param->words = vptr__memory_calloc(param->size / 512 + 1, sizeof *param->words);
  if (param->words == NULL)
    return vptr__error_host_memory(param->size / 64 + 8);
  if (kernel->param_count++ == 0)
    kernel->params = param;
  return VPTR_SUCCESS;
}

/* The list behind a kernel's name, to the parenthesis that ends it. */
static vptr_status read_params(vptr__ptx_survey *survey, vptr__ptx_symbol *kernel, const char **at, const char *end) {
  vptr_status status = VPTR_SUCCESS;
  const char *begin = *at;
  while (status == VPTR_SUCCESS) {
    vptr__ptx_token token = vptr__ptx_next(at, end);
    bool is_last = vptr__ptx_is(&token, ")");
    if (token.kind == VPTR__PTX_END)
      return vptr__ptx_refuse(survey, begin, "the list of parameters does not end");
    if (!is_last && !vptr__ptx_is(&token, ","))
      continue;
    const char *first = begin;
    if (vptr__ptx_next(&first, token.begin).kind != VPTR__PTX_END)
      status = add_param(survey, kernel, begin, token.begin);
    begin = *at;
    if (is_last)
      break;
  }
  return status;
}

/* 128, 1, 1 behind .maxntid; a name of no number ends them. */
static uint32_t read_product(const char *at, const char *end) {
  uint64_t product = 1, number;
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, end);
    if (!vptr__ptx_integer(&token, &number))
      return 0;
    product *= number <= UINT16_MAX ? number : UINT16_MAX;
    const char *behind = at;
    token = vptr__ptx_next(&at, end);
    if (!vptr__ptx_is(&token, ",") || behind == end)
      return (uint32_t)vptr__smaller(product, UINT32_MAX);
  }
}

static void read_bounds(vptr__ptx_symbol *kernel, const char *at, const char *end) {
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, end);
    if (token.kind == VPTR__PTX_END)
      return;
    if (vptr__ptx_is(&token, ".maxntid") || vptr__ptx_is(&token, ".reqntid"))
      kernel->max_threads = read_product(at, end);
    else if (vptr__ptx_is(&token, ".minnctapersm"))
      kernel->min_blocks = read_product(at, end);
  }
}

static const char *skip_parentheses(const char *at, const char *end) {
  vptr__ptx_token token;
  do
    token = vptr__ptx_next(&at, end);
  while (token.kind != VPTR__PTX_END && !vptr__ptx_is(&token, ")"));
  return at;
}

/* Up to the name; what a function returns stands before it. */
static vptr__ptx_token name_of_function(const char **at, const char *end, bool *is_entry_out) {
  *is_entry_out = false;
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(at, end);
    *is_entry_out |= vptr__ptx_is(&token, ".entry");
    if (vptr__ptx_is(&token, "("))
      *at = skip_parentheses(*at, end);
    else if (token.kind != VPTR__PTX_WORD || *token.begin != '.')
      return token;
  }
}

static vptr_status read_function(vptr__ptx_survey *survey, const vptr__ptx_walk *walk, vptr__ptx_symbol **here_out) {
  const char *at = walk->begin;
  bool is_entry;
  vptr__ptx_token name = name_of_function(&at, walk->end, &is_entry);
  vptr__ptx_symbol *symbol = name.kind == VPTR__PTX_WORD ? have_symbol(survey, &name, VPTR__PTX_FUNCTION) : NULL;
  if (symbol == NULL || symbol->kind != VPTR__PTX_FUNCTION)
    return vptr__ptx_refuse(survey, walk->begin, "this is no function");
  *here_out = symbol;
  const char *behind = at;
  vptr__ptx_token next = vptr__ptx_next(&at, walk->end);
  if (!is_entry || symbol->is_entry) /* a kernel may have been announced */
    return VPTR_SUCCESS;
  symbol->is_entry = true;
  vptr_status status = vptr__ptx_is(&next, "(") ? read_params(survey, symbol, &at, walk->end) : VPTR_SUCCESS;
  read_bounds(symbol, vptr__ptx_is(&next, "(") ? at : behind, walk->end);
  return status;
}

static void read_own_shared(vptr__ptx_symbol *function, const vptr__ptx_walk *walk) {
  vptr__ptx_declaration found;
  if (vptr__ptx_declaration_read(walk->begin, walk->end, &found) && found.is_shared && !found.is_extern)
    function->shared = vptr__align_up(function->shared, found.align) + found.size;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static vptr_status read_statement(vptr__ptx_survey *survey, const vptr__ptx_walk *walk, vptr__ptx_symbol **here) {
  switch (walk->kind) {
  case VPTR__PTX_LINE:
    return read_line(survey, walk);
  case VPTR__PTX_HEADER:
    return read_function(survey, walk, here);
  case VPTR__PTX_PLAIN:
    if (walk->depth == 0)
      return read_variable(survey, walk);
    if (*here != NULL && *walk->begin == '.')
      read_own_shared(*here, walk);
    return VPTR_SUCCESS;
  default:
    return VPTR_SUCCESS;
  }
}

static vptr_status read_declarations(vptr__ptx_survey *survey) {
  vptr__ptx_walk walk = vptr__ptx_walk_begin(survey->text, survey->length);
  vptr__ptx_symbol *here = NULL;
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && vptr__ptx_walk_next(&walk))
    status = read_statement(survey, &walk, &here);
  if (status == VPTR_SUCCESS && walk.kind == VPTR__PTX_BROKEN)
    status = vptr__ptx_refuse(survey, walk.begin, "this does not end, or its braces do not match");
  if (status == VPTR_SUCCESS && survey->arch == 0)
    status = vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "PTX: there is no .target, so it is none");
  return status;
}

vptr_status vptr__ptx_survey_read(const char *text, size_t length, vptr__ptx_survey *survey_out) {
  *survey_out = (vptr__ptx_survey){ .text = text, .length = length };
  vptr_status status = make_room(survey_out);
  if (status == VPTR_SUCCESS)
    status = read_declarations(survey_out);
  return status == VPTR_SUCCESS ? vptr__ptx_references_read(survey_out) : status;
}
