/* SPDX-License-Identifier: MIT */
/* stop - calls at which a thread waits for others: what they are, and where their operands stand. */
#ifndef KERNELC_STOP_H
#define KERNELC_STOP_H

#include "writer.h"

enum { KC_NO_OPERAND = -1 };

/* What others have to know of a thread that waits. Operands are numbers of the call's; KC_NO_OPERAND: there is none. */
typedef struct kc_stop {
  const char *operation; /* a name of the prelude's enumeration; NULL: the call is no stop */
  bool is_of_block;      /* a barrier: all threads of the block, not of the warp */
  int mask, value, lane, clamp;
  const char *form; /* of the value, as a template on the text's operands; NULL: the operand as it is */
  int sum;          /* added to what was read, where there was a lane (CUB's shuffles) */
} kc_stop;

kc_stop kc_stop_of(LLVMValueRef call);

#endif
