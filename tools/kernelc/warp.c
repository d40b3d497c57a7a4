/* SPDX-License-Identifier: MIT */
/*
 * warp - see warp.h.
 *
 * Threads exchange through shared memory, by functions of the prelude (prelude.cu) that have barriers: all threads of
 * the block must come by, which the translator checks as for any barrier.
 */
#include "warp.h"

#include <string.h>

#include "cast.h"
#include "name.h"
#include "template.h"
#include "type.h"
#include "value.h"

/* Those whose operands are (mask, value) or a value, and whose result is one number. */
static const char *const votes[][2] = {
  { "llvm.nvvm.vote.all.sync", "vptr_vote_all(%0, %1)" },
  { "llvm.nvvm.vote.any.sync", "vptr_vote_any(%0, %1)" },
  { "llvm.nvvm.vote.uni.sync", "vptr_vote_uni(%0, %1)" },
  { "llvm.nvvm.vote.ballot.sync", "vptr_vote_ballot(%0, %1)" },
  { "llvm.nvvm.match.any.sync.i32", "vptr_match_any(%0, (u64)%1)" },
  { "llvm.nvvm.match.any.sync.i64", "vptr_match_any(%0, %1)" },
  { "llvm.nvvm.activemask", "vptr_vote_ballot(~0u, 1u)" },
  { "llvm.nvvm.redux.sync.add", "vptr_redux_add(%1, %0)" },
  { "llvm.nvvm.redux.sync.umin", "vptr_redux_umin(%1, %0)" },
  { "llvm.nvvm.redux.sync.umax", "vptr_redux_umax(%1, %0)" },
  { "llvm.nvvm.redux.sync.min", "(u32)vptr_redux_min(%1, %s0)" },
  { "llvm.nvvm.redux.sync.max", "(u32)vptr_redux_max(%1, %s0)" },
  { "llvm.nvvm.redux.sync.and", "vptr_redux_and(%1, %0)" },
  { "llvm.nvvm.redux.sync.or", "vptr_redux_or(%1, %0)" },
  { "llvm.nvvm.redux.sync.xor", "vptr_redux_xor(%1, %0)" },
};

static bool call_vote(kc_writer *writer, LLVMValueRef call, const char *name) {
  for (size_t i = 0; i < sizeof votes / sizeof *votes; i++)
    if (strcmp(votes[i][0], name) == 0) {
      kc_print(writer, "%s = ", kc_name_of(call));
      kc_template(writer, votes[i][1], call, 0);
      kc_print(writer, "; ");
      return true;
    }
  return false;
}

/* llvm.nvvm.shfl.sync.down.i32(mask, value, lane, clamp) and .f32; with p: { value, whether the lane was there }. */
static bool call_shuffle(kc_writer *writer, LLVMValueRef call, const char *name) {
  if (!kc_starts(name, "llvm.nvvm.shfl.sync."))
    return false;
  const char *kind = name + strlen("llvm.nvvm.shfl.sync.");
  int length = (int)strcspn(kind, ".");
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(call), 0), bits = LLVMInt32TypeInContext(writer->context);
  bool has_predicate = kc_leaf_count(writer, LLVMTypeOf(call)) == 2;
  kc_print(writer, "{ u32 found = 0; %s%s = ", kc_name_of(call), has_predicate ? "_0" : "");
  kc_cast_bits_begin(writer, bits, type);
  kc_print(writer, "vptr_shuffle_%.*s(", length, kind);
  kc_value(writer, LLVMGetOperand(call, 0), 0);
  kc_print(writer, ", ");
  kc_cast_bits_begin(writer, type, bits);
  kc_value(writer, LLVMGetOperand(call, 1), 0);
  kc_cast_bits_end(writer, type, bits);
  kc_template(writer, ", %2, %3, &found)", call, 0);
  kc_cast_bits_end(writer, bits, type);
  if (has_predicate)
    kc_print(writer, "; %s_1 = found", kc_name_of(call));
  kc_print(writer, "; } ");
  return true;
}

/* { mask of the equal ones, whether all are }. */
static bool call_match_all(kc_writer *writer, LLVMValueRef call, const char *name) {
  if (!kc_starts(name, "llvm.nvvm.match.all.sync.i"))
    return false;
  kc_print(writer, "%s_0 = ", kc_name_of(call));
  kc_template(writer, "vptr_match_all(%0, (u64)%1)", call, 0);
  kc_print(writer, "; %s_1 = (u32)(%s_0 != 0u); ", kc_name_of(call), kc_name_of(call));
  return true;
}

bool kc_warp_call(kc_writer *writer, LLVMValueRef call, const char *name) {
  return call_vote(writer, call, name) || call_shuffle(writer, call, name) || call_match_all(writer, call, name);
}
