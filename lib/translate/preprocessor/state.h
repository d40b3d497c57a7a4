/* SPDX-License-Identifier: MIT */
/*
 * state - what the preprocessor's files share.
 *
 * Tokens come from two stacks. Contexts hold what macros gave, and are read first; below them are the texts, of which
 * the topmost is read by its lexer. Directives are met, and done, by whoever reads the text's next token:
 *
 *     vptr__preprocessor_next    keywords, stray bytes                        preprocessor.c
 *       vptr__expand_next        macros                                       expand.c
 *         vptr__expand_raw       contexts                                     expand.c
 *           vptr__input_next     texts, their ends; directives                input.c, directive.c
 *             vptr__lexer_next
 */
#ifndef VPTR_TRANSLATE_PREPROCESSOR_STATE_H
#define VPTR_TRANSLATE_PREPROCESSOR_STATE_H

#include "translate/lexer/lexer.h"
#include "translate/preprocessor/preprocessor.h"

enum { /* kinds of tokens in a macro's body */
  VPTR__TOKEN_PARAMETER = VPTR__TOKEN_KEYWORD_FIRST - 2, /* `length` is its index */
  VPTR__TOKEN_PLACEMARKER                                /* an empty argument beside ## */
};

typedef enum vptr__special {
  VPTR__SPECIAL_NONE, VPTR__SPECIAL_FILE, VPTR__SPECIAL_LINE, VPTR__SPECIAL_COUNTER, VPTR__SPECIAL_DATE,
  VPTR__SPECIAL_TIME, VPTR__SPECIAL_LEVEL, VPTR__SPECIAL_PRAGMA, VPTR__SPECIAL_HAS_INCLUDE
} vptr__special;

typedef struct vptr__macro {
  vptr__name *name;
  vptr__special special;
  bool is_function;
  bool is_variadic;      /* the last parameter takes the rest */
  bool has_paste;        /* ## in the body */
  bool is_disabled;      /* its expansion is being read */
  vptr__name **parameters;
  uint32_t parameter_count;
  vptr__token *body;
  uint32_t length;
} vptr__macro;

typedef struct vptr__token_list {
  vptr__token *items;
  uint32_t count, capacity;
} vptr__token_list;

typedef struct vptr__context {
  vptr__macro *macro;           /* becomes available again when this is read; may be NULL */
  const vptr__token *cursor, *end;
  vptr__position position;      /* that tokens get; 0: they keep theirs */
  uint8_t first_flags;          /* of the first token, where the macro's name stood */
  bool is_first;
  bool is_barrier;              /* what is below is not read before this is taken away */
  struct vptr__context *below;
} vptr__context;

typedef struct vptr__condition {
  vptr__position position;
  bool was_taken, has_else;     /* one of its groups was, its #else was met */
  struct vptr__condition *outer;
} vptr__condition;

typedef struct vptr__input {
  vptr__lexer lexer;
  vptr__source_file *file;
  const char *path;             /* as the reader found it */
  vptr__condition *conditions;
  struct vptr__input *below;
} vptr__input;

typedef struct vptr__kept_macro { /* by #pragma push_macro */
  vptr__name *name;
  vptr__macro *macro;
  struct vptr__kept_macro *next;
} vptr__kept_macro;

typedef struct vptr__path {
  const char *text;
  struct vptr__path *next;
} vptr__path;

struct vptr__preprocessor {
  vptr__source *source;
  vptr__arena *arena;
  vptr__reader reader;
  vptr__context *contexts, *spare_contexts;
  vptr__input *inputs;
  int input_depth;
  vptr__position last;          /* where the text that was left last ended */
  int collecting;               /* a text's end is an end: arguments may not go on behind it */
  uint32_t tokens_expanded, inputs_begun, counter;
  vptr__path *once;             /* #pragma once */
  vptr__kept_macro *kept_macros;
  bool is_packed;               /* by #pragma pack; the stack of what it was before, the newest in the lowest bit */
  uint64_t packed_before;
  vptr__absent *absent, *last_absent;
  const char **included;
  int included_count, included_capacity;
};

/* ---- input.c: texts ---- */
vptr__token vptr__input_next(vptr__preprocessor *preprocessor);
/* path NULL: none was given. Ends by the arena's way out when there are too many. */
void vptr__input_push(vptr__preprocessor *preprocessor, vptr__source_file *file, const char *path);
/* Reads a text of directives at once, in front of everything else. */
void vptr__input_run(vptr__preprocessor *preprocessor, const char *name, const char *text);

/* ---- expand.c: macros are replaced ---- */
vptr__token vptr__expand_raw(vptr__preprocessor *preprocessor);
vptr__token vptr__expand_next(vptr__preprocessor *preprocessor);
/* Puts tokens in front, which must stay. macro: switched off while they are read; may be NULL. */
vptr__context *vptr__expand_push(vptr__preprocessor *preprocessor, vptr__macro *macro, const vptr__token *tokens,
                                 uint32_t count);
/* Takes contexts away, down to `below`. */
void vptr__expand_drop_to(vptr__preprocessor *preprocessor, const vptr__context *below);

/* ---- substitute.c: a macro's body with its arguments ---- */
typedef struct vptr__argument {
  vptr__token_list raw, expanded;
  bool is_expanded;
} vptr__argument;
void vptr__substitute(vptr__preprocessor *preprocessor, vptr__macro *macro, vptr__argument *arguments,
                      vptr__position position, vptr__token_list *out);
/* The spelling of tokens, a space where there was white space. */
const char *vptr__substitute_spell(vptr__preprocessor *preprocessor, const vptr__token *tokens, uint32_t count,
                                   uint32_t *length_out);
void vptr__token_list_add(vptr__arena *arena, vptr__token_list *list, const vptr__token *token);
/* Makes the first token of a text, of which there may be no second; kind END: there is. */
vptr__token vptr__token_make(vptr__preprocessor *preprocessor, const char *text, size_t length,
                             vptr__position position);

/* ---- macro.c: macros are defined ---- */
void vptr__macro_define(vptr__preprocessor *preprocessor); /* behind #define */
void vptr__macro_undefine(vptr__preprocessor *preprocessor, vptr__position position); /* behind #undef, at position */
/* A name for a macro from the directive's text; NULL: none stands there, or one that may not be; said. */
vptr__name *vptr__macro_name(vptr__preprocessor *preprocessor, const char *directive);

/* ---- predefined.c ---- */
void vptr__predefined_install(vptr__preprocessor *preprocessor);
vptr__token vptr__predefined_token(vptr__preprocessor *preprocessor, const vptr__macro *macro, const vptr__token *use);

/* ---- directive.c ---- */
/* Behind a # at a line's beginning. True: it is something for the parser, which is in *token_out. */
bool vptr__directive_run(vptr__preprocessor *preprocessor, vptr__position position, vptr__token *token_out);

/* ---- pragma.c ---- */
/* Behind #pragma, to the line's end; as vptr__directive_run(). */
bool vptr__pragma_run(vptr__preprocessor *preprocessor, vptr__position position, vptr__token *token_out);
/* The operator _Pragma("..."), behind its name. */
bool vptr__pragma_operator(vptr__preprocessor *preprocessor, const vptr__token *use, vptr__token *token_out);

/* ---- condition.c: #if's expressions ---- */
bool vptr__condition_read(vptr__preprocessor *preprocessor, vptr__position position);

/* ---- include.c ---- */
typedef struct vptr__found {
  vptr__source_file *file;      /* NULL: nothing is to be read */
  const char *path;
} vptr__found;
/* Behind #include and #include_next. */
vptr__found vptr__include_read(vptr__preprocessor *preprocessor, vptr__position position, bool is_next);
bool vptr__include_exists(vptr__preprocessor *preprocessor); /* behind __has_include */
/* Of the built-in headers; NULL: there is none of that name. */
vptr__source_file *vptr__include_built_in(vptr__preprocessor *preprocessor, const char *name, vptr__position position);
void vptr__include_once(vptr__preprocessor *preprocessor); /* #pragma once */
/* system.c */
bool vptr__include_is_system(const char *name); /* a header that only the host reads */

#endif
