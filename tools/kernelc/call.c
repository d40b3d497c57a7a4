/* SPDX-License-Identifier: MIT */
/* call - see call.h. */
#include "call.h"

#include <stdlib.h>
#include <string.h>

#include "assembler.h"
#include "atomic.h"
#include "family.h"
#include "intrinsic.h"
#include "memory.h"
#include "name.h"
#include "native.h"
#include "place.h"
#include "ptx_value.h"
#include "reduction.h"
#include "states.h"
#include "template.h"
#include "type.h"
#include "value.h"
#include "wide.h"

/* ---- functions that are more than a name ----------------------------------------------------------------- */

static void print_argument(kc_writer *writer, LLVMValueRef argument) {
  size_t length = 0;
  char *text = kc_is_pointer(LLVMTypeOf(argument)) ? kc_string_of(writer, argument, &length) : NULL;
  if (text != NULL)
    kc_print_string(writer, text, length);
  else if (kc_is_integer(LLVMTypeOf(argument)))
    kc_signed_value(writer, argument, 0);
  else
    kc_value(writer, argument, 0);
  free(text);
}

/* The format, too, may be anything. */
static void call_printf(kc_writer *writer, LLVMValueRef call) {
  kc_print(writer, "printf(");
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    kc_print(writer, i > 0 ? ", " : "");
    print_argument(writer, LLVMGetOperand(call, i));
  }
  kc_print(writer, ")");
}

/* __assertfail(expression, file, line, function, 1). Which block and thread it is may be in variables (states.h). */
static void call_assert(kc_writer *writer, LLVMValueRef call) {
  kc_print(writer, "__vptr_assert(");
  for (unsigned i = 0; i < 4; i++) {
    kc_print(writer, i > 0 ? ", " : "");
    LLVMValueRef argument = LLVMGetOperand(call, i);
    (i == 2 ? kc_value(writer, argument, 0) : print_argument(writer, argument));
  }
  kc_print(writer, ", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z)");
}

/* vptr_grid_is_valid(). */
static void call_grid_is_valid(kc_writer *writer, LLVMValueRef call) {
  (void)call;
  kc_print(writer, writer->is_native ? "vptr_valid" : "(u32)(*(u32 *)(__vptr_grid() + 12) != 0u)");
}

static bool call_known(kc_writer *writer, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name;
    void (*write)(kc_writer *writer, LLVMValueRef call);
  } known[] = {
    { "printf", call_printf },
    { "_Z18vptr_grid_is_validv", call_grid_is_valid },
    { "__assertfail", call_assert },
    { "__assert_fail", call_assert },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) {
      known[i].write(writer, call);
      return true;
    }
  return false;
}

/* ---- calls with two results ------------------------------------------------------------------------------ */

/* { sum, whether it overflowed }. */
static bool call_with_overflow(kc_writer *writer, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name, *result, *overflows, *overflows_any;
  } rows[] = {
    { "llvm.uadd.with.overflow.", "+", "(u32)((%T)(%0 + %1) < %0)", "vptr_uadd_overflows(%0, %1, %Wu)" },
    { "llvm.usub.with.overflow.", "-", "(u32)(%0 < %1)", "(u32)(%0 < %1)" },
    { "llvm.umul.with.overflow.", "*", "vptr_umul_overflows%B(%0, %1)", "vptr_umul_overflows(%0, %1, %Wu)" },
    { "llvm.sadd.with.overflow.", "+", "vptr_sadd_overflows%B(%s0, %s1)", "vptr_sadd_overflows(%s0, %s1, %Wu)" },
    { "llvm.ssub.with.overflow.", "-", "vptr_ssub_overflows%B(%s0, %s1)", "vptr_ssub_overflows(%s0, %s1, %Wu)" },
    { "llvm.smul.with.overflow.", "*", "vptr_smul_overflows%B(%s0, %s1)", "vptr_smul_overflows(%s0, %s1, %Wu)" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!kc_starts(name, rows[i].name))
      continue;
    unsigned width = kc_width(kc_leaf_type(writer, LLVMTypeOf(call), 0));
    char result[64];
    snprintf(result, sizeof result, "(%%T)vptr_low((u64)%%0 %s (u64)%%1, %%Wu)", rows[i].result);
    if (width == 32 || width == 64)
      snprintf(result, sizeof result, "(%%T)(%%0 %s %%1)", rows[i].result);
    kc_print(writer, "%s_0 = ", kc_name_of(call));
    kc_template(writer, result, call, 0);
    kc_print(writer, "; %s_1 = ", kc_name_of(call));
    kc_template(writer, width == 32 || width == 64 ? rows[i].overflows : rows[i].overflows_any, call, 0);
    kc_print(writer, "; ");
    return true;
  }
  return false;
}

/* ---- textures and surfaces ------------------------------------------------------------------------------- */

/* Four words come back in memory of the thread. */
static bool call_texels(kc_writer *writer, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name, *text;
    bool writes, tells; /* the words are its last operands; it says whether there is such a place, behind them */
    unsigned leaves;    /* of what it returns */
  } rows[] = {
    { "vptr_texture", "__vptr_texture(%0, %s1, %2, %3, %4, %s5, vptr_words); ", false, false, 4 },
    { "vptr_texture_cube", "__vptr_texture_cube(%0, %1, %2, %3, %s4, vptr_words); ", false, false, 4 },
    { "vptr_texture_fetch", "__vptr_texture_fetch(%0, %s1, vptr_words); ", false, false, 4 },
    { "vptr_texture_gather", "__vptr_texture_gather(%0, %1, %2, %s3, vptr_words); ", false, false, 4 },
    { "vptr_texture_level", "__vptr_texture_level(%0, %s1, %2, %3, %4, %s5, %6, vptr_words); ", false, false, 4 },
    { "vptr_texture_scale", "__vptr_texture_scale(%0, vptr_words); ", false, false, 4 },
    { "vptr_surface_read", "(u32)__vptr_surface(%0, 0, %s1, %s2, %s3, %s4, %s5, vptr_words); ", false, true, 5 },
    { "vptr_surface_write", "(u32)__vptr_surface(%0, 1, %s1, %s2, %s3, %s4, %s5, vptr_words); ", true, true, 1 },
  };
  size_t row = 0;
  while (row < sizeof rows / sizeof *rows && strcmp(name, rows[row].name) != 0)
    row++;
  if (row == sizeof rows / sizeof *rows)
    return false;
  if (kc_leaf_count(writer, LLVMTypeOf(call)) != rows[row].leaves)
    kc_refuse(writer, "%s() is not declared as vptr's headers have it: include them", name);
  kc_print(writer, "{ u32 vptr_words[4]; ");
  if (rows[row].writes)
    kc_template(writer, "vptr_words[0] = %6; vptr_words[1] = %7; vptr_words[2] = %8; vptr_words[3] = %9; ", call, 0);
  if (rows[row].tells)
    kc_print(writer, rows[row].writes ? "%s = " : "%s_4 = ", kc_name_of(call));
  kc_template(writer, rows[row].text, call, 0);
  for (unsigned i = 0; i < 4 && !rows[row].writes; i++)
    kc_print(writer, "%s_%u = vptr_words[%u]; ", kc_name_of(call), i, i);
  kc_print(writer, "} ");
  return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static void assign(kc_writer *writer, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return;
  if (kc_leaf_count(writer, type) != 1)
    kc_refuse(writer, "a function of the device's library that returns a struct is not supported");
  kc_print(writer, "%s = ", kc_name_of(call));
}

static bool call_table(kc_writer *writer, LLVMValueRef call, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(call);
  const char *text = kc_ptx_expression_of(name);
  if (text == NULL)
    text = kc_intrinsic(name, kc_is_integer(type) ? kc_width(type) : 0);
  if (text == NULL)
    return false;
  if (*text == 0)
    return true;
  writer->uses_heap |= strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0;
  assign(writer, call);
  kc_template(writer, text, call, 0);
  kc_print(writer, "; ");
  return true;
}

bool kc_call_is_expression(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMTypeOf(call);
  size_t length = 0;
  if (LLVMIsAFunction(callee) == NULL)
    return false;
  const char *text = kc_intrinsic(LLVMGetValueName2(callee, &length), kc_is_integer(type) ? kc_width(type) : 0);
  return text != NULL && *text != 0 && strchr(text, ';') == NULL;
}

static bool is_barrier_zero(LLVMValueRef call, const char *name) {
  return (kc_starts(name, "llvm.nvvm.bar.sync") || kc_starts(name, "llvm.nvvm.barrier.sync") ||
          kc_starts(name, "llvm.nvvm.barrier.cta.sync.aligned.all")) &&
         LLVMGetNumArgOperands(call) == 1 && LLVMIsAConstantInt(LLVMGetOperand(call, 0)) != NULL &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) == 0;
}

/* What has its own statement. */
static bool call_statement(kc_writer *writer, LLVMValueRef call, const char *name) {
  if (kc_starts(name, "llvm.memcpy.") || kc_starts(name, "llvm.memmove."))
    kc_copy(writer, call);
  else if (kc_starts(name, "llvm.memset."))
    kc_set(writer, call);
  else if (is_barrier_zero(call, name))
    kc_print(writer, "__syncthreads(); ");
  else
    return call_with_overflow(writer, call, name) || call_texels(writer, call, name) ||
           kc_reduction(writer, call, name);
  return true;
}

static void call_device(kc_writer *writer, LLVMValueRef call, const char *name) {
  kc_text text;
  kc_begin(writer, &text);
  bool is_known = kc_atomic_intrinsic(writer, call, name) || kc_family_intrinsic(writer, call, name) ||
                  call_known(writer, call, name) || kc_family_call(writer, call, name);
  kc_end(writer, &text);
  if (!is_known)
    kc_refuse(writer, "%s() has no body and is no function of CUDA's that kernels can call", name);
  assign(writer, call);
  kc_print(writer, "%s; ", text.text);
  free(text.text);
}

void kc_call(kc_writer *writer, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  if (kc_wide_call(writer, call) || kc_states_stop(writer, call) || kc_native_stop(writer, call))
    return;
  if (LLVMIsAInlineAsm(callee) != NULL) {
    kc_assembler(writer, call);
    return;
  }
  if (LLVMIsAFunction(callee) == NULL)
    kc_refuse(writer, "a function is called by a pointer that is not known when it is compiled: call it by name, or "
                      "through a template parameter");
  const char *name = LLVMGetValueName2(callee, &length);
  if (!LLVMIsDeclaration(callee)) {
    int characters = 0;
    const char *words = kc_place_function_name(callee, &characters);
    kc_refuse(writer, "%.*s() calls itself: write a loop", characters, words);
  }
  if (!call_table(writer, call, name) && !call_statement(writer, call, name))
    call_device(writer, call, name);
}
