/* SPDX-License-Identifier: MIT */
/*
 * ptx_lower - see ptx_lower.h.
 *
 * Registers are values: an instruction under a guard gives its result or what was there before. The carry is a variable
 * of the function's, for it lasts from one text to the next.
 */
#include "ptx_lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_convert.h"
#include "ptx_copy.h"
#include "ptx_memory.h"
#include "ptx_row.h"
#include "ptx_value.h"
#include "ptx_warp.h"
#include "stop.h"
#include "type.h"

/* ---- moves and choices ----------------------------------------------------------------------------------- */

static const char *last_part(const kc_ptx_work *work) {
  return work->instruction->parts[work->instruction->part_count - 1];
}

static void expect_operands(const kc_ptx_work *work, unsigned count) {
  if (work->instruction->operand_count != count)
    kc_ptx_refuse(work, "it has another number of operands");
}

/* mov.b64 {a, b}, c */
static void unpack(kc_ptx_work *work, LLVMTypeRef type) {
  const kc_ptx_operand *to = &work->instruction->operands[0];
  LLVMValueRef whole = kc_ptx_get(work, &work->instruction->operands[1], type);
  unsigned width = kc_width(type) / to->part_count;
  LLVMTypeRef part = LLVMIntTypeInContext(work->writer->context, width);
  for (unsigned i = 0; i < to->part_count; i++) {
    LLVMValueRef shifted = LLVMBuildLShr(work->builder, whole, LLVMConstInt(type, i * width, 0), "");
    kc_ptx_put(work, &to->parts[i], LLVMBuildTrunc(work->builder, shifted, part, ""), false);
  }
}

/* mov.b64 a, {b, c} */
static void pack(kc_ptx_work *work, LLVMTypeRef type) {
  const kc_ptx_operand *from = &work->instruction->operands[1];
  LLVMValueRef whole = LLVMConstInt(type, 0, 0);
  unsigned width = kc_width(type) / from->part_count;
  for (unsigned i = 0; i < from->part_count; i++) {
    LLVMTypeRef narrow = LLVMIntTypeInContext(work->writer->context, width);
    LLVMValueRef part = LLVMBuildZExt(work->builder, kc_ptx_get(work, &from->parts[i], narrow), type, "");
    part = LLVMBuildShl(work->builder, part, LLVMConstInt(type, i * width, 0), "");
    whole = LLVMBuildOr(work->builder, whole, part, "");
  }
  kc_ptx_put(work, &work->instruction->operands[0], whole, false);
}

static void move(kc_ptx_work *work) {
  expect_operands(work, 2);
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMTypeRef type = kc_ptx_letter(work, 'T', last_part(work));
  if (operands[0].kind == KC_PTX_LIST && kc_is_integer(type))
    unpack(work, type);
  else if (operands[1].kind == KC_PTX_LIST && kc_is_integer(type))
    pack(work, type);
  else
    kc_ptx_put(work, &operands[0],
               kc_ptx_get(work, &operands[1], kc_is_integer(type) && kc_width(type) == 64 ? NULL : type), false);
}

static void choose(kc_ptx_work *work) {
  expect_operands(work, 4);
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMTypeRef type = kc_ptx_letter(work, 'T', last_part(work));
  LLVMValueRef a = kc_ptx_get(work, &operands[1], type), b = kc_ptx_get(work, &operands[2], type);
  LLVMValueRef which = kc_ptx_get(work, &operands[3], LLVMInt1TypeInContext(work->writer->context));
  kc_ptx_put(work, &operands[0], LLVMBuildSelect(work->builder, which, a, b, ""), false);
}

/* ---- comparisons ----------------------------------------------------------------------------------------- */

static const struct {
  const char *part;
  LLVMIntPredicate of_unsigned, of_signed;
  LLVMRealPredicate of_real;
} comparisons[] = {
  { "eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ },    { "ne", LLVMIntNE, LLVMIntNE, LLVMRealONE },
  { "lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT },  { "le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE },
  { "gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT },  { "ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE },
  { "lo", LLVMIntULT, LLVMIntULT, LLVMRealUEQ },  { "ls", LLVMIntULE, LLVMIntULE, LLVMRealUEQ },
  { "hi", LLVMIntUGT, LLVMIntUGT, LLVMRealUEQ },  { "hs", LLVMIntUGE, LLVMIntUGE, LLVMRealUEQ },
  { "equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ },   { "neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE },
  { "ltu", LLVMIntULT, LLVMIntSLT, LLVMRealULT }, { "leu", LLVMIntULE, LLVMIntSLE, LLVMRealULE },
  { "gtu", LLVMIntUGT, LLVMIntSGT, LLVMRealUGT }, { "geu", LLVMIntUGE, LLVMIntSGE, LLVMRealUGE },
  { "num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD },   { "nan", LLVMIntNE, LLVMIntNE, LLVMRealUNO },
};

static LLVMValueRef compared(kc_ptx_work *work, const char *type) {
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMTypeRef own = kc_ptx_letter(work, 'T', type);
  LLVMValueRef a = kc_ptx_get(work, &operands[1], own), b = kc_ptx_get(work, &operands[2], own);
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (strcmp(work->instruction->parts[1], comparisons[i].part) == 0)
      return kc_is_floating(own)
                 ? LLVMBuildFCmp(work->builder, comparisons[i].of_real, a, b, "")
                 : LLVMBuildICmp(work->builder,
                                 kc_ptx_is_signed(type) ? comparisons[i].of_signed : comparisons[i].of_unsigned, a, b,
                                 "");
  kc_ptx_refuse(work, "kernels have no such comparison");
}

/* setp.lt.and.s32 p|q, a, b, c: q is of the opposite. */
static LLVMValueRef combined(kc_ptx_work *work, LLVMValueRef truth) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->operand_count == 3)
    return truth;
  LLVMValueRef other = kc_ptx_get(work, &instruction->operands[3], LLVMInt1TypeInContext(work->writer->context));
  if (strcmp(instruction->parts[2], "and") == 0)
    return LLVMBuildAnd(work->builder, truth, other, "");
  if (strcmp(instruction->parts[2], "or") == 0)
    return LLVMBuildOr(work->builder, truth, other, "");
  return LLVMBuildXor(work->builder, truth, other, "");
}

static void compare(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->part_count < 3 || (instruction->operand_count != 3 && instruction->operand_count != 4))
    kc_ptx_refuse(work, "it has another number of operands");
  bool is_number = strcmp(instruction->parts[0], "set") == 0;
  LLVMValueRef truth = compared(work, last_part(work)), opposite = LLVMBuildNot(work->builder, truth, "");
  truth = combined(work, truth);
  const kc_ptx_operand *to = &instruction->operands[0];
  if (is_number) {
    LLVMTypeRef type = kc_ptx_letter(work, 'T', instruction->parts[instruction->part_count - 2]);
    truth = kc_is_floating(type)
                ? LLVMBuildSelect(work->builder, truth, LLVMConstReal(type, 1), LLVMConstNull(type), "")
                : LLVMBuildSExt(work->builder, truth, type, "");
  }
  if (to->part_count == 1)
    opposite = combined(work, opposite);
  kc_ptx_put(work, to, truth, false);
  if (to->part_count == 1)
    kc_ptx_put(work, &to->parts[0], opposite, false);
}

/* ---- the carry ------------------------------------------------------------------------------------------- */

static LLVMValueRef carry_of(kc_ptx_work *work) {
  return LLVMBuildLoad2(work->builder, LLVMInt1TypeInContext(work->writer->context), work->carry, "");
}

/* The product, low or high, of mad.lo.cc and its kin. */
static LLVMValueRef product(kc_ptx_work *work, LLVMValueRef a, LLVMValueRef b) {
  static const char *const high[][2] = { { "__umulhi(%0, %1)", "__umul64hi(%0, %1)" },
                                         { "((u32)__mulhi(%s0, %s1))", "((u64)__mul64hi(%s0, %s1))" } };
  LLVMValueRef values[] = { a, b };
  if (!kc_ptx_has(work->instruction, "hi"))
    return LLVMBuildMul(work->builder, a, b, "");
  return kc_ptx_expression(work, high[kc_ptx_is_signed(last_part(work))][kc_width(LLVMTypeOf(a)) == 64],
                           LLVMTypeOf(a), values, 2, false);
}

/* add.cc, addc, addc.cc, mad.lo.cc, madc.hi and the like: a (or a * b) + c + carry. */
static void add_with_carry(kc_ptx_work *work, bool is_product, bool takes_carry) {
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMBuilderRef builder = work->builder;
  expect_operands(work, is_product ? 4 : 3);
  LLVMTypeRef type = kc_ptx_letter(work, 'T', last_part(work));
  LLVMValueRef a = kc_ptx_get(work, &operands[1], type), b = kc_ptx_get(work, &operands[2], type);
  if (is_product) {
    a = product(work, a, b);
    b = kc_ptx_get(work, &operands[3], type);
  }
  LLVMValueRef sum = LLVMBuildAdd(builder, a, b, ""), carry = LLVMBuildICmp(builder, LLVMIntULT, sum, a, "");
  if (takes_carry) {
    LLVMValueRef more = LLVMBuildAdd(builder, sum, LLVMBuildZExt(builder, carry_of(work), type, ""), "");
    carry = LLVMBuildOr(builder, carry, LLVMBuildICmp(builder, LLVMIntULT, more, sum, ""), "");
    sum = more;
  }
  kc_ptx_put(work, &operands[0], sum, false);
  if (kc_ptx_has(work->instruction, "cc"))
    LLVMBuildStore(builder, carry, work->carry);
}

/* sub.cc, subc, subc.cc: the carry is what was borrowed. */
static void subtract_with_carry(kc_ptx_work *work, bool takes_carry) {
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMBuilderRef builder = work->builder;
  expect_operands(work, 3);
  LLVMTypeRef type = kc_ptx_letter(work, 'T', last_part(work));
  LLVMValueRef a = kc_ptx_get(work, &operands[1], type), b = kc_ptx_get(work, &operands[2], type);
  LLVMValueRef rest = LLVMBuildSub(builder, a, b, ""), borrowed = LLVMBuildICmp(builder, LLVMIntULT, a, b, "");
  if (takes_carry) {
    LLVMValueRef borrow = LLVMBuildZExt(builder, carry_of(work), type, "");
    borrowed = LLVMBuildOr(builder, borrowed, LLVMBuildICmp(builder, LLVMIntULT, rest, borrow, ""), "");
    rest = LLVMBuildSub(builder, rest, borrow, "");
  }
  kc_ptx_put(work, &operands[0], rest, false);
  if (kc_ptx_has(work->instruction, "cc"))
    LLVMBuildStore(builder, borrowed, work->carry);
}

static void carry(kc_ptx_work *work) {
  const char *name = work->instruction->parts[0];
  size_t length = strlen(name);
  bool takes_carry = name[length - 1] == 'c';
  if (work->instruction->has_guard)
    kc_ptx_refuse(work, "the carry is written under a guard");
  if (kc_starts(name, "sub"))
    subtract_with_carry(work, takes_carry);
  else
    add_with_carry(work, kc_starts(name, "mad"), takes_carry);
}

static bool is_carry(const kc_ptx_instruction *instruction) {
  static const char *const names[] = { "addc", "subc", "madc" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(instruction->parts[0], names[i]) == 0)
      return true;
  return kc_ptx_has(instruction, "cc");
}

/* ---- rows of the table ----------------------------------------------------------------------------------- */

/* "__fadd_@(%0, %1)" with the rounding. */
static const char *with_rounding(const char *text, const char *rounding) {
  size_t length = strlen(text);
  char *result = kc_allocate(2 * length + 1, 1), *to = result;
  for (; *text != 0; text++) {
    if (*text == '@')
      to += sprintf(to, "%s", rounding != NULL ? rounding : "rn");
    else
      *to++ = *text;
  }
  return result;
}

static void calculate(kc_ptx_work *work, const kc_ptx_row *row, const char *type, const char *rounding) {
  const kc_ptx_operand *operands = work->instruction->operands;
  LLVMValueRef values[KC_PTX_OPERANDS];
  bool has_result = row->operands[0] != '-';
  unsigned count = (unsigned)strlen(row->operands) - 1;
  expect_operands(work, count + has_result);
  for (unsigned i = 0; i < count; i++)
    values[i] = kc_ptx_get(work, &operands[i + has_result], kc_ptx_letter(work, row->operands[i + 1], type));
  if (!has_result && work->instruction->has_guard)
    kc_ptx_refuse(work, "it stands under a guard: write it as CUDA C++");
  LLVMTypeRef result =
      has_result ? kc_ptx_letter(work, row->operands[0], type) : LLVMVoidTypeInContext(work->writer->context);
  LLVMValueRef value = NULL;
  if (row->text == NULL)
    value = LLVMBuildBinOp(work->builder, (LLVMOpcode)row->opcode, values[0], values[1], "");
  else
    value = kc_ptx_expression(work, with_rounding(row->text, rounding), result, values, count, !has_result);
  if (has_result)
    kc_ptx_put(work, &operands[0], value, kc_ptx_is_signed(type));
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static void do_nothing(kc_ptx_work *work) {
  (void)work;
}

static void (*handler_of(const kc_ptx_instruction *instruction))(kc_ptx_work *work) {
  static const struct {
    const char *name;
    void (*handle)(kc_ptx_work *work);
  } handlers[] = {
    { "mov", move },
    { "selp", choose },
    { "setp", compare },
    { "set", compare },
    { "cvt", kc_ptx_convert },
    { "ld", kc_ptx_load },
    { "ldu", kc_ptx_load },
    { "st", kc_ptx_store },
    { "atom", kc_ptx_atomic },
    { "red", kc_ptx_atomic },
    { "isspacep", kc_ptx_is_space },
    { "cvta", kc_ptx_address },
    { "shfl", kc_ptx_shuffle },
    { "vote", kc_ptx_vote },
    { "match", kc_ptx_match },
    { "redux", kc_ptx_reduction },
    { "bar", kc_ptx_barrier },
    { "barrier", kc_ptx_barrier },
    { "prefetch", do_nothing },
    { "prefetchu", do_nothing },
  };
  if (instruction->part_count == 0)
    return NULL;
  if (is_carry(instruction))
    return carry;
  if (kc_ptx_is_copy(instruction))
    return kc_ptx_copy;
  for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
    if (strcmp(handlers[i].name, instruction->parts[0]) == 0)
      return handlers[i].handle;
  return NULL;
}

const char *kc_ptx_problem(const kc_ptx_text *text) {
  const char *type = NULL, *rounding = NULL;
  if (text->problem[0] != 0)
    return text->problem;
  for (size_t i = 0; i < text->instruction_count; i++)
    if (handler_of(&text->instructions[i]) == NULL && kc_ptx_row_of(&text->instructions[i], &type, &rounding) == NULL)
      return text->instructions[i].name;
  return NULL;
}

static void lower_instruction(kc_ptx_work *work) {
  const char *type = NULL, *rounding = NULL;
  void (*handle)(kc_ptx_work * work) = handler_of(work->instruction);
  const kc_ptx_row *row = kc_ptx_row_of(work->instruction, &type, &rounding);
  if (handle != NULL)
    handle(work);
  else
    calculate(work, row, type, rounding);
}

static void lower_call(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef call, kc_ptx_text *text,
                       LLVMValueRef carry) {
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  kc_ptx_work *work = kc_ptx_begin(writer, builder, call, text);
  work->carry = carry;
  for (size_t i = 0; i < text->instruction_count; i++) {
    work->instruction = &text->instructions[i];
    lower_instruction(work);
  }
  kc_ptx_end(work);
}

static kc_ptx_text *text_of(LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(call) != NULL ? LLVMGetCalledValue(call) : NULL;
  if (callee == NULL || LLVMIsAInlineAsm(callee) == NULL)
    return NULL;
  kc_stop stop = kc_stop_of(call); /* CUB's as a whole, and barriers with a number */
  if (stop.operation != NULL && (stop.form != NULL || stop.sum != KC_NO_OPERAND || kc_stop_has_number(&stop)))
    return NULL;
  kc_ptx_text *text = kc_ptx_read(LLVMGetInlineAsmAsmString(callee, &length));
  return kc_ptx_problem(text) == NULL ? text : NULL;
}

static LLVMValueRef make_carry(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMTypeRef type = LLVMInt1TypeInContext(writer->context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMSetCurrentDebugLocation2(builder, NULL);
  LLVMValueRef carry = LLVMBuildAlloca(builder, type, "");
  LLVMBuildStore(builder, LLVMConstNull(type), carry);
  return carry;
}

static void lower_function(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMValueRef carry = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block), next = NULL; each != NULL; each = next) {
      next = LLVMGetNextInstruction(each);
      kc_ptx_text *text = text_of(each);
      if (text == NULL)
        continue;
      if (carry == NULL)
        carry = make_carry(writer, builder, function);
      lower_call(writer, builder, each, text, carry);
    }
}

static kc_kernel *kernel_of(kc_writer *writer, LLVMValueRef function) {
  for (size_t i = 0; i < writer->kernel_count; i++)
    if (writer->kernels[i].function == function)
      return &writer->kernels[i];
  return NULL;
}

/* A kernel that is refused is not written. */
static void try_function(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef function, kc_kernel *kernel) {
  writer->kernel = kernel;
  if (setjmp(writer->refused) == 0)
    lower_function(writer, builder, function);
  else if (kernel != NULL)
    kernel->is_refused = true;
  writer->kernel = NULL;
  writer->instruction = NULL;
}

bool kc_ptx_found(kc_writer *writer) {
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(each); block != NULL; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = LLVMGetNextInstruction(at))
        if (text_of(at) != NULL)
          return true;
  return false;
}

void kc_ptx_lower(kc_writer *writer) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    try_function(writer, builder, each, kernel_of(writer, each));
  LLVMDisposeBuilder(builder);
}
