/* SPDX-License-Identifier: MIT */
/* stop - calls at which a thread waits for others: what they are, and where their operands stand. */
#ifndef KERNELC_STOP_H
#define KERNELC_STOP_H

#include "writer.h"

/* Below it are numbers that stand in a text of assembler: KC_FIRST_NUMBER is 0, the one below it 1. */
enum { KC_NO_OPERAND = -1, KC_FIRST_NUMBER = -2 };

/* What others have to know of a thread that waits. Operands are numbers of the call's; KC_NO_OPERAND: there is none. */
typedef struct kc_stop {
  const char *operation; /* a name of the prelude's enumeration; NULL: the call is no stop */
  bool is_of_block;      /* a barrier: all threads of the block, not of the warp */
  int mask, value, lane, clamp; /* of a barrier with a number: lane is it, clamp how many threads come; 0: all */
  const char *form; /* of the value, as a template on the text's operands; NULL: the operand as it is */
  int sum;          /* added to what was read, where there was a lane (CUB's shuffles) */
} kc_stop;

kc_stop kc_stop_of(LLVMValueRef call);

/* A barrier with a number, of those that wait there or of those that only arrive. */
bool kc_stop_has_number(const kc_stop *stop);

#endif
