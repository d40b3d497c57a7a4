/* SPDX-License-Identifier: MIT */
/* native - see native.h. */
#include "native.h"

#include <string.h>

#include "cast.h"
#include "grid.h"
#include "name.h"
#include "stop.h"
#include "template.h"
#include "type.h"
#include "value.h"

enum { TAKES_MASK = 1, TAKES_VALUE = 2, TAKES_LANE = 4, COMES_WIDE = 8, TAKES_NUMBER = 16 };

/* Of stop.h's operations: the builtin's name behind __vptr_warp_, and what it takes, in this order. */
static const struct {
  const char *operation, *name;
  int takes;
} rows[] = {
  { "VPTR_UP", "up", TAKES_MASK | TAKES_VALUE | TAKES_LANE | COMES_WIDE },
  { "VPTR_DOWN", "down", TAKES_MASK | TAKES_VALUE | TAKES_LANE | COMES_WIDE },
  { "VPTR_BUTTERFLY", "bfly", TAKES_MASK | TAKES_VALUE | TAKES_LANE | COMES_WIDE },
  { "VPTR_INDEX", "idx", TAKES_MASK | TAKES_VALUE | TAKES_LANE | COMES_WIDE },
  { "VPTR_ALL", "all", TAKES_MASK | TAKES_VALUE },
  { "VPTR_ANY", "any", TAKES_MASK | TAKES_VALUE },
  { "VPTR_UNI", "same", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BALLOT", "ballot", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BALLOT_OWN", "ballot_own", TAKES_MASK | TAKES_VALUE },
  { "VPTR_ACTIVE", "active", 0 },
  { "VPTR_MATCH_ANY", "match_any", TAKES_MASK | TAKES_VALUE | COMES_WIDE },
  { "VPTR_MATCH_ALL", "match_all", TAKES_MASK | TAKES_VALUE | COMES_WIDE },
  { "VPTR_WARP", "sync", TAKES_MASK },
  { "VPTR_SUM", "sum", TAKES_MASK | TAKES_VALUE },
  { "VPTR_LEAST", "least", TAKES_MASK | TAKES_VALUE },
  { "VPTR_MOST", "most", TAKES_MASK | TAKES_VALUE },
  { "VPTR_LEAST_SIGNED", "least_signed", TAKES_MASK | TAKES_VALUE },
  { "VPTR_MOST_SIGNED", "most_signed", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BITS_AND", "and", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BITS_OR", "or", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BITS_XOR", "xor", TAKES_MASK | TAKES_VALUE },
  { "VPTR_BARRIER", "barrier", 0 },
  { "VPTR_BARRIER_SOME", "barrier_some", TAKES_NUMBER },
  { "VPTR_ARRIVE", "barrier_arrive", TAKES_NUMBER },
  { "VPTR_PAUSE", "pause", TAKES_VALUE },
  { "VPTR_COUNT", "barrier_count", TAKES_VALUE },
  { "VPTR_AND", "barrier_and", TAKES_VALUE },
  { "VPTR_OR", "barrier_or", TAKES_VALUE },
};
enum { ROWS = sizeof rows / sizeof *rows };

static int row_of(kc_writer *writer, const char *operation) {
  for (int row = 0; row < ROWS; row++)
    if (strcmp(rows[row].operation, operation) == 0)
      return row;
  kc_refuse(writer, "%s has no form for devices with warps: report this as a bug", operation);
}

static LLVMTypeRef bits_type(kc_writer *writer, bool is_wide) {
  return LLVMIntTypeInContext(writer->context, is_wide ? 64 : 32);
}

static LLVMTypeRef operand_type(LLVMValueRef call, int operand) {
  return LLVMTypeOf(LLVMGetOperand(call, (unsigned)operand));
}

/* The operand's bits, as an unsigned number of its size. */
static void print_bits(kc_writer *writer, LLVMValueRef call, int operand, bool is_wide) {
  if (operand <= KC_FIRST_NUMBER) {
    kc_print(writer, "%du", KC_FIRST_NUMBER - operand);
    return;
  }
  LLVMTypeRef type = operand_type(call, operand);
  kc_print(writer, is_wide ? "(u64)(" : "(u32)(");
  if (kc_is_floating(type))
    kc_cast_bits_begin(writer, type, bits_type(writer, kc_size(writer, type) == 8));
  kc_value(writer, LLVMGetOperand(call, (unsigned)operand), 0);
  if (kc_is_floating(type))
    kc_cast_bits_end(writer, type, bits_type(writer, kc_size(writer, type) == 8));
  kc_print(writer, ")");
}

static void print_value(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, bool is_wide) {
  if (stop->form == NULL) {
    print_bits(writer, call, stop->value, is_wide);
    return;
  }
  kc_print(writer, "(u32)(");
  kc_template(writer, stop->form, call, 1);
  kc_print(writer, ")");
}

static void print_arguments(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, int takes, bool is_wide) {
  const char *separator = "";
  if (takes & TAKES_MASK) {
    if (stop->mask == KC_NO_OPERAND)
      kc_print(writer, "~0u");
    else
      print_bits(writer, call, stop->mask, false);
    separator = ", ";
  }
  if (takes & TAKES_VALUE) {
    kc_print(writer, "%s", separator);
    print_value(writer, call, stop, is_wide);
  }
  if (takes & TAKES_LANE) {
    kc_print(writer, ", ");
    print_bits(writer, call, stop->lane, false);
    kc_print(writer, ", ");
    print_bits(writer, call, stop->clamp, false);
  }
  if (takes & TAKES_NUMBER) {
    print_bits(writer, call, stop->lane, false);
    kc_print(writer, ", ");
    print_bits(writer, call, stop->clamp, false);
  }
}

static bool is_wide_value(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, int takes) {
  return (takes & COMES_WIDE) != 0 && stop->form == NULL && kc_size(writer, operand_type(call, stop->value)) == 8;
}

/* Whether there was a lane to read from; of a match, whether all had the same. */
static void print_found(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, int row) {
  if (!(rows[row].takes & TAKES_LANE)) {
    kc_print(writer, "(u32)(%s_0 != 0u)", kc_name_of(call));
    return;
  }
  kc_print(writer, "__vptr_warp_has_%s(", rows[row].name);
  print_bits(writer, call, stop->lane, false);
  kc_print(writer, ", ");
  print_bits(writer, call, stop->clamp, false);
  kc_print(writer, ")");
}

/* CUB's: what was read plus the thread's own, as the text's type has it; without a lane its own value stays. */
static void print_sum(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, int row) {
  const char *name = kc_name_of(call);
  LLVMTypeRef leaf = kc_leaf_type(writer, LLVMTypeOf(call), 0);
  bool is_wide = kc_size(writer, leaf) == 8;
  kc_print(writer, "if (");
  print_found(writer, call, stop, row);
  kc_print(writer, ") %s = %s + ", name, name);
  kc_cast_bits_begin(writer, bits_type(writer, is_wide), leaf);
  print_bits(writer, call, stop->sum, is_wide);
  kc_cast_bits_end(writer, bits_type(writer, is_wide), leaf);
  kc_print(writer, "; ");
}

static void print_result(kc_writer *writer, LLVMValueRef call, const kc_stop *stop, int row, bool is_wide) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(call), 0);
  bool has_two = kc_leaf_count(writer, LLVMTypeOf(call)) == 2;
  bool is_wide_result = is_wide && (rows[row].takes & TAKES_LANE) != 0;
  kc_print(writer, has_two ? "%s_0 = " : "%s = ", kc_name_of(call));
  kc_cast_bits_begin(writer, bits_type(writer, is_wide_result), type);
  kc_print(writer, "__vptr_warp_%s%s(", rows[row].name, is_wide ? "_wide" : "");
  print_arguments(writer, call, stop, rows[row].takes, is_wide);
  kc_print(writer, ")");
  kc_cast_bits_end(writer, bits_type(writer, is_wide_result), type);
  kc_print(writer, "; ");
  if (!has_two)
    return;
  kc_print(writer, "%s_1 = ", kc_name_of(call));
  print_found(writer, call, stop, row);
  kc_print(writer, "; ");
}

bool kc_native_stop(kc_writer *writer, LLVMValueRef call) {
  kc_stop stop = kc_stop_of(call);
  if (!writer->is_native || stop.operation == NULL)
    return false;
  if (strcmp(stop.operation, "VPTR_GRID") == 0) {
    kc_print(writer, "%s", kc_grid_native);
    return true;
  }
  int row = row_of(writer, stop.operation);
  bool is_wide = is_wide_value(writer, call, &stop, rows[row].takes);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
    print_result(writer, call, &stop, row, is_wide);
  } else {
    kc_print(writer, "__vptr_warp_%s(", rows[row].name);
    print_arguments(writer, call, &stop, rows[row].takes, is_wide);
    kc_print(writer, "); ");
  }
  if (stop.sum != KC_NO_OPERAND)
    print_sum(writer, call, &stop, row);
  return true;
}
