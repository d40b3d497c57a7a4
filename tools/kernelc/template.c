/* SPDX-License-Identifier: MIT */
/* template - see template.h. */
#include "template.h"

#include <ctype.h>
#include <stdlib.h>

#include "cast.h"
#include "memory.h"
#include "type.h"
#include "value.h"

static LLVMTypeRef result_leaf(kc_writer *writer, LLVMValueRef call) {
  return kc_leaf_type(writer, LLVMTypeOf(call), 0);
}

static LLVMValueRef operand_of(kc_writer *writer, LLVMValueRef call, const char *digits, unsigned first, char **end) {
  unsigned long number = strtoul(digits, end, 10);
  if (number < first || number - first >= LLVMGetNumArgOperands(call))
    kc_refuse(writer, "a call has fewer operands than it must");
  return LLVMGetOperand(call, (unsigned)(number - first));
}

static void print_bits(kc_writer *writer, LLVMValueRef operand) {
  LLVMTypeRef type = LLVMTypeOf(operand);
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, (unsigned)kc_size(writer, type) * 8);
  kc_print(writer, "((u64)");
  if (kc_is_floating(type))
    kc_cast_bits_begin(writer, type, bits);
  kc_value(writer, operand, 0);
  if (kc_is_floating(type))
    kc_cast_bits_end(writer, type, bits);
  kc_print(writer, ")");
}

/* What is cast to a pointer is where the function called leaves something. */
static void print_operand(kc_writer *writer, LLVMValueRef operand, bool is_cast) {
  if (is_cast && kc_is_pointer(LLVMTypeOf(operand)))
    kc_byte_at(writer, operand, 0);
  else
    kc_value(writer, operand, 0);
}

void kc_template(kc_writer *writer, const char *text, LLVMValueRef call, unsigned first) {
  const char *begin = text;
  while (*text != 0) {
    char *end = NULL;
    if (*text != '%' || text[1] == '%') {
      kc_print(writer, "%c", *text);
      text += *text == '%' ? 2 : 1;
    } else if (text[1] == 'T') {
      kc_print(writer, "%s", kc_type_name(writer, result_leaf(writer, call)));
      text += 2;
    } else if (text[1] == 'B') {
      kc_print(writer, "%u", (unsigned)kc_size(writer, result_leaf(writer, call)) * 8);
      text += 2;
    } else if (text[1] == 'W') {
      kc_print(writer, "%u", kc_width(result_leaf(writer, call)));
      text += 2;
    } else if (isdigit((unsigned char)text[1])) {
      const bool is_cast = text - begin >= 2 && text[-1] == ')' && text[-2] == '*';
      print_operand(writer, operand_of(writer, call, text + 1, first, &end), is_cast);
      text = end;
    } else {
      LLVMValueRef operand = operand_of(writer, call, text + 2, first, &end);
      if (text[1] == 's')
        kc_signed_value(writer, operand, 0);
      else
        print_bits(writer, operand);
      text = end;
    }
  }
}
