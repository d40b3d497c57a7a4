/* SPDX-License-Identifier: MIT */
/* stop - see stop.h. */
#include "stop.h"

#include <string.h>

#define NONE KC_NO_OPERAND

static const struct {
  const char *name; /* of the intrinsic; what follows it does not matter */
  kc_stop stop;
} intrinsics[] = {
  { "llvm.nvvm.barrier0.popc", { "VPTR_COUNT", true, NONE, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.barrier0.and", { "VPTR_AND", true, NONE, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.barrier0.or", { "VPTR_OR", true, NONE, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.barrier0", { "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.bar.sync", { "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.barrier.sync", { "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.barrier.cta.sync.aligned.all", { "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.bar.warp.sync", { "VPTR_WARP", false, 0, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.shfl.sync.up.", { "VPTR_UP", false, 0, 1, 2, 3, NULL, NONE } },
  { "llvm.nvvm.shfl.sync.down.", { "VPTR_DOWN", false, 0, 1, 2, 3, NULL, NONE } },
  { "llvm.nvvm.shfl.sync.bfly.", { "VPTR_BUTTERFLY", false, 0, 1, 2, 3, NULL, NONE } },
  { "llvm.nvvm.shfl.sync.idx.", { "VPTR_INDEX", false, 0, 1, 2, 3, NULL, NONE } },
  { "llvm.nvvm.vote.all.sync", { "VPTR_ALL", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.vote.any.sync", { "VPTR_ANY", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.vote.uni.sync", { "VPTR_UNI", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.vote.ballot.sync", { "VPTR_BALLOT", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.activemask", { "VPTR_ACTIVE", false, NONE, NONE, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.match.any.sync.", { "VPTR_MATCH_ANY", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.match.all.sync.", { "VPTR_MATCH_ALL", false, 0, 1, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.add", { "VPTR_SUM", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.umin", { "VPTR_LEAST", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.umax", { "VPTR_MOST", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.min", { "VPTR_LEAST_SIGNED", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.max", { "VPTR_MOST_SIGNED", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.and", { "VPTR_BITS_AND", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.or", { "VPTR_BITS_OR", false, 1, 0, NONE, NONE, NULL, NONE } },
  { "llvm.nvvm.redux.sync.xor", { "VPTR_BITS_XOR", false, 1, 0, NONE, NONE, NULL, NONE } },
};

static kc_stop stop_of_intrinsic(const char *name) {
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (kc_starts(name, intrinsics[i].name))
      return intrinsics[i].stop;
  return (kc_stop){ .operation = NULL };
}

/* ---- inline assembler ------------------------------------------------------------------------------------ */

static const char *operation_of_shuffle(const char *text) {
  static const char *const names[][2] = { { "shfl.sync.up.b32", "VPTR_UP" },
                                          { "shfl.sync.down.b32", "VPTR_DOWN" },
                                          { "shfl.sync.bfly.b32", "VPTR_BUTTERFLY" },
                                          { "shfl.sync.idx.b32", "VPTR_INDEX" } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(text, names[i][0]) != NULL)
      return names[i][1];
  return NULL;
}

/* shfl.sync.idx.b32 $0, $1, $2, $3, $4 has (value, lane, clamp, mask); CUB's sums have (value, lane, clamp, what is
 * added, mask), in a text with a predicate. */
static kc_stop stop_of_shuffle(LLVMValueRef call, const char *text) {
  bool is_sum = strstr(text, "@p add.") != NULL;
  kc_stop stop = { operation_of_shuffle(text), false, is_sum ? 4 : 3, 0, 1, 2, NULL, is_sum ? 3 : NONE };
  bool is_known = LLVMGetNumArgOperands(call) == (is_sum ? 5 : 4) && (is_sum || strstr(text, "@p") == NULL);
  return is_known ? stop : (kc_stop){ .operation = NULL };
}

static kc_stop stop_of_assembler(LLVMValueRef call, const char *text) {
  if (operation_of_shuffle(text) != NULL)
    return stop_of_shuffle(call, text);
  if (strstr(text, "setp.eq.u32 p, $0, $2;") != NULL &&
      strstr(text, "vote.ballot.sync.b32 $0, p, 0xffffffff;") != NULL)
    return (kc_stop){ "VPTR_BALLOT_OWN", false, NONE, NONE, NONE, NONE, "(u64)((%1 & %2) == %2)", NONE };
  if (strstr(text, "bar.warp.sync") != NULL)
    return (kc_stop){ "VPTR_WARP", false, 0, NONE, NONE, NONE, NULL, NONE };
  if (strstr(text, "bar.sync 0") != NULL || strstr(text, "barrier.sync 0") != NULL)
    return (kc_stop){ "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE };
  return (kc_stop){ .operation = NULL };
}

kc_stop kc_stop_of(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) != NULL ? LLVMGetCalledValue(call) : NULL;
  size_t length = 0;
  if (callee != NULL && LLVMIsAInlineAsm(callee) != NULL)
    return stop_of_assembler(call, LLVMGetInlineAsmAsmString(callee, &length));
  if (callee != NULL && LLVMIsAFunction(callee) != NULL)
    return stop_of_intrinsic(LLVMGetValueName2(callee, &length));
  return (kc_stop){ .operation = NULL };
}
