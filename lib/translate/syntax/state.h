/* SPDX-License-Identifier: MIT */
/*
 * state - what the files of the parser share.
 *
 * All tokens are read into one array before anything is parsed. So any distance can be looked ahead, an attempt that
 * fails is taken back by an index, and a piece can be read again later: as host code is, which is skipped and
 * remembered.
 *
 * After a syntax error the parser panics: the current token is END for everybody, so that every loop comes to its end
 * without looking at errors. Whoever can go on (a statement, a declaration at namespace level) calms it and moves
 * behind the broken piece. In an attempt nobody can: it ends, and is taken back.
 */
#ifndef VPTR_TRANSLATE_SYNTAX_STATE_H
#define VPTR_TRANSLATE_SYNTAX_STATE_H

#include "translate/lexer/keyword.h"
#include "translate/syntax/parser.h"

/* One name in one scope. */
typedef struct vptr__binding {
  vptr__name *name;
  vptr__declaration *declaration;
  struct vptr__scope *scope;
  struct vptr__binding *shadowed; /* what the name meant before: of the same scope or an outer one */
  struct vptr__binding *next;     /* older one of its scope */
  bool is_outward;                /* also bound in the scope around it */
} vptr__binding;

typedef enum vptr__scope_kind { VPTR__SCOPE_NAMESPACE, VPTR__SCOPE_RECORD, VPTR__SCOPE_BLOCK } vptr__scope_kind;

typedef struct vptr__used_scope {
  struct vptr__scope *scope;
  struct vptr__used_scope *next;
} vptr__used_scope;

typedef struct vptr__scope {
  vptr__scope_kind kind;
  vptr__name *name;               /* of a namespace; NULL: unnamed */
  const char *path;               /* "a::b", or NULL: global or block */
  struct vptr__scope *outer;
  vptr__binding *bindings;        /* newest first */
  struct vptr__scope *children;   /* namespaces */
  struct vptr__scope *next;       /* among children */
  struct vptr__scope *target;     /* of a namespace alias */
  vptr__used_scope *used;         /* using namespace */
  bool is_inline;                 /* its names are those of the scope around it, too */
} vptr__scope;

typedef struct vptr__parser {
  vptr__unit *unit;
  vptr__source *source;
  vptr__arena *arena;
  const vptr__token *tokens;
  size_t count;                   /* without the END that stands at tokens[count] */
  size_t at;
  bool default_device;
  bool is_panicking;
  bool is_extern_c;
  int attempts;                   /* nested */
  const char *reason;             /* the first error of the current attempt */
  const char *first_error;        /* of the function that is read; NULL: none yet */
  const vptr__declaration *cause; /* what the first error of either is about, if that could not be read; NULL: other */
  vptr__scope *scope, *global;
  const char *function_name;      /* for __func__; NULL outside */
  vptr__preprocessor *preprocessor;
  bool has_texels;                /* the built-in header of texture.c was read */
} vptr__parser;

/* ---- cursor.c ---- */
int vptr__parser_kind(const vptr__parser *parser);                /* of the current token; END in panic */
int vptr__parser_kind_at(const vptr__parser *parser, size_t ahead);
const vptr__token *vptr__parser_token(const vptr__parser *parser);
vptr__position vptr__parser_position(const vptr__parser *parser);
vptr__token vptr__parser_take(vptr__parser *parser);
bool vptr__parser_accept(vptr__parser *parser, int kind);
bool vptr__parser_expect(vptr__parser *parser, int kind, const char *where); /* where: "behind the condition" */
bool vptr__parser_at_launch_end(const vptr__parser *parser);      /* at >>>, which is a >> and a > */
bool vptr__parser_is_text(const vptr__token *token, const char *text);
void vptr__parser_error(vptr__parser *parser, vptr__position position, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* and panics; nothing while panicking */
void vptr__parser_unexpected(vptr__parser *parser, const char *wanted);
void vptr__parser_calm(vptr__parser *parser);                     /* nothing in an attempt */
const char *vptr__parser_where(vptr__parser *parser, vptr__position position); /* "file:line", "<built in>" */
void *vptr__parser_new(vptr__parser *parser, size_t size);
const char *vptr__parser_string(vptr__parser *parser, uint32_t *length_out); /* adjacent strings joined */

/* An attempt: between the two nothing is said; the end takes back what was declared if it failed. */
typedef struct vptr__attempt {
  size_t at;
  int errors;
  vptr__binding *bindings;
  vptr__declaration *last;
} vptr__attempt;
vptr__attempt vptr__attempt_begin(vptr__parser *parser);
bool vptr__attempt_end(vptr__parser *parser, vptr__attempt attempt);

/* ---- scope.c ---- */
vptr__scope *vptr__scope_new(vptr__parser *parser, vptr__scope_kind kind, vptr__name *name);
void vptr__scope_enter(vptr__parser *parser, vptr__scope *scope);
void vptr__scope_leave(vptr__parser *parser);
void vptr__scope_bind(vptr__parser *parser, vptr__declaration *declaration);
void vptr__scope_unbind_to(vptr__scope *scope, vptr__binding *bindings);
void vptr__scope_declare(vptr__parser *parser, vptr__declaration *declaration); /* bind, with redeclarations checked */
vptr__declaration *vptr__scope_find(vptr__parser *parser, const vptr__name *name);
vptr__declaration *vptr__scope_find_here(const vptr__parser *parser, const vptr__name *name, bool is_tag);
vptr__declaration *vptr__scope_find_tag(const vptr__parser *parser, const vptr__name *name);
vptr__declaration *vptr__scope_member(const vptr__scope *scope, const vptr__name *name);
vptr__scope *vptr__scope_namespace(const vptr__parser *parser, const vptr__scope *inside, const vptr__name *name);
/* Two names of one plain type, as std::size_t and size_t are. */
bool vptr__scope_is_same_type(const vptr__declaration *left, const vptr__declaration *right);
bool vptr__declaration_is_type(const vptr__declaration *declaration);

/* ---- name.c: names as they are written ---- */
typedef struct vptr__written_name {
  vptr__declaration *declaration; /* NULL: unknown */
  vptr__scope *parent;            /* of a qualified name, the namespace it is looked up in, where known */
  vptr__name *name;               /* NULL: no name stands here */
  const char *scope;              /* "a::b", "" for ::name, NULL: unqualified */
  vptr__position position;
  size_t end;                     /* index of the token behind */
} vptr__written_name;
vptr__written_name vptr__name_look(vptr__parser *parser, size_t index); /* reads nothing */
vptr__name *vptr__name_operator(vptr__parser *parser);   /* at `operator`: "operator+"; NULL: said */
vptr__declaration *vptr__name_operator_functions(vptr__parser *parser, int op);
void vptr__name_refuse_host(vptr__parser *parser, const vptr__written_name *written);
bool vptr__name_is_type(vptr__parser *parser, size_t index);       /* a type begins at this token */
bool vptr__name_is_declaration(vptr__parser *parser);              /* a declaration, not an expression, stands here */
bool vptr__name_is_type_id(vptr__parser *parser, size_t index);    /* as `sizeof (` or a cast has it */
bool vptr__name_is_parameter(vptr__parser *parser, size_t index);  /* as the first of a function that is declared */
bool vptr__name_is_specifier(int kind);

/* ---- specifier.c ---- */
typedef struct vptr__specifiers {
  vptr__position position;
  unsigned flags, qualifiers;
  vptr__type *type;
  bool is_typedef, is_used;       /* is_used: a declarator took `type`, the next needs a copy */
  vptr__expression *align, *launch_bounds[2];
  const vptr__reference *reference; /* what an attribute said; NULL: none did */
  vptr__declaration *defined;     /* records and enums that were defined or first named here, by next */
} vptr__specifiers;
void vptr__specifiers_read(vptr__parser *parser, vptr__specifiers *out);
void vptr__specifiers_attributes(vptr__parser *parser, vptr__specifiers *out); /* any number of them, perhaps none */
void vptr__specifiers_qualify(vptr__type *type, unsigned qualifiers);
vptr__type *vptr__specifiers_type(vptr__parser *parser, vptr__specifiers *specifiers); /* for the next declarator */

/* ---- declarator.c ---- */
typedef struct vptr__declarator {
  vptr__name *name;               /* NULL: abstract */
  vptr__position position;
  vptr__type *type;
  vptr__declaration *prototype;   /* parameters of the function that is declared */
} vptr__declarator;
enum { VPTR__DECLARATOR_NAMED = 1, VPTR__DECLARATOR_ABSTRACT = 2 };
void vptr__declarator_read(vptr__parser *parser, vptr__type *base, unsigned allowed, vptr__declarator *out);
vptr__type *vptr__declarator_type_id(vptr__parser *parser);
bool vptr__declarator_is_parameters(vptr__parser *parser);         /* at ( : parameters, not an initialiser */

/* ---- declaration.c ---- */
vptr__declaration *vptr__declaration_new(vptr__parser *parser, vptr__declaration_kind kind, vptr__name *name,
                                         vptr__position position);
void vptr__declaration_append(vptr__parser *parser, vptr__declaration *declaration); /* to the unit */
void vptr__declaration_outer(vptr__parser *parser, size_t end);    /* at namespace level, with bodies; end: behind it */
vptr__declaration *vptr__declaration_local(vptr__parser *parser);  /* with its ; */
vptr__declaration *vptr__declaration_condition(vptr__parser *parser);
vptr__declaration *vptr__declaration_static_assert(vptr__parser *parser);
/* Of a typedef, or a `using`. */
void vptr__declaration_classify_alias(vptr__parser *parser, const vptr__declaration *alias);
vptr__declaration *vptr__declaration_alias(vptr__parser *parser);  /* using T = ...; behind `using` */

/* ---- record.c, enumeration.c ---- */
vptr__type *vptr__record_read(vptr__parser *parser, vptr__specifiers *specifiers);
vptr__type *vptr__enumeration_read(vptr__parser *parser, vptr__specifiers *specifiers);

/* ---- statement.c ---- */
vptr__statement *vptr__statement_block(vptr__parser *parser);      /* { ... } in the scope that is there */
vptr__statement *vptr__statement_read(vptr__parser *parser);

/* ---- expression.c, operand.c, initializer.c ---- */
vptr__expression *vptr__expression_read(vptr__parser *parser);     /* with commas */
vptr__expression *vptr__expression_assignment(vptr__parser *parser);
vptr__expression *vptr__expression_conditional(vptr__parser *parser);
vptr__expression *vptr__expression_unary(vptr__parser *parser);
vptr__expression *vptr__expression_operand(vptr__parser *parser);  /* with what is behind it: calls, members, indexes */
vptr__expression *vptr__expression_behind(vptr__parser *parser, vptr__expression *operand);
vptr__expression *vptr__expression_primary(vptr__parser *parser);
vptr__expression *vptr__expression_construct(vptr__parser *parser, vptr__type *type, vptr__position position);
vptr__expression *vptr__expression_list(vptr__parser *parser, int close); /* a, {b}, ... and the close */
vptr__expression *vptr__expression_braces(vptr__parser *parser);   /* { ... } as an INIT_LIST */
vptr__expression *vptr__expression_error(vptr__parser *parser);    /* something to go on with */

/* ---- skip.c ---- */
size_t vptr__skip_balanced(const vptr__parser *parser, size_t at); /* behind the partner of tokens[at] */
size_t vptr__skip_template(const vptr__parser *parser, size_t at); /* behind the <...> at `at` */
size_t vptr__skip_declaration(const vptr__parser *parser, size_t at); /* behind one at namespace level */
bool vptr__skip_has_words(const vptr__parser *parser, size_t begin, size_t end, bool is_head);
bool vptr__skip_has_kernel(const vptr__parser *parser, size_t begin, size_t end); /* __global__ in its head */
bool vptr__skip_is_function(const vptr__parser *parser, size_t begin, size_t end); /* by its looks */
/* operators' too; NULL: a member */
vptr__name *vptr__skip_function_name(vptr__parser *parser, size_t begin, size_t end);
const vptr__token *vptr__skip_name(const vptr__parser *parser, size_t begin, size_t end); /* what it declares */

/* ---- launch.c: at <<<, behind the kernel's name ---- */
vptr__expression *vptr__launch_read(vptr__parser *parser, vptr__expression *kernel);

/* ---- namespace.c ---- */
void vptr__namespace_read(vptr__parser *parser, bool is_nested);
void vptr__namespace_using(vptr__parser *parser, bool is_outer);   /* at `using` */

/* ---- parser.c ---- */
void vptr__parser_include(vptr__parser *parser, const char *built_in); /* reads that header, in the global scope */

/* ---- texture.c: texture and surface references, the one template that kernels in C have ---- */
bool vptr__texture_is_reference(const vptr__parser *parser); /* the declaration of one, or several, stands here */
void vptr__texture_prepare(vptr__parser *parser);  /* the functions that read by them */
void vptr__texture_declare(vptr__parser *parser);  /* reads that declaration */
vptr__expression *vptr__texture_call(vptr__parser *parser); /* tex2D(t, x, y); NULL: no such call stands here */

/* ---- built_in.c ---- */
void vptr__built_in_declare(vptr__parser *parser);
void vptr__built_in_complete(vptr__parser *parser, vptr__declaration *declaration);

#endif
