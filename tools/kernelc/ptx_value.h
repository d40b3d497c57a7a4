/* SPDX-License-Identifier: MIT */
/*
 * ptx_value - the values of one text of inline assembler while it becomes LLVM's instructions: its operands, its
 * registers, and the carry, which is the kernel's.
 */
#ifndef KERNELC_PTX_VALUE_H
#define KERNELC_PTX_VALUE_H

#include "ptx.h"

typedef struct kc_ptx_work {
  kc_writer *writer;
  LLVMBuilderRef builder;
  LLVMValueRef call;
  kc_ptx_text *text;
  const kc_ptx_instruction *instruction; /* at work */
  unsigned output_count;
  int *tied;              /* of each output the operand of the call that it begins with; -1: none */
  LLVMValueRef *outputs;  /* NULL: not written yet */
  LLVMValueRef *registers;
  LLVMValueRef carry; /* an alloca of the kernel's */
} kc_ptx_work;

/* Of the call, at the builder's place. */
kc_ptx_work *kc_ptx_begin(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef call, kc_ptx_text *text);

/* Gives the call's users the outputs, and erases it. */
void kc_ptx_end(kc_ptx_work *work);

/* What the translation cannot do; gives the kernel up with the instruction's name. */
_Noreturn void kc_ptx_refuse(const kc_ptx_work *work, const char *reason);

/* "s32", "pred", "f64"; NULL: unknown. And of a letter of ptx_row's, with the instruction's type. */
LLVMTypeRef kc_ptx_type(const kc_ptx_work *work, const char *type);
LLVMTypeRef kc_ptx_letter(const kc_ptx_work *work, char letter, const char *type);
bool kc_ptx_is_signed(const char *type);

/* The operand, as that type: integers are cut or filled with zeros, reals keep their bits. NULL: as it is. */
LLVMValueRef kc_ptx_get(kc_ptx_work *work, const kc_ptx_operand *operand, LLVMTypeRef type);

/* The guard; NULL: there is none. */
LLVMValueRef kc_ptx_guard(kc_ptx_work *work);

/* Stores to a register or an output, under the guard. A narrower value is filled with its sign, or with zeros. */
void kc_ptx_put(kc_ptx_work *work, const kc_ptx_operand *operand, LLVMValueRef value, bool is_signed);

/* A call of an expression of kernel C (template.h), and the expression by the name of its function. */
LLVMValueRef kc_ptx_expression(kc_ptx_work *work, const char *text, LLVMTypeRef result, LLVMValueRef *operands,
                               unsigned count, bool has_effect);
const char *kc_ptx_expression_of(const char *function);

/* A call of one of LLVM's intrinsics, or of NVPTX's. */
LLVMValueRef kc_ptx_intrinsic(kc_ptx_work *work, const char *name, LLVMTypeRef result, LLVMValueRef *operands,
                              unsigned count);

#endif
