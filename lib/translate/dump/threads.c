/* SPDX-License-Identifier: MIT */
/* threads - see threads.h. */
#include "translate/dump/threads.h"

#include "translate/lower/apart.h"
#include "translate/lower/loops.h"
#include "translate/lower/meeting.h"
#include "translate/types/types.h"

typedef struct listing {
  vptr__printer *printer;
  const vptr__instance *instance;
  vptr__map numbers;            /* vptr__region -> its number */
  const vptr__region **regions; /* by number; count of them */
  uintptr_t count, room;
} listing;

static void print_list(listing *listing, const vptr__statement *statement);

/* ---- loops over threads ------------------------------------------------------------------------------------ */

static void keep_region(listing *listing, const vptr__region *region) {
  vptr__arena *arena = listing->printer->out.arena;
  if (listing->count == listing->room) {
    listing->room = 2 * listing->room + 16;
    const vptr__region **more = vptr__arena_allocate(arena, listing->room * sizeof *more);
    for (uintptr_t i = 0; i < listing->count; i++)
      more[i] = listing->regions[i];
    listing->regions = more;
  }
  listing->regions[listing->count++] = region;
}

static unsigned long number_of(listing *listing, const vptr__region *region) {
  void **slot = vptr__map_put(listing->printer->out.arena, &listing->numbers, (uintptr_t)region);
  if (*slot == NULL) {
    keep_region(listing, region);
    *slot = (void *)listing->count;
  }
  return (unsigned long)(uintptr_t)*slot;
}

static void print_region(vptr__printer *printer, const vptr__region *region, unsigned long number) {
  const char *separator = " ";
  vptr__printer_line(printer, region->loop != NULL ? region->loop->position : 0);
  vptr__printer_format(printer, "region %lu%s uses", number,
                       region->loop != NULL ? ", in each round of this loop," : "");
  for (const vptr__region_name *each = region->names; each != NULL; each = each->next) {
    vptr__printer_format(printer, "%s%s", separator, vptr__printer_name(each->variable->name));
    separator = ", ";
  }
  if (region->names == NULL)
    vptr__printer_format(printer, " no variable");
  if (region->is_left)
    vptr__printer_format(printer, region->narrows ? "; those that stay in it go on" : "; some threads leave it");
  if (!region->is_busy)
    vptr__printer_format(printer, "; it neither writes nor calls");
}

/* ---- what is known of a place ------------------------------------------------------------------------------ */

static void print_gatherings(listing *listing, const vptr__part *part) {
  for (const vptr__gathering *each = part->gatherings; each != NULL; each = each->next) {
    const vptr__expression *callee = each->call->operands[0];
    vptr__printer_format(listing->printer, ", behind a call of %s by all threads",
                         callee != NULL ? vptr__printer_name(callee->name) : "_");
    if (each->region != NULL)
      vptr__printer_format(listing->printer, " (arguments in region %lu)", number_of(listing, each->region));
  }
}

static void print_part(listing *listing, const void *place) {
  static const char *const words[] = { "nothing to do",    "",        "once", "once, ahead", "around",
                                       "around, by warps", "barrier", "" };
  const vptr__part *part =
      listing->instance->loops != NULL ? vptr__loops_part(listing->instance->loops, place) : NULL;
  if (part == NULL)
    return;
  vptr__printer_format(listing->printer, part->kind == VPTR__PART_LEAVE ? "  [left in " : "  [");
  if (part->region != NULL)
    vptr__printer_format(listing->printer, "%sregion %lu", part->kind == VPTR__PART_ONCE ? "once, its value in " : "",
                         number_of(listing, part->region));
  else
    vptr__printer_format(listing->printer, "%s", words[part->kind]);
  print_gatherings(listing, part);
  vptr__printer_format(listing->printer, "]");
}

static void print_storage(listing *listing, const vptr__declaration *variable) {
  static const char *const words[] = { "plain", "worked out again", "inside", "kept" };
  const vptr__loops *loops = listing->instance->loops;
  const vptr__place_of *place = loops != NULL ? vptr__loops_place(loops, variable) : NULL;
  if (place != NULL)
    vptr__printer_format(listing->printer, ", %s%s", words[place->storage], place->is_spread ? ", spread" : "");
}

static void print_uniformity(const listing *listing, const vptr__declaration *variable) {
  const vptr__apart *apart = listing->instance->apart;
  if (apart == NULL)
    return;
  bool is_followed = vptr__map_find(&apart->followed, (uintptr_t)variable) != NULL;
  bool differs = vptr__map_find(&apart->variables, (uintptr_t)variable) != NULL;
  vptr__printer_format(listing->printer, differs       ? ", differs"
                                         : is_followed ? ", the same for all"
                                                       : ", not followed");
}

static void print_variable(listing *listing, const char *word, const vptr__declaration *variable) {
  vptr__printer_line(listing->printer, variable->position);
  vptr__printer_format(listing->printer, "%s %s", word, vptr__printer_name(variable->name));
  print_uniformity(listing, variable);
  print_storage(listing, variable);
  print_part(listing, variable);
}

static bool is_apart(const listing *listing, const void *place) {
  const vptr__apart *apart = listing->instance->apart;
  return place != NULL && apart != NULL && vptr__map_find(&apart->places, (uintptr_t)place) != NULL;
}

static void print_meetings(const listing *listing, const vptr__statement *statement) {
  static const struct {
    vptr__meeting_place place;
    const char *text;
  } rows[] = {
    { VPTR__MEETING_BEFORE, ", meets before" },
    { VPTR__MEETING_AT_END, ", meets at its end" },
    { VPTR__MEETING_AT_OTHERWISE, ", meets at the end of else" },
    { VPTR__MEETING_PARTS, ", may part" },
    { VPTR__MEETING_PARTS_IN_WAY, ", may part" },
    { VPTR__MEETING_PARTS_IN_ROUND, ", may part in each round" },
  };
  if (listing->instance->meetings == NULL)
    return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (vptr__meeting_is_at(listing->instance, statement, rows[i].place))
      vptr__printer_format(listing->printer, "%s", rows[i].text);
}

/* ---- statements -------------------------------------------------------------------------------------------- */

static void print_body(listing *listing, const char *word, const vptr__statement *body) {
  if (body == NULL)
    return;
  if (*word != '\0') {
    vptr__printer_line(listing->printer, 0);
    vptr__printer_format(listing->printer, "%s", word);
  }
  listing->printer->indent++;
  print_list(listing, body->kind == VPTR__STATEMENT_BLOCK ? body->first : body);
  listing->printer->indent--;
}

static void print_head(listing *listing, const vptr__statement *statement) {
  vptr__printer_line(listing->printer, statement->position);
  vptr__printer_format(listing->printer, "%s", vptr__printer_statement_word(statement->kind));
  if (is_apart(listing, statement->expression))
    vptr__printer_format(listing->printer, ", its condition differs");
  if (is_apart(listing, statement))
    vptr__printer_format(listing->printer, ", only some threads");
  print_meetings(listing, statement);
  print_part(listing, statement);
}

static void print_one(listing *listing, const vptr__statement *statement) {
  vptr__arena_enter(listing->printer->out.arena);
  if (statement->kind != VPTR__STATEMENT_DECLARATION)
    print_head(listing, statement);
  for (const vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
    if (each->kind == VPTR__DECLARATION_VARIABLE)
      print_variable(listing, "variable", each);
  if (statement->kind == VPTR__STATEMENT_BLOCK)
    print_body(listing, "", statement->first);
  else
    print_body(listing, "first", statement->first);
  print_body(listing, "", statement->body);
  print_body(listing, "else", statement->otherwise);
  vptr__arena_leave(listing->printer->out.arena);
}

/* A body that is no block is one statement, whatever stands behind it. */
static void print_list(listing *listing, const vptr__statement *statement) {
  for (; statement != NULL; statement = statement->next)
    print_one(listing, statement);
}

void vptr__threads_print(vptr__printer *printer, const vptr__instance *instance) {
  listing listing = { .printer = printer, .instance = instance };
  const vptr__declaration *function = instance->function;
  if (instance->apart == NULL && instance->loops == NULL)
    return;
  vptr__printer_line(printer, function->position);
  vptr__printer_format(printer, "%s %s, statement by statement", instance->is_kernel ? "kernel" : "function",
                       instance->name);
  printer->indent++;
  for (const vptr__declaration *each = function->type->parameters; each != NULL; each = each->next)
    print_variable(&listing, "parameter", each);
  print_list(&listing, function->body->first);
  for (uintptr_t i = 0; i < listing.count; i++)
    print_region(printer, listing.regions[i], (unsigned long)i + 1);
  printer->indent--;
}

const char *vptr__threads_text(const vptr__unit *unit, const vptr__inference *inference) {
  vptr__printer printer;
  vptr__printer_init(&printer, unit->source, VPTR__PRINT_LINES);
  for (const vptr__instance *each = inference->instances; each != NULL; each = each->next)
    vptr__threads_print(&printer, each);
  return vptr__writer_result(&printer.out);
}
