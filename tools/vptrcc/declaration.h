/* SPDX-License-Identifier: MIT */
/*
 * declaration - where the declarations of a C++ text begin and end, and what kind of thing each is.
 *
 * Nothing here knows types or looks up names. It is enough to know the brackets, a few keywords, and where `{` opens
 * a namespace, a class, a function's body or an initialiser. Bodies are not looked into. What is written in a way
 * that this does not understand becomes a wrong extent; the splitter makes sure that no word of CUDA's is lost in
 * one.
 */
#ifndef VPTRCC_DECLARATION_H
#define VPTRCC_DECLARATION_H

#include "tokens.h"

enum { /* words of CUDA's */
  CC_GLOBAL = 1, CC_DEVICE = 2, CC_HOST = 4, CC_CONSTANT = 8, CC_MANAGED = 16, CC_SHARED = 32,
  CC_REFERENCE = 64 /* no word, but a variable that is a texture or surface reference */
};

/* Where declarations stand. */
typedef struct cc_scope {
  const char *path;        /* names joined by "::", unnamed namespaces left out; "" */
  const char *qualifier;   /* what goes before a name seen from outside: "::a::b::" */
  const char *opening;     /* what opens it: "namespace a { namespace {" */
  unsigned depth;          /* how many braces that are */
  bool is_hidden;          /* inside of an unnamed namespace */
  bool is_class, is_c;     /* inside of a class; of extern "C" */
} cc_scope;

typedef enum cc_declaration_kind { CC_FUNCTION, CC_VARIABLE, CC_CLASS, CC_ENUM, CC_OTHER } cc_declaration_kind;

typedef struct cc_declaration {
  cc_declaration_kind kind;
  const cc_scope *scope;
  uint32_t first, last;    /* tokens, both included: the last is ';' or a function's '}' */
  uint32_t head_end;       /* the token behind the head: '{', '=', ':' of initialisers, ';' */
  uint32_t parameters;     /* '(' of a FUNCTION */
  uint32_t body;           /* '{' of a FUNCTION or CLASS that has one, else 0 */
  unsigned words;
  bool is_template, is_constexpr, is_extern, is_static, is_inline, is_c, is_friend, is_specialized, has_initializer;
} cc_declaration;

/* 0 if the token is none of CUDA's words. */
unsigned cc_word(const cc_text *text, uint32_t token);

/* Calls see() for each, in order; of a CLASS, then for its members. */
typedef void cc_see(void *context, const cc_declaration *declaration);
void cc_declarations(const cc_text *text, vptr__arena *arena, cc_see *see, void *context);

#endif
