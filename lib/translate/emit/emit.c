/* SPDX-License-Identifier: MIT */
/* emit - the parts of a module, made in the order in which they become known and put together in the order in
 * which they are read. */
#include "translate/emit/emitter.h"

static void write_functions(vptr__emitter *emitter, vptr__writer *functions) {
  uint32_t index = 0;
  emitter->out = functions;
  for (const vptr__kernel_plan *kernel = emitter->plan->kernels; kernel != NULL; kernel = kernel->next)
    emitter->has_loops |= vptr__infer_has_loops(kernel->instance);
  vptr__emit_find_users(emitter);
  for (vptr__instance *each = emitter->plan->inference->instances; each != NULL; each = each->next) {
    vptr__emit_section(emitter, each);
    vptr__emit_function(emitter, each);
  }
  for (const vptr__kernel_plan *kernel = emitter->plan->kernels; kernel != NULL; kernel = kernel->next) {
    vptr__emit_section_of_one(emitter, index++);
    emitter->file = NULL;
    vptr__emit_line(emitter, kernel->instance->function->position);
    vptr__emit_kernel(emitter, kernel);
  }
}

static void write_prototypes(vptr__emitter *emitter, vptr__instance *instance) {
  vptr__writer_format(emitter->out, "%s;\n", vptr__emit_prototype(emitter, instance));
  if (emitter->has_loops && instance->loops != NULL)
    vptr__writer_format(emitter->out, "#if VPTR_LOOPS\n%s;\n#endif\n", vptr__emit_loops_prototype(emitter, instance));
  if (vptr__emit_has_placed(emitter, instance))
    vptr__writer_format(emitter->out, "#if VPTR_LOOPS\n%s;\n#endif\n",
                        vptr__emit_placed_prototype(emitter, instance));
}

/* Records, the context if anyone reaches it, and every function's first line. */
static void write_declarations(vptr__emitter *emitter, vptr__writer *declarations) {
  unsigned reach = 0;
  emitter->out = declarations;
  emitter->instance = NULL;
  for (const vptr__record_plan *record = emitter->plan->records; record != NULL; record = record->next)
    vptr__emit_record(emitter, record);
  for (const vptr__instance *each = emitter->plan->inference->instances; each != NULL; each = each->next)
    reach |= each->reach;
  if (reach != 0)
    vptr__emit_context(emitter, reach);
  vptr__writer_text(declarations, "\n");
  for (vptr__instance *each = emitter->plan->inference->instances; each != NULL; each = each->next)
    write_prototypes(emitter, each);
}

static void write_head(vptr__emitter *emitter) {
  vptr__emit_metadata(emitter);
  if (emitter->uses_double)
    vptr__writer_text(emitter->out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  if (emitter->options->no_fma)
    vptr__writer_text(emitter->out, "#pragma OPENCL FP_CONTRACT OFF\n");
}

const char *vptr__emit_module(const vptr__plan *plan, const vptr__emit_options *options) {
  vptr__source *source = plan->unit->source;
  vptr__arena *arena = vptr__source_arena(source);
  int errors = vptr__source_errors(source);
  vptr__emitter emitter = { .arena = arena, .source = source, .plan = plan, .options = options };
  vptr__writer module, declarations, functions;
  vptr__writer_init(&module, arena);
  vptr__writer_init(&declarations, arena);
  vptr__writer_init(&functions, arena);
  vptr__writer_init(&emitter.prelude, arena);
  vptr__writer_init(&emitter.temporaries, arena);
  write_functions(&emitter, &functions);
  write_declarations(&emitter, &declarations);
  if (emitter.is_retyped && !options->is_kernel_c)
    vptr__emit_need(&emitter, emitter.uses_double ? "retyped_double" : "retyped", NULL);
  emitter.out = &module;
  write_head(&emitter);
  vptr__writer_text(&module, vptr__writer_result(&emitter.prelude));
  vptr__writer_text(&module, vptr__writer_result(&declarations));
  vptr__writer_text(&module, vptr__writer_result(&functions));
  return vptr__source_errors(source) == errors ? vptr__writer_result(&module) : NULL;
}
