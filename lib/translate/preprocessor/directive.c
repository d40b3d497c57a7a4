/* SPDX-License-Identifier: MIT */
/*
 * directive - lines that begin with #.
 *
 * A directive is read to its end before anything follows from it, so that an included text, or a group that is left
 * out, begins on the next line. Groups that are left out are read as tokens, but by the lexer alone: of the directives
 * in them only those that begin or end groups mean anything.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

#include "translate/lexer/literal.h"

typedef struct outcome {
  vptr__found found; /* a text to read next */
  bool leaves_out;   /* the group that follows */
  bool is_token;     /* something for the parser */
  vptr__token token;
} outcome;

typedef void handler(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome);

/* ---- conditions ------------------------------------------------------------------------------------------ */

static void open_condition(vptr__preprocessor *preprocessor, vptr__position position, bool holds, outcome *outcome) {
  vptr__condition *condition = VPTR__ARENA_NEW(preprocessor->arena, vptr__condition);
  condition->position = position;
  condition->was_taken = holds;
  condition->outer = preprocessor->inputs->conditions;
  preprocessor->inputs->conditions = condition;
  outcome->leaves_out = !holds;
}

static bool is_defined(vptr__preprocessor *preprocessor, const char *directive) {
  const vptr__name *name = vptr__macro_name(preprocessor, directive);
  return name != NULL && name->macro != NULL;
}

static void do_if(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  open_condition(preprocessor, position, vptr__condition_read(preprocessor, position), outcome);
}

static void do_ifdef(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  open_condition(preprocessor, position, is_defined(preprocessor, "ifdef"), outcome);
}

static void do_ifndef(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  open_condition(preprocessor, position, !is_defined(preprocessor, "ifndef"), outcome);
}

/* The condition that #else and #elif go on with; NULL: there is none, or it had its #else; said. */
static vptr__condition *open_one(vptr__preprocessor *preprocessor, vptr__position position, const char *directive) {
  vptr__condition *condition = preprocessor->inputs->conditions;
  if (condition != NULL && !condition->has_else)
    return condition;
  vptr__source_report(preprocessor->source, VPTR__ERROR, position,
                      condition == NULL ? "#%s without #if" : "#%s behind #else", directive);
  return NULL;
}

/* #elif, #elifdef, #elifndef: the condition is read only if no group was taken before. */
static void go_on(vptr__preprocessor *preprocessor, vptr__position position, const char *directive,
                  outcome *outcome) {
  vptr__condition *condition = open_one(preprocessor, position, directive);
  outcome->leaves_out = true;
  if (condition == NULL || condition->was_taken)
    return;
  if (directive[4] == 0)
    condition->was_taken = vptr__condition_read(preprocessor, position);
  else
    condition->was_taken = is_defined(preprocessor, directive) == (directive[4] == 'd');
  outcome->leaves_out = !condition->was_taken;
}

static void do_elif(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  go_on(preprocessor, position, "elif", outcome);
}

static void do_elifdef(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  go_on(preprocessor, position, "elifdef", outcome);
}

static void do_elifndef(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  go_on(preprocessor, position, "elifndef", outcome);
}

static void do_else(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  vptr__condition *condition = open_one(preprocessor, position, "else");
  outcome->leaves_out = condition == NULL || condition->was_taken;
  if (condition == NULL)
    return;
  condition->has_else = true;
  condition->was_taken = true;
}

static void do_endif(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)outcome;
  vptr__condition *condition = preprocessor->inputs->conditions;
  if (condition == NULL)
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "#endif without #if");
  else
    preprocessor->inputs->conditions = condition->outer;
}

/* ---- others ---------------------------------------------------------------------------------------------- */

static void do_define(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)position, (void)outcome;
  vptr__macro_define(preprocessor);
}

static void do_undef(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)outcome;
  vptr__macro_undefine(preprocessor, position);
}

static void do_include(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  outcome->found = vptr__include_read(preprocessor, position, false);
}

static void do_include_next(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  outcome->found = vptr__include_read(preprocessor, position, true);
}

static void do_pragma(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  outcome->is_token = vptr__pragma_run(preprocessor, position, &outcome->token);
}

static void report_line(vptr__preprocessor *preprocessor, vptr__severity severity, vptr__position position,
                        const char *directive) {
  const vptr__lexer *lexer = &preprocessor->inputs->lexer;
  const char *begin = lexer->cursor + strspn(lexer->cursor, " \t");
  int length = (int)strcspn(begin, "\r\n");
  vptr__source_report(preprocessor->source, severity, position, "#%s %.*s", directive, length > 400 ? 400 : length,
                      begin);
}

static void do_error(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)outcome;
  report_line(preprocessor, VPTR__ERROR, position, "error");
}

static void do_warning(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)outcome;
  report_line(preprocessor, VPTR__WARNING, position, "warning");
}

static void do_nothing(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)preprocessor, (void)position, (void)outcome;
}

/* The number and perhaps the name that #line has. GNU's `# 1 "file"` is the same, with flags behind it. */
static void renumber_lines(vptr__preprocessor *preprocessor, vptr__position position, const vptr__token *number) {
  uint64_t line = 0;
  for (uint32_t i = 0; i < number->length && line <= INT32_MAX; i++)
    line =
        number->text[i] >= '0' && number->text[i] <= '9' ? line * 10 + (uint64_t)(number->text[i] - '0') : UINT32_MAX;
  if (number->kind != VPTR__TOKEN_NUMBER || line > INT32_MAX) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "#line needs a decimal number up to %d",
                        INT32_MAX);
    return;
  }
  vptr__token name = vptr__expand_next(preprocessor);
  const char *file = NULL;
  if (name.kind == VPTR__TOKEN_STRING) {
    uint32_t length;
    file = vptr__literal_string(preprocessor->source, &name, &length);
  } else if (name.kind != VPTR__TOKEN_END) {
    vptr__source_report(preprocessor->source, VPTR__ERROR, position, "#line takes a \"name\" behind its number");
  }
  vptr__source_renumber(preprocessor->source, position, file, (unsigned)line);
}

static void do_line(vptr__preprocessor *preprocessor, vptr__position position, outcome *outcome) {
  (void)outcome;
  vptr__token number = vptr__expand_next(preprocessor);
  renumber_lines(preprocessor, position, &number);
}

/* ---- the line -------------------------------------------------------------------------------------------- */

/* What a directive means where a group is left out. */
typedef enum nesting { PLAIN, BEGINS, GOES_ON, ENDS } nesting;

static const struct directive {
  const char *name;
  handler *run;
  nesting nesting;
} directives[] = {
  { "if", do_if, BEGINS },        { "ifdef", do_ifdef, BEGINS },      { "ifndef", do_ifndef, BEGINS },
  { "elif", do_elif, GOES_ON },   { "elifdef", do_elifdef, GOES_ON }, { "elifndef", do_elifndef, GOES_ON },
  { "else", do_else, GOES_ON },   { "endif", do_endif, ENDS },        { "define", do_define, PLAIN },
  { "undef", do_undef, PLAIN },   { "include", do_include, PLAIN },   { "include_next", do_include_next, PLAIN },
  { "pragma", do_pragma, PLAIN }, { "error", do_error, PLAIN },       { "warning", do_warning, PLAIN },
  { "line", do_line, PLAIN },     { "ident", do_nothing, PLAIN },     { "sccs", do_nothing, PLAIN },
};

static const struct directive *find_directive(const vptr__token *token) {
  for (size_t i = 0; token->kind == VPTR__TOKEN_NAME && i < sizeof directives / sizeof *directives; i++)
    if (strcmp(token->name->text, directives[i].name) == 0)
      return &directives[i];
  return NULL;
}

static void end_line(vptr__preprocessor *preprocessor) {
  vptr__expand_drop_to(preprocessor, NULL);
  vptr__lexer_skip_line(&preprocessor->inputs->lexer);
  preprocessor->inputs->lexer.in_directive = false;
}

/* Behind the # of a line in a group that is left out. True: the group ends here, and the next one is read. */
static bool ends_group(vptr__preprocessor *preprocessor, vptr__position position, int *depth) {
  vptr__token token = vptr__lexer_next(&preprocessor->inputs->lexer);
  const struct directive *directive = find_directive(&token);
  nesting nesting = directive != NULL ? directive->nesting : PLAIN;
  outcome outcome = { .leaves_out = false };
  if (*depth == 0 && (nesting == GOES_ON || nesting == ENDS)) {
    directive->run(preprocessor, position, &outcome);
    return !outcome.leaves_out;
  }
  *depth += (nesting == BEGINS) - (nesting == ENDS);
  return false;
}

static void leave_out(vptr__preprocessor *preprocessor) {
  vptr__lexer *lexer = &preprocessor->inputs->lexer;
  int depth = 0;
  for (vptr__token token; (token = vptr__lexer_next(lexer)).kind != VPTR__TOKEN_END;) {
    if (token.kind != '#' || !(token.flags & VPTR__TOKEN_AT_LINE_START))
      continue;
    lexer->in_directive = true;
    bool ends = ends_group(preprocessor, token.position, &depth);
    end_line(preprocessor);
    if (ends)
      return;
  }
}

static void run_directive(vptr__preprocessor *preprocessor, vptr__position position, const vptr__token *token,
                          outcome *outcome) {
  const struct directive *directive = find_directive(token);
  if (directive != NULL)
    directive->run(preprocessor, position, outcome);
  else if (token->kind == VPTR__TOKEN_NUMBER)
    renumber_lines(preprocessor, position, token);
  else if (token->kind != VPTR__TOKEN_END)
    vptr__source_report(preprocessor->source, VPTR__ERROR, token->position, "#%.*s is no directive",
                        token->length > 40 ? 40 : (int)token->length, token->text);
}

bool vptr__directive_run(vptr__preprocessor *preprocessor, vptr__position position, vptr__token *token_out) {
  vptr__lexer *lexer = &preprocessor->inputs->lexer;
  outcome outcome = { .is_token = false };
  lexer->in_directive = true;
  vptr__token token = vptr__lexer_next(lexer);
  run_directive(preprocessor, position, &token, &outcome);
  end_line(preprocessor);
  if (outcome.found.file != NULL)
    vptr__input_push(preprocessor, outcome.found.file, outcome.found.path);
  if (outcome.leaves_out)
    leave_out(preprocessor);
  if (outcome.is_token)
    *token_out = outcome.token;
  return outcome.is_token;
}
