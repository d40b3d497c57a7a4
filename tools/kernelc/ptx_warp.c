/* SPDX-License-Identifier: MIT */
/* ptx_warp - see ptx_warp.h. */
#include "ptx_warp.h"

#include <string.h>

#include "type.h"

static LLVMTypeRef word(const kc_ptx_work *work) {
  return LLVMInt32TypeInContext(work->writer->context);
}

static LLVMTypeRef truth(const kc_ptx_work *work) {
  return LLVMInt1TypeInContext(work->writer->context);
}

/* A value and whether it was there. */
static LLVMTypeRef value_and_truth(const kc_ptx_work *work) {
  LLVMTypeRef types[] = { word(work), truth(work) };
  return LLVMStructTypeInContext(work->writer->context, types, 2, 0);
}

/* The operands: so many, and with the mask one more; without .sync all lanes are meant. */
static LLVMValueRef mask_of(kc_ptx_work *work, unsigned operand) {
  const kc_ptx_instruction *instruction = work->instruction;
  bool has_mask = kc_ptx_has(instruction, "sync");
  if (instruction->has_guard)
    kc_ptx_refuse(work, "it stands under a guard: write it as CUDA C++");
  if (instruction->operand_count != operand + has_mask)
    kc_ptx_refuse(work, "it has another number of operands");
  return has_mask ? kc_ptx_get(work, &instruction->operands[operand], word(work))
                  : LLVMConstInt(word(work), 0xffffffffu, 0);
}

static void put_both(kc_ptx_work *work, LLVMValueRef both) {
  const kc_ptx_operand *to = &work->instruction->operands[0];
  kc_ptx_put(work, to, LLVMBuildExtractValue(work->builder, both, 0, ""), false);
  if (to->part_count == 1)
    kc_ptx_put(work, &to->parts[0], LLVMBuildExtractValue(work->builder, both, 1, ""), false);
}

/* shfl.sync.up.b32 d|p, a, b, c, mask */
void kc_ptx_shuffle(kc_ptx_work *work) {
  static const char *const modes[] = { "up", "down", "bfly", "idx" };
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMValueRef mask = mask_of(work, 4);
  LLVMValueRef values[] = { mask, kc_ptx_get(work, &operands[1], word(work)),
                            kc_ptx_get(work, &operands[2], word(work)), kc_ptx_get(work, &operands[3], word(work)) };
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (kc_ptx_has(work->instruction, modes[i])) {
      char name[48];
      snprintf(name, sizeof name, "llvm.nvvm.shfl.sync.%s.i32p", modes[i]);
      put_both(work, kc_ptx_intrinsic(work, name, value_and_truth(work), values, 4));
      return;
    }
  kc_ptx_refuse(work, "kernels have no such shuffle");
}

/* vote.sync.any.pred p, q, mask */
void kc_ptx_vote(kc_ptx_work *work) {
  static const char *const modes[] = { "all", "any", "uni", "ballot" };
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMValueRef mask = mask_of(work, 2);
  LLVMValueRef values[] = { mask, kc_ptx_get(work, &operands[1], truth(work)) };
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (kc_ptx_has(work->instruction, modes[i])) {
      char name[48];
      snprintf(name, sizeof name, "llvm.nvvm.vote.%s.sync", modes[i]);
      LLVMTypeRef type = strcmp(modes[i], "ballot") == 0 ? word(work) : truth(work);
      kc_ptx_put(work, &operands[0], kc_ptx_intrinsic(work, name, type, values, 2), false);
      return;
    }
  kc_ptx_refuse(work, "kernels have no such vote");
}

/* match.any.sync.b32 d, a, mask; match.all.sync.b64 d|p, a, mask */
void kc_ptx_match(kc_ptx_work *work) {
  const kc_ptx_operand *operands = work->instruction->operands;
  bool is_wide = kc_ptx_has(work->instruction, "b64"), is_all = kc_ptx_has(work->instruction, "all");
  LLVMTypeRef type = is_wide ? LLVMInt64TypeInContext(work->writer->context) : word(work);
  LLVMValueRef mask = mask_of(work, 2), values[] = { mask, kc_ptx_get(work, &operands[1], type) };
  char name[48];
  snprintf(name, sizeof name, "llvm.nvvm.match.%s.sync.i%s%s", is_all ? "all" : "any", is_wide ? "64" : "32",
           is_all ? "p" : "");
  if (is_all)
    put_both(work, kc_ptx_intrinsic(work, name, value_and_truth(work), values, 2));
  else
    kc_ptx_put(work, &operands[0], kc_ptx_intrinsic(work, name, word(work), values, 2), false);
}

/* redux.sync.add.s32 d, a, mask */
void kc_ptx_reduction(kc_ptx_work *work) {
  static const char *const operations[] = { "add", "min", "max", "and", "or", "xor" };
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMValueRef mask = mask_of(work, 2), values[] = { kc_ptx_get(work, &operands[1], word(work)), mask };
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (kc_ptx_has(work->instruction, operations[i])) {
      char name[48];
      bool is_unsigned = (i == 1 || i == 2) && kc_ptx_has(work->instruction, "u32");
      snprintf(name, sizeof name, "llvm.nvvm.redux.sync.%s%s", is_unsigned ? "u" : "", operations[i]);
      kc_ptx_put(work, &operands[0], kc_ptx_intrinsic(work, name, word(work), values, 2), false);
      return;
    }
  kc_ptx_refuse(work, "kernels have no such reduction");
}

static void warp_barrier(kc_ptx_work *work) {
  LLVMValueRef mask = mask_of(work, 0);
  kc_ptx_intrinsic(work, "llvm.nvvm.bar.warp.sync", LLVMVoidTypeInContext(work->writer->context), &mask, 1);
}

/* bar.red.popc.u32 d, 0, p */
static void counting_barrier(kc_ptx_work *work) {
  const kc_ptx_operand *operands = work->instruction->operands;
  const char *operation = kc_ptx_has(work->instruction, "popc")  ? "popc"
                          : kc_ptx_has(work->instruction, "and") ? "and"
                                                                 : "or";
  char name[48];
  if (work->instruction->operand_count != 3)
    kc_ptx_refuse(work, "it is for some threads of the block");
  LLVMValueRef given = LLVMBuildZExt(work->builder, kc_ptx_get(work, &operands[2], truth(work)), word(work), "");
  snprintf(name, sizeof name, "llvm.nvvm.barrier0.%s", operation);
  LLVMValueRef got = kc_ptx_intrinsic(work, name, word(work), &given, 1);
  if (strcmp(operation, "popc") != 0)
    got = LLVMBuildICmp(work->builder, LLVMIntNE, got, LLVMConstInt(word(work), 0, 0), "");
  kc_ptx_put(work, &operands[0], got, false);
}

/* bar.sync 0, barrier.sync.aligned 0, bar.warp.sync mask */
void kc_ptx_barrier(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->has_guard)
    kc_ptx_refuse(work, "it stands under a guard: write it as CUDA C++");
  if (kc_ptx_has(instruction, "warp")) {
    warp_barrier(work);
    return;
  }
  bool is_counting = kc_ptx_has(instruction, "red");
  const kc_ptx_operand *number = &instruction->operands[is_counting ? 1 : 0];
  if (kc_ptx_has(instruction, "arrive") || instruction->operand_count < (is_counting ? 2u : 1u) ||
      number->kind != KC_PTX_NUMBER || number->number != 0 || (!is_counting && instruction->operand_count != 1))
    kc_ptx_refuse(work, "one with a number, or for some threads, is a bar.sync or bar.arrive in a text of its own");
  if (is_counting)
    counting_barrier(work);
  else
    kc_ptx_intrinsic(work, "llvm.nvvm.barrier0", LLVMVoidTypeInContext(work->writer->context), NULL, 0);
}
