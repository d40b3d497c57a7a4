/* SPDX-License-Identifier: MIT */
/* plan - see plan.h. */
#include "translate/dump/plan.h"

#include "translate/dump/threads.h"
#include "translate/emit/hidden.h"
#include "translate/lower/loops.h"
#include "translate/types/types.h"

/* A line about the kernel, not about a line of the source. */
static void begin_remark(vptr__printer *printer, const char *word) {
  vptr__printer_line(printer, 0);
  vptr__printer_format(printer, "%s: ", word);
}

static void print_threads(vptr__printer *printer, const vptr__kernel_plan *kernel) {
  const vptr__instance *instance = kernel->instance;
  begin_remark(printer, "threads");
  if (instance->arm != NULL)
    vptr__printer_format(printer, "loops of one work-item over at most %llu threads where VPTR_LOOPS is set, else ",
                         (unsigned long long)instance->loops->threads);
  if (vptr__hidden_has_block(kernel))
    vptr__printer_format(printer, "states, which one work-item runs for its block%s",
                         vptr__hidden_has_grid(kernel) ? ", and for the grid's other blocks" : "");
  else if (instance->loops != NULL)
    vptr__printer_format(printer,
                         "loops of one work-item over at most %llu threads where VPTR_LOOPS is set, else a "
                         "work-item each",
                         (unsigned long long)instance->loops->threads);
  else if (instance->in_turn)
    vptr__printer_format(printer,
                         "one after another in one work-item where VPTR_LOOPS is set, since one may fail, else "
                         "a work-item each");
  else
    vptr__printer_format(printer, "a work-item each");
  if (instance->has_barrier)
    vptr__printer_format(printer, "; it has a barrier");
}

static void print_parameters(vptr__printer *printer, const vptr__plan *plan, const vptr__kernel_plan *kernel) {
  const vptr__declaration *each = kernel->instance->function->type->parameters;
  for (; each != NULL; each = each->next) {
    vptr__printer_line(printer, each->position);
    vptr__printer_format(printer, "parameter %s : %s", vptr__printer_name(each->name),
                         vptr__type_text(printer->out.arena, each->type));
    if (each->type->kind == VPTR__TYPE_POINTER)
      vptr__printer_format(printer, vptr__mod_ref_writes_through(&plan->mod_ref, each) ? ", may be written through"
                                                                                       : ", only read through");
  }
}

static void print_shared(vptr__printer *printer, const vptr__kernel_plan *kernel) {
  for (vptr__context_member **each = kernel->members; *each != NULL; each++) {
    const vptr__declaration *variable = (*each)->variable;
    if ((*each)->kind != VPTR__MEMBER_SHARED)
      continue;
    vptr__printer_line(printer, variable->position);
    vptr__printer_format(printer, "shared %s : %s", vptr__printer_name(variable->name),
                         vptr__type_text(printer->out.arena, variable->type));
  }
}

/* In the order of the entry's parameters. */
static void print_hidden(vptr__printer *printer, const vptr__kernel_plan *kernel) {
  for (vptr__context_member **each = kernel->members; *each != NULL; each++)
    if ((*each)->kind == VPTR__MEMBER_DYNAMIC_SHARED) {
      begin_remark(printer, "hidden");
      vptr__printer_format(printer, "dynamic shared memory");
    } else if ((*each)->kind == VPTR__MEMBER_STATUS) {
      begin_remark(printer, "hidden");
      vptr__printer_format(printer, "the launch's status");
    } else if ((*each)->kind == VPTR__MEMBER_PRINTS) {
      begin_remark(printer, "hidden");
      vptr__printer_format(printer, "what is printed");
    } else if ((*each)->kind == VPTR__MEMBER_VARIABLE) {
      begin_remark(printer, "hidden");
      vptr__printer_format(printer, "variable %s", (*each)->name);
    }
  const struct {
    bool is_there;
    const char *text;
  } others[] = {
    { vptr__hidden_has_translation(kernel), "the table of addresses" },
    { vptr__hidden_has_texels(kernel), "the table of textures" },
    { vptr__hidden_has_block(kernel), "the block's size" },
    { vptr__hidden_has_grid(kernel), "the grid's room" },
    { vptr__hidden_has_loops(kernel), "the block's and the grid's size, where VPTR_LOOPS is set" },
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].is_there) {
      begin_remark(printer, "hidden");
      vptr__printer_format(printer, "%s", others[i].text);
    }
}

static void print_bytes(vptr__printer *printer, const vptr__kernel_plan *kernel) {
  begin_remark(printer, "bytes");
  vptr__printer_format(printer, "%llu of parameters, %llu as devices count them",
                       (unsigned long long)kernel->parameter_bytes,
                       (unsigned long long)vptr__hidden_counted_bytes(kernel));
  if (vptr__emit_is_packable(kernel))
    vptr__printer_format(printer, ", %llu packed", (unsigned long long)vptr__hidden_packed_bytes(kernel));
  if (kernel->shared_bytes > 0)
    vptr__printer_format(printer, "; %llu shared", (unsigned long long)kernel->shared_bytes);
  if (kernel->instance->private_bytes > 0)
    vptr__printer_format(printer, "; %llu of each thread's large arrays",
                         (unsigned long long)kernel->instance->private_bytes);
  if (kernel->instance->loops != NULL && kernel->instance->loops->bytes > 0)
    vptr__printer_format(printer, "; %llu kept for all threads of a block",
                         (unsigned long long)kernel->instance->loops->bytes);
}

static void print_kernel(vptr__printer *printer, const vptr__plan *plan, const vptr__kernel_plan *kernel) {
  const vptr__declaration *function = kernel->instance->function;
  vptr__printer_line(printer, function->position);
  vptr__printer_format(printer, "kernel %s", vptr__printer_name(function->name));
  printer->indent++;
  print_threads(printer, kernel);
  print_parameters(printer, plan, kernel);
  print_shared(printer, kernel);
  print_hidden(printer, kernel);
  print_bytes(printer, kernel);
  printer->indent--;
}

const char *vptr__plan_text(const vptr__plan *plan) {
  vptr__printer printer;
  vptr__printer_init(&printer, plan->unit->source, VPTR__PRINT_LINES);
  for (const vptr__kernel_plan *each = plan->kernels; each != NULL; each = each->next)
    print_kernel(&printer, plan, each);
  for (const vptr__instance *each = plan->inference->instances; each != NULL; each = each->next)
    vptr__threads_print(&printer, each);
  return vptr__writer_result(&printer.out);
}
