/* SPDX-License-Identifier: MIT */
/*
 * loops - a function in which one work-item runs a block: see outline.h. The plan (lower/loops.h) says of each
 * statement where it goes.
 *
 * Outside of loops over threads it is thread 0 that works something out: the same for all.
 */
#include "translate/emit/outline.h"

#include "translate/lower/apart.h"

static void write_list(vptr__outline *outline, const vptr__statement *list);
static void write_one(vptr__outline *outline, const vptr__statement *statement);

/* ---- names ------------------------------------------------------------------------------------------------- */

const char *vptr__emit_loops_name(vptr__emitter *emitter, const vptr__instance *instance) {
  return vptr__arena_format(emitter->arena, "%s__loops", vptr__emit_function_name(emitter, instance));
}

static const char *parameter_text(vptr__emitter *emitter, const vptr__instance *instance,
                                  const vptr__declaration *parameter, int index) {
  const char *name = parameter->name != NULL ? vptr__emit_name(emitter, parameter->name->text)
                                             : vptr__arena_format(emitter->arena, "vptr_unused_%d", index);
  if (instance->is_kernel || !vptr__loops_takes_array(instance, parameter))
    return vptr__emit_declarator(emitter, parameter->type, name, VPTR__SPACE_PRIVATE);
  return vptr__emit_bare_declarator(emitter, parameter->type, vptr__arena_format(emitter->arena, "(*%s)", name));
}

const char *vptr__emit_loops_prototype(vptr__emitter *emitter, vptr__instance *instance) {
  vptr__writer text;
  int index = 0;
  vptr__writer_init(&text, emitter->arena);
  emitter->instance = instance;
  vptr__writer_format(&text, "static %svoid %s(", instance->loops->narrows ? "__attribute__((always_inline)) " : "",
                      vptr__emit_loops_name(emitter, instance));
  if (instance->reach != 0)
    vptr__writer_text(&text, "const struct vptr_context *vptr, ");
  for (const vptr__declaration *each = instance->function->type->parameters; each != NULL; each = each->next)
    vptr__writer_format(&text, "%s, ", parameter_text(emitter, instance, each, index++));
  const vptr__type *returned = instance->function->type->base;
  if (returned->kind != VPTR__TYPE_VOID)
    vptr__writer_format(&text, "%s, ", vptr__emit_bare_declarator(emitter, returned, "(*vptr_result)"));
  vptr__writer_text(&text, instance->loops->narrows ? "VPTR_BLOCK_PARAMETERS, uint *vptr_torn, const uint vptr_marks)"
                                                    : "VPTR_BLOCK_PARAMETERS)");
  return vptr__writer_result(&text);
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

static void write_plain_value(vptr__outline *outline, const vptr__declaration *variable) {
  vptr__emitter *emitter = outline->emitter;
  vptr__emit_line_begin(emitter, variable->position);
  vptr__writer_format(emitter->out, "%s = ", vptr__emit_declaration_name(emitter, variable));
  vptr__emit_expression(emitter, variable->initializer, VPTR__LEVEL_ASSIGN);
  vptr__emit_line_end(emitter, ";");
}

static void write_variable(vptr__outline *outline, const vptr__declaration *variable) {
  const vptr__part *part = vptr__loops_part(outline->loops, variable);
  if (part == NULL || variable->initializer == NULL)
    return;
  vptr__outline_gather(outline, part);
  switch (part->kind) {
  case VPTR__PART_AHEAD:
    vptr__outline_ahead(outline);
    write_plain_value(outline, variable);
    break;
  case VPTR__PART_ONCE:
    vptr__outline_close(outline);
    write_plain_value(outline, variable);
    break;
  case VPTR__PART_THREADS:
    vptr__outline_enter(outline, part->region);
    vptr__outline_initialize(outline, variable);
    break;
  default:
    break;
  }
}

/* ---- constructs -------------------------------------------------------------------------------------------- */

static void write_text(vptr__outline *outline, vptr__position position, const char *text) {
  vptr__emit_line_begin(outline->emitter, position);
  vptr__emit_line_end(outline->emitter, text);
}

static void write_condition(vptr__outline *outline, const vptr__statement *statement, const char *before,
                            const char *behind) {
  vptr__emitter *emitter = outline->emitter;
  vptr__emit_line_begin(emitter, statement->position);
  vptr__writer_text(emitter->out, before);
  if (statement->expression != NULL)
    vptr__emit_expression(emitter, statement->expression, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, behind);
}

static void write_body(vptr__outline *outline, const vptr__statement *body) {
  outline->emitter->depth++;
  if (body != NULL)
    write_list(outline, body->kind == VPTR__STATEMENT_BLOCK ? body->first : body);
  outline->emitter->depth--;
}

static void write_if(vptr__outline *outline, const vptr__statement *statement) {
  write_condition(outline, statement, "if (", ") {");
  write_body(outline, statement->body);
  write_text(outline, 0, "}");
  if (statement->otherwise == NULL)
    return;
  write_text(outline, 0, "else {");
  write_body(outline, statement->otherwise);
  write_text(outline, 0, "}");
}

static void write_first(vptr__outline *outline, const vptr__statement *first) {
  if (first == NULL)
    return;
  if (first->kind == VPTR__STATEMENT_EXPRESSION)
    vptr__emit_statement(outline->emitter, first);
  for (const vptr__declaration *each = first->declarations; each != NULL; each = each->next)
    if (each->initializer != NULL)
      write_plain_value(outline, each);
}

/* Calls by all threads that the condition has come before it, in each round. */
static void write_gathered_condition(vptr__outline *outline, const vptr__statement *loop, const vptr__part *part) {
  vptr__emitter *emitter = outline->emitter;
  if (part->gatherings == NULL)
    return;
  vptr__outline_gather(outline, part);
  vptr__emit_line_begin(emitter, loop->position);
  vptr__writer_text(emitter->out, "if (!");
  vptr__emit_expression(emitter, loop->expression, VPTR__LEVEL_UNARY);
  vptr__emit_line_end(emitter, ") break;");
}

/* A while, too. */
static void write_for(vptr__outline *outline, const vptr__statement *loop, const vptr__part *part) {
  vptr__emitter *emitter = outline->emitter;
  write_first(outline, loop->first);
  vptr__emit_line_begin(emitter, loop->position);
  vptr__writer_text(emitter->out, "for (; ");
  if (loop->expression != NULL && part->gatherings == NULL)
    vptr__emit_expression(emitter, loop->expression, VPTR__LEVEL_COMMA);
  vptr__writer_text(emitter->out, "; ");
  if (loop->step != NULL)
    vptr__emit_expression(emitter, loop->step, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, ") {");
  write_gathered_condition(outline, loop, part);
  write_body(outline, loop->body);
  write_text(outline, 0, "}");
}

static void write_return(vptr__outline *outline, const vptr__statement *statement, const vptr__part *part) {
  vptr__emitter *emitter = outline->emitter;
  if (part->region != NULL) {
    vptr__outline_enter(outline, part->region);
    vptr__emit_line_begin(emitter, statement->position);
    vptr__writer_text(emitter->out, "vptr_result[VPTR_AT] = ");
    vptr__emit_returned(emitter, statement->expression, emitter->instance->function->type->base);
    vptr__emit_line_end(emitter, ";");
    vptr__outline_close(outline);
  }
  write_text(outline, statement->position, "return;");
}

static void write_arm(vptr__outline *outline, const vptr__statement *arm, const vptr__mask *mask) {
  vptr__emitter *emitter = outline->emitter;
  if (arm == NULL)
    return;
  const char *name = vptr__outline_mask(emitter, mask);
  vptr__emit_line_begin(emitter, 0);
  vptr__writer_format(emitter->out, "if (%s.from < %s.to) {", name, name);
  vptr__emit_line_end(emitter, "");
  write_body(outline, arm);
  write_text(outline, 0, "}");
}

/* Which arm each thread comes to is in an array, and where in its row the first and the last of an arm are. */
static void write_marked_choice(vptr__outline *outline, const vptr__statement *choice, const vptr__part *part) {
  vptr__emitter *emitter = outline->emitter;
  const unsigned number = part->masks[0]->number;
  vptr__emit_line_begin(emitter, choice->position);
  vptr__writer_format(emitter->out, "vptr_m%u_1 = vptr_m%u_2 = (struct vptr_part){ ~0u, 0u, 0u };", number, number);
  if (part->masks[0]->outer != NULL)
    vptr__writer_format(emitter->out,
                        " for (uint vptr_i = 0; vptr_i < vptr_bx * vptr_by * vptr_bz; vptr_i++) "
                        "vptr_m%u[vptr_i] = 0;",
                        number);
  vptr__emit_line_end(emitter, "");
  vptr__outline_enter(outline, part->region);
  vptr__emit_line_begin(emitter, choice->position);
  vptr__writer_format(emitter->out, "vptr_m%u[VPTR_AT] = (", number);
  vptr__emit_expression(emitter, choice->expression, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, ") != 0 ? 1 : 2;");
  vptr__outline_close(outline);
  for (int arm = 1; arm <= 2; arm++)
    vptr__writer_format(emitter->out, "vptr_part_find(&vptr_m%u_%d, vptr_m%u, %d, vptr_bx, vptr_by * vptr_bz);\n",
                        number, arm, number, arm);
}

/* The first of each row come to one arm, and the others to the other: nobody is marked. */
static void write_split_choice(vptr__outline *outline, const vptr__statement *choice, unsigned number,
                               const vptr__expression *end) {
  vptr__emitter *emitter = outline->emitter;
  vptr__emit_line_begin(emitter, choice->position);
  vptr__writer_format(emitter->out, "VPTR_PART_SPLIT(vptr_m%u_1, vptr_m%u_2, %s, ", number, number,
                      vptr__emit_type_name(emitter, end->type));
  vptr__emit_expression(emitter, end, VPTR__LEVEL_ASSIGN);
  vptr__emit_line_end(emitter, ")");
}

static void write_choice(vptr__outline *outline, const vptr__statement *choice, const vptr__part *part) {
  const unsigned number = part->masks[0]->number;
  const vptr__expression *end =
      part->masks[0]->outer == NULL ? vptr__outline_row_end(outline, choice->expression) : NULL;
  vptr__writer_format(&outline->heads, "  uchar vptr_m%u[%llu];\n  struct vptr_part vptr_m%u_1, vptr_m%u_2;\n",
                      number, (unsigned long long)outline->loops->threads, number, number);
  vptr__emit_need(outline->emitter, "lanes", NULL);
  if (end != NULL)
    write_split_choice(outline, choice, number, end);
  else
    write_marked_choice(outline, choice, part);
  write_arm(outline, choice->body, part->masks[0]);
  write_arm(outline, choice->otherwise, part->masks[1]);
}

static void write_around(vptr__outline *outline, const vptr__statement *statement, const vptr__part *part) {
  switch (statement->kind) {
  case VPTR__STATEMENT_BLOCK:
    write_text(outline, statement->position, "{");
    write_body(outline, statement);
    write_text(outline, 0, "}");
    break;
  case VPTR__STATEMENT_IF:
    write_if(outline, statement);
    break;
  case VPTR__STATEMENT_SWITCH:
    write_condition(outline, statement, "switch (", ") {");
    write_body(outline, statement->body);
    write_text(outline, 0, "}");
    break;
  case VPTR__STATEMENT_DO:
    write_text(outline, statement->position, "do {");
    write_body(outline, statement->body);
    vptr__outline_gather(outline, part);
    write_condition(outline, statement, "} while (", ");");
    break;
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_FOR:
    write_for(outline, statement, part);
    break;
  default: /* a label of a switch */
    vptr__emit_label(outline->emitter, statement);
    if (statement->body != NULL)
      write_one(outline, statement->body);
    break;
  }
}

/* ---- statements -------------------------------------------------------------------------------------------- */

static void write_once(vptr__outline *outline, const vptr__statement *statement, const vptr__part *part) {
  if (statement->kind == VPTR__STATEMENT_RETURN)
    write_return(outline, statement, part);
  else if (statement->kind == VPTR__STATEMENT_CONTINUE)
    write_text(outline, statement->position, "continue;");
  else
    vptr__emit_statement(outline->emitter, statement);
}

/* What is for those that stay stands behind it, or is all under its condition. */
static void write_leave(vptr__outline *outline, const vptr__statement *choice, const vptr__part *part) {
  vptr__emitter *emitter = outline->emitter;
  bool is_rest = vptr__apart_leave(emitter->instance->apart, choice) == VPTR__LEAVE_REST;
  vptr__outline_enter(outline, part->region);
  if (!is_rest) {
    vptr__outline_item(outline, choice);
    vptr__outline_close(outline);
    return;
  }
  outline->stays = choice->expression;
  vptr__emit_line_begin(emitter, choice->position);
  vptr__writer_text(emitter->out, "if (!");
  vptr__emit_expression(emitter, choice->expression, VPTR__LEVEL_UNARY);
  vptr__writer_format(emitter->out, ") goto vptr_next_%d;", emitter->left);
  vptr__emit_line_end(emitter, "");
  vptr__outline_close(outline);
  write_body(outline, choice->body);
}

static bool is_loop(const vptr__statement *statement) {
  return statement->kind == VPTR__STATEMENT_WHILE || statement->kind == VPTR__STATEMENT_DO ||
         statement->kind == VPTR__STATEMENT_FOR;
}

static void write_part(vptr__outline *outline, const vptr__statement *statement, const vptr__part *part) {
  if (!is_loop(statement))
    vptr__outline_gather(outline, part);
  switch (part->kind) {
  case VPTR__PART_NOTHING:
    break;
  case VPTR__PART_THREADS:
    vptr__outline_enter(outline, part->region);
    vptr__outline_item(outline, statement);
    break;
  case VPTR__PART_AHEAD:
    vptr__outline_ahead(outline);
    vptr__emit_statement(outline->emitter, statement);
    break;
  case VPTR__PART_ONCE:
    if (part->region != outline->region)
      vptr__outline_close(outline);
    write_once(outline, statement, part);
    break;
  case VPTR__PART_BARRIER:
    vptr__outline_close(outline);
    break;
  case VPTR__PART_LEAVE:
    write_leave(outline, statement, part);
    break;
  case VPTR__PART_AROUND:
    vptr__outline_close(outline);
    write_around(outline, statement, part);
    break;
  case VPTR__PART_CHOICE:
    vptr__outline_close(outline);
    write_choice(outline, statement, part);
    break;
  }
}

static void write_one(vptr__outline *outline, const vptr__statement *statement) {
  const vptr__part *part = vptr__loops_part(outline->loops, statement);
  vptr__arena_enter(outline->emitter->arena);
  if (statement->kind == VPTR__STATEMENT_DECLARATION && part != NULL && part->kind == VPTR__PART_AROUND)
    for (const vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
      write_variable(outline, each);
  else if (part != NULL)
    write_part(outline, statement, part);
  vptr__arena_leave(outline->emitter->arena);
}

static void write_list(vptr__outline *outline, const vptr__statement *list) {
  for (; list != NULL; list = list->next)
    write_one(outline, list);
  vptr__outline_close(outline);
}

/* ---- the function ------------------------------------------------------------------------------------------ */

/* The meetings are for drivers that run the threads themselves. */
static void write_all(vptr__emitter *emitter, vptr__instance *instance, vptr__outline *outline) {
  struct vptr__meetings *meetings = instance->meetings;
  instance->meetings = NULL;
  vptr__outline_declare(outline, instance);
  write_list(outline, vptr__infer_looped(instance)->first);
  vptr__emit_newline(emitter);
  instance->meetings = meetings;
}

static const char *staying_text(vptr__emitter *emitter, const vptr__loops *loops) {
  return loops->narrows
             ? vptr__arena_format(emitter->arena, "  VPTR_STAYING_ALL(%llu)\n", (unsigned long long)loops->threads)
             : "";
}

void vptr__emit_loops(vptr__emitter *emitter, vptr__instance *instance) {
  vptr__writer body, *out = emitter->out;
  vptr__outline outline = { .emitter = emitter, .loops = instance->loops, .out = &body };
  vptr__writer_init(&body, emitter->arena);
  vptr__writer_init(&outline.heads, emitter->arena);
  vptr__writer_init(&emitter->temporaries, emitter->arena);
  emitter->instance = instance;
  emitter->reach = instance->needs_context ? VPTR__REACHES_CONTEXT : 0;
  emitter->loops = instance->loops;
  emitter->has_place = true;
  emitter->out = &body;
  emitter->file = NULL;
  emitter->depth = 1;
  emitter->is_line_ended = false;
  write_all(emitter, instance, &outline);
  emitter->out = out;
  emitter->loops = NULL;
  emitter->has_place = false;
  emitter->depth = 0;
  emitter->file = NULL;
  emitter->names = (vptr__map){ 0 };
  instance->reach |= emitter->reach;
  vptr__emit_need(emitter, "threads", NULL);
  vptr__writer_format(out, "\n%s {\n  VPTR_THREADS_NONE\n%s%s%s%s}\n", vptr__emit_loops_prototype(emitter, instance),
                      staying_text(emitter, instance->loops), vptr__writer_result(&emitter->temporaries),
                      vptr__writer_result(&outline.heads), vptr__writer_result(&body));
}
