/* SPDX-License-Identifier: MIT */
/* ptx_copy - see ptx_copy.h. */
#include "ptx_copy.h"

#include <string.h>

#include "ptx_memory.h"
#include "type.h"

enum { WORD = 4, MOST_BYTES = 16 };

bool kc_ptx_is_copy(const kc_ptx_instruction *instruction) {
  static const char *const words[] = { "ca", "cg", "commit_group", "wait_group", "wait_all" };
  if (instruction->part_count < 3 || strcmp(instruction->parts[0], "cp") != 0 ||
      strcmp(instruction->parts[1], "async") != 0)
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(instruction->parts[2], words[i]) == 0)
      return true;
  return false;
}

/* ---- one piece ------------------------------------------------------------------------------------------- */

static LLVMTypeRef bits(const kc_ptx_work *work, unsigned bytes) {
  return LLVMIntTypeInContext(work->writer->context, 8 * bytes);
}

static LLVMValueRef piece_at(kc_ptx_work *work, LLVMValueRef pointer, unsigned at) {
  LLVMValueRef index = LLVMConstInt(bits(work, 8), at, 0);
  return at == 0 ? pointer : LLVMBuildGEP2(work->builder, bits(work, 1), pointer, &index, 1, "");
}

static LLVMValueRef load_piece(kc_ptx_work *work, LLVMValueRef *values, unsigned bytes) {
  LLVMValueRef load = LLVMBuildLoad2(work->builder, bits(work, bytes), values[0], "");
  LLVMSetAlignment(load, bytes);
  return load;
}

static LLVMValueRef load_byte(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  (void)count;
  return load_piece(work, values, 1);
}

static LLVMValueRef load_word(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  (void)count;
  return load_piece(work, values, WORD);
}

static LLVMValueRef store_word(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  (void)count;
  LLVMSetAlignment(LLVMBuildStore(work->builder, values[1], values[0]), WORD);
  return NULL;
}

/* ---- words of which some are left out -------------------------------------------------------------------- */

typedef struct copy {
  LLVMValueRef to, from;
  LLVMValueRef guard;  /* NULL: none */
  LLVMValueRef filled; /* so many bytes come from there, the others are zeros; NULL: all */
} copy;

static LLVMValueRef both(kc_ptx_work *work, LLVMValueRef guard, LLVMValueRef condition) {
  return guard == NULL ? condition : LLVMBuildAnd(work->builder, guard, condition, "");
}

static LLVMValueRef is_beyond(kc_ptx_work *work, const copy *it, unsigned at) {
  return LLVMBuildICmp(work->builder, LLVMIntUGT, it->filled, LLVMConstInt(LLVMTypeOf(it->filled), at, 0), "");
}

/* Its first bytes, if it ends in this word: what is beyond is not read. */
static LLVMValueRef add_bytes(kc_ptx_work *work, const copy *it, unsigned at, LLVMValueRef word) {
  LLVMValueRef is_last = LLVMBuildNot(work->builder, is_beyond(work, it, at + WORD - 1), "");
  for (unsigned i = 0; i < WORD - 1; i++) {
    LLVMValueRef guard = both(work, it->guard, LLVMBuildAnd(work->builder, is_last, is_beyond(work, it, at + i), ""));
    LLVMValueRef place = piece_at(work, it->from, at + i);
    LLVMValueRef byte = kc_ptx_under_guard(work, guard, bits(work, 1), &place, 1, load_byte);
    byte = LLVMBuildZExt(work->builder, byte, bits(work, WORD), "");
    byte = LLVMBuildShl(work->builder, byte, LLVMConstInt(bits(work, WORD), 8 * i, 0), "");
    word = LLVMBuildOr(work->builder, word, byte, "");
  }
  return word;
}

static LLVMValueRef read_word(kc_ptx_work *work, const copy *it, unsigned at) {
  LLVMValueRef place = piece_at(work, it->from, at), guard = it->guard;
  if (it->filled != NULL)
    guard = both(work, guard, is_beyond(work, it, at + WORD - 1));
  LLVMValueRef word = guard == NULL ? load_word(work, &place, 1)
                                    : kc_ptx_under_guard(work, guard, bits(work, WORD), &place, 1, load_word);
  return it->filled == NULL ? word : add_bytes(work, it, at, word);
}

static void write_word(kc_ptx_work *work, const copy *it, unsigned at, LLVMValueRef word) {
  LLVMValueRef values[] = { piece_at(work, it->to, at), word };
  if (it->guard == NULL)
    store_word(work, values, 2);
  else
    kc_ptx_under_guard(work, it->guard, LLVMVoidTypeInContext(work->writer->context), values, 2, store_word);
}

/* ---- the instruction ------------------------------------------------------------------------------------- */

static unsigned bytes_of(kc_ptx_work *work, const kc_ptx_operand *operand) {
  LLVMValueRef value = kc_ptx_get(work, operand, bits(work, WORD));
  unsigned long long size = LLVMIsAConstantInt(value) != NULL ? LLVMConstIntGetZExtValue(value) : 0;
  bool is_16 = kc_ptx_has(work->instruction, "cg");
  if (size != MOST_BYTES && (is_16 || (size != 4 && size != 8)))
    kc_ptx_refuse(work, "it copies 4, 8 or 16 bytes, and as cp.async.cg 16");
  return (unsigned)size;
}

/* src-size, or a predicate that says that nothing is read. */
static LLVMValueRef filled_of(kc_ptx_work *work, const kc_ptx_operand *operand, unsigned bytes) {
  LLVMValueRef value = kc_ptx_get(work, operand, NULL);
  LLVMTypeRef type = bits(work, WORD);
  if (kc_is_integer(LLVMTypeOf(value)) && kc_width(LLVMTypeOf(value)) == 1)
    return LLVMBuildSelect(work->builder, value, LLVMConstInt(type, 0, 0), LLVMConstInt(type, bytes, 0), "");
  return kc_ptx_get(work, operand, type);
}

void kc_ptx_copy(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  const kc_ptx_operand *operands = instruction->operands;
  unsigned count = instruction->operand_count - (kc_ptx_has(instruction, "L2::cache_hint") ? 1u : 0u);
  LLVMValueRef words[MOST_BYTES / WORD];
  if (!kc_ptx_has(instruction, "ca") && !kc_ptx_has(instruction, "cg"))
    return;
  if (instruction->operand_count < 3 || count < 3 || count > 4)
    kc_ptx_refuse(work, "it has another number of operands");
  unsigned bytes = bytes_of(work, &operands[2]);
  copy it = { .to = kc_ptx_pointer(work, &operands[0], KC_SHARED),
              .from = kc_ptx_pointer(work, &operands[1], KC_GLOBAL),
              .guard = kc_ptx_guard(work),
              .filled = count == 4 ? filled_of(work, &operands[3], bytes) : NULL };
  for (unsigned at = 0; at < bytes; at += WORD)
    words[at / WORD] = read_word(work, &it, at);
  for (unsigned at = 0; at < bytes; at += WORD)
    write_word(work, &it, at, words[at / WORD]);
}
