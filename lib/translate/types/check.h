/* SPDX-License-Identifier: MIT */
/*
 * check - what the files of this room share: the state of one check, and what each file does for the others.
 *
 * An expression that was refused has the type `wrong`; whatever meets it stays silent, so that one mistake is one
 * message. What is checked is marked by having a type: checking it again gives it back as it is, since types that were
 * copied share the expressions of their lengths.
 */
#ifndef VPTR_TRANSLATE_TYPES_CHECK_H
#define VPTR_TRANSLATE_TYPES_CHECK_H

#include "translate/lexer/token.h"
#include "translate/source/map.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

/* A call, for the search for recursion. */
typedef struct vptr__check_call {
  vptr__declaration *callee;     /* the definition; the caller's has the list */
  vptr__position position;
  struct vptr__check_call *next;
} vptr__check_call;

typedef struct vptr__check_pending {
  vptr__declaration *function;
  struct vptr__check_pending *next;
} vptr__check_pending;

typedef struct vptr__check_jump {
  vptr__statement *statement;    /* a GOTO */
  struct vptr__check_jump *next;
} vptr__check_jump;

/* The body that is being read. */
typedef struct vptr__check_body {
  vptr__declaration *function;   /* NULL: an initialiser at namespace level */
  vptr__type *switched;          /* type of the innermost switch; NULL: outside of any */
  vptr__map cases;               /* of that switch, so far: the CASE, found by its value */
  bool has_default;
  int breakable, continuable;    /* statements around that break and continue may leave */
  vptr__check_jump *jumps;      /* of the whole body, like */
  vptr__map labels;              /* by name */
} vptr__check_body;

typedef struct vptr__checker {
  vptr__unit *unit;
  vptr__source *source;
  vptr__arena *arena;
  vptr__type *basic[VPTR__TYPE_COUNT];
  vptr__type *wrong;             /* of what was refused already */
  vptr__check_body body;
  vptr__check_pending *pending, **pending_last;
} vptr__checker;

enum { VPTR__CHECK_NEW, VPTR__CHECK_UNDER_WAY, VPTR__CHECK_DONE };
enum { VPTR__CHECK_CV = VPTR__CONST | VPTR__VOLATILE };

/* ---- kind.c: what kind of type it is, and its relatives ---- */
vptr__type *vptr__kind_basic(vptr__checker *checker, vptr__type_kind kind);
/* of arrays: their elements' */
vptr__type *vptr__kind_requalified(vptr__checker *checker, vptr__type *type, unsigned qualifiers);
vptr__type *vptr__kind_unqualified(vptr__checker *checker, vptr__type *type);
vptr__type *vptr__kind_again(vptr__checker *checker, vptr__type *type); /* unqualified, with pointers of its own */
unsigned vptr__kind_qualifiers(const vptr__type *type);
vptr__type *vptr__kind_promoted(vptr__checker *checker, vptr__type *type);
vptr__type *vptr__kind_usual(vptr__checker *checker, vptr__type *left, vptr__type *right);
vptr__type *vptr__kind_underlying(const vptr__type *type); /* of an enumeration; others: itself */
bool vptr__kind_is_scoped(const vptr__type *type);         /* enum class */
bool vptr__kind_is_operand(const vptr__type *type);        /* arithmetic, or an enumeration that converts by itself */
bool vptr__kind_is_scalar(const vptr__type *type);
unsigned vptr__kind_bits(const vptr__type *type);          /* of an integer type; bool: 1 */

/* ---- compare.c ---- */
/* pointees: may a pointer be converted by adding const */
bool vptr__compare_qualifies(const vptr__type *from, const vptr__type *to);
/* of pointers; NULL: none */
vptr__type *vptr__compare_composite(vptr__checker *checker, vptr__type *left, vptr__type *right);
bool vptr__compare_parameters(const vptr__declaration *left, const vptr__declaration *right);     /* of FUNCTIONs */

/* ---- layout.c: false, and said so, if the type cannot be ---- */
bool vptr__layout_resolve(vptr__checker *checker, vptr__type *type, vptr__position position);
bool vptr__layout_complete(vptr__checker *checker, vptr__type *type, vptr__position position); /* and it has a size */
bool vptr__layout_align(vptr__checker *checker, vptr__declaration *declaration, uint64_t natural,
                        uint64_t *alignment_out);

/* ---- enumeration.c ---- */
bool vptr__enumeration_check(vptr__checker *checker, vptr__declaration *declaration);

/* ---- convert.c ---- */
typedef enum vptr__rank_level {
  VPTR__RANK_EXACT,
  VPTR__RANK_PROMOTION,
  VPTR__RANK_CONVERSION,
  VPTR__RANK_POINTER_TO_BOOL,
  VPTR__RANK_CLASS,
  VPTR__RANK_ELLIPSIS,
  VPTR__RANK_NONE
} vptr__rank_level;

typedef struct vptr__rank {
  vptr__rank_level level;
  unsigned added;       /* qualifiers, where a pointer or a reference gets more of them */
  bool is_reference;
} vptr__rank;

vptr__rank vptr__convert_rank(vptr__checker *checker, vptr__expression *expression, const vptr__type *to);
vptr__expression *vptr__convert_value(vptr__checker *checker, vptr__expression *expression); /* LOAD, DECAY */
/* unconditionally, if not the same */
vptr__expression *vptr__convert_cast(vptr__checker *checker, vptr__expression *value, vptr__type *to);
vptr__expression *vptr__convert_to(vptr__checker *checker, vptr__expression *expression, vptr__type *to,
                                   const char *purpose);
vptr__expression *vptr__convert_bind(vptr__checker *checker, vptr__expression *expression, vptr__type *reference,
                                     const char *purpose);
vptr__expression *vptr__convert_condition(vptr__checker *checker, vptr__expression *expression);
vptr__expression *vptr__convert_decay(vptr__checker *checker, vptr__expression *array); /* whatever it is part of */
bool vptr__convert_is_null(const vptr__expression *expression); /* a null pointer constant */
void vptr__convert_mark(vptr__expression *lvalue, unsigned flag); /* the variable that the lvalue is a part of */

/* ---- cast.c: casts that are written ---- */
vptr__expression *vptr__cast_check(vptr__checker *checker, vptr__expression *expression);

/* ---- constant.c: of checked expressions ---- */
typedef struct vptr__constant {
  /* of integers, bool, enumerations, pointers: in the type's range, unsigned 64-bit ones as bits */
  int64_t integer;
  double floating;
} vptr__constant;

struct vptr__constant_frame;
bool vptr__constant_evaluate(const vptr__expression *expression, struct vptr__constant_frame *frame,
                             vptr__constant *value_out);
bool vptr__constant_convert(const vptr__type *from, const vptr__type *to, vptr__constant value,
                            vptr__constant *value_out);
bool vptr__constant_operate(int op, const vptr__type *type, const vptr__constant *left, const vptr__constant *right,
                            const vptr__type *right_type, vptr__constant *value_out);
/* Checks an expression that must be an integer constant; to: its type, or NULL for its own. */
bool vptr__constant_integer(vptr__checker *checker, vptr__expression *expression, vptr__type *to, const char *what,
                            int64_t *value_out);

/* ---- constant_call.c: constexpr functions ---- */
typedef struct vptr__constant_frame vptr__constant_frame;
bool vptr__constant_call(const vptr__expression *call, vptr__constant_frame *frame, vptr__constant *value_out);
bool vptr__constant_assign(const vptr__expression *expression, vptr__constant_frame *frame, vptr__constant *value_out);
const vptr__constant *vptr__constant_local(const vptr__constant_frame *frame, const vptr__declaration *variable);

/* ---- bytes.c ---- */
void vptr__bytes_store(const vptr__type *type, vptr__constant value, unsigned char *bytes);
bool vptr__bytes_load(const vptr__type *type, const unsigned char *bytes, vptr__constant *value_out);
/* bytes NULL: only asks */
bool vptr__bytes_of(const vptr__type *type, const vptr__expression *initializer, unsigned char *bytes);

/* ---- address.c: of checked expressions; `at` is the caller's to set ---- */
bool vptr__address_of(const vptr__expression *pointer, vptr__address *address_out);

/* ---- initializer.c ---- */
/* What `type` is initialised with; arrays without length get theirs. */
vptr__expression *vptr__initializer_check(vptr__checker *checker, vptr__type *type, vptr__expression *initializer,
                                          const char *purpose);
vptr__expression *vptr__initializer_construct(vptr__checker *checker, vptr__expression *expression);

/* ---- signature.c ---- */
typedef struct vptr__candidate {
  vptr__declaration *function;     /* or NULL, and */
  const vptr__builtin *builtin;
  vptr__type *result;
  vptr__type **parameters;
  int count, required;
  bool is_variadic;
  bool is_generic;                 /* of a builtin: stands for many; one that does not is preferred */
  unsigned any;                    /* bit n: parameter n takes any arithmetic type as well as its own */
  vptr__rank *ranks;               /* of the arguments, if viable */
  struct vptr__candidate *next;
} vptr__candidate;

/* NULL: no call with these (checked) arguments can mean that row. */
vptr__candidate *vptr__signature_read(vptr__checker *checker, const vptr__builtin *builtin,
                                      const vptr__expression *arguments);

/* ---- overload.c ---- */
typedef struct vptr__choice {
  vptr__candidate *candidates;     /* all */
  vptr__candidate *best;           /* NULL: none, or */
  bool is_ambiguous;
  const vptr__declaration *unread; /* one of the functions that could not be read, which may be meant; NULL: none */
} vptr__choice;

vptr__choice vptr__overload_choose(vptr__checker *checker, vptr__name *name, vptr__declaration *functions,
                                   bool with_builtins, vptr__expression *arguments);

/* ---- call.c ---- */
vptr__expression *vptr__call_check(vptr__checker *checker, vptr__expression *call);
/* The operator `op` as a function, if an operand is a record or enumeration and there is one; else NULL and nothing
 * said. */
vptr__expression *vptr__call_operator(vptr__checker *checker, vptr__expression *expression);

/* ---- operator.c ---- */
vptr__expression *vptr__operator_unary(vptr__checker *checker, vptr__expression *expression);
vptr__expression *vptr__operator_binary(vptr__checker *checker, vptr__expression *expression);
vptr__expression *vptr__operator_assign(vptr__checker *checker, vptr__expression *expression);
vptr__expression *vptr__operator_conditional(vptr__checker *checker, vptr__expression *expression);
/* the variable it is part of; NULL: behind a pointer */
vptr__declaration *vptr__operator_root(const vptr__expression *lvalue);
bool vptr__operator_may_write(vptr__checker *checker, vptr__expression *lvalue, vptr__position position);
const char *vptr__operator_text(int op);

/* ---- expression.c ---- */
vptr__expression *vptr__expression_check(vptr__checker *checker, vptr__expression *expression);
/* checked, as a value */
vptr__expression *vptr__expression_value(vptr__checker *checker, vptr__expression *expression);
vptr__expression *vptr__expression_wrong(vptr__checker *checker, vptr__expression *expression);
bool vptr__expression_is_wrong(const vptr__checker *checker, const vptr__expression *expression);
/* becomes */
void vptr__expression_integer(vptr__checker *checker, vptr__expression *expression, uint64_t value, vptr__type *type);

/* ---- dim3.c ---- */
bool vptr__dim3_is(const vptr__type *type);
bool vptr__dim3_converts(const vptr__type *from, const vptr__type *to); /* as its constructors and uint3's do */
vptr__expression *vptr__dim3_convert(vptr__checker *checker, vptr__expression *value, vptr__type *to);

/* ---- clone.c ---- */
vptr__expression *vptr__clone_expression(vptr__checker *checker, const vptr__expression *expression);

/* ---- statement.c ---- */
void vptr__statement_check_body(vptr__checker *checker, vptr__declaration *function);

/* ---- declaration.c ---- */
void vptr__declaration_check(vptr__checker *checker, vptr__declaration *declaration);       /* in a body */
/* type, initialiser, size */
bool vptr__declaration_variable(vptr__checker *checker, vptr__declaration *variable);
void vptr__declaration_use(vptr__checker *checker, vptr__declaration *function, vptr__position position);
void vptr__declaration_function(vptr__checker *checker, vptr__declaration *function);
/* Errors that the parser held back: said once. Whether there are any. */
bool vptr__declaration_report_held(vptr__checker *checker, vptr__declaration *function);
void vptr__declaration_assert(vptr__checker *checker, vptr__declaration *declaration);
/* with its redeclarations */
void vptr__declaration_link(vptr__checker *checker, vptr__declaration *declaration);
/* of the host's, at namespace level */
bool vptr__declaration_is_host(const vptr__declaration *variable);
/* a constant that expressions may use */
bool vptr__declaration_is_known(const vptr__declaration *variable);
/* a constant of the host gets a place on the device */
bool vptr__declaration_promote(vptr__declaration *variable);

/* An error, with the type's text; in this file since all say some. */
#define VPTR__CHECK_ERROR(checker, position, ...)                                                                    \
  vptr__source_report((checker)->source, VPTR__ERROR, (position), __VA_ARGS__)
#define VPTR__CHECK_TEXT(checker, type) vptr__type_text((checker)->arena, (type))

#endif
