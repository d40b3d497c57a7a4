/* SPDX-License-Identifier: MIT */
/*
 * reference - finding which functions and variables of a PTX text name which others, and what follows from that: which
 * variables stay in the program, and which words of a kernel's parameters may be pointers.
 *
 * A word of a parameter may be a pointer if the kernel reads 64 bits of no floating type there, or takes the
 * parameter's address. Two numbers of 32 bits that lie side by side are read as such, and are never taken for an
 * address that they happen to make.
 *
 * No static data but constants, and no locks: a survey is one call's. This file makes and fills its `references`, and
 * sets of its symbols `reasons`, `calls_pointers` and `index`, more of `stays`, and the bits of the parameters'
 * `words`, which survey.c has made; survey.c frees all. Called by survey.c when all symbols are known, and by reach.c.
 * Fails without host memory.
 */
#include "nvidia/survey.h"

#include "base/error.h"
#include "base/memory.h"
#include "nvidia/statement.h"
#include "nvidia/value.h"

#include <string.h>

/* ---- rows ----------------------------------------------------------------------------------------------- */

static uint64_t *row_of(const vptr__ptx_survey *survey, uint32_t from) {
  return survey->references + from * survey->row_words;
}

static void note_reference(vptr__ptx_survey *survey, const vptr__ptx_symbol *from, const vptr__ptx_symbol *to) {
  uint32_t index = (uint32_t)(to - survey->symbols);
  row_of(survey, (uint32_t)(from - survey->symbols))[index / 64] |= UINT64_C(1) << index % 64;
}

bool vptr__ptx_refers(const vptr__ptx_survey *survey, uint32_t from, uint32_t to) {
  return (row_of(survey, from)[to / 64] >> to % 64 & 1) != 0;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

static vptr__ptx_param *param_named(const vptr__ptx_symbol *kernel, const vptr__ptx_token *token) {
  size_t length = (size_t)(token->end - token->begin);
  for (uint32_t i = 0; i < kernel->param_count; i++)
    if (kernel->params[i].name_length == length && memcmp(kernel->params[i].name, token->begin, length) == 0)
      return &kernel->params[i];
  return NULL;
}

static bool ends_in(const vptr__ptx_token *token, const char *text) {
  size_t length = strlen(text);
  return (size_t)(token->end - token->begin) >= length && memcmp(token->end - length, text, length) == 0;
}

/* How many words of 8 bytes ld.param loads that may be pointers. */
static unsigned words_of_load(const vptr__ptx_token *load) {
  if (ends_in(load, ".b128"))
    return 2;
  if (!ends_in(load, ".u64") && !ends_in(load, ".b64") && !ends_in(load, ".s64"))
    return 0;
  if (memmem(load->begin, (size_t)(load->end - load->begin), ".v2", 3) != NULL)
    return 2;
  return memmem(load->begin, (size_t)(load->end - load->begin), ".v4", 3) != NULL ? 4 : 1;
}

static void mark_words(vptr__ptx_param *param, uint64_t offset, unsigned count) {
  for (; count > 0 && offset % 8 == 0 && offset + 8 <= param->size; offset += 8, count--)
    param->words[offset / 8 / 64] |= UINT64_C(1) << offset / 8 % 64;
}

/* A parameter is named by an instruction, behind which *at is: k_param_0, or k_param_0+16. */
static void note_param(vptr__ptx_param *param, const vptr__ptx_token *instruction, const char *at, const char *end) {
  uint64_t offset = 0;
  if (!vptr__ptx_begins(instruction, "ld.param")) {
    mark_words(param, 0, UINT32_MAX);
    return;
  }
  vptr__ptx_token token = vptr__ptx_next(&at, end);
  if (vptr__ptx_is(&token, "+")) {
    token = vptr__ptx_next(&at, end);
    if (!vptr__ptx_integer(&token, &offset))
      return;
  }
  mark_words(param, offset, words_of_load(instruction));
}

/* ---- instructions --------------------------------------------------------------------------------------- */

static unsigned reason_of_instruction(const vptr__ptx_token *token) {
  static const char *const textures[] = { "tex.", "tld4.", "txq.", "suld.", "sust.", "sured.", "suq." };
  for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
    if (vptr__ptx_begins(token, textures[i]))
      return VPTR__PTX_READS_TEXTURES;
  return 0;
}

static unsigned reason_of_register(const vptr__ptx_token *token) {
  if (vptr__ptx_begins(token, "%envreg"))
    return VPTR__PTX_ASKS_GRID;
  bool is_size = vptr__ptx_is(token, "%dynamic_smem_size") || vptr__ptx_is(token, "%total_smem_size");
  return is_size ? VPTR__PTX_ASKS_DYNAMIC : 0;
}

/* The instruction of a statement, which may have a condition: @!%p1 st.global.u32 ...; *at moves behind it. */
static vptr__ptx_token instruction_of(const char **at, const char *end) {
  vptr__ptx_token token = vptr__ptx_next(at, end);
  if (!vptr__ptx_is(&token, "@"))
    return token;
  token = vptr__ptx_next(at, end);
  if (vptr__ptx_is(&token, "!"))
    (void)vptr__ptx_next(at, end);
  return vptr__ptx_next(at, end);
}

/* call (result), target, (arguments): whether the target is a register. */
static bool calls_register(const char *at, const char *end) {
  vptr__ptx_token token;
  bool is_inside = false;
  do {
    token = vptr__ptx_next(&at, end);
    is_inside = vptr__ptx_is(&token, "(") || (is_inside && !vptr__ptx_is(&token, ")"));
  } while (token.kind != VPTR__PTX_END && (is_inside || token.kind != VPTR__PTX_WORD));
  return token.kind == VPTR__PTX_WORD && *token.begin == '%';
}

static void read_instruction(vptr__ptx_survey *survey, vptr__ptx_symbol *here, const vptr__ptx_walk *walk) {
  const char *at = walk->begin;
  vptr__ptx_token instruction = instruction_of(&at, walk->end);
  here->reasons |= reason_of_instruction(&instruction);
  here->calls_pointers |= vptr__ptx_begins(&instruction, "call") && calls_register(at, walk->end);
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, walk->end);
    if (token.kind == VPTR__PTX_END)
      return;
    if (token.kind != VPTR__PTX_WORD)
      continue;
    if (*token.begin == '%') {
      here->reasons |= reason_of_register(&token);
      continue;
    }
    const vptr__ptx_symbol *named = vptr__ptx_survey_find(survey, &token);
    vptr__ptx_param *param = named == NULL ? param_named(here, &token) : NULL;
    if (named != NULL)
      note_reference(survey, here, named);
    if (param != NULL)
      note_param(param, &instruction, at, walk->end);
  }
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* The function that a header begins. */
static vptr__ptx_symbol *function_of(const vptr__ptx_survey *survey, const vptr__ptx_walk *walk) {
  const char *at = walk->begin;
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, walk->end);
    vptr__ptx_symbol *symbol = vptr__ptx_survey_find(survey, &token);
    if (token.kind == VPTR__PTX_END || (symbol != NULL && symbol->kind == VPTR__PTX_FUNCTION))
      return symbol;
  }
}

static void read_bodies(vptr__ptx_survey *survey) {
  vptr__ptx_walk walk = vptr__ptx_walk_begin(survey->text, survey->length);
  vptr__ptx_symbol *here = NULL;
  while (vptr__ptx_walk_next(&walk)) {
    if (walk.kind == VPTR__PTX_HEADER)
      here = function_of(survey, &walk);
    if (walk.kind == VPTR__PTX_PLAIN && walk.depth > 0 && here != NULL)
      read_instruction(survey, here, &walk);
  }
}

static void read_content(vptr__ptx_survey *survey, vptr__ptx_symbol *variable) {
  const char *at = variable->value;
  variable->stays |= !vptr__ptx_value_read(variable, NULL);
  for (;;) {
    vptr__ptx_token token = vptr__ptx_next(&at, variable->value_end);
    if (token.kind == VPTR__PTX_END)
      return;
    const vptr__ptx_symbol *named = vptr__ptx_survey_find(survey, &token);
    if (named != NULL)
      note_reference(survey, variable, named);
  }
}

/* What is named by the content of one that stays, stays too: an address in a program's text is the program's own. */
static bool spread_staying(vptr__ptx_survey *survey) {
  bool has_changed = false;
  for (uint32_t i = 0; i < survey->count; i++) {
    if (survey->symbols[i].kind != VPTR__PTX_VARIABLE || !survey->symbols[i].stays)
      continue;
    for (uint32_t j = 0; j < survey->count; j++)
      if (vptr__ptx_refers(survey, i, j) && vptr__ptx_moves(&survey->symbols[j]))
        survey->symbols[j].stays = has_changed = true;
  }
  return has_changed;
}

vptr_status vptr__ptx_references_read(vptr__ptx_survey *survey) {
  survey->row_words = survey->count / 64 + 1;
  survey->references = vptr__memory_calloc((size_t)survey->count + 1, survey->row_words * sizeof(uint64_t));
  if (survey->references == NULL)
    return vptr__error_host_memory(((size_t)survey->count + 1) * survey->row_words * sizeof(uint64_t));
  read_bodies(survey);
  for (uint32_t i = 0; i < survey->count; i++)
    if (survey->symbols[i].value != NULL)
      read_content(survey, &survey->symbols[i]);
  while (spread_staying(survey))
    ;
  uint32_t moving = 0;
  for (uint32_t i = 0; i < survey->count; i++)
    if (vptr__ptx_moves(&survey->symbols[i]))
      survey->symbols[i].index = moving++;
  return VPTR_SUCCESS;
}
