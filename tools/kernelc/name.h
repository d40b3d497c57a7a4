/* SPDX-License-Identifier: MIT */
/*
 * name - which C name each value of the kernel at work has, and which values are written where they are used.
 *
 * The name is LLVM's own, so that nothing has to be looked up: its first letter says what it is. What shares the
 * variable of another value has that name behind its own and a dot.
 */
#ifndef KERNELC_NAME_H
#define KERNELC_NAME_H

#include "writer.h"

enum {
  KC_ARGUMENT = 'a',
  KC_VARIABLE = 'v',
  KC_PHI = 'p',
  KC_ARRAY = 'x', /* an alloca */
  KC_INLINE = 'i' /* has no variable: its expression stands where it is used */
};

void kc_name_values(kc_writer *writer, LLVMValueRef function);

/* The value has the variable of `other` from now on. */
void kc_name_share(LLVMValueRef value, LLVMValueRef other);
bool kc_name_is_shared(LLVMValueRef instruction);

/* One of the letters above; 0: a constant. */
char kc_name_kind(LLVMValueRef value);
const char *kc_name_of(LLVMValueRef value);

#endif
