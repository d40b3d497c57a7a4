/* SPDX-License-Identifier: MIT */
/*
 * emitter - what the files of emit/ share: the state of one emission, and who writes what.
 *
 *     emit.c         the module's parts in their order
 *     metadata.c     the lines that lib/cudart/module reads                  mangle.c       Itanium names for them
 *     prelude.c      pieces of OpenCL that are asked for              record.c       structs, also as the host passes
 *                    them
 *     function.c     instances as functions, the context              kernel.c       entries: parameters in their three
 *                    forms
 *     section.c      which kernels need a function                    loops.c        functions in which one work-item
 *                    runs a block; region.c: loops over its threads
 *     statement.c    statements, declarations                         initializer.c  { lists } and values of records
 *     expression.c   expressions by kind                              place.c        lvalues: addresses, references,
 *                    temporaries
 *     operation.c    operators, assignments, conversions              constant.c     numbers and strings
 *     call.c         calls                                            builtin.c      special ones; print.c: printf();
 *                                                                    output.c: assert()
 *     declarator.c   types                                            name.c         names that OpenCL leaves free
 *     stored.c       pointers in memory, which are the host's        stop.c          what ends a block
 *     found.c        accesses that look up where memory lies
 *     blocks.c       how entries call what runs a block
 *
 * Functions are written callees first, each into `out`; only then is it known which of them need the context, which
 * pieces of the prelude there are, and whether anything is a double. So the parts are written apart and put together
 * at the end.
 */
#ifndef VPTR_TRANSLATE_EMIT_EMITTER_H
#define VPTR_TRANSLATE_EMIT_EMITTER_H

#include "translate/emit/emit.h"
#include "translate/emit/writer.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

/* How tight an expression binds, as in C. */
typedef enum vptr__level {
  VPTR__LEVEL_COMMA = 1,
  VPTR__LEVEL_ASSIGN,
  VPTR__LEVEL_CONDITIONAL,
  VPTR__LEVEL_OR_OR,
  VPTR__LEVEL_AND_AND,
  VPTR__LEVEL_OR,
  VPTR__LEVEL_XOR,
  VPTR__LEVEL_AND,
  VPTR__LEVEL_EQUALITY,
  VPTR__LEVEL_RELATION,
  VPTR__LEVEL_SHIFT,
  VPTR__LEVEL_SUM,
  VPTR__LEVEL_PRODUCT,
  VPTR__LEVEL_UNARY,
  VPTR__LEVEL_POSTFIX
} vptr__level;

/* What a function reaches by the context, itself or by calls. */
enum {
  VPTR__REACHES_CONTEXT = 1,
  VPTR__REACHES_SCRATCH = 2,
  VPTR__REACHES_TRANSLATION = 4,
  VPTR__REACHES_BLOCK = 8, /* it runs the threads of its block itself */
  VPTR__REACHES_TEXELS = 16, /* it reads or writes by textures or surfaces */
  VPTR__REACHES_GRID = 32,  /* its blocks meet */
  VPTR__REACHES_POINTERS = 64, /* with TRANSLATION: it loads or stores some */
  VPTR__REACHES_STREAM = 128   /* likewise: it asks where a block's addresses lie */
};

typedef struct vptr__piece_used {
  const char *name;   /* completed by its space */
  struct vptr__piece_used *next;
} vptr__piece_used;

typedef struct vptr__emitter {
  vptr__arena *arena;
  vptr__source *source;
  const vptr__plan *plan;
  const vptr__emit_options *options;
  vptr__writer *out;            /* where expressions, statements and declarations go */
  vptr__writer prelude, temporaries;
  vptr__piece_used *pieces;
  bool uses_double;
  bool is_retyped;              /* memory of some type is seen as another: numbers may alias any other */
  vptr__map users;              /* section.c's: instance -> the kernels that reach it */
  uint32_t kernel_count;
  bool has_loops;               /* some kernel has a form in which one work-item runs a block */
  /* of the function at hand */
  vptr__instance *instance;
  const struct vptr__loops *loops; /* one work-item runs its block (loops.c); NULL: a thread each */
  vptr__map names;              /* there: what variables are called that lie elsewhere than in the program */
  bool has_place;               /* which thread it is is in variables, since one work-item runs the block */
  int left;                     /* of a region that some threads leave: the number of its end */
  int rounds;                   /* loops of the program around what is written, in the region */
  unsigned reach;
  int temporary_count;          /* goes on through the module: names in it are unique */
  int depth;                    /* of indentation */
  const char *file;             /* where the driver believes to be; NULL: not known */
  unsigned line;
  /* the newline behind what is written is still owed: what follows may be of the same line */
  bool is_line_ended;
} vptr__emitter;

/* name.c */
const char *vptr__emit_name(vptr__emitter *emitter, const char *name);
const char *vptr__emit_declaration_name(vptr__emitter *emitter, const vptr__declaration *declaration);
const char *vptr__emit_function_name(vptr__emitter *emitter, const vptr__instance *instance);
/* declarator.c */
const char *vptr__emit_space_word(vptr__space space);  /* "__global ", "" for private */
const char *vptr__emit_scalar(vptr__emitter *emitter, const vptr__type *type); /* without qualifiers; records too */
const char *vptr__emit_declarator(vptr__emitter *emitter, const vptr__type *type, const char *name, vptr__space space);
const char *vptr__emit_type_name(vptr__emitter *emitter, const vptr__type *type);
/* no top-level const */
const char *vptr__emit_bare_declarator(vptr__emitter *emitter, const vptr__type *type, const char *name);
const char *vptr__emit_record_name(vptr__emitter *emitter, const vptr__declaration *record);
/* constant.c */
void vptr__emit_integer(vptr__emitter *emitter, uint64_t value, const vptr__type *type, vptr__level least);
void vptr__emit_floating(vptr__emitter *emitter, double value, bool is_float, vptr__level least);
void vptr__emit_string(vptr__emitter *emitter, const char *text, size_t length);
void vptr__emit_string_bytes(vptr__writer *out, const char *text, size_t length);
/* expression.c */
bool vptr__emit_open(vptr__emitter *emitter, vptr__level level, vptr__level least);
void vptr__emit_close(vptr__emitter *emitter, bool opened);
void vptr__emit_expression(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
const vptr__expression *vptr__emit_unloaded(const vptr__expression *expression); /* without LOADs */
const char *vptr__emit_index(vptr__emitter *emitter, vptr__built_in of, const char *member); /* threadIdx.x ... */
vptr__context_member *vptr__emit_member_of(vptr__emitter *emitter, const vptr__declaration *variable);
bool vptr__emit_is_dynamic_shared(const vptr__declaration *variable);
/* place.c */
void vptr__emit_place(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least);
void vptr__emit_address(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least);
/* also to a temporary */
void vptr__emit_reference(vptr__emitter *emitter, const vptr__expression *bound, vptr__level least);
const char *vptr__emit_temporary(vptr__emitter *emitter, const vptr__type *type);
bool vptr__emit_is_stable(const vptr__expression *lvalue); /* naming it twice is naming it once */
/* operation.c */
void vptr__emit_unary(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
void vptr__emit_binary(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
void vptr__emit_assign(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
void vptr__emit_cast(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
/* initializer.c */
void vptr__emit_construct(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least);
void vptr__emit_initializer(vptr__emitter *emitter, const vptr__expression *initializer, const vptr__type *type);
/* stored.c */
bool vptr__emit_is_stored(vptr__emitter *emitter, const vptr__expression *lvalue); /* a pointer, kept as the host's */
void vptr__emit_load(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least);
void vptr__emit_meaning(vptr__emitter *emitter, const vptr__expression *stored); /* of one; as tight as a call */
void vptr__emit_stored(vptr__emitter *emitter, const vptr__expression *value); /* the number that goes there */
void vptr__emit_pointer_of_bits(vptr__emitter *emitter, const vptr__expression *call);
void vptr__emit_bits_of_pointer(vptr__emitter *emitter, const vptr__expression *call);
void vptr__emit_reach(vptr__emitter *emitter, const vptr__expression *call);
void vptr__emit_stream(vptr__emitter *emitter, const vptr__expression *call);
void vptr__emit_stored_assign(vptr__emitter *emitter, const vptr__expression *assign, const char *op);
void vptr__emit_stored_step(vptr__emitter *emitter, const vptr__expression *step); /* ++ and -- */
void vptr__emit_classify_address(vptr__emitter *emitter, const vptr__expression *lvalue); /* whether there may be one */
/* found.c: accesses that look up where a byte lies */
bool vptr__emit_is_found(vptr__emitter *emitter, const vptr__expression *lvalue);
void vptr__emit_access(vptr__emitter *emitter, const vptr__expression *lvalue, vptr__level least); /* or the place */
bool vptr__emit_found_load(vptr__emitter *emitter, const vptr__expression *lvalue); /* false: it is none */
bool vptr__emit_found_record(vptr__emitter *emitter, const vptr__expression *assign); /* false: it is plain */
bool vptr__emit_found_pointer(vptr__emitter *emitter, const vptr__expression *pointer); /* to a number; false: plain */
void vptr__emit_need_bytes(vptr__emitter *emitter); /* vptr_byte() */
/* call.c */
void vptr__emit_call(vptr__emitter *emitter, const vptr__expression *call, vptr__level least);
void vptr__emit_builtin_call(vptr__emitter *emitter, const vptr__expression *call, vptr__level least);
/* builtin.c, print.c, output.c */
void vptr__emit_special(vptr__emitter *emitter, const vptr__expression *call, vptr__level least);
void vptr__emit_printf(vptr__emitter *emitter, const vptr__expression *call);
/* A record: with what stands between the quotes of a string, and a letter for each value of the array. One of a failure
 * goes to stderr, and is not waited for. The array has a name first, and its length when that is known. */
void vptr__emit_print_record(vptr__emitter *emitter, bool fails, const char *format, const char *kinds,
                             const char *values);
const char *vptr__emit_print_values(vptr__emitter *emitter);
void vptr__emit_print_values_end(vptr__emitter *emitter, const char *values, unsigned count);
const vptr__expression *vptr__emit_literal_of(const vptr__expression *expression); /* that a pointer is; NULL: none */
size_t vptr__emit_printed_length(const vptr__expression *literal); /* bytes before its zero */
void vptr__emit_assert(vptr__emitter *emitter, const vptr__expression *call);
void vptr__emit_stuck(vptr__emitter *emitter, const vptr__expression *call);
const vptr__expression *vptr__emit_argument(const vptr__expression *call, int index);
/* stop.c: a word for the host; where one work-item runs the block, its end. What may end it is called between begin
 * and end, or is followed by stopped(). */
void vptr__emit_failure(vptr__emitter *emitter, int code);
bool vptr__emit_call_begin(vptr__emitter *emitter, vptr__instance *callee);
void vptr__emit_call_end(vptr__emitter *emitter, const vptr__instance *callee, bool has_begun);
void vptr__emit_stopped(vptr__emitter *emitter);
void vptr__emit_entry_stopped(vptr__emitter *emitter, const vptr__instance *kernel); /* blocks that begin later */
/* statement.c */
void vptr__emit_block(vptr__emitter *emitter, const vptr__statement *block);
void vptr__emit_statement(vptr__emitter *emitter, const vptr__statement *statement);
void vptr__emit_variable(vptr__emitter *emitter, const vptr__declaration *variable); /* without its ; */
void vptr__emit_label(vptr__emitter *emitter, const vptr__statement *label); /* CASE or DEFAULT, without what follows */
void vptr__emit_returned(vptr__emitter *emitter, const vptr__expression *value, const vptr__type *returned);

/* line.c: where text stands. A line that was ended gets its newline when the next begins. */
void vptr__emit_newline(vptr__emitter *emitter); /* if one is owed */
void vptr__emit_line(vptr__emitter *emitter, vptr__position position);
void vptr__emit_line_begin(vptr__emitter *emitter, vptr__position position); /* with its indent */
void vptr__emit_line_end(vptr__emitter *emitter, const char *text);
void vptr__emit_brace_end(vptr__emitter *emitter, unsigned line); /* "}" of what began there */
void vptr__emit_directive(vptr__emitter *emitter, const char *text); /* a whole line, with its newline */

/* record.c */
void vptr__emit_record(vptr__emitter *emitter, const vptr__record_plan *plan);
void vptr__emit_unpass(vptr__emitter *emitter, const vptr__type *type, const char *to, const char *from);
bool vptr__emit_has_pointers(const vptr__type *type); /* that the device knows, and not the host */
void vptr__emit_pointer_offsets(const vptr__type *type, uint64_t base, vptr__writer *out);
/* function.c */
void vptr__emit_function(vptr__emitter *emitter, vptr__instance *instance);
const char *vptr__emit_prototype(vptr__emitter *emitter, vptr__instance *instance);
const char *vptr__emit_placed_prototype(vptr__emitter *emitter, vptr__instance *instance);
bool vptr__emit_has_placed(const vptr__emitter *emitter, const vptr__instance *instance); /* a form with has_place */
void vptr__emit_context(vptr__emitter *emitter, unsigned reach);
/* loops.c */
void vptr__emit_loops(vptr__emitter *emitter, vptr__instance *instance);
const char *vptr__emit_loops_prototype(vptr__emitter *emitter, vptr__instance *instance);
const char *vptr__emit_loops_name(vptr__emitter *emitter, const vptr__instance *instance);
/* gathering.c: what stands for a call that all threads of the block have made; false: it is none */
bool vptr__emit_gathered(vptr__emitter *emitter, const vptr__expression *call);
/* exchange.c: __vptr_warp_has_...(), where one work-item runs a block; false: it is none */
bool vptr__emit_asked_lane(vptr__emitter *emitter, const vptr__expression *call);
/* blocks.c: the rest of an entry */
void vptr__emit_kernel_call(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context);

/* kernel.c */
void vptr__emit_kernel(vptr__emitter *emitter, const vptr__kernel_plan *kernel);
const char *vptr__emit_parameter_name(vptr__emitter *emitter, const vptr__declaration *parameter, int index);
const char *vptr__emit_entry(vptr__emitter *emitter, const vptr__instance *kernel);
bool vptr__emit_is_hidden(const vptr__context_member *member);
bool vptr__emit_is_packable(const vptr__kernel_plan *kernel); /* it has a form with all its parameters in one struct */
/* section.c */
void vptr__emit_find_users(vptr__emitter *emitter);
void vptr__emit_section(vptr__emitter *emitter, const vptr__instance *instance); /* before it is written, once */
void vptr__emit_section_of_one(vptr__emitter *emitter, uint32_t kernel);
/* metadata.c */
void vptr__emit_metadata(vptr__emitter *emitter);
/* prelude.c */
/* space: "global", ... for pieces with one */
void vptr__emit_need(vptr__emitter *emitter, const char *piece, const char *space);
bool vptr__prelude_find(const char *piece, const char **text_out, size_t *length_out, const char **needs_out,
                        size_t *needs_length_out);

#endif
