/* SPDX-License-Identifier: MIT */
/*
 * launch - kernels that launch kernels: k<<<grid, block, shared, stream>>>(arguments) in device code.
 *
 * A launch becomes a call of a function that is made here and that no text has: it takes a record of the launch by
 * vptr_child_take() of the built-in header, and stores the arguments behind it, each at its place among a kernel's
 * parameters. What the host finds there is what a launch of its own would have, since pointers that lie in memory are
 * the host's (infer/memory.c). So the passes behind the parser see calls and assignments, and know nothing of
 * launches, but for the kernel's number, an INTEGER that emit/ fills in.
 *
 *     void k(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, T a, ...) {
 *       unsigned char *record = vptr_child_take(NUMBER, grid, block, shared, stream);
 *       size_t at = 0;
 *       if (record) {
 *         at = vptr_child_place(at, alignof(T));
 *         *(T *)(record + at) = a;
 *         at = at + sizeof(T);
 *         ...
 *
 * Each launch has a function of its own, and one for each overload of the kernel, among which the arguments choose.
 */
#include <string.h>

#include "translate/syntax/state.h"

typedef struct making {
  vptr__parser *parser;
  vptr__position position;
  vptr__statement **link; /* where the next statement goes */
} making;

/* ---- nodes ----------------------------------------------------------------------------------------------- */

static vptr__name *intern_text(vptr__parser *parser, const char *text) {
  return vptr__source_intern(parser->source, text, strlen(text));
}

static vptr__type *basic_type(const making *it, vptr__type_kind kind) {
  return vptr__type_new(it->parser->unit, kind);
}

static vptr__expression *new_expression(const making *it, vptr__expression_kind kind) {
  return vptr__expression_new(it->parser->unit, kind, it->position);
}

static vptr__expression *name_of(const making *it, vptr__declaration *declaration) {
  vptr__expression *name = new_expression(it, VPTR__EXPRESSION_NAME);
  name->name = declaration->name;
  name->declaration = declaration;
  return name;
}

static vptr__expression *integer_of(const making *it, uint64_t value, vptr__type_kind kind) {
  vptr__expression *integer = new_expression(it, VPTR__EXPRESSION_INTEGER);
  integer->integer = value;
  integer->type = basic_type(it, kind);
  return integer;
}

static vptr__expression *operation(const making *it, vptr__expression_kind kind, int op, vptr__expression *left,
                                   vptr__expression *right) {
  vptr__expression *made = new_expression(it, kind);
  made->op = op;
  made->operands[0] = left;
  made->operands[1] = right;
  return made;
}

static vptr__expression *size_of(const making *it, vptr__expression_kind kind, const vptr__type *type) {
  vptr__expression *made = new_expression(it, kind);
  made->written_type = vptr__type_again(it->parser->unit, type);
  return made;
}

static vptr__expression *call_of(const making *it, vptr__declaration *function, vptr__expression *arguments) {
  vptr__expression *call = new_expression(it, VPTR__EXPRESSION_CALL);
  call->operands[0] = name_of(it, function);
  call->arguments = arguments;
  return call;
}

static vptr__statement *add_statement(making *it, vptr__statement_kind kind, vptr__expression *expression) {
  vptr__statement *made = vptr__parser_new(it->parser, sizeof *made);
  made->kind = kind;
  made->position = it->position;
  made->expression = expression;
  *it->link = made;
  it->link = &made->next;
  return made;
}

static vptr__declaration *new_declaration(const making *it, vptr__declaration_kind kind, const char *name,
                                          vptr__type *type) {
  vptr__declaration *made = vptr__declaration_new(it->parser, kind, intern_text(it->parser, name), it->position);
  made->type = type;
  made->scope = NULL;
  return made;
}

static vptr__declaration *add_variable(making *it, const char *name, vptr__type *type, vptr__expression *value) {
  vptr__declaration *variable = new_declaration(it, VPTR__DECLARATION_VARIABLE, name, type);
  variable->initializer = value;
  add_statement(it, VPTR__STATEMENT_DECLARATION, NULL)->declarations = variable;
  return variable;
}

/* ---- the function ---------------------------------------------------------------------------------------- */

static vptr__type *without_const(const making *it, const vptr__type *type) {
  vptr__type *plain = vptr__type_again(it->parser->unit, type);
  plain->qualifiers = 0;
  return plain;
}

static void store_argument(making *it, vptr__declaration *parameter, vptr__declaration *record, vptr__declaration *at,
                           vptr__declaration *place) {
  vptr__expression *from = name_of(it, at);
  from->next = size_of(it, VPTR__EXPRESSION_ALIGNOF, parameter->type);
  add_statement(it, VPTR__STATEMENT_EXPRESSION,
                operation(it, VPTR__EXPRESSION_ASSIGN, '=', name_of(it, at), call_of(it, place, from)));
  vptr__expression *cast = new_expression(it, VPTR__EXPRESSION_CAST);
  cast->cast = VPTR__CAST_C;
  cast->written_type = vptr__type_pointer(it->parser->unit, without_const(it, parameter->type));
  cast->operands[0] = operation(it, VPTR__EXPRESSION_BINARY, '+', name_of(it, record), name_of(it, at));
  add_statement(it, VPTR__STATEMENT_EXPRESSION,
                operation(it, VPTR__EXPRESSION_ASSIGN, '=', operation(it, VPTR__EXPRESSION_UNARY, '*', cast, NULL),
                          name_of(it, parameter)));
  vptr__expression *end = operation(it, VPTR__EXPRESSION_BINARY, '+', name_of(it, at),
                                    size_of(it, VPTR__EXPRESSION_SIZEOF, parameter->type));
  add_statement(it, VPTR__STATEMENT_EXPRESSION, operation(it, VPTR__EXPRESSION_ASSIGN, '=', name_of(it, at), end));
}

static vptr__declaration *copy_parameters(const making *it, const vptr__declaration *from) {
  vptr__declaration *first = NULL, **link = &first;
  for (unsigned i = 0; from != NULL; from = from->next, i++) {
    *link = new_declaration(it, VPTR__DECLARATION_PARAMETER, vptr__arena_format(it->parser->arena, "argument%u", i),
                            vptr__type_again(it->parser->unit, from->type));
    (*link)->initializer = from->initializer;
    link = &(*link)->next;
  }
  return first;
}

/* The record's own parameters, but for the kernel's number, before the kernel's. */
static vptr__declaration *all_parameters(const making *it, const vptr__declaration *take,
                                         const vptr__declaration *kernel) {
  vptr__declaration *first = copy_parameters(it, take->type->parameters->next), *last = first;
  const char *const names[] = { "grid", "block", "shared", "stream" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++, last = last->next != NULL ? last->next : last) {
    last->name = intern_text(it->parser, names[i]);
    last->initializer = NULL;
  }
  last->next = copy_parameters(it, kernel->type->parameters);
  return first;
}

static vptr__expression *take_record(const making *it, vptr__declaration *take, vptr__declaration *kernel,
                                     vptr__declaration *parameter) {
  vptr__expression *number = integer_of(it, 0, VPTR__TYPE_UNSIGNED), **link = &number->next;
  number->declaration = kernel;
  for (int i = 0; i < 4; i++, parameter = parameter->next) {
    *link = name_of(it, parameter);
    link = &(*link)->next;
  }
  return call_of(it, take, number);
}

static vptr__declaration *first_argument(vptr__declaration *parameters) {
  for (int i = 0; i < 4; i++)
    parameters = parameters->next;
  return parameters;
}

static vptr__statement *make_body(making *it, vptr__declaration *take, vptr__declaration *place,
                                  vptr__declaration *kernel, vptr__declaration *parameters) {
  vptr__statement *body = NULL;
  it->link = &body;
  vptr__statement *block = add_statement(it, VPTR__STATEMENT_BLOCK, NULL);
  it->link = &block->first;
  vptr__type *bytes = vptr__type_pointer(it->parser->unit, basic_type(it, VPTR__TYPE_UNSIGNED_CHAR));
  vptr__declaration *record = add_variable(it, "record", bytes, take_record(it, take, kernel, parameters));
  vptr__declaration *at =
      add_variable(it, "at", basic_type(it, VPTR__TYPE_UNSIGNED_LONG), integer_of(it, 0, VPTR__TYPE_UNSIGNED_LONG));
  vptr__statement *condition = add_statement(it, VPTR__STATEMENT_IF, name_of(it, record));
  it->link = &condition->body;
  vptr__statement *stores = add_statement(it, VPTR__STATEMENT_BLOCK, NULL);
  it->link = &stores->first;
  for (vptr__declaration *each = first_argument(parameters); each != NULL; each = each->next)
    store_argument(it, each, record, at, place);
  return block;
}

static vptr__declaration *make_launcher(making *it, vptr__declaration *kernel, vptr__declaration *take,
                                        vptr__declaration *place) {
  vptr__type *type = basic_type(it, VPTR__TYPE_FUNCTION);
  type->base = basic_type(it, VPTR__TYPE_VOID);
  type->parameters = all_parameters(it, take, kernel);
  vptr__declaration *launcher = new_declaration(it, VPTR__DECLARATION_FUNCTION, kernel->name->text, type);
  launcher->flags = VPTR__DEVICE | VPTR__STATIC | VPTR__INLINE;
  launcher->body = make_body(it, take, place, kernel, type->parameters);
  return launcher;
}

static bool is_kernel(const vptr__declaration *declaration) {
  return declaration != NULL && declaration->kind == VPTR__DECLARATION_FUNCTION && declaration->type != NULL &&
         (declaration->flags & VPTR__GLOBAL) != 0;
}

/* Declarations of one function are one overload: types/ finds that out, as it does for functions of the text. */
static vptr__declaration *make_launchers(making *it, vptr__declaration *kernel) {
  vptr__parser *parser = it->parser;
  vptr__declaration *take = vptr__scope_member(parser->global, intern_text(parser, "vptr_child_take"));
  vptr__declaration *place = vptr__scope_member(parser->global, intern_text(parser, "vptr_child_place"));
  vptr__declaration *newest = NULL, **link = &newest;
  for (; kernel != NULL; kernel = kernel->previous) {
    if (!is_kernel(kernel))
      continue;
    *link = make_launcher(it, kernel, take, place);
    link = &(*link)->previous;
  }
  for (vptr__declaration *each = newest; each != NULL; each = each->previous)
    vptr__declaration_append(parser, each);
  return newest;
}

/* ---- the expression -------------------------------------------------------------------------------------- */

/* Grid and block, and what stands for the others where they are left out. The end is a >> and a >, of which no operand
 * begins. */
static vptr__expression *read_configuration(const making *it) {
  vptr__parser *parser = it->parser;
  vptr__expression *first = NULL, **link = &first;
  int count = 0;
  do {
    *link = vptr__expression_assignment(parser);
    link = &(*link)->next;
    count++;
  } while (vptr__parser_accept(parser, ','));
  if (!vptr__parser_at_launch_end(parser))
    vptr__parser_unexpected(parser, ">>> behind the configuration of a launch");
  vptr__parser_accept(parser, VPTR__TOKEN_SHIFT_RIGHT);
  vptr__parser_accept(parser, '>');
  if (count < 2 || count > 4)
    vptr__parser_error(parser, it->position,
                       "a launch takes a grid, a block, bytes of shared memory and a stream: %d %s given", count,
                       count == 1 ? "is" : "are");
  if (count < 3) {
    *link = integer_of(it, 0, VPTR__TYPE_UNSIGNED_LONG);
    link = &(*link)->next;
  }
  if (count < 4)
    *link = integer_of(it, 0, VPTR__TYPE_INT);
  return first;
}

static vptr__expression *refuse_kernel(vptr__parser *parser, const vptr__expression *kernel) {
  if (kernel->kind != VPTR__EXPRESSION_NAME || kernel->name == NULL)
    vptr__parser_error(parser, kernel->position,
                       "what a kernel launches is a kernel's name: pointers to kernels "
                       "are not supported; choose by if or switch");
  else
    vptr__parser_error(parser, kernel->position,
                       "'%s' is no kernel that is known here: declare it before this, with __global__",
                       kernel->name->text);
  return vptr__expression_error(parser);
}

vptr__expression *vptr__launch_read(vptr__parser *parser, vptr__expression *kernel) {
  making it = { .parser = parser, .position = kernel->position };
  if (kernel->kind != VPTR__EXPRESSION_NAME || !is_kernel(kernel->declaration))
    return refuse_kernel(parser, kernel);
  vptr__parser_take(parser);
  vptr__expression *configuration = read_configuration(&it);
  vptr__parser_expect(parser, '(', "behind the configuration of a launch");
  vptr__expression *arguments = vptr__expression_list(parser, ')');
  if (parser->is_panicking)
    return vptr__expression_error(parser);
  vptr__declaration *launcher = make_launchers(&it, kernel->declaration);
  vptr__expression *last = configuration;
  while (last->next != NULL)
    last = last->next;
  last->next = arguments;
  return call_of(&it, launcher, configuration);
}
