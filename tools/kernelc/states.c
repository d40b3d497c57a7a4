/* SPDX-License-Identifier: MIT */
/* states - see states.h. */
#include "states.h"

#include <stdlib.h>
#include <string.h>

#include "cast.h"
#include "graph.h"
#include "grid.h"
#include "kept.h"
#include "line.h"
#include "name.h"
#include "passed.h"
#include "place.h"
#include "stop.h"
#include "stuck.h"
#include "template.h"
#include "type.h"
#include "uniform.h"
#include "value.h"

enum { MOST_THREADS = 1024 };

/* ---- where threads stop ---------------------------------------------------------------------------------- */

static bool has_stop(LLVMValueRef function, bool is_of_block) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
      kc_stop stop = kc_stop_of(each);
      if (stop.operation != NULL && stop.is_of_block == is_of_block)
        return true;
    }
  return false;
}

bool kc_states_known(kc_writer *writer, LLVMValueRef function) {
  return kc_grid_wanted(function) || has_stop(function, false) ||
         (writer->stops_at_barriers && has_stop(function, true));
}

bool kc_states_wanted(kc_writer *writer, LLVMValueRef function) {
  return kc_states_known(writer, function) || (has_stop(function, true) && !kc_uniform_barriers(writer, function));
}

/* ---- frames ---------------------------------------------------------------------------------------------- */

static void mark_kept(kc_writer *writer, LLVMValueRef value, void *context) {
  bool *is_kept = context;
  (void)writer;
  is_kept[atol(kc_name_of(value) + 1)] = true;
}

static void print_members(kc_writer *writer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned count = kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++) {
    const char *name = kc_type_name(writer, kc_leaf_type(writer, type, i));
    kc_print(writer, count == 1 ? " %s %s;" : " %s %s_%u;", name, kc_name_of(value), i);
  }
}

static void print_arrays(kc_writer *writer, LLVMValueRef function) {
  for (int i = 0; i < writer->graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(writer->graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (LLVMIsAAllocaInst(each) != NULL)
        kc_print(writer, " __align__(16) char %s[%llu];", kc_name_of(each), kc_array_bytes(writer, each));
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (kc_passed_is_copied(writer, function, i))
      kc_print(writer, " __align__(16) char c_%s[%llu];", kc_name_of(LLVMGetParam(function, i)),
               kc_size(writer, kc_passed_type(function, i)));
}

void kc_states_struct(kc_writer *writer, LLVMValueRef function) {
  kc_kept *kept = writer->kept = kc_kept_of(writer, function);
  bool *is_kept = kc_allocate(kept->live->count, sizeof *is_kept);
  for (unsigned stop = 0; stop < kept->count; stop++)
    kc_kept_saved(writer, kept, stop, mark_kept, is_kept);
  kc_print(writer, "struct vptr_frame_%s { u32 vptr_unused;", kc_name_of(function));
  for (size_t i = 0; i < kept->live->count; i++)
    if (is_kept[i])
      print_members(writer, kept->live->values[i]);
  print_arrays(writer, function);
  kc_print(writer, " };\n");
  free(is_kept);
}

/* ---- the loops around ------------------------------------------------------------------------------------ */

static void move_value(kc_writer *writer, LLVMValueRef value, void *context) {
  const char *form = context;
  unsigned count = kc_leaf_count(writer, LLVMTypeOf(value));
  for (unsigned i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, count == 1 ? "%s" : "%s_%u", kc_name_of(value), i);
    kc_print(writer, form, name, name);
  }
}

/* The number of a stop is its place among them, and one. */
static void print_case(kc_writer *writer, unsigned stop) {
  static char load[] = " %s = vptr_kept->%s;";
  kc_print(writer, "case %uu:", stop + 1);
  kc_kept_loaded(writer, writer->kept, stop, move_value, load);
  kc_print(writer, " goto r%u;\n", stop + 1);
}

static void print_array_pointers(kc_writer *writer, LLVMValueRef function) {
  for (int i = 0; i < writer->graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(writer->graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (LLVMIsAAllocaInst(each) != NULL)
        kc_print(writer, "%s = vptr_f->%s;\n", kc_name_of(each), kc_name_of(each));
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (kc_passed_is_copied(writer, function, i))
      kc_print(writer, "c_%s = vptr_f->c_%s;\n", kc_name_of(LLVMGetParam(function, i)),
               kc_name_of(LLVMGetParam(function, i)));
}

void kc_states_begin(kc_writer *writer, LLVMValueRef function) {
  unsigned long long bound = writer->kernel->max_threads;
  unsigned long long most = bound > 0 && bound < MOST_THREADS ? bound : MOST_THREADS;
  kc_print(writer, "#define threadIdx vptr_at\n#define blockDim vptr_size\n#define vptr_thread() vptr_t\n"
                   "#define vptr_threads() vptr_n\n#undef VPTR_RETURN\n#define VPTR_RETURN goto vptr_done\n");
  kc_line_of_kernel(writer);
  kc_print(writer,
           "  struct vptr_three vptr_at = { 0, 0, 0 }, vptr_size = { 0, 0, 0 };\n"
           "  struct vptr_frame_%s vptr_frames[%llu];\n  struct vptr_wait vptr_waits[%llu];\n"
           "  vptr_size.x = (u32)__vptr_block() & 65535u;\n"
           "  vptr_size.y = (u32)(__vptr_block() >> 16) & 65535u;\n"
           "  vptr_size.z = (u32)(__vptr_block() >> 32);\n"
           "  u32 vptr_n = vptr_size.x * vptr_size.y * vptr_size.z, vptr_more;\n"
           "%s"
           "  for (u32 vptr_t = 0; vptr_t < vptr_n; vptr_t++)\n"
           "    vptr_waits[vptr_t].state = vptr_waits[vptr_t].kind = vptr_waits[vptr_t].came = 0;\n"
           "%s"
           "  do {\n  for (u32 vptr_t = 0; vptr_t < vptr_n; vptr_t++) {\n"
           "  struct vptr_frame_%s *vptr_f = &vptr_frames[vptr_t];\n"
           "  volatile struct vptr_frame_%s *vptr_kept = vptr_f;\n"
           "  struct vptr_wait *vptr_w = &vptr_waits[vptr_t];\n"
           "  if (vptr_w->kind != 0)\n    continue;\n"
           "  vptr_at.x = vptr_t %% vptr_size.x;\n"
           "  vptr_at.y = vptr_t / vptr_size.x %% vptr_size.y;\n"
           "  vptr_at.z = vptr_t / (vptr_size.x * vptr_size.y);\n",
           kc_name_of(function), most, most, writer->has_grid ? kc_grid_head : "",
           writer->has_grid ? kc_grid_load : "", kc_name_of(function), kc_name_of(function));
  print_array_pointers(writer, function);
  kc_print(writer, "switch (vptr_w->state) {\n");
  for (unsigned stop = 0; stop < writer->kept->count; stop++)
    print_case(writer, stop);
  kc_print(writer, "default:\nbreak;\n}\n");
}

static void note_place(kc_stuck *stuck, LLVMValueRef call) {
  if (!kc_place_of(call, &stuck->places[stuck->count]))
    stuck->places[stuck->count] = (kc_place){ .file = "", .length = 0 };
  stuck->count++;
}

static void print_stuck(kc_writer *writer, LLVMValueRef function) {
  const kc_kept *kept = writer->kept;
  kc_stuck stuck = { kc_allocate(kept->count, sizeof *stuck.places), 0 };
  for (unsigned stop = 0; stop < kept->count; stop++)
    note_place(&stuck, kept->stops[stop]);
  kc_stuck_print(writer, function, &stuck);
  free(stuck.places);
}

void kc_states_end(kc_writer *writer, LLVMValueRef function) {
  kc_line_of_kernel(writer);
  kc_print(writer, "vptr_done:\n  vptr_w->kind = VPTR_LEFT;\nvptr_next:;\n  }\n"
                   "  vptr_more = vptr_go_on(vptr_waits, vptr_n);\n  } while (vptr_more == VPTR_GO_ON);\n");
  print_stuck(writer, function);
  if (writer->has_grid)
    kc_print(writer, "%s", kc_grid_tail);
  kc_print(writer, "#undef threadIdx\n#undef blockDim\n#undef vptr_thread\n#undef vptr_threads\n"
                   "#undef VPTR_RETURN\n#define VPTR_RETURN return\n");
}

/* ---- one stop -------------------------------------------------------------------------------------------- */

static void print_operand(kc_writer *writer, LLVMValueRef call, const char *member, int operand) {
  if (operand == KC_NO_OPERAND)
    return;
  if (operand <= KC_FIRST_NUMBER) {
    kc_print(writer, "vptr_w->%s = %du; ", member, KC_FIRST_NUMBER - operand);
    return;
  }
  LLVMValueRef value = LLVMGetOperand(call, (unsigned)operand);
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, (unsigned)kc_size(writer, type) * 8);
  kc_print(writer, "vptr_w->%s = ", member);
  if (kc_is_floating(type))
    kc_cast_bits_begin(writer, type, bits);
  kc_value(writer, value, 0);
  if (kc_is_floating(type))
    kc_cast_bits_end(writer, type, bits);
  kc_print(writer, "; ");
}

static LLVMTypeRef first_leaf(kc_writer *writer, LLVMValueRef call) {
  return kc_leaf_type(writer, LLVMTypeOf(call), 0);
}

static void print_result(kc_writer *writer, LLVMValueRef call) {
  LLVMTypeRef type = first_leaf(writer, call);
  bool is_wide = kc_size(writer, type) == 8;
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, is_wide ? 64 : 32);
  bool has_two = kc_leaf_count(writer, LLVMTypeOf(call)) == 2;
  kc_print(writer, has_two ? "%s_0 = " : "%s = ", kc_name_of(call));
  kc_cast_bits_begin(writer, bits, type);
  kc_print(writer, is_wide ? "vptr_w->value" : "(u32)vptr_w->value");
  if (kc_is_integer(type) && kc_width(type) == 1)
    kc_print(writer, " & 1u");
  kc_cast_bits_end(writer, bits, type);
  if (has_two)
    kc_print(writer, "; %s_1 = vptr_w->found", kc_name_of(call));
  kc_print(writer, "; ");
}

/* CUB's: what was read plus the thread's own, as the text's type has it; without a lane its own value stays. */
static void print_sum(kc_writer *writer, LLVMValueRef call) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length), *name = kc_name_of(call);
  const char *type = strstr(text, "@p add.") + strlen("@p add.");
  LLVMTypeRef leaf = first_leaf(writer, call);
  bool is_wide = kc_size(writer, leaf) == 8;
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, is_wide ? 64 : 32);
  if ((*type == 'f') != kc_is_floating(leaf))
    kc_refuse(writer, "a shuffle in line adds reals that it takes as integers");
  kc_print(writer, "if (vptr_w->found) %s = %s + ", name, name);
  kc_cast_bits_begin(writer, bits, leaf);
  kc_print(writer, is_wide ? "vptr_w->sum" : "(u32)vptr_w->sum");
  kc_cast_bits_end(writer, bits, leaf);
  kc_print(writer, "; ");
}

static const char *kind_of(const kc_stop *stop) {
  if (strcmp(stop->operation, "VPTR_PAUSE") == 0)
    return "VPTR_PAUSED";
  if (strcmp(stop->operation, "VPTR_GRID") == 0)
    return "VPTR_AT_GRID";
  if (kc_stop_has_number(stop))
    return "VPTR_AT_SOME";
  return stop->is_of_block ? "VPTR_AT_BARRIER" : "VPTR_IN_WARP";
}

bool kc_states_stop(kc_writer *writer, LLVMValueRef call) {
  kc_stop stop = kc_stop_of(call);
  static char store[] = " vptr_kept->%s = %s;";
  if (!writer->has_states || stop.operation == NULL)
    return false;
  unsigned number = kc_kept_stop(writer->kept, call);
  if (stop.mask == KC_NO_OPERAND)
    kc_print(writer, "vptr_w->mask = ~0u; ");
  print_operand(writer, call, "mask", stop.mask);
  print_operand(writer, call, "value", stop.value);
  print_operand(writer, call, "lane", stop.lane);
  print_operand(writer, call, "clamp", stop.clamp);
  print_operand(writer, call, "sum", stop.sum);
  if (stop.form != NULL) {
    kc_print(writer, "vptr_w->value = ");
    kc_template(writer, stop.form, call, 1);
    kc_print(writer, "; ");
  }
  kc_kept_saved(writer, writer->kept, number, move_value, store);
  kc_print(writer, " vptr_w->operation = %s; vptr_w->kind = %s; vptr_w->state = %uu; goto vptr_next;\nr%u:;\n",
           stop.operation, kind_of(&stop), number + 1, number + 1);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    print_result(writer, call);
  if (stop.sum != KC_NO_OPERAND)
    print_sum(writer, call);
  return true;
}
