/* SPDX-License-Identifier: MIT */
/* statement - statements, a line each, where the program has them. */
#include "translate/emit/emitter.h"
#include "translate/lower/inside.h"
#include "translate/lower/meeting.h"

#include <stdlib.h>
#include <string.h>

/* ---- declarations ----------------------------------------------------------------------------------------- */

static bool is_written(const vptr__declaration *declaration) {
  return declaration->kind == VPTR__DECLARATION_VARIABLE && !(declaration->flags & (VPTR__SHARED | VPTR__EXTERN));
}

/* A static variable that never changes is a plain one; another is shared by all threads of all blocks, and has to
 * say so. */
static void check_static(vptr__emitter *emitter, const vptr__declaration *variable) {
  const vptr__type *element = variable->type;
  while (element->kind == VPTR__TYPE_ARRAY)
    element = element->base;
  if ((variable->flags & VPTR__STATIC) && !(variable->flags & VPTR__CONSTEXPR) &&
      !(element->qualifiers & VPTR__CONST))
    vptr__source_report(
        emitter->source, VPTR__ERROR, variable->position,
        "static variable '%s' in a function that runs on the device: declare it __device__ outside of the function",
        variable->name->text);
}

static bool is_array(const vptr__declaration *variable) {
  return variable->type->kind == VPTR__TYPE_ARRAY;
}

void vptr__emit_variable(vptr__emitter *emitter, const vptr__declaration *variable) {
  check_static(emitter, variable);
  vptr__writer_text(emitter->out,
                    vptr__emit_declarator(emitter, variable->type, vptr__emit_declaration_name(emitter, variable),
                                          VPTR__SPACE_PRIVATE));
  if (variable->align != NULL && variable->alignment > 0)
    vptr__writer_format(emitter->out, " __attribute__((aligned(%u)))", (unsigned)variable->alignment);
  if (variable->initializer == NULL)
    return;
  vptr__writer_text(emitter->out, " = ");
  vptr__emit_initializer(emitter, variable->initializer, variable->type);
}

static void write_declarations(vptr__emitter *emitter, const vptr__declaration *declarations) {
  for (const vptr__declaration *each = declarations; each != NULL; each = each->next)
    if (is_written(each)) {
      vptr__emit_line_begin(emitter, each->position);
      vptr__emit_variable(emitter, each);
      vptr__emit_line_end(emitter, ";");
    }
}

/* ---- bodies ----------------------------------------------------------------------------------------------- */

static void write_statements(vptr__emitter *emitter, const vptr__statement *first) {
  for (const vptr__statement *each = first; each != NULL; each = each->next)
    vptr__emit_statement(emitter, each);
}

/* One more barrier for drivers that need it: lower/meeting.h. */
static void write_meeting(vptr__emitter *emitter, const vptr__statement *statement, vptr__meeting_place place) {
  if (!vptr__meeting_is_at(emitter->instance, statement, place))
    return;
  vptr__emit_need(emitter, "meet", NULL);
  vptr__emit_line_begin(emitter, 0);
  vptr__emit_line_end(emitter, "VPTR_MEET;");
}

/* A place where threads may part: lower/meeting.h. */
static void write_mark(vptr__emitter *emitter, const vptr__statement *statement) {
  bool is_in_way = vptr__meeting_is_at(emitter->instance, statement, VPTR__MEETING_PARTS_IN_WAY);
  if (!is_in_way && !vptr__meeting_is_at(emitter->instance, statement, VPTR__MEETING_PARTS))
    return;
  vptr__emit_need(emitter, "part", NULL);
  vptr__emit_line_begin(emitter, 0);
  if (is_in_way)
    vptr__writer_format(emitter->out, "VPTR_PART_IN_WAY(%d)", emitter->temporary_count++);
  else
    vptr__writer_text(emitter->out, "VPTR_PART");
  vptr__emit_line_end(emitter, ";");
}

/* Of a loop with a barrier: an expression that is worked out in each round. */
static void write_marked(vptr__emitter *emitter, const vptr__statement *loop, const vptr__expression *expression) {
  if (vptr__meeting_is_at(emitter->instance, loop, VPTR__MEETING_PARTS_IN_ROUND)) {
    vptr__emit_need(emitter, "part", NULL);
    vptr__writer_text(emitter->out, "VPTR_PART, ");
  }
  vptr__emit_expression(emitter, expression, VPTR__LEVEL_COMMA);
}

/* `{`, the statement or what is in it, `}` without a newline. The end is a place of `owner`. */
static void write_body(vptr__emitter *emitter, const vptr__statement *body, const vptr__statement *owner,
                       vptr__meeting_place place) {
  unsigned line = emitter->line;
  vptr__emit_line_end(emitter, "{");
  emitter->depth++;
  if (body != NULL && body->kind == VPTR__STATEMENT_BLOCK)
    write_statements(emitter, body->first);
  else if (body != NULL && body->kind != VPTR__STATEMENT_EMPTY)
    vptr__emit_statement(emitter, body);
  if (emitter->instance->meetings != NULL && emitter->instance->meetings->ends_together &&
      owner == emitter->instance->function->body)
    vptr__emit_line_end(emitter, "vptr_end:");
  write_meeting(emitter, owner, place);
  emitter->depth--;
  vptr__emit_brace_end(emitter, line);
}

static void write_rounds(vptr__emitter *emitter, const vptr__statement *loop) {
  emitter->rounds++;
  write_body(emitter, loop->body, loop, VPTR__MEETING_AT_END);
  emitter->rounds--;
}

void vptr__emit_block(vptr__emitter *emitter, const vptr__statement *block) {
  write_body(emitter, block, block, VPTR__MEETING_AT_END);
  vptr__emit_line_end(emitter, "");
}

/* A block around a statement that has declarations of its own in front. */
static unsigned open_scope(vptr__emitter *emitter, const vptr__statement *statement) {
  vptr__emit_line_begin(emitter, statement->position);
  vptr__emit_line_end(emitter, "{");
  emitter->depth++;
  return emitter->line;
}

/* opened: the line that open_scope() gave back. */
static void close_scope(vptr__emitter *emitter, unsigned opened) {
  emitter->depth--;
  vptr__emit_brace_end(emitter, opened);
  vptr__emit_line_end(emitter, "");
}

static void write_condition(vptr__emitter *emitter, const char *word, const vptr__statement *statement) {
  vptr__writer_format(emitter->out, "%s (", word);
  write_marked(emitter, statement, statement->expression);
  vptr__writer_text(emitter->out, ") ");
}

static bool has_scope(const vptr__statement *choice) {
  return choice->first != NULL || choice->declarations != NULL;
}

/* What an if and a switch begin with, up to the condition; the line for end_choice(). */
static unsigned begin_choice(vptr__emitter *emitter, const vptr__statement *choice, const char *word) {
  unsigned opened = has_scope(choice) ? open_scope(emitter, choice) : 0;
  if (choice->first != NULL)
    vptr__emit_statement(emitter, choice->first);
  write_declarations(emitter, choice->declarations);
  vptr__emit_line_begin(emitter, choice->position);
  write_condition(emitter, word, choice);
  return opened;
}

static void end_choice(vptr__emitter *emitter, const vptr__statement *choice, unsigned opened) {
  vptr__emit_line_end(emitter, "");
  if (has_scope(choice))
    close_scope(emitter, opened);
}

/* if (__vptr_native()): the arm that is not for the device has labels and barriers that its compiler would look at. */
static void write_native_choice(vptr__emitter *emitter, const vptr__statement *statement) {
  vptr__emit_directive(emitter, "#if VPTR_PTX\n");
  write_body(emitter, statement->body, statement, VPTR__MEETING_AT_END);
  vptr__emit_line_end(emitter, "");
  vptr__emit_directive(emitter, "#else\n");
  write_body(emitter, statement->otherwise, statement, VPTR__MEETING_AT_OTHERWISE);
  vptr__emit_line_end(emitter, "");
  vptr__emit_directive(emitter, "#endif\n");
}

static void write_if(vptr__emitter *emitter, const vptr__statement *statement) {
  if (vptr__inside_is_native_choice(statement)) {
    write_native_choice(emitter, statement);
    return;
  }
  unsigned opened = begin_choice(emitter, statement, "if");
  write_body(emitter, statement->body, statement, VPTR__MEETING_AT_END);
  if (statement->otherwise != NULL) {
    vptr__writer_text(emitter->out, " else ");
    write_body(emitter, statement->otherwise, statement, VPTR__MEETING_AT_OTHERWISE);
  }
  end_choice(emitter, statement, opened);
}

static void write_switch(vptr__emitter *emitter, const vptr__statement *statement) {
  unsigned opened = begin_choice(emitter, statement, "switch");
  write_body(emitter, statement->body, statement, VPTR__MEETING_AT_END);
  end_choice(emitter, statement, opened);
}

/* ---- loops ------------------------------------------------------------------------------------------------ */

/* The count is a hint: one that is no number is left to the compiler. */
static void write_unroll(vptr__emitter *emitter, const vptr__statement *loop) {
  if (loop->unroll == NULL)
    return;
  char *behind;
  long count = strtol(loop->unroll, &behind, 0);
  vptr__emit_newline(emitter);
  if (behind != loop->unroll && count > 0)
    vptr__writer_format(emitter->out, "#pragma unroll %ld\n", count);
  else
    vptr__writer_text(emitter->out, "#pragma unroll\n");
  emitter->line++;
}

/* while (T x = f()): x is made anew each time round. */
static void write_declaring_while(vptr__emitter *emitter, const vptr__statement *loop) {
  vptr__emit_line_begin(emitter, loop->position);
  vptr__emit_line_end(emitter, "for (;;) {");
  emitter->depth++;
  if (vptr__meeting_is_at(emitter->instance, loop, VPTR__MEETING_PARTS_IN_ROUND)) {
    vptr__emit_need(emitter, "part", NULL);
    vptr__emit_line_end(emitter, "VPTR_PART;");
  }
  write_declarations(emitter, loop->declarations);
  vptr__emit_line_begin(emitter, 0);
  vptr__writer_text(emitter->out, "if (!");
  vptr__emit_expression(emitter, loop->expression, VPTR__LEVEL_UNARY);
  vptr__emit_line_end(emitter, ") break;");
  vptr__emit_line_begin(emitter, 0);
  write_rounds(emitter, loop);
  vptr__emit_line_end(emitter, "");
  close_scope(emitter, 0);
}

static void write_while(vptr__emitter *emitter, const vptr__statement *loop) {
  write_unroll(emitter, loop);
  if (loop->declarations != NULL) {
    write_declaring_while(emitter, loop);
    return;
  }
  vptr__emit_line_begin(emitter, loop->position);
  write_condition(emitter, "while", loop);
  write_rounds(emitter, loop);
  vptr__emit_line_end(emitter, "");
}

static void write_do(vptr__emitter *emitter, const vptr__statement *loop) {
  write_unroll(emitter, loop);
  vptr__emit_line_begin(emitter, loop->position);
  vptr__writer_text(emitter->out, "do ");
  write_rounds(emitter, loop);
  vptr__writer_text(emitter->out, " while (");
  write_marked(emitter, loop, loop->expression);
  vptr__emit_line_end(emitter, ");");
}

static bool fits_in_for(const vptr__statement *first) {
  if (first == NULL || first->kind == VPTR__STATEMENT_EXPRESSION || first->kind == VPTR__STATEMENT_EMPTY)
    return true;
  return first->kind == VPTR__STATEMENT_DECLARATION && first->declarations != NULL &&
         first->declarations->next == NULL && is_written(first->declarations) && !is_array(first->declarations);
}

static void write_for_head(vptr__emitter *emitter, const vptr__statement *loop, bool with_first) {
  vptr__writer_text(emitter->out, "for (");
  if (with_first && loop->first != NULL && loop->first->kind == VPTR__STATEMENT_DECLARATION)
    vptr__emit_variable(emitter, loop->first->declarations);
  else if (with_first && loop->first != NULL && loop->first->expression != NULL)
    vptr__emit_expression(emitter, loop->first->expression, VPTR__LEVEL_COMMA);
  vptr__writer_text(emitter->out, ";");
  if (loop->expression != NULL) {
    vptr__writer_text(emitter->out, " ");
    write_marked(emitter, loop, loop->expression);
  }
  vptr__writer_text(emitter->out, ";");
  if (loop->step != NULL) {
    vptr__writer_text(emitter->out, " ");
    write_marked(emitter, loop, loop->step);
  }
  vptr__writer_text(emitter->out, ") ");
}

static void write_for(vptr__emitter *emitter, const vptr__statement *loop) {
  bool fits = fits_in_for(loop->first) && loop->declarations == NULL;
  unsigned opened = fits ? 0 : open_scope(emitter, loop);
  if (!fits)
    vptr__emit_statement(emitter, loop->first);
  write_unroll(emitter, loop);
  vptr__emit_line_begin(emitter, loop->position);
  write_for_head(emitter, loop, fits);
  write_rounds(emitter, loop);
  vptr__emit_line_end(emitter, "");
  if (!fits)
    close_scope(emitter, opened);
}

/* ---- jumps ------------------------------------------------------------------------------------------------ */

/* The value, as what the function gives back. */
void vptr__emit_returned(vptr__emitter *emitter, const vptr__expression *value, const vptr__type *returned) {
  if (returned->kind == VPTR__TYPE_REFERENCE) {
    vptr__emit_address(emitter, value, VPTR__LEVEL_ASSIGN);
  } else if (value->kind == VPTR__EXPRESSION_INIT_LIST && returned->kind == VPTR__TYPE_RECORD) {
    vptr__writer_format(emitter->out, "(%s)", vptr__emit_type_name(emitter, returned));
    vptr__emit_initializer(emitter, value, returned);
  } else {
    vptr__emit_expression(emitter, value, VPTR__LEVEL_COMMA);
  }
}

/* The value is found before they meet. */
static void write_met_return(vptr__emitter *emitter, const vptr__statement *statement, const vptr__type *returned) {
  const char *declarator = vptr__emit_declarator(emitter, returned, "vptr_returned", VPTR__SPACE_PRIVATE);
  vptr__emit_line_begin(emitter, statement->position);
  vptr__writer_format(emitter->out, "{ %s = ", declarator);
  vptr__emit_returned(emitter, statement->expression, returned);
  vptr__emit_line_end(emitter, "; VPTR_MEET; return vptr_returned; }");
}

/* One work-item runs the block: the thread goes to the end of the loop that it is in. */
static void write_left(vptr__emitter *emitter, const vptr__statement *statement) {
  const vptr__type *returned = emitter->instance->function->type->base;
  vptr__emit_line_begin(emitter, statement->position);
  vptr__writer_text(emitter->out, "{ ");
  if (statement->expression != NULL) {
    vptr__writer_text(emitter->out, returned->kind == VPTR__TYPE_VOID ? "" : "vptr_result[VPTR_AT] = ");
    vptr__emit_returned(emitter, statement->expression, returned);
    vptr__writer_text(emitter->out, "; ");
  }
  vptr__writer_format(emitter->out, "goto vptr_next_%d; }", emitter->left);
  vptr__emit_line_end(emitter, "");
}

static void write_return(vptr__emitter *emitter, const vptr__statement *statement) {
  if (emitter->loops != NULL) {
    write_left(emitter, statement);
    return;
  }
  const vptr__type *returned = emitter->instance->function->type->base;
  bool is_void = returned->kind == VPTR__TYPE_VOID;
  bool is_met = vptr__meeting_is_at(emitter->instance, statement, VPTR__MEETING_BEFORE);
  if (is_met && statement->expression != NULL && !is_void) {
    vptr__emit_need(emitter, "meet", NULL);
    write_met_return(emitter, statement, returned);
    return;
  }
  if (statement->expression == NULL)
    write_meeting(emitter, statement, VPTR__MEETING_BEFORE);
  bool is_to_end = vptr__meeting_is_at_end(emitter->instance, statement);
  vptr__emit_line_begin(emitter, statement->position);
  if (statement->expression == NULL) {
    vptr__emit_line_end(emitter, is_to_end ? "goto vptr_end;" : "return;");
    return;
  }
  vptr__writer_text(emitter->out, is_void ? "" : "return ");
  if (is_void)
    vptr__emit_expression(emitter, statement->expression, VPTR__LEVEL_COMMA);
  else
    vptr__emit_returned(emitter, statement->expression, returned);
  if (is_void && is_met)
    vptr__emit_need(emitter, "meet", NULL);
  vptr__emit_line_end(emitter, !is_void    ? ";"
                               : is_to_end ? "; goto vptr_end;"
                               : is_met    ? "; VPTR_MEET; return;"
                                           : "; return;");
}

static void write_case(vptr__emitter *emitter, const vptr__statement *statement) {
  if (statement->expression == NULL || statement->expression->type == NULL) {
    vptr__source_report(emitter->source, VPTR__ERROR, statement->position,
                        "this case label is no number known when translating");
    return;
  }
  vptr__writer_text(emitter->out, "case ");
  vptr__emit_integer(emitter, (uint64_t)statement->value, statement->expression->type, VPTR__LEVEL_COMMA);
  vptr__writer_text(emitter->out, ":");
}

void vptr__emit_label(vptr__emitter *emitter, const vptr__statement *statement) {
  write_meeting(emitter, statement, VPTR__MEETING_BEFORE);
  vptr__emit_line_begin(emitter, statement->position);
  if (statement->kind == VPTR__STATEMENT_DEFAULT)
    vptr__writer_text(emitter->out, "default:");
  else if (statement->kind == VPTR__STATEMENT_LABEL)
    vptr__writer_format(emitter->out, "%s:", vptr__emit_name(emitter, statement->label->text));
  else
    write_case(emitter, statement);
  vptr__emit_line_end(emitter, ";"); /* what follows may be a declaration, which C wants no label before */
}

static void write_label(vptr__emitter *emitter, const vptr__statement *statement) {
  vptr__emit_label(emitter, statement);
  if (statement->body != NULL)
    vptr__emit_statement(emitter, statement->body);
}

static void write_expression(vptr__emitter *emitter, const vptr__expression *expression) {
  vptr__emit_line_begin(emitter, expression->position);
  vptr__emit_expression(emitter, expression, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, ";");
}

static void write_goto(vptr__emitter *emitter, const vptr__statement *statement) {
  write_meeting(emitter, statement, VPTR__MEETING_BEFORE);
  vptr__emit_line_begin(emitter, statement->position);
  vptr__writer_format(emitter->out, "goto %s", vptr__emit_name(emitter, statement->label->text));
  vptr__emit_line_end(emitter, ";");
}

/* One work-item runs the block, and it is not one of the loops that a thread goes round by itself. */
static bool is_continued_outside(const vptr__emitter *emitter, const vptr__statement *statement) {
  return emitter->loops != NULL && emitter->rounds == 0 && statement->kind == VPTR__STATEMENT_CONTINUE;
}

static void write_word(vptr__emitter *emitter, const vptr__statement *statement, const char *word) {
  if (is_continued_outside(emitter, statement)) {
    write_left(emitter, statement);
    return;
  }
  write_meeting(emitter, statement, VPTR__MEETING_BEFORE);
  vptr__emit_line_begin(emitter, statement->position);
  vptr__emit_line_end(emitter, word);
}

void vptr__emit_statement(vptr__emitter *emitter, const vptr__statement *statement) {
  vptr__arena_enter(emitter->arena);
  write_mark(emitter, statement);
  switch (statement->kind) {
  case VPTR__STATEMENT_EMPTY:
    break;
  case VPTR__STATEMENT_EXPRESSION:
    write_expression(emitter, statement->expression);
    break;
  case VPTR__STATEMENT_DECLARATION:
    write_declarations(emitter, statement->declarations);
    break;
  case VPTR__STATEMENT_BLOCK:
    vptr__emit_line_begin(emitter, statement->position);
    vptr__emit_block(emitter, statement);
    break;
  case VPTR__STATEMENT_IF:
    write_if(emitter, statement);
    break;
  case VPTR__STATEMENT_WHILE:
    write_while(emitter, statement);
    break;
  case VPTR__STATEMENT_DO:
    write_do(emitter, statement);
    break;
  case VPTR__STATEMENT_FOR:
    write_for(emitter, statement);
    break;
  case VPTR__STATEMENT_SWITCH:
    write_switch(emitter, statement);
    break;
  case VPTR__STATEMENT_CASE:
  case VPTR__STATEMENT_DEFAULT:
  case VPTR__STATEMENT_LABEL:
    write_label(emitter, statement);
    break;
  case VPTR__STATEMENT_BREAK:
    write_word(emitter, statement, "break;");
    break;
  case VPTR__STATEMENT_CONTINUE:
    write_word(emitter, statement, "continue;");
    break;
  case VPTR__STATEMENT_RETURN:
    write_return(emitter, statement);
    break;
  case VPTR__STATEMENT_GOTO:
    write_goto(emitter, statement);
    break;
  }
  vptr__arena_leave(emitter->arena);
}
