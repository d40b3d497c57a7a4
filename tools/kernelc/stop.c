/* SPDX-License-Identifier: MIT */
/* stop - see stop.h. */
#include "stop.h"

#include <stdlib.h>
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
  { "llvm.nvvm.barrier.sync.cnt", { "VPTR_BARRIER_SOME", false, NONE, NONE, 0, 1, NULL, NONE } },
  { "llvm.nvvm.barrier.cta.sync.count", { "VPTR_BARRIER_SOME", false, NONE, NONE, 0, 1, NULL, NONE } },
  { "llvm.nvvm.barrier.cta.sync.aligned.count", { "VPTR_BARRIER_SOME", false, NONE, NONE, 0, 1, NULL, NONE } },
  { "llvm.nvvm.nanosleep", { "VPTR_PAUSE", false, NONE, 0, NONE, NONE, NULL, NONE } },
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

/* Another barrier than the block's: one with a number, to which all its threads come. Those to which some come have
 * rows. */
static bool is_numbered_barrier(LLVMValueRef call, const char *name) {
  if (strstr(name, ".cnt") != NULL || strstr(name, ".count") != NULL)
    return false;
  if (!kc_starts(name, "llvm.nvvm.bar.sync") && !kc_starts(name, "llvm.nvvm.barrier.sync") &&
      !kc_starts(name, "llvm.nvvm.barrier.cta.sync"))
    return false;
  LLVMValueRef number = LLVMGetOperand(call, 0);
  return LLVMIsAConstantInt(number) == NULL || LLVMConstIntGetZExtValue(number) != 0;
}

static kc_stop stop_of_intrinsic(LLVMValueRef call, const char *name) {
  if (is_numbered_barrier(call, name))
    return (kc_stop){ "VPTR_BARRIER_SOME", false, NONE, NONE, 0, KC_FIRST_NUMBER, NULL, NONE };
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

/* shfl.sync.idx.b32 $0, $1, $2, $3, $4 has (value, lane, clamp, mask). CUB's sums, in a text with a predicate, have
 * (value, lane, clamp, what is added, mask), or without what is added: that is the value then. */
static kc_stop stop_of_shuffle(LLVMValueRef call, const char *text) {
  bool is_sum = strstr(text, "@p add.") != NULL;
  bool adds_another = is_sum && LLVMGetNumArgOperands(call) == 5;
  kc_stop stop = { operation_of_shuffle(text),          false, adds_another ? 4 : 3, 0, 1, 2, NULL,
                   adds_another ? 3 : is_sum ? 0 : NONE };
  bool is_known = LLVMGetNumArgOperands(call) == (adds_another ? 5 : 4) && (is_sum || strstr(text, "@p") == NULL);
  return is_known ? stop : (kc_stop){ .operation = NULL };
}

/* A register of the call's ($1) or a number. */
static bool read_number(LLVMValueRef call, const char **text, int *operand_out) {
  enum { MOST_NUMBER = 65536 };
  bool is_operand = **text == '$';
  char *end;
  unsigned long number = strtoul(*text + is_operand, &end, 10);
  if (end == *text + is_operand || number >= (is_operand ? LLVMGetNumArgOperands(call) : MOST_NUMBER))
    return false;
  *operand_out = is_operand ? (int)number : KC_FIRST_NUMBER - (int)number;
  *text = end + strspn(end, ",; \t\n");
  return true;
}

/* bar.sync 1, 64; or barrier.sync $0, $1; without a number of threads all of the block come. bar.arrive does not
 * wait. */
static kc_stop stop_of_numbered(LLVMValueRef call, const char *text) {
  static const char *const names[][2] = {
    { "bar.sync", "VPTR_BARRIER_SOME" },     { "bar.cta.sync", "VPTR_BARRIER_SOME" },
    { "barrier.sync", "VPTR_BARRIER_SOME" }, { "barrier.cta.sync", "VPTR_BARRIER_SOME" },
    { "bar.arrive", "VPTR_ARRIVE" },         { "bar.cta.arrive", "VPTR_ARRIVE" },
    { "barrier.arrive", "VPTR_ARRIVE" },     { "barrier.cta.arrive", "VPTR_ARRIVE" },
  };
  kc_stop stop = { NULL, false, NONE, NONE, NONE, NONE, NULL, NONE };
  text += strspn(text, " \t\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (kc_starts(text, names[i][0]))
      stop.operation = names[i][1];
  const char *space = strpbrk(text, " \t");
  if (stop.operation == NULL || space == NULL)
    return (kc_stop){ .operation = NULL };
  text = space + strspn(space, " \t");
  bool is_read = read_number(call, &text, &stop.lane);
  if (*text == 0 && strcmp(stop.operation, "VPTR_ARRIVE") != 0)
    stop.clamp = KC_FIRST_NUMBER;
  else
    is_read = is_read && read_number(call, &text, &stop.clamp) && *text == 0;
  return is_read ? stop : (kc_stop){ .operation = NULL };
}

static kc_stop stop_of_assembler(LLVMValueRef call, const char *text) {
  if (operation_of_shuffle(text) != NULL)
    return stop_of_shuffle(call, text);
  if (strstr(text, "setp.eq.u32 p, $0, $2;") != NULL &&
      strstr(text, "vote.ballot.sync.b32 $0, p, 0xffffffff;") != NULL)
    return (kc_stop){ "VPTR_BALLOT_OWN", false, NONE, NONE, NONE, NONE, "(u64)((%1 & %2) == %2)", NONE };
  if (strstr(text, "bar.warp.sync") != NULL)
    return (kc_stop){ "VPTR_WARP", false, 0, NONE, NONE, NONE, NULL, NONE };
  if (strstr(text, "activemask.b32") != NULL)
    return (kc_stop){ "VPTR_ACTIVE", false, NONE, NONE, NONE, NONE, NULL, NONE };
  if (strstr(text, "bar.sync 0;") != NULL || strstr(text, "barrier.sync 0;") != NULL)
    return (kc_stop){ "VPTR_BARRIER", true, NONE, NONE, NONE, NONE, NULL, NONE };
  return stop_of_numbered(call, text);
}

/* ---- functions that clang's headers declare only ---------------------------------------------------------- */

/* _Z17__reduce_add_syncjj(mask, value): intrinsics from sm_80 on. Who sleeps lets the others of the block run. */
static kc_stop stop_of_function(LLVMValueRef call, const char *name) {
  static const char *const names[][2] = {
    { "_Z17__reduce_add_sync", "VPTR_SUM" },           { "_Z17__reduce_min_syncjj", "VPTR_LEAST" },
    { "_Z17__reduce_max_syncjj", "VPTR_MOST" },        { "_Z17__reduce_min_syncji", "VPTR_LEAST_SIGNED" },
    { "_Z17__reduce_max_syncji", "VPTR_MOST_SIGNED" }, { "_Z17__reduce_and_sync", "VPTR_BITS_AND" },
    { "_Z16__reduce_or_sync", "VPTR_BITS_OR" },        { "_Z17__reduce_xor_sync", "VPTR_BITS_XOR" },
  };
  if (strcmp(name, "_Z14vptr_grid_syncv") == 0)
    return (kc_stop){ "VPTR_GRID", false, NONE, NONE, NONE, NONE, NULL, NONE };
  if (strcmp(name, "_Z11__nanosleepj") == 0)
    return (kc_stop){ "VPTR_PAUSE", false, NONE, 0, NONE, NONE, NULL, NONE };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (kc_starts(name, names[i][0]))
      return (kc_stop){ names[i][1], false, 0, 1, NONE, NONE, NULL, NONE };
  return stop_of_intrinsic(call, name);
}

kc_stop kc_stop_of(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) != NULL ? LLVMGetCalledValue(call) : NULL;
  size_t length = 0;
  if (callee != NULL && LLVMIsAInlineAsm(callee) != NULL)
    return stop_of_assembler(call, LLVMGetInlineAsmAsmString(callee, &length));
  if (callee != NULL && LLVMIsAFunction(callee) != NULL)
    return stop_of_function(call, LLVMGetValueName2(callee, &length));
  return (kc_stop){ .operation = NULL };
}

bool kc_stop_has_number(const kc_stop *stop) {
  return strcmp(stop->operation, "VPTR_BARRIER_SOME") == 0 || strcmp(stop->operation, "VPTR_ARRIVE") == 0;
}
