/* SPDX-License-Identifier: MIT */
/* kernel - see kernel.h. */
#include "kernel.h"

#include <stdlib.h>

#include "congruence.h"
#include "flow.h"
#include "graph.h"
#include "grid.h"
#include "indirect.h"
#include "line.h"
#include "name.h"
#include "passed.h"
#include "states.h"
#include "stream.h"
#include "type.h"
#include "uniform.h"
#include "value.h"
#include "variable.h"
#include "wide.h"
#include "wrap.h"

/* ---- the head -------------------------------------------------------------------------------------------- */

static void print_bounds(kc_writer *writer, const kc_kernel *kernel) {
  if (kernel->max_threads != 0 && kernel->min_blocks != 0)
    kc_print(writer, "__launch_bounds__(%llu, %llu) ", kernel->max_threads, kernel->min_blocks);
  else if (kernel->max_threads != 0)
    kc_print(writer, "__launch_bounds__(%llu) ", kernel->max_threads);
}

/* What clang makes of __restrict__. */
static bool is_restricted(LLVMValueRef function, unsigned number) {
  static const char noalias[] = "noalias";
  unsigned kind = LLVMGetEnumAttributeKindForName(noalias, sizeof noalias - 1);
  return LLVMGetEnumAttributeAtIndex(function, number + 1, kind) != NULL;
}

static void print_parameter(kc_writer *writer, LLVMValueRef function, unsigned number) {
  LLVMValueRef parameter = LLVMGetParam(function, number);
  LLVMTypeRef type = LLVMTypeOf(parameter);
  const char *name = kc_name_of(parameter);
  if (kc_passed_type(function, number) != NULL)
    kc_print(writer, "struct vptr_%s_%u %s", kc_name_of(function), number, name);
  else if (kc_is_integer(type) && kc_width(type) == 1)
    kc_print(writer, "u8 %s", name);
  else if (kc_is_wide(type))
    kc_print(writer, "struct vptr_wide %s", name);
  else if (kc_indirect_is_number(parameter))
    kc_print(writer, "u64 %s", name);
  else
    kc_print(writer, "%s%s%s", kc_type_name(writer, type), is_restricted(function, number) ? "__restrict__ " : "",
             kc_is_pointer(type) ? name : "");
  if (kc_passed_type(function, number) == NULL && !kc_is_pointer(type) && !kc_is_wide(type) &&
      !(kc_is_integer(type) && kc_width(type) == 1))
    kc_print(writer, " %s", name);
}

static void print_head(kc_writer *writer, const kc_kernel *kernel) {
  LLVMValueRef function = kernel->function;
  kc_print(writer, "extern \"C\" __global__ void ");
  print_bounds(writer, kernel);
  kc_print(writer, "%s(", kc_name_of(function));
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    kc_print(writer, i > 0 ? ", " : "");
    print_parameter(writer, function, i);
  }
  kc_print(writer, ") {\n");
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (kc_is_wide(LLVMTypeOf(LLVMGetParam(function, i))))
      kc_print(writer, "  u64 %s_0 = %s.low, %s_1 = %s.high;\n", kc_name_of(LLVMGetParam(function, i)),
               kc_name_of(LLVMGetParam(function, i)), kc_name_of(LLVMGetParam(function, i)),
               kc_name_of(LLVMGetParam(function, i)));
}

/* ---- variables ------------------------------------------------------------------------------------------- */

/* In a thread's frame, if it has one. */
static void declare_array(kc_writer *writer, LLVMValueRef variable) {
  if (writer->has_states)
    kc_print(writer, "  char *%s;\n", kc_name_of(variable));
  else
    kc_print(writer, "  __align__(16) char %s[%llu];\n", kc_name_of(variable), kc_array_bytes(writer, variable));
}

static void declare_copy(kc_writer *writer, LLVMValueRef function, unsigned parameter) {
  const char *name = kc_name_of(LLVMGetParam(function, parameter));
  if (!kc_passed_is_copied(writer, function, parameter))
    return;
  if (writer->has_states)
    kc_print(writer, "  char *c_%s;\n", name);
  else
    kc_print(writer, "  __align__(16) char c_%s[%llu];\n", name,
             kc_size(writer, kc_passed_type(function, parameter)));
}

static void declare_leaves(kc_writer *writer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned count = kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++) {
    const char *name = kc_type_name(writer, kc_leaf_type(writer, type, i));
    kc_print(writer, count == 1 ? "  %s %s;\n" : "  %s %s_%u;\n", name, kc_name_of(value), i);
  }
}

static void declare_value(kc_writer *writer, LLVMValueRef value) {
  writer->instruction = value;
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind || kc_name_kind(value) == KC_INLINE ||
      kc_name_is_shared(value))
    return;
  if (LLVMIsAAllocaInst(value) != NULL)
    declare_array(writer, value);
  else
    declare_leaves(writer, value);
}

static void declare_values(kc_writer *writer, LLVMValueRef function) {
  for (int i = 0; i < writer->graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(writer->graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      declare_value(writer, each);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    declare_copy(writer, function, i);
  writer->instruction = NULL;
}

static void write_form(kc_writer *writer, LLVMValueRef function) {
  declare_values(writer, function);
  if (writer->has_states)
    kc_states_begin(writer, function);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    kc_passed_copy(writer, function, i);
  kc_flow(writer);
  if (writer->has_states)
    kc_states_end(writer, function);
  writer->instruction = NULL;
}

/* The second text is the one that looks up each access. */
static void write_threads(kc_writer *writer, LLVMValueRef function) {
  bool streams = writer->finds_buffers && kc_stream_begin(writer, function);
  if (streams) {
    write_form(writer, function);
    kc_stream_else(writer);
  }
  write_form(writer, function);
  if (streams)
    kc_stream_end(writer);
}

/* A kernel with states has a form for devices with warps, too. */
static void write_body(kc_writer *writer, LLVMValueRef function) {
  if (!writer->has_states) {
    write_threads(writer, function);
    return;
  }
  kc_print(writer, "if (__vptr_native()) {\n");
  writer->is_native = true;
  writer->has_states = false;
  kc_print(writer, "%s", writer->has_grid ? kc_grid_native_head : "");
  write_form(writer, function);
  writer->is_native = false;
  writer->has_states = true;
  kc_print(writer, "} else {\n");
  write_form(writer, function);
  kc_print(writer, "}\n");
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

/* The body is made first: it tells which variables of the module are used. */
static void write_whole(kc_writer *writer, const kc_kernel *kernel) {
  LLVMValueRef function = kernel->function;
  kc_text body;
  writer->has_states = kc_states_wanted(writer, function);
  writer->has_grid = kc_grid_wanted(function);
  const bool *differs = writer->has_states ? NULL : kc_uniform_values(writer, function);
  kc_name_values(writer, function);
  kc_wrap_begin(writer, function);
  writer->graph = kc_graph_of(writer, function);
  if (differs != NULL)
    kc_congruence_name(writer, function, differs);
  if (writer->has_states)
    kc_states_struct(writer, function);
  kc_begin(writer, &body);
  write_body(writer, function);
  kc_end(writer, &body);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (kc_passed_type(function, i) != NULL)
      kc_passed_struct(writer, function, i);
  print_head(writer, kernel);
  kc_variables_of_kernel(writer);
  if (writer->has_grid)
    kc_grid_shared(writer);
  kc_print(writer, "%s}\n\n", body.text);
  if (writer->has_grid)
    kc_grid_end(writer);
  free(body.text);
}

/* What is written of a kernel that is refused goes with its text. */
void kc_kernel_write(kc_writer *writer, const kc_kernel *kernel) {
  FILE *before = writer->out;
  kc_text text;
  if (kernel->is_refused)
    return;
  writer->kernel = kernel;
  writer->instruction = NULL;
  writer->is_native = false;
  writer->stream = NULL;
  writer->global_count = 0;
  kc_begin(writer, &text);
  FILE *own = writer->out;
  if (setjmp(writer->refused) == 0) {
    kc_line_of_kernel(writer);
    write_whole(writer, kernel);
    kc_end(writer, &text);
    kc_line_join(writer, text.text);
    kc_variables_note(writer);
  } else {
    fclose(own);
    writer->out = before;
  }
  writer->kernel = NULL;
}
