/* SPDX-License-Identifier: MIT */
/*
 * survey - what there is in a PTX text: kernels and their parameters, functions, variables, and which of them name
 * which.
 *
 *     begin   the text, its target and version
 *     declarations   (survey.c)      symbols, in the order of the text
 *     references     (reference.c)   what each function and each variable's content names; which variables stay
 *
 * A variable *moves* if its memory becomes an allocation of vptr's, which module/variable.h keeps; it *stays* in the
 * program if its content is made of addresses, is named by such content, or is the compiler's own ($str), and if it is
 * of a kind that is not understood here.
 *
 * A survey is a variable of one call's, and points into the text: there are no locks. Used by ptx.c, reach.c,
 * reference.c, value.c and writer.c.
 */
#ifndef VPTR_NVIDIA_SURVEY_H
#define VPTR_NVIDIA_SURVEY_H

#include <vptr/vptr.h>

#include "module/name.h"
#include "nvidia/token.h"

typedef enum vptr__ptx_symbol_kind {
  VPTR__PTX_VARIABLE, VPTR__PTX_FUNCTION, VPTR__PTX_SHARED,
  VPTR__PTX_DYNAMIC /* shared memory whose size the launch tells */
} vptr__ptx_symbol_kind;

/* Why a kernel that reaches it cannot be run. */
enum { VPTR__PTX_READS_TEXTURES = 1, VPTR__PTX_ASKS_GRID = 2, VPTR__PTX_ASKS_DYNAMIC = 4 };

typedef struct vptr__ptx_param {
  const char *name;       /* a view */
  size_t name_length;
  uint32_t size, align;
  uint64_t *words;        /* a bit each 8 bytes: the kernel may read a pointer there */
} vptr__ptx_param;

typedef struct vptr__ptx_symbol {
  char *name;
  vptr__ptx_symbol_kind kind;
  /* of variables and shared memory */
  uint64_t size, align;
  unsigned width;         /* of an element */
  bool is_constant, is_managed, is_extern, stays;
  const char *value, *value_end; /* the content's tokens; NULL: zeros */
  uint32_t index;         /* among the variables that move */
  /* of functions */
  bool is_entry, calls_pointers;
  unsigned reasons;       /* VPTR__PTX_READS_TEXTURES ... */
  vptr__ptx_param *params;
  uint32_t param_count;
  uint32_t max_threads, min_blocks;
  uint64_t shared;        /* declared in its body */
} vptr__ptx_symbol;

typedef struct vptr__ptx_survey {
  const char *text;
  size_t length;
  uint32_t arch;          /* 800 for sm_80 */
  vptr__ptx_symbol *symbols;
  uint32_t count, room;
  vptr__ptx_param *params;
  uint32_t param_count, param_room;
  vptr__name_table names;
  char *name_bytes, *scratch;
  size_t longest_name;
  uint64_t *references;   /* count rows of row_words: a bit for each symbol that one names */
  size_t row_words;
} vptr__ptx_survey;

/* Whatever comes back, free comes after it. Errors: INVALID_ARGUMENT with the line, OUT_OF_HOST_MEMORY. */
vptr_status vptr__ptx_survey_read(const char *text, size_t length, vptr__ptx_survey *survey_out);
void vptr__ptx_survey_free(vptr__ptx_survey *survey);

/* What a token names, or NULL. */
vptr__ptx_symbol *vptr__ptx_survey_find(const vptr__ptx_survey *survey, const vptr__ptx_token *token);

static inline bool vptr__ptx_moves(const vptr__ptx_symbol *symbol) {
  return symbol->kind == VPTR__PTX_VARIABLE && !symbol->stays;
}

/* reference.c: for survey.c, when all symbols are known. */
vptr_status vptr__ptx_references_read(vptr__ptx_survey *survey);
bool vptr__ptx_refers(const vptr__ptx_survey *survey, uint32_t from, uint32_t to);

/* Says what is wrong at a place of the text; INVALID_ARGUMENT. */
vptr_status vptr__ptx_refuse(const vptr__ptx_survey *survey, const char *at, const char *what);

#endif
