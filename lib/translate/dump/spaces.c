/* SPDX-License-Identifier: MIT */
/* spaces - see spaces.h. */
#include "translate/dump/spaces.h"

#include <string.h>

#include "translate/dump/printer.h"
#include "translate/infer/variable.h"
#include "translate/infer/visit.h"
#include "translate/types/types.h"

typedef struct listing {
  vptr__printer printer;
  const vptr__instance *instance; /* NULL: of fields and at namespace level */
} listing;

/* ---- one variable ------------------------------------------------------------------------------------------ */

static void print_space(listing *listing, const vptr__type *pointer, vptr__position declared) {
  vptr__printer *printer = &listing->printer;
  vptr__position origin = vptr__infer_origin(listing->instance, pointer);
  vptr__printer_format(printer, " -> %s", vptr__space_text(vptr__infer_space(listing->instance, pointer)));
  if (origin == 0) {
    vptr__printer_format(printer, " (nothing says where)");
    return;
  }
  const char *place = vptr__printer_place(printer, origin);
  if (strcmp(place, vptr__printer_place(printer, declared)) != 0)
    vptr__printer_format(printer, " (%s)", place);
}

/* The pointers of a type in their order: through arrays, not into records, which have lines of their own. */
static void print_spaces(listing *listing, const vptr__type *type, vptr__position declared) {
  for (; type != NULL && type->kind != VPTR__TYPE_FUNCTION; type = type->base)
    if (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE)
      print_space(listing, type, declared);
}

static bool is_pointer(const vptr__type *type) {
  while (type != NULL && type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type != NULL && (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE);
}

static void print_variable(listing *listing, const char *word, const vptr__declaration *variable) {
  vptr__printer *printer = &listing->printer;
  if (!is_pointer(variable->type))
    return;
  vptr__printer_line(printer, variable->position);
  vptr__printer_format(printer, "%s %s : %s", word, vptr__printer_name(variable->name),
                       vptr__type_text(printer->out.arena, variable->type));
  print_spaces(listing, variable->type, variable->position);
}

/* ---- records ----------------------------------------------------------------------------------------------- */

static void print_record(listing *listing, const vptr__declaration *record) {
  vptr__printer *printer = &listing->printer;
  bool is_told = record->kind == VPTR__DECLARATION_RECORD && (record->flags & VPTR__USED) != 0 &&
                 vptr__infer_has_pointers(record->type);
  if (!is_told)
    return;
  vptr__printer_line(printer, record->position);
  vptr__printer_format(printer, "record %s%s", vptr__printer_name(record->name),
                       record->flags & VPTR__IN_MEMORY ? ", some in device memory: its pointers are the host's" : "");
  printer->indent++;
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next)
    if (field->kind == VPTR__DECLARATION_FIELD)
      print_variable(listing, "field", field);
  printer->indent--;
}

static void print_inner_records(void *context, vptr__statement *statement) {
  listing *listing = context;
  const struct vptr__instance *instance = listing->instance;
  listing->instance = NULL;
  for (const vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
    print_record(listing, each);
  listing->instance = instance;
}

static void print_common(listing *listing, const vptr__unit *unit) {
  for (const vptr__declaration *each = unit->declarations; each != NULL; each = each->next) {
    if (each->position != 0 && vptr__source_file_at(unit->source, each->position)->is_ours)
      continue;
    print_record(listing, each);
    if (each->kind == VPTR__DECLARATION_VARIABLE && (each->flags & VPTR__USED) != 0)
      print_variable(listing, "variable", each);
  }
}

/* ---- an instance ------------------------------------------------------------------------------------------- */

static void print_inner_variable(void *context, vptr__declaration *variable) {
  print_variable(context, "variable", variable);
}

static void print_call(void *context, vptr__expression *expression) {
  listing *listing = context;
  const vptr__instance *callee =
      expression->kind == VPTR__EXPRESSION_CALL ? vptr__infer_callee(listing->instance, expression) : NULL;
  if (callee == NULL)
    return;
  vptr__printer_line(&listing->printer, expression->position);
  vptr__printer_format(&listing->printer, "calls %s", callee->name);
}

static void print_instance(listing *listing, const vptr__instance *instance) {
  vptr__printer *printer = &listing->printer;
  const vptr__declaration *function = instance->function;
  vptr__visitor visitor = { print_inner_records, print_call, print_inner_variable, listing };
  listing->instance = instance;
  vptr__printer_line(printer, function->position);
  vptr__printer_format(printer, "%s %s, instance %s", instance->is_kernel ? "kernel" : "function",
                       vptr__printer_name(function->name), instance->name);
  print_spaces(listing, function->type->base, function->position);
  printer->indent++;
  for (const vptr__declaration *each = function->type->parameters; each != NULL; each = each->next)
    print_variable(listing, "parameter", each);
  vptr__visit_statement(&visitor, function->body);
  printer->indent--;
}

const char *vptr__spaces_text(const vptr__unit *unit, const vptr__inference *inference) {
  listing listing = { .instance = NULL };
  vptr__printer_init(&listing.printer, unit->source, VPTR__PRINT_LINES);
  print_common(&listing, unit);
  for (const vptr__instance *each = inference->instances; each != NULL; each = each->next)
    print_instance(&listing, each);
  return vptr__writer_result(&listing.printer.out);
}
