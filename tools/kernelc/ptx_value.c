/* SPDX-License-Identifier: MIT */
/* ptx_value - see ptx_value.h. */
#include "ptx_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_row.h"
#include "type.h"

void kc_ptx_refuse(const kc_ptx_work *work, const char *reason) {
  work->writer->instruction = work->call;
  kc_refuse(work->writer, "the instruction '%s' of inline assembler is not translated: %s", work->instruction->name,
            reason);
}

/* ---- types ----------------------------------------------------------------------------------------------- */

LLVMTypeRef kc_ptx_type(const kc_ptx_work *work, const char *type) {
  LLVMContextRef context = work->writer->context;
  if (strcmp(type, "pred") == 0)
    return LLVMInt1TypeInContext(context);
  if (strcmp(type, "f32") == 0)
    return LLVMFloatTypeInContext(context);
  if (strcmp(type, "f64") == 0)
    return LLVMDoubleTypeInContext(context);
  if (strcmp(type, "f16x2") == 0 || strcmp(type, "bf16x2") == 0)
    return LLVMInt32TypeInContext(context);
  const char *digits = type + strcspn(type, "0123456789");
  unsigned long bits = strtoul(digits, NULL, 10);
  if (strchr("usbf", *type) == NULL || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return NULL;
  return LLVMIntTypeInContext(context, (unsigned)bits);
}

LLVMTypeRef kc_ptx_letter(const kc_ptx_work *work, char letter, const char *type) {
  static const struct {
    char letter;
    const char *type;
  } letters[] = { { 'p', "pred" }, { 'h', "b16" }, { 'u', "b32" }, { 'l', "b64" }, { 'f', "f32" }, { 'd', "f64" } };
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (letters[i].letter == letter)
      return kc_ptx_type(work, letters[i].type);
  LLVMTypeRef own = kc_ptx_type(work, type);
  if (own == NULL)
    kc_ptx_refuse(work, "its type is none that kernels have");
  return letter == 'W' ? LLVMIntTypeInContext(work->writer->context, 2 * kc_width(own)) : own;
}

bool kc_ptx_is_signed(const char *type) {
  return *type == 's';
}

/* ---- conversions ----------------------------------------------------------------------------------------- */

static unsigned bits_of(const kc_ptx_work *work, LLVMTypeRef type) {
  return kc_is_integer(type) ? kc_width(type) : (unsigned)kc_size(work->writer, type) * 8;
}

static LLVMTypeRef integer_of(const kc_ptx_work *work, unsigned bits) {
  return LLVMIntTypeInContext(work->writer->context, bits);
}

/* Bits stay as they are. */
static LLVMValueRef converted(kc_ptx_work *work, LLVMValueRef value, LLVMTypeRef type, bool is_signed) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == type)
    return value;
  if (kc_is_pointer(from))
    value = LLVMBuildPtrToInt(work->builder, value, integer_of(work, 64), "");
  else if (kc_is_floating(from))
    value = LLVMBuildBitCast(work->builder, value, integer_of(work, bits_of(work, from)), "");
  else if (!kc_is_integer(from))
    kc_ptx_refuse(work, "an operand is no number");
  unsigned bits = bits_of(work, type);
  if (kc_width(LLVMTypeOf(value)) > bits)
    value = LLVMBuildTrunc(work->builder, value, integer_of(work, bits), "");
  else if (kc_width(LLVMTypeOf(value)) < bits)
    value = (is_signed ? LLVMBuildSExt : LLVMBuildZExt)(work->builder, value, integer_of(work, bits), "");
  if (kc_is_pointer(type))
    return LLVMBuildIntToPtr(work->builder, value, type, "");
  return kc_is_integer(type) ? value : LLVMBuildBitCast(work->builder, value, type, "");
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static long find_register(const kc_ptx_work *work, const char *name) {
  for (size_t i = work->text->register_count; i > 0; i--)
    if (strcmp(work->text->registers[i - 1].name, name) == 0)
      return (long)i - 1;
  return -1;
}

static LLVMTypeRef output_type(const kc_ptx_work *work, unsigned output) {
  return work->output_count == 1 ? LLVMTypeOf(work->call) : LLVMStructGetTypeAtIndex(LLVMTypeOf(work->call), output);
}

static LLVMValueRef get_argument(kc_ptx_work *work, unsigned long long number) {
  unsigned operands = LLVMGetNumArgOperands(work->call);
  if (number >= work->output_count) {
    if (number - work->output_count >= operands)
      kc_ptx_refuse(work, "it names an operand that there is not");
    return LLVMGetOperand(work->call, (unsigned)(number - work->output_count));
  }
  if (work->outputs[number] != NULL)
    return work->outputs[number];
  if (work->tied[number] >= 0 && (unsigned)work->tied[number] < operands)
    return LLVMGetOperand(work->call, (unsigned)work->tied[number]);
  return LLVMConstNull(output_type(work, (unsigned)number));
}

static LLVMValueRef get_special(kc_ptx_work *work, const char *name) {
  bool is_wide = false, is_text = false;
  const char *function = kc_ptx_special(name, &is_wide, &is_text);
  if (function == NULL)
    kc_ptx_refuse(work, "kernels have no such special register");
  LLVMTypeRef type = integer_of(work, is_wide ? 64 : 32);
  if (is_text)
    return kc_ptx_expression(work, function, type, NULL, 0, true);
  char intrinsic[80];
  snprintf(intrinsic, sizeof intrinsic, "llvm.nvvm.read.ptx.sreg.%s", function);
  return kc_ptx_intrinsic(work, intrinsic, type, NULL, 0);
}

static LLVMValueRef get_number(kc_ptx_work *work, const kc_ptx_operand *operand, LLVMTypeRef type) {
  double wide = 0;
  memcpy(&wide, &operand->number, sizeof wide);
  if (type == NULL)
    type = integer_of(work, 64);
  if (operand->real_bits == 64 && kc_is_floating(type))
    return LLVMConstReal(type, wide);
  LLVMValueRef bits = LLVMConstInt(integer_of(work, operand->real_bits == 32 ? 32 : 64), operand->number, 0);
  if (kc_is_floating(type) && operand->real_bits == 0)
    return LLVMConstReal(type, (double)(long long)operand->number);
  return converted(work, bits, type, false);
}

static LLVMValueRef get_register(kc_ptx_work *work, const char *name) {
  long number = find_register(work, name);
  if (strcmp(name, "WARP_SZ") == 0)
    return LLVMConstInt(integer_of(work, 32), 32, 0);
  if (number < 0)
    kc_ptx_refuse(work, "it names a register that is not declared");
  if (work->registers[number] != NULL)
    return work->registers[number];
  LLVMTypeRef type = kc_ptx_type(work, work->text->registers[number].type);
  return type == NULL ? LLVMConstInt(integer_of(work, 32), 0, 0) : LLVMConstNull(type);
}

LLVMValueRef kc_ptx_get(kc_ptx_work *work, const kc_ptx_operand *operand, LLVMTypeRef type) {
  LLVMValueRef value = NULL;
  if (operand->kind == KC_PTX_NUMBER)
    return get_number(work, operand, type);
  if (operand->kind == KC_PTX_ARGUMENT)
    value = get_argument(work, operand->number);
  else if (operand->kind == KC_PTX_REGISTER)
    value = get_register(work, operand->name);
  else if (operand->kind == KC_PTX_SPECIAL)
    value = find_register(work, operand->name) >= 0 ? get_register(work, operand->name)
                                                    : get_special(work, operand->name);
  else
    kc_ptx_refuse(work, "an operand is of another kind than it has elsewhere");
  if (type != NULL)
    value = converted(work, value, type, false);
  return operand->is_negated ? LLVMBuildNot(work->builder, value, "") : value;
}

LLVMValueRef kc_ptx_guard(kc_ptx_work *work) {
  if (!work->instruction->has_guard)
    return NULL;
  LLVMValueRef guard = get_register(work, work->instruction->guard);
  guard = converted(work, guard, integer_of(work, 1), false);
  return work->instruction->is_guard_negated ? LLVMBuildNot(work->builder, guard, "") : guard;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

void kc_ptx_put(kc_ptx_work *work, const kc_ptx_operand *operand, LLVMValueRef value, bool is_signed) {
  if (operand->kind == KC_PTX_SINK)
    return;
  LLVMValueRef *place = NULL;
  LLVMTypeRef type = NULL;
  bool is_output = operand->kind == KC_PTX_ARGUMENT && operand->number < work->output_count;
  long number =
      operand->kind == KC_PTX_REGISTER || operand->kind == KC_PTX_SPECIAL ? find_register(work, operand->name) : -1;
  if (is_output) {
    place = &work->outputs[operand->number];
    type = output_type(work, (unsigned)operand->number);
  } else if (number >= 0) {
    place = &work->registers[number];
    type = kc_ptx_type(work, work->text->registers[number].type);
  }
  if (place == NULL || type == NULL)
    kc_ptx_refuse(work, "its result goes to no register");
  LLVMValueRef guard = kc_ptx_guard(work);
  value = converted(work, value, type, is_signed);
  if (guard != NULL)
    value = LLVMBuildSelect(work->builder, guard, value, kc_ptx_get(work, operand, type), "");
  *place = value;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

#define PREFIX "vptr.ptx."

static struct {
  char **texts;
  size_t count, room;
} expressions;

static unsigned number_of(const char *text) {
  for (size_t i = 0; i < expressions.count; i++)
    if (strcmp(expressions.texts[i], text) == 0)
      return (unsigned)i;
  if (expressions.count == expressions.room) {
    size_t room = expressions.room == 0 ? 64 : 2 * expressions.room;
    char **texts = kc_allocate(room, sizeof *texts);
    if (expressions.count > 0)
      memcpy(texts, expressions.texts, expressions.count * sizeof *texts);
    expressions.texts = texts;
    expressions.room = room;
  }
  expressions.texts[expressions.count] = strcpy(kc_allocate(strlen(text) + 1, 1), text);
  return (unsigned)expressions.count++;
}

const char *kc_ptx_expression_of(const char *function) {
  if (!kc_starts(function, PREFIX))
    return NULL;
  unsigned long number = strtoul(function + strlen(PREFIX), NULL, 10);
  return number < expressions.count ? expressions.texts[number] : NULL;
}

static void add_attribute(kc_ptx_work *work, LLVMValueRef function, const char *name, unsigned long long value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (kind != 0)
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(work->writer->context, kind, value));
}

static LLVMValueRef call_named(kc_ptx_work *work, const char *name, LLVMTypeRef result, LLVMValueRef *operands,
                               unsigned count, bool is_pure) {
  LLVMTypeRef types[KC_PTX_OPERANDS];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(operands[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(work->writer->module, name);
  if (function == NULL || LLVMGlobalGetValueType(function) != type) {
    function = LLVMAddFunction(work->writer->module, name, type);
    add_attribute(work, function, "nounwind", 0);
    if (is_pure) {
      add_attribute(work, function, "memory", 0);
      add_attribute(work, function, "willreturn", 0);
    }
  }
  return LLVMBuildCall2(work->builder, type, function, operands, count, "");
}

/* One expression may be of several types, whose functions have names of their own. */
LLVMValueRef kc_ptx_expression(kc_ptx_work *work, const char *text, LLVMTypeRef result, LLVMValueRef *operands,
                               unsigned count, bool has_effect) {
  char name[96];
  size_t length = (size_t)snprintf(name, sizeof name, PREFIX "%u.", number_of(text));
  for (unsigned i = 0; i < count && length < sizeof name; i++)
    length +=
        (size_t)snprintf(name + length, sizeof name - length, "%c%u",
                         kc_is_floating(LLVMTypeOf(operands[i])) ? 'f' : 'i', bits_of(work, LLVMTypeOf(operands[i])));
  bool has_result = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
  if (length < sizeof name)
    snprintf(name + length, sizeof name - length, "%c%u", has_result && kc_is_floating(result) ? 'f' : 'i',
             has_result ? bits_of(work, result) : 0);
  return call_named(work, name, result, operands, count, !has_effect);
}

LLVMValueRef kc_ptx_intrinsic(kc_ptx_work *work, const char *name, LLVMTypeRef result, LLVMValueRef *operands,
                              unsigned count) {
  return call_named(work, name, result, operands, count, false);
}

/* ---- beginning and end ----------------------------------------------------------------------------------- */

/* "=r,=r,0,r,~{memory}": the outputs come first; a digit is an operand that lies where that output does. */
static void read_constraints(kc_ptx_work *work, const char *constraints, size_t length) {
  char *text = kc_allocate(length + 1, 1);
  memcpy(text, constraints, length);
  unsigned inputs = 0, outputs = 0;
  work->tied = kc_allocate(length + 1, sizeof *work->tied);
  for (size_t i = 0; i <= length; i++)
    work->tied[i] = -1;
  for (char *each = strtok(text, ","); each != NULL; each = strtok(NULL, ",")) {
    if (*each == '=') {
      outputs++;
    } else if (*each != '~') {
      if (isdigit((unsigned char)*each) && (size_t)atoi(each) <= length)
        work->tied[atoi(each)] = (int)inputs;
      inputs++;
    }
  }
  work->output_count = outputs;
}

kc_ptx_work *kc_ptx_begin(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef call, kc_ptx_text *text) {
  kc_ptx_work *work = kc_allocate(1, sizeof *work);
  size_t length = 0;
  const char *constraints = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
  work->writer = writer;
  work->builder = builder;
  work->call = call;
  work->text = text;
  read_constraints(work, constraints, length);
  work->outputs = kc_allocate(work->output_count + 1, sizeof *work->outputs);
  work->registers = kc_allocate(text->register_count + 1, sizeof *work->registers);
  return work;
}

void kc_ptx_end(kc_ptx_work *work) {
  LLVMValueRef result = NULL;
  if (work->output_count > 1)
    result = LLVMGetUndef(LLVMTypeOf(work->call));
  for (unsigned i = 0; i < work->output_count; i++) {
    LLVMValueRef value = get_argument(work, i);
    result = work->output_count == 1 ? value : LLVMBuildInsertValue(work->builder, result, value, i, "");
  }
  if (result != NULL)
    LLVMReplaceAllUsesWith(work->call, result);
  LLVMInstructionEraseFromParent(work->call);
}
