/* SPDX-License-Identifier: MIT */
/*
 * ptx - the text of inline assembler, taken apart: PTX's instructions with their guards, modifiers and operands.
 *
 * The grammar alone is here; what an instruction means is ptx_row's and its kin's to say.
 */
#ifndef KERNELC_PTX_H
#define KERNELC_PTX_H

#include "writer.h"

enum { KC_PTX_PARTS = 12, KC_PTX_OPERANDS = 8, KC_PTX_NAME = 64 };

typedef enum kc_ptx_kind {
  KC_PTX_REGISTER, /* a name, declared in the text */
  KC_PTX_ARGUMENT, /* $0 */
  KC_PTX_NUMBER,   /* an integer, or the bits of a 0f or 0d */
  KC_PTX_SPECIAL,  /* %tid.x */
  KC_PTX_ADDRESS,  /* [$1 + 8] */
  KC_PTX_LIST,     /* {$0, $1} */
  KC_PTX_SINK      /* _ */
} kc_ptx_kind;

typedef struct kc_ptx_operand {
  kc_ptx_kind kind;
  char name[KC_PTX_NAME]; /* of a register or a special one */
  unsigned long long number; /* of an argument, or the value */
  unsigned char real_bits; /* of a number: 32 or 64, where it is a real's; 0: an integer */
  bool is_negated;         /* !p */
  long long offset;        /* of an address */
  struct kc_ptx_operand *parts; /* of an address the base, of a list all; what follows p in p|q */
  unsigned part_count;
} kc_ptx_operand;

typedef struct kc_ptx_instruction {
  char name[128]; /* "mad.lo.cc.u32" */
  char *parts[KC_PTX_PARTS];
  unsigned part_count;
  bool has_guard, is_guard_negated;
  char guard[KC_PTX_NAME];
  kc_ptx_operand operands[KC_PTX_OPERANDS];
  unsigned operand_count;
} kc_ptx_instruction;

typedef struct kc_ptx_register {
  char name[KC_PTX_NAME], type[8];
} kc_ptx_register;

typedef struct kc_ptx_text {
  kc_ptx_instruction *instructions;
  size_t instruction_count;
  kc_ptx_register *registers;
  size_t register_count;
  char problem[160]; /* what it is that is not understood; "": all is */
} kc_ptx_text;

/* Takes the text apart; `problem` is set where that fails. */
kc_ptx_text *kc_ptx_read(const char *text);

/* Whether the part is among the instruction's modifiers ("volatile"). */
bool kc_ptx_has(const kc_ptx_instruction *instruction, const char *part);

#endif
