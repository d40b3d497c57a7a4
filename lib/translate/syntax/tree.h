/* SPDX-License-Identifier: MIT */
/*
 * tree - what the parser builds, and the later passes annotate.
 *
 * One tree, three kinds of node: declarations, statements, expressions. The parser fills all but what is marked
 * [types]; lib/translate/types fills that, in place, and makes every conversion a node. Address spaces are not here:
 * they differ between instances of one function (lib/translate/infer).
 *
 * Nodes live in the arena and are linked by `next` in source order.
 */
#ifndef VPTR_TRANSLATE_SYNTAX_TREE_H
#define VPTR_TRANSLATE_SYNTAX_TREE_H

#include "translate/source/source.h"
#include "translate/syntax/type.h"

typedef struct vptr__statement vptr__statement;

/* ---- declarations ---------------------------------------------------------------------------------------- */

typedef enum vptr__declaration_kind {
  VPTR__DECLARATION_VARIABLE, VPTR__DECLARATION_PARAMETER, VPTR__DECLARATION_FUNCTION, VPTR__DECLARATION_TYPEDEF,
  VPTR__DECLARATION_RECORD, VPTR__DECLARATION_FIELD, VPTR__DECLARATION_ENUM, VPTR__DECLARATION_ENUMERATOR,
  VPTR__DECLARATION_STATIC_ASSERT
} vptr__declaration_kind;

enum { /* flags */
       VPTR__GLOBAL = 1 << 0,
       VPTR__DEVICE = 1 << 1,
       VPTR__HOST = 1 << 2, /* __global__, ... */
       VPTR__SHARED = 1 << 3,
       VPTR__CONSTANT = 1 << 4,
       VPTR__MANAGED = 1 << 5,
       VPTR__EXTERN = 1 << 6,
       VPTR__STATIC = 1 << 7,
       VPTR__INLINE = 1 << 8,
       VPTR__CONSTEXPR = 1 << 9,
       VPTR__NOINLINE = 1 << 10,
       VPTR__EXTERN_C = 1 << 11,
       VPTR__UNION = 1 << 12, /* of a RECORD */
       VPTR__ENUM_CLASS = 1 << 13,
       VPTR__BUILT_IN = 1 << 14,     /* threadIdx, blockIdx, blockDim, gridDim, warpSize: `built_in` says which */
       VPTR__HOST_ONLY = 1 << 15,    /* read so that it can be named in an error: a function without __device__, or
                                  something at namespace level that could not be parsed */
       VPTR__USED = 1 << 16,         /* [types] reached from a kernel or a variable's initialiser */
       VPTR__ADDRESSED = 1 << 17,    /* [types] a variable whose address is taken, or that a reference is bound to */
       VPTR__ASSIGNED = 1 << 18,     /* [types] a variable or parameter that is written to behind its declaration */
       VPTR__AT_NAMESPACE = 1 << 19, /* [types] a VARIABLE of the unit's list, not a local one */
       VPTR__TEMPLATE = 1 << 21,     /* of a FUNCTION without a type */
       VPTR__REPEATED = 1 << 22,     /* [types] of a FUNCTION: another declares the same */
       VPTR__MEMBER = 1 << 23,       /* of a VARIABLE: a static member, which is not in the unit's list */
       VPTR__LINKAGE =
           1 << 25, /* of an EXTERN variable: extern "C" without braces made it one, so that it is the definition
                                  where there is no other, as CUDA has it in whole programs */
       VPTR__TABLE = 1 << 24, /* [types] of a const VARIABLE of the host: its bytes are known */
       VPTR__IN_MEMORY =
           1 << 20 /* [infer] of a RECORD with pointers: some lie in device memory, so that in all of them
                                  the pointers are what the host knows (infer/memory.c) */
};

typedef enum vptr__built_in { /* of variables */
  VPTR__THREAD_IDX, VPTR__BLOCK_IDX, VPTR__BLOCK_DIM, VPTR__GRID_DIM, VPTR__WARP_SIZE
} vptr__built_in;

/* An answer that is found once: records nest, and who asks all inner ones anew takes time that doubles with each
 * level. */
typedef enum vptr__memo { VPTR__MEMO_NONE, VPTR__MEMO_NO, VPTR__MEMO_YES } vptr__memo;
enum { VPTR__MEMO_INFER, VPTR__MEMO_EMIT };

/* A VARIABLE that was written texture<T, dimensions, mode> or surface<void, dimensions>: a number of 64 bits here. Of
 * clang's there is only the attribute that vptr-kernelc writes: such a variable is used as any other of 8 bytes. */
typedef struct vptr__reference {
  bool is_surface;
  bool reads_floats;              /* integers as floats: cudaReadModeNormalizedFloat */
  int dimensions;                 /* cudaTextureType2D and its kin; 0: by the attribute */
  const char *read, *gathered;    /* of textures: what one read has, and what tex2Dgather() has: "float4" */
} vptr__reference;

struct vptr__declaration {
  vptr__declaration_kind kind;
  unsigned flags;
  vptr__position position;        /* of the name */
  vptr__name *name;               /* NULL: unnamed */
  vptr__type *type;               /* of a FUNCTION: the FUNCTION type; of a RECORD or ENUM: itself */
  vptr__declaration *next;        /* in its list: of the unit, parameters, fields, enumerators, one statement */
  vptr__declaration *previous;    /* the same name declared before in the same scope: of a FUNCTION, the overloads and
                                     redeclarations; the name of `extern` and forward declarations */
  void *members;                  /* the parser's: the scope of a RECORD, for S::name */
  vptr__declaration *definition;  /* [types] of redeclared FUNCTIONs, extern VARIABLEs: the one with the body; else
                                     itself */
  const char *scope;              /* namespace it is in, as "a::b", or NULL */

  vptr__expression *initializer;  /* of VARIABLE (may be INIT_LIST), PARAMETER (default argument), ENUMERATOR; of
                                     STATIC_ASSERT: the condition */
  const char *message;            /* of STATIC_ASSERT; of what could not be read: why */
  const vptr__declaration *cause; /* of what could not be read: another such thing that is why, or NULL */
  struct vptr__held *held;        /* of a FUNCTION: the errors in it, to be said if it is reached; a kernel always is */
  vptr__statement *body;          /* of a FUNCTION that is defined here */
  vptr__expression *launch_bounds[2]; /* of a __global__ FUNCTION: threads, blocks; NULL where not given */
  uint64_t bounds[2];             /* [types] the same, evaluated; 0: none */
  vptr__built_in built_in;
  const vptr__reference *reference; /* of a VARIABLE that is a texture or surface reference; else NULL */
  vptr__expression *align;        /* __align__(n), alignas(n); NULL: natural */

  /* RECORD */
  vptr__declaration *fields;      /* FIELDs; an unnamed RECORD-typed FIELD is an anonymous member */
  vptr__declaration *enumerators; /* of an ENUM; ENUM::base type in type->base, NULL: by its values */
  vptr__declaration *unread;      /* operator functions among the members, which were skipped; by next */
  bool is_complete;
  uint64_t size, alignment;       /* [types] bytes; of RECORD, VARIABLE, FIELD */
  uint64_t offset;                /* [types] of a FIELD, in bytes */
  bool is_bit_field;              /* refused by types/ where a kernel reaches it */
  vptr__expression *bit_width;
  int64_t value;                  /* [types] of an ENUMERATOR, or a VARIABLE that is a constant expression of
                                     integer type */
  bool has_value;                 /* [types] `value` holds */
  unsigned checked;               /* types' own: how far it is with this declaration */
  vptr__memo points[2];           /* of a RECORD: whether there are pointers in it, asked by infer/ and by emit/ */
  struct vptr__check_call *calls; /* [types] of a FUNCTION: whom it calls */
};

/* ---- statements ------------------------------------------------------------------------------------------ */

typedef enum vptr__statement_kind {
  VPTR__STATEMENT_EMPTY, VPTR__STATEMENT_EXPRESSION, VPTR__STATEMENT_DECLARATION, VPTR__STATEMENT_BLOCK,
  VPTR__STATEMENT_IF, VPTR__STATEMENT_WHILE, VPTR__STATEMENT_DO, VPTR__STATEMENT_FOR, VPTR__STATEMENT_SWITCH,
  VPTR__STATEMENT_CASE, VPTR__STATEMENT_DEFAULT, VPTR__STATEMENT_BREAK, VPTR__STATEMENT_CONTINUE,
  VPTR__STATEMENT_RETURN, VPTR__STATEMENT_GOTO, VPTR__STATEMENT_LABEL
} vptr__statement_kind;

struct vptr__statement {
  vptr__statement_kind kind;
  vptr__position position;
  vptr__statement *next;          /* in its block */
  vptr__expression *expression;   /* of EXPRESSION; condition of IF, WHILE, DO, FOR, SWITCH (NULL in for(;;)); value of
                                     RETURN (may be NULL) and CASE */
  vptr__expression *step;         /* of FOR */
  vptr__declaration *declarations; /* of DECLARATION: VARIABLEs, and types; of IF, WHILE, SWITCH with a declaration as
                                      condition: that VARIABLE */
  vptr__statement *first;         /* of BLOCK: its statements; of FOR: the initial statement or NULL; of IF, SWITCH:
                                     C++17's `init;` or NULL */
  vptr__statement *body;          /* of IF, WHILE, DO, FOR, SWITCH, CASE, DEFAULT, LABEL */
  vptr__statement *otherwise;     /* of IF */
  vptr__name *label;              /* of GOTO, LABEL */
  int64_t value;                  /* [types] of CASE */
  const char *unroll;             /* of loops: the text of `#pragma unroll` before it ("" without a count); NULL:
                                     none */
};

/* ---- expressions ----------------------------------------------------------------------------------------- */

typedef enum vptr__expression_kind {
  VPTR__EXPRESSION_INTEGER,      /* also characters; `integer`, type given by the literal */
  VPTR__EXPRESSION_FLOATING,     /* `floating`; spelling kept in text */
  VPTR__EXPRESSION_STRING,       /* `text`, `length` bytes, unescaped */
  VPTR__EXPRESSION_BOOL, VPTR__EXPRESSION_NULLPTR,
  VPTR__EXPRESSION_NAME,         /* `declaration`: what the name means where it stands (a FUNCTION: the latest overload,
                                    others by `previous`), NULL: nothing the parser knows, perhaps a function of CUDA's;
                                    [types] the one that was chosen */
  VPTR__EXPRESSION_CALL,         /* operands[0] called with `arguments` */
  VPTR__EXPRESSION_MEMBER,       /* operands[0] . or -> name; [types] `declaration` is the FIELD */
  VPTR__EXPRESSION_INDEX,        /* operands[0] [ operands[1] ] */
  VPTR__EXPRESSION_UNARY,        /* op: '+' '-' '!' '~' '*' '&' INCREMENT DECREMENT, is_postfix */
  VPTR__EXPRESSION_BINARY,       /* op: arithmetic, comparisons, AND_AND, OR_OR, ',' */
  VPTR__EXPRESSION_ASSIGN,       /* op: '=' or ADD_ASSIGN ... */
  VPTR__EXPRESSION_CONDITIONAL,  /* operands[0] ? operands[1] : operands[2] */
  VPTR__EXPRESSION_CAST,         /* of operands[0] to written_type: `cast` says how it was written */
  VPTR__EXPRESSION_CONSTRUCT,    /* T(a, b), T{a, b}, (T){a, b}: written_type and `arguments`, op '(' or '{'; also the
                                    initialiser of `T x(a, b)`, T a record; T(a) or T{a} of a scalar type is a CAST */
  VPTR__EXPRESSION_OFFSETOF,     /* written_type, operands[0]: MEMBERs and INDEXes on a NAME without a declaration or
                                    name, which stands for the object; [types] replaced by INTEGER */
  VPTR__EXPRESSION_SIZEOF, VPTR__EXPRESSION_ALIGNOF, /* of written_type, or of operands[0]; [types]: INTEGER */
  VPTR__EXPRESSION_INIT_LIST,    /* { arguments }, each with a designator perhaps */
  VPTR__EXPRESSION_BUILT_IN_CALL, /* [types] a CALL of a function of CUDA's: `builtin` */
  VPTR__EXPRESSION_LOAD          /* [types] the value of the lvalue operands[0]: lvalue-to-rvalue conversion */
} vptr__expression_kind;

typedef enum vptr__cast {
  VPTR__CAST_C, VPTR__CAST_FUNCTIONAL, VPTR__CAST_STATIC, VPTR__CAST_REINTERPRET, VPTR__CAST_CONST,
  VPTR__CAST_IMPLICIT, /* [types] */
  VPTR__CAST_DECAY     /* [types] an array becomes a pointer to its first element */
} vptr__cast;

struct vptr__expression {
  vptr__expression_kind kind;
  vptr__position position;
  vptr__expression *next;         /* in a list of arguments */
  int op;                         /* a vptr__token_kind */
  bool is_postfix, is_arrow;
  bool is_lvalue;                 /* [types] */
  bool is_parenthesized;
  vptr__cast cast;
  vptr__type *type;               /* [types], but of literals; never a REFERENCE: those are lvalues of the referent */
  vptr__type *written_type;       /* of CAST, CONSTRUCT, SIZEOF, ALIGNOF */
  vptr__type *computation;        /* [types] of a compound ASSIGN: the type that the operation is done in */
  vptr__expression *operands[3];
  vptr__expression *arguments;    /* linked by next */
  vptr__declaration *declaration; /* of NAME, MEMBER; of an INTEGER that is a kernel's number in the module, which
                                     emit/ knows: the kernel; of UNARY, BINARY and ASSIGN, where the parser has one: the
                                     operator functions (overloads by `previous`) that are in scope */
  vptr__name *name;               /* of NAME, MEMBER */
  vptr__name *field_name;         /* of an item of an INIT_LIST or CONSTRUCT: `.field_name =` designator */
  vptr__expression *designator;   /* of an INIT_LIST's item: `[designator] =` */
  const char *scope;              /* of a NAME that was written a::b::name: "a::b" ("" for ::name) */
  const struct vptr__builtin *builtin; /* [types] */
  uint64_t integer;
  double floating;
  const char *text;
  uint32_t length;
};

/* ---- a translation unit ---------------------------------------------------------------------------------- */

typedef struct vptr__unit {
  vptr__source *source;
  vptr__declaration *declarations; /* at namespace level, in order */
  vptr__declaration *last;
  vptr__declaration *unread;       /* functions for the device of which nothing is known but name and scope; a list by
                                      next */
  bool is_part;                    /* other files define what is only declared here */
  uint32_t type_ids;               /* pointer occurrences so far: the next has this + 1 */
} vptr__unit;

/* A new type object in the unit's arena; a new id for pointers and references. */
vptr__type *vptr__type_new(vptr__unit *unit, vptr__type_kind kind);
vptr__type *vptr__type_pointer(vptr__unit *unit, vptr__type *pointee);

/* The same type written again: every pointer and reference in it anew. Records and enums stay themselves. */
vptr__type *vptr__type_again(vptr__unit *unit, const vptr__type *type);

vptr__expression *vptr__expression_new(vptr__unit *unit, vptr__expression_kind kind, vptr__position position);

#endif
