/* SPDX-License-Identifier: MIT */
/*
 * grid - see grid.h.
 *
 * The room begins with what lib/cudart/module/grid.c writes: the grid's blocks in x, y and z, whether the launch is
 * cooperative, bytes of dynamic shared memory, a word for devices whose threads meet there and a free one, and the
 * bytes of a block.
 */
#include "grid.h"

#include <string.h>

#include "name.h"
#include "value.h"
#include "variable.h"

const char kc_grid_head[] =
    "#define blockIdx vptr_own\n#define gridDim vptr_blocks\n"
    "  struct vptr_three vptr_own = { 0, 0, 0 }, vptr_blocks = { 0, 0, 0 };\n"
    "  char *vptr_room = __vptr_grid();\n"
    "  u32 vptr_round = 0, vptr_open;\n"
    "  vptr_blocks.x = *(u32 *)vptr_room;\n"
    "  vptr_blocks.y = *(u32 *)(vptr_room + 4);\n"
    "  vptr_blocks.z = *(u32 *)(vptr_room + 8);\n"
    "  do {\n  vptr_open = 0;\n"
    "  for (u32 vptr_b = 0; vptr_b < vptr_blocks.x * vptr_blocks.y * vptr_blocks.z; vptr_b++) {\n"
    "  char *vptr_part = vptr_room + 128 + *(u64 *)(vptr_room + 32) * vptr_b, *vptr_p = vptr_part;\n"
    "  vptr_own.x = vptr_b % vptr_blocks.x;\n"
    "  vptr_own.y = vptr_b / vptr_blocks.x % vptr_blocks.y;\n"
    "  vptr_own.z = vptr_b / (vptr_blocks.x * vptr_blocks.y);\n";

const char kc_grid_load[] = "  if (vptr_round != 0u) {\n"
                            "    __vptr_copy(vptr_waits, vptr_p, vptr_n * sizeof vptr_waits[0]);\n"
                            "    vptr_p += vptr_n * sizeof vptr_waits[0];\n"
                            "    if (vptr_wake(vptr_waits, vptr_n) == 0u)\n      continue;\n"
                            "    __vptr_copy(vptr_frames, vptr_p, vptr_n * sizeof vptr_frames[0]);\n"
                            "    vptr_p += vptr_n * sizeof vptr_frames[0];\n"
                            "    VPTR_LOAD_SHARED\n  }\n";

const char kc_grid_tail[] = "  vptr_p = vptr_part;\n"
                            "  __vptr_copy(vptr_p, vptr_waits, vptr_n * sizeof vptr_waits[0]);\n"
                            "  vptr_p += vptr_n * sizeof vptr_waits[0];\n"
                            "  if (vptr_more == VPTR_MET) {\n"
                            "    __vptr_copy(vptr_p, vptr_frames, vptr_n * sizeof vptr_frames[0]);\n"
                            "    vptr_p += vptr_n * sizeof vptr_frames[0];\n"
                            "    VPTR_SAVE_SHARED\n    vptr_open = 1;\n  }\n"
                            "  }\n  vptr_round = 1;\n  } while (vptr_open != 0u);\n"
                            "#undef blockIdx\n#undef gridDim\n";

const char kc_grid_native_head[] = "  const u32 vptr_valid = (u32)(*(u32 *)(__vptr_grid() + 12) != 0u);\n";

/* One word: each block adds 1, and the first what turns its top bit when all have. So the last to come has nothing to
 * set back, and who waits sees what the last addition left. */
const char kc_grid_native[] =
    "__vptr_warp_barrier(); if (vptr_thread() == 0u) { char *vptr_room = __vptr_grid(); "
    "__vptr_warp_meet((u32 *)(vptr_room + 20), (blockIdx.x | blockIdx.y | blockIdx.z) != 0u ? 1u : "
    "0x80000001u - gridDim.x * gridDim.y * gridDim.z); } __vptr_warp_barrier(); ";

static bool is_of_grid(LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) != NULL ? LLVMGetCalledValue(instruction) : NULL;
  size_t length = 0;
  if (callee == NULL || LLVMIsAFunction(callee) == NULL)
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  return strcmp(name, "_Z14vptr_grid_syncv") == 0 || strcmp(name, "_Z18vptr_grid_is_validv") == 0;
}

bool kc_grid_wanted(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      if (is_of_grid(each))
        return true;
  return false;
}

static void print_copies(kc_writer *writer, const char *macro, const char *form) {
  kc_print(writer, "#define %s", macro);
  for (size_t i = 0; i < writer->global_count; i++) {
    char bytes[32] = "*(u32 *)(vptr_room + 16)";
    unsigned long long size = kc_variable_shared_bytes(writer, writer->globals[i]);
    const char *name = kc_global_name(writer->globals[i]);
    if (!kc_variable_is_shared(writer->globals[i]))
      continue;
    if (size > 0)
      snprintf(bytes, sizeof bytes, "%lluull", size);
    kc_print(writer, form, name, bytes, bytes);
  }
  kc_print(writer, "\n");
}

void kc_grid_shared(kc_writer *writer) {
  static const char load[] = " __vptr_copy(%s, vptr_p, %s); vptr_p += %s;";
  static const char save[] = " __vptr_copy(vptr_p, %s, %s); vptr_p += %s;";
  print_copies(writer, "VPTR_LOAD_SHARED", load);
  print_copies(writer, "VPTR_SAVE_SHARED", save);
}

void kc_grid_end(kc_writer *writer) {
  kc_print(writer, "#undef VPTR_LOAD_SHARED\n#undef VPTR_SAVE_SHARED\n");
}
