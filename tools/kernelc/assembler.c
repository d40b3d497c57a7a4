/* SPDX-License-Identifier: MIT */
/*
 * assembler - see assembler.h.
 *
 * The text is compared without comments, with one blank for any white space. In a template %1 is the text's $1, so that
 * rows can be read beside the PTX manual; $0 is the result where there is one.
 */
#include "assembler.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cast.h"
#include "name.h"
#include "template.h"
#include "type.h"
#include "value.h"

/* The meaning is $0's value, or a statement where there is no $0. */
static const struct {
  const char *text, *meaning;
} rows[] = {
  { "mov.u32 $0, %laneid;", "(vptr_thread() & 31u)" },
  { "mov.u32 $0, %warpid;", "(vptr_thread() >> 5)" },
  { "mov.u32 $0, %lanemask_lt;", "((1u << (vptr_thread() & 31u)) - 1u)" },
  { "mov.u32 $0, %lanemask_le;", "((2u << (vptr_thread() & 31u)) - 1u)" },
  { "mov.u32 $0, %lanemask_eq;", "(1u << (vptr_thread() & 31u))" },
  { "mov.u32 $0, %lanemask_ge;", "~((1u << (vptr_thread() & 31u)) - 1u)" },
  { "mov.u32 $0, %lanemask_gt;", "~((2u << (vptr_thread() & 31u)) - 1u)" },
  { "mov.u32 $0, %tid.x;", "threadIdx.x" },
  { "mov.u32 $0, %ctaid.x;", "blockIdx.x" },
  { "mov.u32 $0, %smid;", "0u" },
  { "mov.u32 $0, %nsmid;", "1u" },
  { "mov.u64 $0, %clock64;", "(u64)clock64()" },
  { "mov.u32 $0, %clock;", "(u32)clock64()" },
  { "mov.b64 $0, {$1, $2};", "((u64)%2 << 32 | %1)" },
  { "mov.b32 $0, $1;", "%1" },
  { "mov.u32 $0, $1;", "%1" },
  { "mov.b64 $0, $1;", "%1" },
  { "bfe.u32 $0, $1, $2, $3;", "vptr_bfe(%1, %2, %3)" },
  { "bfe.s32 $0, $1, $2, $3;", "vptr_bfe_signed(%1, %2, %3)" },
  { "bfe.u64 $0, $1, $2, $3;", "vptr_bfe64(%1, %2, %3)" },
  { "bfi.b32 $0, $1, $2, $3, $4;", "vptr_bfi(%1, %2, %3, %4)" },
  { "prmt.b32 $0, $1, $2, $3;", "__byte_perm(%1, %2, %3)" },
  { "bfind.u32 $0, $1;", "(31u - (u32)__clz((int)%1))" },
  { "brev.b32 $0, $1;", "__brev(%1)" },
  { "clz.b32 $0, $1;", "(u32)__clz((int)%1)" },
  { "popc.b32 $0, $1;", "(u32)__popc(%1)" },
  { "shf.l.wrap.b32 $0, $1, $2, $3;", "__funnelshift_l(%1, %2, %3)" },
  { "shf.r.wrap.b32 $0, $1, $2, $3;", "__funnelshift_r(%1, %2, %3)" },
  { "shf.l.clamp.b32 $0, $1, $2, $3;", "__funnelshift_lc(%1, %2, %3)" },
  { "shf.r.clamp.b32 $0, $1, $2, $3;", "__funnelshift_rc(%1, %2, %3)" },
  { "add.u32 $0, $1, $2;", "(%1 + %2)" },
  { "mad.lo.u32 $0, $1, $2, $3;", "(%1 * %2 + %3)" },
  { "mul.wide.u32 $0, $1, $2;", "((u64)%1 * %2)" },
  { "mad.wide.u32 $0, $1, $2, $3;", "((u64)%1 * %2 + %3)" },
  { "mul.hi.u32 $0, $1, $2;", "__umulhi(%1, %2)" },
  { "mul.hi.u64 $0, $1, $2;", "__umul64hi(%1, %2)" },
  { "vshl.u32.u32.u32.clamp.add $0, $1, $2, $3;", "((%2 > 31u ? 0u : %1 << %2) + %3)" },
  { "vshr.u32.u32.u32.clamp.add $0, $1, $2, $3;", "((%2 > 31u ? 0u : %1 >> %2) + %3)" },
  { "vadd.u32.u32.u32.add $0, $1, $2, $3;", "(%1 + %2 + %3)" },
  { "ex2.approx.ftz.f32 $0, $1;", "exp2f(%1)" },
  { "ex2.approx.f32 $0, $1;", "exp2f(%1)" },
  { "lg2.approx.ftz.f32 $0, $1;", "__log2f(%1)" },
  { "lg2.approx.f32 $0, $1;", "__log2f(%1)" },
  { "rcp.approx.ftz.f32 $0, $1;", "(1.0f / %1)" },
  { "rsqrt.approx.ftz.f32 $0, $1;", "rsqrtf(%1)" },
  { "sqrt.approx.ftz.f32 $0, $1;", "sqrtf(%1)" },
  { "tanh.approx.f32 $0, $1;", "__tanhf(%1)" },
  { "bar.sync 0;", "__syncthreads()" },
  { "barrier.sync 0;", "__syncthreads()" },
  { "membar.cta;", "__threadfence_block()" },
  { "membar.gl;", "__threadfence()" },
  { "membar.sys;", "__threadfence_system()" },
  { "fence.acq_rel.gpu;", "__threadfence()" },
  { "exit;", "VPTR_RETURN" },
  { "trap;", "__trap()" },
  { "brkpt;", "__brkpt()" },
  { "", "" },
};

/* Without comments, with single blanks, and none at both ends. */
static char *plain_text(const char *text) {
  char *plain = kc_allocate(strlen(text) + 1, 1);
  size_t length = 0;
  while (*text != 0) {
    if (text[0] == '/' && text[1] == '/') {
      text += strcspn(text, "\n");
    } else if (isspace((unsigned char)*text)) {
      if (length > 0 && plain[length - 1] != ' ')
        plain[length++] = ' ';
      text++;
    } else {
      plain[length++] = *text++;
    }
  }
  while (length > 0 && plain[length - 1] == ' ')
    length--;
  plain[length] = 0;
  return plain;
}

/* ---- loads and stores ------------------------------------------------------------------------------------ */

/* ld.global.nc.v2.u32 {$0, $1}, [$2] and st.volatile.shared.u32 [$0], $1: how the words are cached is the device's
 * business, so that only volatile is left of the modifiers. */
typedef struct access {
  bool is_load;
  unsigned count; /* words */
  LLVMValueRef pointer;
  LLVMTypeRef word;
  unsigned first_value; /* of a store: the operand that goes to the first word */
} access;

/* An address is given as a pointer, or as a number that was one. */
static LLVMValueRef pointer_of(LLVMValueRef operand) {
  if (LLVMIsAPtrToIntInst(operand) != NULL)
    operand = LLVMGetOperand(operand, 0);
  return kc_is_pointer(LLVMTypeOf(operand)) ? operand : NULL;
}

static bool read_access(kc_writer *writer, LLVMValueRef call, const char *text, access *access) {
  access->is_load = kc_starts(text, "ld.");
  access->count = strstr(text, ".v2.") != NULL ? 2 : strstr(text, ".v4.") != NULL ? 4 : 1;
  if ((!access->is_load && !kc_starts(text, "st.")) || strchr(text, '+') != NULL || strchr(text, '@') != NULL)
    return false;
  unsigned operands = LLVMGetNumArgOperands(call);
  if (operands != (access->is_load ? 1 : access->count + 1))
    return false;
  access->pointer = pointer_of(LLVMGetOperand(call, 0));
  access->first_value = 1;
  LLVMTypeRef type = access->is_load ? LLVMTypeOf(call) : LLVMTypeOf(LLVMGetOperand(call, 1));
  if (access->is_load && kc_leaf_count(writer, type) != access->count)
    return false;
  access->word = kc_leaf_type(writer, type, 0);
  return access->pointer != NULL && !kc_is_pointer(access->word);
}

/* The last part of `ld.global.s8`: a register may be wider than the word, which is extended by its sign then, or by zeros.
 * NULL: the two do not fit. */
static const char *word_name(kc_writer *writer, const access *access, const char *text) {
  static const struct {
    const char *part, *name;
  } narrow[] = { { ".u8 ", "u8" },   { ".b8 ", "u8" },   { ".s8 ", "signed char" },
                 { ".u16 ", "u16" }, { ".b16 ", "u16" }, { ".s16 ", "short" },
                 { ".u32 ", "u32" }, { ".b32 ", "u32" }, { ".s32 ", "int" } };
  size_t length = strcspn(text, " ");
  while (length > 0 && text[length - 1] != '.')
    length--;
  if (length == 0)
    return NULL;
  unsigned long long bits = strtoull(text + length + 1, NULL, 10), size = kc_size(writer, access->word);
  if (bits == size * 8)
    return kc_type_name(writer, access->word);
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow && bits < size * 8 && kc_is_integer(access->word); i++)
    if (kc_starts(text + length - 1, narrow[i].part))
      return narrow[i].name;
  return NULL;
}

static unsigned bytes_of_word(const char *text) {
  size_t length = strcspn(text, " ");
  while (length > 0 && text[length - 1] != '.')
    length--;
  return (unsigned)atoi(text + length + 1) / 8;
}

static void write_word(kc_writer *writer, LLVMValueRef call, const access *access, const char *name, unsigned size,
                       unsigned which) {
  if (access->is_load)
    kc_print(writer, access->count > 1 ? "%s_%u = " : "%s = ", kc_name_of(call), which);
  kc_print(writer, "*(volatile %s *)(", name);
  kc_value(writer, access->pointer, 0);
  kc_print(writer, " + %u)", which * size);
  if (!access->is_load) {
    kc_print(writer, " = ");
    kc_value(writer, LLVMGetOperand(call, access->first_value + which), 0);
  }
  kc_print(writer, "; ");
}

static bool write_access(kc_writer *writer, LLVMValueRef call, const char *text) {
  access access = { .is_load = false };
  if (!read_access(writer, call, text, &access))
    return false;
  const char *name = word_name(writer, &access, text);
  if (name == NULL)
    return false;
  for (unsigned i = 0; i < access.count; i++)
    write_word(writer, call, &access, name, bytes_of_word(text), i);
  return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static void write_row(kc_writer *writer, LLVMValueRef call, const char *meaning) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool has_result = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
  if (*meaning == 0)
    return;
  if (has_result)
    kc_print(writer, "%s = ", kc_name_of(call));
  kc_template(writer, meaning, call, has_result ? 1 : 0);
  kc_print(writer, "; ");
}

void kc_assembler(kc_writer *writer, LLVMValueRef call) {
  size_t length = 0;
  const char *given = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  char *text = plain_text(given);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t row = strlen(rows[i].text);
    bool is_same = strcmp(text, rows[i].text) == 0 ||
                   (row > 0 && strlen(text) + 1 == row && strncmp(text, rows[i].text, row - 1) == 0);
    if (is_same) {
      write_row(writer, call, rows[i].meaning);
      free(text);
      return;
    }
  }
  if (!write_access(writer, call, text))
    kc_refuse(writer, "the inline assembler '%s' is not translated: write it as CUDA C++", text);
  free(text);
}
