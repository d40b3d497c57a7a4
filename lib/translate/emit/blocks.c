/* SPDX-License-Identifier: MIT */
/*
 * blocks - how a kernel's entry calls what runs it: as work-items each thread's function; where one work-item runs
 * blocks, in a loop over them, the function that goes through a block in loops over threads (loops.c), or each
 * thread by itself. Which, is asked when the program is built (VPTR_LOOPS) and, of a block's size, when the kernel
 * runs; or when it is built, too: a program for launches of one kind (VPTR_FORMS) has a constant there, and of the
 * kernel's text what it needs.
 */
#include "translate/emit/emitter.h"
#include "translate/emit/hidden.h"
#include "translate/lower/loops.h"

static void write_parameters(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context) {
  const char *separator = with_context ? ", " : "";
  int index = 0;
  vptr__writer_text(emitter->out, with_context ? "&vptr" : "");
  for (const vptr__declaration *each = kernel->instance->function->type->parameters; each != NULL;
       each = each->next) {
    vptr__writer_format(emitter->out, "%s%s", separator, vptr__emit_parameter_name(emitter, each, index++));
    separator = ", ";
  }
}

static void write_threads_in_turn(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context,
                                  const char *separator) {
  vptr__emit_need(emitter, "threads", NULL);
  vptr__writer_format(emitter->out, "    VPTR_THREADS_BEGIN %s__placed(",
                      vptr__emit_function_name(emitter, kernel->instance));
  write_parameters(emitter, kernel, with_context);
  vptr__writer_format(emitter->out, "%svptr_x, vptr_y, vptr_z, VPTR_BLOCK_HERE);%s VPTR_THREADS_END\n", separator,
                      kernel->instance->asserts ? " if (vptr.m_stopped) return;" : "");
}

/* Of warps that two rows have, the loops know nothing: its other form is for all blocks. */
static void write_states_call(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context,
                              const char *separator) {
  vptr__writer_format(emitter->out, "  if (VPTR_SPLITS_WARPS) {\n    %s__placed(",
                      vptr__emit_function_name(emitter, kernel->instance));
  write_parameters(emitter, kernel, with_context);
  vptr__writer_format(emitter->out, "%s0, 0, 0, VPTR_BLOCK_HERE);\n  } else\n", separator);
}

/* Those that stay are a box in most blocks; else they are marked, and loops over the whole block pass by the others. */
static void write_threads_together(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context,
                                   const char *separator) {
  const int narrows = kernel->instance->loops->narrows;
  const char *name = vptr__emit_loops_name(emitter, kernel->instance);
  static const char *const tails[] = { "", ", &vptr_torn, 0", ", &vptr_torn, 1" };
  vptr__writer_text(emitter->out, narrows ? "  {\n  uint vptr_torn = 0;\n" : "");
  for (int marks = 0; marks <= narrows; marks++) {
    vptr__writer_format(emitter->out, "  %s%s(", marks ? "if (vptr_torn) " : "", name);
    write_parameters(emitter, kernel, with_context);
    vptr__writer_format(emitter->out, "%sVPTR_BLOCK_HERE%s);\n", separator, tails[narrows + marks]);
  }
  vptr__writer_text(emitter->out, narrows ? "  }\n" : "");
}

/* Without a barrier the loops over threads are for vectors in loops of the program. A block with short rows does not
 * fill those, and one may go round no loop: each thread of such a block goes through the kernel by itself. The
 * latter is a place of its own, where the driver's compiler knows that there are no loops, and has vectors for the
 * rest. What runs most blocks comes before what runs short ones: the other way round PoCL's code for an image's
 * border was a sixth slower. */
static void write_choice(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context,
                         const char *separator) {
  const vptr__loops *loops = kernel->instance->loops;
  if (loops->busy != NULL) {
    emitter->has_place = true;
    vptr__writer_text(emitter->out, "  if (!VPTR_IS_SHORT && !");
    vptr__emit_expression(emitter, loops->busy, VPTR__LEVEL_UNARY);
    emitter->has_place = false;
    vptr__writer_text(emitter->out, ") {\n");
    write_threads_in_turn(emitter, kernel, with_context, separator);
    vptr__writer_text(emitter->out, "  } else\n");
  }
  vptr__writer_text(emitter->out, "  if (!VPTR_IS_SHORT)\n  ");
  write_threads_together(emitter, kernel, with_context, separator);
  vptr__writer_text(emitter->out, "  else {\n");
  write_threads_in_turn(emitter, kernel, with_context, separator);
  vptr__writer_text(emitter->out, "  }\n");
}

/* One work-item runs blocks, one behind the other. */
static void write_loops_call(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context) {
  const vptr__instance *instance = kernel->instance;
  bool has_parameters = with_context || kernel->instance->function->type->parameters != NULL;
  bool has_placed = vptr__emit_has_placed(emitter, instance) && instance->arm == NULL;
  const char *separator = has_parameters ? ", " : "";
  vptr__emit_need(emitter, "blocks", NULL);
  vptr__writer_text(emitter->out, "#if VPTR_LOOPS\n  VPTR_BLOCKS_BEGIN\n");
  vptr__emit_entry_stopped(emitter, instance);
  if (instance->arm != NULL && vptr__emit_has_placed(emitter, instance))
    write_states_call(emitter, kernel, with_context, separator);
  if (has_placed && !instance->in_turn) {
    write_choice(emitter, kernel, with_context, separator);
  } else if (instance->in_turn) {
    vptr__writer_text(emitter->out, "  {\n");
    write_threads_in_turn(emitter, kernel, with_context, separator);
    vptr__writer_text(emitter->out, "  }\n");
  } else {
    write_threads_together(emitter, kernel, with_context, separator);
  }
  vptr__writer_text(emitter->out, "  VPTR_BLOCKS_END\n#else\n");
}

void vptr__emit_kernel_call(vptr__emitter *emitter, const vptr__kernel_plan *kernel, bool with_context) {
  if (vptr__hidden_has_loops(kernel))
    write_loops_call(emitter, kernel, with_context);
  else
    vptr__emit_entry_stopped(emitter, kernel->instance);
  vptr__writer_format(emitter->out, "  %s(", vptr__emit_function_name(emitter, kernel->instance));
  write_parameters(emitter, kernel, with_context);
  vptr__writer_text(emitter->out, vptr__hidden_has_loops(kernel) ? ");\n#endif\n}\n" : ");\n}\n");
}
