/* SPDX-License-Identifier: MIT */
/*
 * skip - where things end that are not read: what belongs to the host.
 *
 * Host code is all of C++, and only its brackets are trusted. What ends a declaration at namespace level is `;`, or the
 * } of a function's body; so the question is which { begins a body. It does if a parenthesis of parameters came before
 * it and no `=`; not if it follows struct, class, union or enum, or is an initialiser.
 */
#include "translate/syntax/state.h"

static bool is_open(int kind) {
  return kind == '(' || kind == '[' || kind == '{';
}

static bool is_close(int kind) {
  return kind == ')' || kind == ']' || kind == '}';
}

static int kind_at(const vptr__parser *parser, size_t at) {
  return parser->tokens[at < parser->count ? at : parser->count].kind;
}

/* tokens[at] opens. Brackets that do not match are the host compiler's to complain about. */
size_t vptr__skip_balanced(const vptr__parser *parser, size_t at) {
  size_t depth = 0;
  for (; at < parser->count; ++at) {
    if (is_open(kind_at(parser, at)))
      ++depth;
    else if (is_close(kind_at(parser, at)) && --depth == 0)
      return at + 1;
  }
  return parser->count;
}

size_t vptr__skip_template(const vptr__parser *parser, size_t at) {
  size_t depth = 0;
  while (at < parser->count) {
    int kind = kind_at(parser, at);
    if (kind == '<')
      ++depth;
    else if (kind == '>')
      --depth;
    else if (kind == VPTR__TOKEN_SHIFT_RIGHT)
      depth -= depth < 2 ? depth : 2;
    else if (kind == ';' || is_close(kind))
      return at;
    at = is_open(kind) ? vptr__skip_balanced(parser, at) : at + 1;
    if (depth == 0)
      return at;
  }
  return at;
}

/* Parentheses that belong to a word before them, not to a function. */
static bool takes_parentheses(const vptr__token *token) {
  switch (token->kind) {
  case VPTR__KEYWORD_ATTRIBUTE:
  case VPTR__KEYWORD_ALIGNAS:
  case VPTR__KEYWORD_ALIGN:
  case VPTR__KEYWORD_LAUNCH_BOUNDS:
  case VPTR__KEYWORD_CLUSTER_DIMS:
  case VPTR__KEYWORD_MAXNREG:
  case VPTR__KEYWORD_DECLTYPE:
  case VPTR__KEYWORD_TYPEOF:
  case VPTR__KEYWORD_NOEXCEPT:
  case VPTR__KEYWORD_EXPLICIT:
    return true;
  case VPTR__TOKEN_NAME:
    return vptr__parser_is_text(token, "__declspec");
  default:
    return false;
  }
}

static bool is_class_key(int kind) {
  return kind == VPTR__KEYWORD_STRUCT || kind == VPTR__KEYWORD_CLASS || kind == VPTR__KEYWORD_UNION ||
         kind == VPTR__KEYWORD_ENUM;
}

/* : a(1), b{2} before a constructor's body; at the colon. */
static size_t skip_initializers(const vptr__parser *parser, size_t at) {
  do {
    ++at;
    while (at < parser->count && kind_at(parser, at) != '(' && kind_at(parser, at) != '{' &&
           kind_at(parser, at) != ';')
      at = kind_at(parser, at) == '<' ? vptr__skip_template(parser, at) : at + 1;
    if (is_open(kind_at(parser, at)))
      at = vptr__skip_balanced(parser, at);
    if (kind_at(parser, at) == VPTR__TOKEN_ELLIPSIS)
      ++at;
  } while (kind_at(parser, at) == ',');
  return at;
}

static size_t skip_body(const vptr__parser *parser, size_t at) {
  at = vptr__skip_balanced(parser, at);
  while (kind_at(parser, at) == VPTR__KEYWORD_CATCH && kind_at(parser, at + 1) == '(') {
    at = vptr__skip_balanced(parser, at + 1);
    if (kind_at(parser, at) == '{')
      at = vptr__skip_balanced(parser, at);
  }
  return at;
}

/* template <...>, template <template <...> class> ..., requires is not of C++17 */
static size_t skip_template_heads(const vptr__parser *parser, size_t at) {
  while (kind_at(parser, at) == VPTR__KEYWORD_TEMPLATE) {
    ++at;
    if (kind_at(parser, at) != '<')
      break; /* an explicit instantiation */
    at = vptr__skip_template(parser, at);
  }
  return at;
}

/* operator+, operator(), operator new[]: the sign is no bracket and no end. */
static size_t skip_operator(const vptr__parser *parser, size_t at) {
  if ((kind_at(parser, at) == '(' && kind_at(parser, at + 1) == ')') ||
      (kind_at(parser, at) == '[' && kind_at(parser, at + 1) == ']'))
    return at + 2;
  return kind_at(parser, at) == '(' ? at : at + 1;
}

size_t vptr__skip_declaration(const vptr__parser *parser, size_t at) {
  bool has_parameters = false, has_value = false, is_class = false;
  at = skip_template_heads(parser, at);
  while (at < parser->count) {
    int kind = kind_at(parser, at);
    if (kind == ';')
      return at + 1;
    if (is_close(kind))
      return at;
    if (kind == VPTR__KEYWORD_OPERATOR) {
      at = skip_operator(parser, at + 1);
      is_class = false;
      continue;
    }
    if (kind == '{' && has_parameters && !has_value)
      return skip_body(parser, at);
    if (kind == ':' && has_parameters && !has_value)
      at = skip_initializers(parser, at);
    else if (kind == '(' && at > 0 && !takes_parentheses(&parser->tokens[at - 1])) {
      has_parameters = !is_class || parser->tokens[at - 1].kind == VPTR__TOKEN_NAME;
      at = vptr__skip_balanced(parser, at);
    } else {
      has_value |= kind == '=';
      is_class |= is_class_key(kind);
      if (kind == '{' && is_class)
        has_value = true; /* what follows a class's members are variables */
      at = is_open(kind) ? vptr__skip_balanced(parser, at) : at + 1;
    }
  }
  return at;
}

static bool is_word(int kind) {
  return kind == VPTR__KEYWORD_GLOBAL || kind == VPTR__KEYWORD_DEVICE || kind == VPTR__KEYWORD_CONSTANT ||
         kind == VPTR__KEYWORD_MANAGED || kind == VPTR__KEYWORD_SHARED;
}

/* is_head: outside of brackets only, and not behind an =. */
bool vptr__skip_has_words(const vptr__parser *parser, size_t begin, size_t end, bool is_head) {
  for (size_t at = begin; at < end;) {
    int kind = kind_at(parser, at);
    if (is_word(kind))
      return true;
    if (is_head && kind == '=' && (at == begin || kind_at(parser, at - 1) != VPTR__KEYWORD_OPERATOR))
      return false;
    at = is_head && is_open(kind) ? vptr__skip_balanced(parser, at) : at + 1;
  }
  return false;
}

bool vptr__skip_has_kernel(const vptr__parser *parser, size_t begin, size_t end) {
  for (size_t at = skip_template_heads(parser, begin); at < end;) {
    int kind = kind_at(parser, at);
    if (kind == VPTR__KEYWORD_GLOBAL)
      return true;
    if (kind == '=' || kind == ';' || is_class_key(kind))
      return false;
    at = is_open(kind) ? vptr__skip_balanced(parser, at) : at + 1;
  }
  return false;
}

/* (isnan)(x): in parentheses, so that no macro of that name takes it. */
static bool is_name_in_parentheses(const vptr__parser *parser, size_t at) {
  return kind_at(parser, at + 1) == VPTR__TOKEN_NAME && kind_at(parser, at + 2) == ')' &&
         kind_at(parser, at + 3) == '(';
}

static bool is_pointer_sign(int kind) {
  return kind == '*' || kind == '&' || kind == VPTR__TOKEN_AND_AND;
}

/* A parenthesis of parameters comes before any value, any width and any members. */
bool vptr__skip_is_function(const vptr__parser *parser, size_t begin, size_t end) {
  for (size_t at = skip_template_heads(parser, begin); at < end;) {
    int kind = kind_at(parser, at);
    if (kind == VPTR__KEYWORD_OPERATOR)
      return true;
    if (kind == '=' || kind == '{' || kind == ';' || kind == ':' || kind == VPTR__KEYWORD_TYPEDEF ||
        kind == VPTR__KEYWORD_USING)
      return false;
    if (kind == '(' && at > begin && !takes_parentheses(&parser->tokens[at - 1]))
      return (kind_at(parser, at - 1) == VPTR__TOKEN_NAME && !is_pointer_sign(kind_at(parser, at + 1))) ||
             is_name_in_parentheses(parser, at);
    if (kind == '<' && at > begin && kind_at(parser, at - 1) == VPTR__TOKEN_NAME)
      at = vptr__skip_template(parser, at);
    else
      at = is_open(kind) ? vptr__skip_balanced(parser, at) : at + 1;
  }
  return false;
}

/* NULL: one that is always a member. Reads nothing. */
static vptr__name *operator_name(vptr__parser *parser, size_t at) {
  vptr__parser before = *parser;
  int errors = vptr__source_errors(parser->source);
  vptr__source_silence(parser->source);
  parser->at = at;
  vptr__name *name = vptr__name_operator(parser);
  vptr__source_unsilence(parser->source, errors);
  *parser = before;
  return name;
}

vptr__name *vptr__skip_function_name(vptr__parser *parser, size_t begin, size_t end) {
  size_t at = skip_template_heads(parser, begin);
  while (at < end && kind_at(parser, at) != VPTR__KEYWORD_OPERATOR &&
         !(kind_at(parser, at) == '(' && !takes_parentheses(&parser->tokens[at - 1])))
    ++at;
  if (kind_at(parser, at) == VPTR__KEYWORD_OPERATOR)
    return kind_at(parser, at - 1) == VPTR__TOKEN_SCOPE ? NULL : operator_name(parser, at);
  const vptr__token *token =
      is_name_in_parentheses(parser, at) ? &parser->tokens[at + 1] : vptr__skip_name(parser, begin, end);
  return token == NULL ? NULL : token->name;
}

/* The name behind struct, class, union or enum: the last before { : ; or <. */
static const vptr__token *class_name(const vptr__parser *parser, size_t at, size_t end) {
  const vptr__token *found = NULL;
  for (; at < end; ++at) {
    const vptr__token *token = &parser->tokens[at];
    if (token->kind == '{' || token->kind == ':' || token->kind == ';' || token->kind == '<')
      return found;
    if (is_open(token->kind))
      at = vptr__skip_balanced(parser, at) - 1;
    else if (token->kind == VPTR__TOKEN_NAME && !vptr__parser_is_text(token, "final"))
      found = token;
  }
  return found;
}

const vptr__token *vptr__skip_name(const vptr__parser *parser, size_t begin, size_t end) {
  const vptr__token *found = NULL;
  size_t at = skip_template_heads(parser, begin);
  if (kind_at(parser, begin) == VPTR__KEYWORD_TYPEDEF && end > begin + 2 &&
      kind_at(parser, end - 2) == VPTR__TOKEN_NAME)
    return &parser->tokens[end - 2];
  while (at < end) {
    const vptr__token *token = &parser->tokens[at];
    if (is_class_key(token->kind) && at == skip_template_heads(parser, begin))
      return class_name(parser, at + 1, end);
    if (token->kind == VPTR__KEYWORD_OPERATOR || token->kind == VPTR__TOKEN_SCOPE)
      return NULL; /* a member, defined elsewhere, or not to be called by a name */
    if (token->kind == VPTR__KEYWORD_USING && kind_at(parser, at + 1) == VPTR__TOKEN_NAME)
      return &parser->tokens[at + 1];
    if (token->kind == VPTR__TOKEN_NAME) {
      found = at > 0 && kind_at(parser, at - 1) == VPTR__TOKEN_SCOPE ? NULL : token;
      ++at;
      if (kind_at(parser, at) == '<')
        at = vptr__skip_template(parser, at);
      if (kind_at(parser, at) == VPTR__TOKEN_SCOPE)
        at += kind_at(parser, at + 1) == VPTR__TOKEN_NAME ? 1 : 0; /* std::string f(): go on with the last part */
    } else if (token->kind == '(' && at > 0 && takes_parentheses(&parser->tokens[at - 1])) {
      at = vptr__skip_balanced(parser, at);
    } else if (is_open(token->kind) || token->kind == '=' || token->kind == ';') {
      return found;
    } else {
      ++at;
    }
  }
  return found;
}
