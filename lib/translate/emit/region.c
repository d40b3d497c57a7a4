/* SPDX-License-Identifier: MIT */
/* region - loops over threads: see outline.h. */
#include "translate/emit/outline.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"

static void turn_to(vptr__emitter *emitter, vptr__writer *writer) {
  if (emitter->out == writer)
    return;
  vptr__emit_newline(emitter);
  emitter->out = writer;
  emitter->file = NULL;
}

void vptr__outline_ahead(vptr__outline *outline) {
  turn_to(outline->emitter, outline->out);
}

void vptr__outline_enter(vptr__outline *outline, const vptr__region *region) {
  vptr__emitter *emitter = outline->emitter;
  if (outline->region != region) {
    vptr__outline_close(outline);
    vptr__writer_init(&outline->text, emitter->arena);
    outline->region = region;
    outline->lead = NULL;
    outline->stays = NULL;
    emitter->left = emitter->temporary_count++;
  }
  turn_to(emitter, &outline->text);
}

/* ---- what is worked out anew ------------------------------------------------------------------------------- */

typedef struct again_walk {
  vptr__outline *outline;
  vptr__map *written;
} again_walk;

static void write_again(again_walk *walk, const vptr__place_of *place);

static void write_leaf(void *context, vptr__expression *expression) {
  again_walk *walk = context;
  if (expression->kind != VPTR__EXPRESSION_NAME || expression->declaration == NULL)
    return;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, expression->declaration);
  if (place != NULL && place->storage == VPTR__STORAGE_AGAIN)
    write_again(walk, place);
}

/* Behind those that it is made of. */
static void write_again(again_walk *walk, const vptr__place_of *place) {
  vptr__emitter *emitter = walk->outline->emitter;
  void **slot = vptr__map_put(emitter->arena, walk->written, (uintptr_t)place);
  if (*slot != NULL)
    return;
  *slot = walk;
  vptr__arena_enter(emitter->arena);
  vptr__visitor visitor = { .expression = write_leaf, .context = walk };
  vptr__visit_expression(&visitor, (vptr__expression *)place->value);
  vptr__arena_leave(emitter->arena);
  const char *name = vptr__emit_declaration_name(emitter, place->variable);
  vptr__writer_format(emitter->out, "%s = ", vptr__emit_bare_declarator(emitter, place->variable->type, name));
  vptr__emit_expression(emitter, place->value, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, "; ");
}

typedef enum level {
  ALL,   /* variables of the loop that the program declares elsewhere */
  LED,   /* of those that one thread does for its neighbours: what the others read */
  LEAD,  /* what only that thread needs */
  BEHIND /* what is left to declare for each */
} level;

static bool is_declared(const vptr__outline *outline, const vptr__declaration *variable, level level) {
  return level == ALL || (level == LED) == (vptr__map_find(&outline->led, (uintptr_t)variable) != NULL);
}

static void write_names(vptr__outline *outline, level level) {
  vptr__emitter *emitter = outline->emitter;
  vptr__map written = { 0 };
  again_walk walk = { outline, &written };
  for (const vptr__region_name *name = outline->region->names; name != NULL; name = name->next) {
    const vptr__place_of *place = vptr__loops_place(outline->loops, name->variable);
    if (place == NULL)
      continue;
    if (place->storage == VPTR__STORAGE_AGAIN && level != LED)
      write_again(&walk, place);
    else if (place->storage == VPTR__STORAGE_INSIDE && name->variable->initializer == NULL && level != LEAD &&
             is_declared(outline, name->variable, level))
      vptr__writer_format(emitter->out, "%s; ",
                          vptr__emit_bare_declarator(emitter, name->variable->type,
                                                     vptr__emit_declaration_name(emitter, name->variable)));
  }
}

const char *vptr__outline_mask(vptr__emitter *emitter, const vptr__mask *mask) {
  return vptr__arena_format(emitter->arena, "vptr_m%u_%d", mask->number, mask->is_otherwise ? 2 : 1);
}

/* An end below 0 is none: whatever type it has, the block's length fits into it. */
static void write_begin(vptr__outline *outline) {
  vptr__emitter *emitter = outline->emitter;
  vptr__row_part part;
  const vptr__mask *mask = outline->region->mask;
  vptr__emit_need(emitter, outline->loops->narrows ? "staying" : "threads", NULL);
  if (mask != NULL) {
    vptr__writer_format(emitter->out, "VPTR_THREADS_OF(vptr_m%u, %s, %d) ", mask->number,
                        vptr__outline_mask(emitter, mask), mask->is_otherwise ? 2 : 1);
    return;
  }
  if (outline->loops->narrows) {
    vptr__writer_format(emitter->out, "%s(%s) ", outline->region->narrows ? "VPTR_LEAVE_BEGIN" : "VPTR_STAYING_BEGIN",
                        vptr__outline_is_parallel(outline) ? "VPTR_PARALLEL" : "");
    return;
  }
  if (!vptr__outline_row_part(outline, outline->region, &part)) {
    vptr__writer_text(emitter->out, "VPTR_THREADS_BEGIN ");
    return;
  }
  vptr__writer_format(emitter->out,
                      part.step != 0 ? "VPTR_THREADS_EACH(%s, "
                      : part.is_one  ? "VPTR_THREADS_AT(%s, "
                                     : "VPTR_THREADS_BELOW(%s, ",
                      vptr__emit_type_name(emitter, part.bound->type));
  vptr__emit_expression(emitter, part.bound, VPTR__LEVEL_ASSIGN);
  if (part.step != 0)
    vptr__writer_format(emitter->out, ", %llu", (unsigned long long)part.step);
  vptr__writer_text(emitter->out, ") ");
}

/* What is done once for 32 neighbours, and the beginning of the loop over them. */
static void write_lead(vptr__outline *outline) {
  vptr__emitter *emitter = outline->emitter;
  vptr__emit_need(emitter, "threads", NULL);
  vptr__writer_text(emitter->out, "VPTR_THREADS_LED ");
  write_names(outline, LED);
  vptr__writer_text(emitter->out, "{ VPTR_THREADS_LEAD ");
  write_names(outline, LEAD);
  vptr__writer_format(emitter->out, "\n%s}\nVPTR_THREADS_BEHIND ", outline->lead);
  write_names(outline, BEHIND);
}

/* ---- the loop ---------------------------------------------------------------------------------------------- */

void vptr__outline_close(vptr__outline *outline) {
  vptr__emitter *emitter = outline->emitter;
  if (outline->region == NULL)
    return;
  turn_to(emitter, outline->out);
  vptr__emit_newline(emitter);
  if (outline->text.length > 0) {
    if (outline->lead != NULL) {
      write_lead(outline);
    } else {
      write_begin(outline);
      write_names(outline, ALL);
    }
    vptr__writer_format(emitter->out, "\n%s%s", vptr__writer_result(&outline->text),
                        outline->lead != NULL ? "}\n" : "");
    if (outline->region->narrows)
      vptr__writer_text(emitter->out, "vptr_stays = 1; }\n");
    if (outline->region->is_left)
      vptr__writer_format(emitter->out, "vptr_next_%d: ;\n", emitter->left);
    vptr__writer_text(emitter->out, outline->region->narrows ? "VPTR_LEAVE_END\n" : "VPTR_THREADS_END\n");
    emitter->file = NULL;
  }
  outline->region = NULL;
}

/* A variable that each loop has anew is not written to where the program does. */
static bool is_made_again(const vptr__outline *outline, const vptr__statement *statement) {
  const vptr__declaration *target =
      statement->kind == VPTR__STATEMENT_EXPRESSION ? vptr__effect_target(statement->expression) : NULL;
  const vptr__place_of *place = target != NULL ? vptr__loops_place(outline->loops, target) : NULL;
  return place != NULL && place->storage == VPTR__STORAGE_AGAIN && statement->expression->op == '=';
}

/* Nothing of the region is written yet, so nothing comes before it. */
static void write_leading(vptr__outline *outline, const vptr__statement *statement) {
  bool leads = outline->text.length == 0 && outline->lead == NULL && vptr__outline_leads(outline, statement);
  vptr__emit_statement(outline->emitter, statement);
  if (!leads)
    return;
  vptr__emit_newline(outline->emitter);
  outline->lead = vptr__writer_result(&outline->text);
  vptr__writer_init(&outline->text, outline->emitter->arena);
  outline->emitter->file = NULL;
}

void vptr__outline_item(vptr__outline *outline, const vptr__statement *statement) {
  vptr__row_part part;
  if (vptr__outline_row_part(outline, outline->region, &part) && part.is_all)
    vptr__emit_statement(outline->emitter, statement->body);
  else if (!is_made_again(outline, statement))
    write_leading(outline, statement);
}

/* An array gets its list by a copy, element by element. */
static void write_array_value(vptr__outline *outline, const vptr__declaration *variable) {
  vptr__emitter *emitter = outline->emitter;
  const vptr__type *element = variable->type;
  while (element->kind == VPTR__TYPE_ARRAY)
    element = element->base;
  const vptr__place_of *place = vptr__loops_place(outline->loops, variable);
  const char *type = vptr__emit_type_name(emitter, element), *name = vptr__emit_declaration_name(emitter, variable);
  const char *to = vptr__arena_format(emitter->arena, "((%s *)%s)[vptr_i]", type, name);
  if (place->is_spread)
    to = vptr__arena_format(emitter->arena, "((%s)%s)[vptr_i][VPTR_AT]", vptr__outline_array(outline, element, "(*)"),
                            name);
  vptr__writer_format(emitter->out,
                      "{ %s = ", vptr__emit_declarator(emitter, variable->type, "vptr_from", VPTR__SPACE_PRIVATE));
  vptr__emit_initializer(emitter, variable->initializer, variable->type);
  vptr__writer_format(emitter->out,
                      "; for (uint vptr_i = 0; vptr_i < sizeof vptr_from / sizeof(%s); vptr_i++) %s = "
                      "((const %s *)vptr_from)[vptr_i]; }",
                      type, to, type);
}

static void write_kept_value(vptr__outline *outline, const vptr__declaration *variable) {
  vptr__emitter *emitter = outline->emitter;
  if (variable->type->kind == VPTR__TYPE_ARRAY) {
    write_array_value(outline, variable);
    return;
  }
  vptr__writer_format(emitter->out, "%s = ", vptr__emit_declaration_name(emitter, variable));
  if (variable->type->kind == VPTR__TYPE_REFERENCE)
    vptr__emit_initializer(emitter, variable->initializer, variable->type);
  else
    vptr__emit_expression(emitter, variable->initializer, VPTR__LEVEL_ASSIGN);
  vptr__writer_text(emitter->out, ";");
}

void vptr__outline_initialize(vptr__outline *outline, const vptr__declaration *variable) {
  vptr__emitter *emitter = outline->emitter;
  const vptr__place_of *place = vptr__loops_place(outline->loops, variable);
  if (place != NULL && place->storage == VPTR__STORAGE_AGAIN)
    return;
  if (place != NULL && place->storage == VPTR__STORAGE_PLAIN && variable->type->kind == VPTR__TYPE_ARRAY)
    return; /* a table, declared with its values */
  vptr__emit_line_begin(emitter, variable->position);
  if (place == NULL || place->storage == VPTR__STORAGE_INSIDE) {
    vptr__emit_variable(emitter, variable);
    vptr__writer_text(emitter->out, ";");
  } else {
    write_kept_value(outline, variable);
  }
  vptr__emit_line_end(emitter, "");
}
