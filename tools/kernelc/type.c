/* SPDX-License-Identifier: MIT */
/* type - see type.h. */
#include "type.h"

#include <string.h>

bool kc_is_integer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

bool kc_is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

bool kc_is_floating(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

unsigned kc_width(LLVMTypeRef integer) {
  return LLVMGetIntTypeWidth(integer);
}

unsigned long long kc_size(kc_writer *writer, LLVMTypeRef type) {
  return LLVMABISizeOfType(writer->data, type);
}

/* ---- leaves ---------------------------------------------------------------------------------------------- */

enum { MOST_LEAVES = 4096 };

/* An integer of 128 bits is two of 64. */
static bool is_leaf(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind &&
         !(kc_is_integer(type) && kc_width(type) == 128);
}

/* How many members a type has, 0 for a leaf. */
static unsigned member_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type);
  case LLVMIntegerTypeKind:
    return is_leaf(type) ? 0 : 2;
  default:
    return 0;
  }
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned member) {
  if (kc_is_integer(type))
    return LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, member)
                                                     : LLVMGetElementType(type);
}

static unsigned long long member_offset(kc_writer *writer, LLVMTypeRef type, unsigned member) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return LLVMOffsetOfElement(writer->data, type, member);
  if (kc_is_integer(type))
    return member * 8;
  LLVMTypeRef element = LLVMGetElementType(type);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return member * (is_vector ? LLVMStoreSizeOfType(writer->data, element) : kc_size(writer, element));
}

unsigned kc_leaf_count(kc_writer *writer, LLVMTypeRef type) {
  if (is_leaf(type))
    return 1;
  unsigned count = 0, members = member_count(type);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && !is_leaf(LLVMGetElementType(type)))
    kc_refuse(writer, "a vector of integers of 128 bits: use an array");
  for (unsigned i = 0; i < members && count <= MOST_LEAVES; i++)
    count += kc_leaf_count(writer, member_type(type, i));
  if (count > MOST_LEAVES)
    kc_refuse(writer, "a value of more than %d members: pass it by a pointer", MOST_LEAVES);
  return count;
}

LLVMTypeRef kc_leaf_type(kc_writer *writer, LLVMTypeRef type, unsigned leaf) {
  if (is_leaf(type))
    return type;
  for (unsigned i = 0; i < member_count(type); i++) {
    unsigned count = kc_leaf_count(writer, member_type(type, i));
    if (leaf < count)
      return kc_leaf_type(writer, member_type(type, i), leaf);
    leaf -= count;
  }
  kc_refuse(writer, "a value has fewer members than are asked for");
}

unsigned long long kc_leaf_offset(kc_writer *writer, LLVMTypeRef type, unsigned leaf) {
  if (is_leaf(type))
    return 0;
  for (unsigned i = 0; i < member_count(type); i++) {
    unsigned count = kc_leaf_count(writer, member_type(type, i));
    if (leaf < count)
      return member_offset(writer, type, i) + kc_leaf_offset(writer, member_type(type, i), leaf);
    leaf -= count;
  }
  kc_refuse(writer, "a value has fewer members than are asked for");
}

/* ---- names ----------------------------------------------------------------------------------------------- */

unsigned kc_storage_bits(LLVMTypeRef integer) {
  unsigned width = kc_width(integer);
  return width == 1 ? 32 : width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

static const char *integer_name(kc_writer *writer, LLVMTypeRef type) {
  if (kc_width(type) > 64)
    kc_refuse(writer, "integers of %u bits are not supported in kernels: use one of 128, or of 64 and fewer",
              kc_width(type));
  switch (kc_storage_bits(type)) {
  case 8:
    return "u8";
  case 16:
    return "u16";
  case 32:
    return "u32";
  default:
    return "u64";
  }
}

const char *kc_signed_name(kc_writer *writer, LLVMTypeRef type) {
  (void)writer;
  switch (kc_storage_bits(type)) {
  case 8:
    return "signed char";
  case 16:
    return "short";
  case 32:
    return "int";
  default:
    return "long long";
  }
}

const char *kc_type_name(kc_writer *writer, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return integer_name(writer, type);
  case LLVMFloatTypeKind:
    return "float";
  case LLVMDoubleTypeKind:
    return "double";
  case LLVMPointerTypeKind:
    return "char *";
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    kc_refuse(writer, "_Float16 and __bf16 are not supported in kernels: use __half of cuda_fp16.h, or float");
  default:
    kc_refuse(writer, "a value of a kind (%d of LLVM's) that kernels cannot have", (int)LLVMGetTypeKind(type));
  }
}

unsigned long long kc_array_bytes(kc_writer *writer, LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  if (LLVMIsAConstantInt(count) == NULL)
    kc_refuse(writer, "an array whose size is known at run time only, of the thread's own: give it a constant size");
  unsigned long long bytes = kc_size(writer, LLVMGetAllocatedType(variable)) * LLVMConstIntGetZExtValue(count);
  return bytes > 0 ? bytes : 1;
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

static LLVMAttributeRef attribute_of(LLVMValueRef function, unsigned index, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, index, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

LLVMTypeRef kc_passed_type(LLVMValueRef function, unsigned parameter) {
  LLVMAttributeRef attribute = attribute_of(function, parameter + 1, "byval");
  return attribute != NULL ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

unsigned long long kc_attribute(LLVMValueRef function, unsigned index, const char *name) {
  LLVMAttributeRef attribute = attribute_of(function, index, name);
  return attribute != NULL ? LLVMGetEnumAttributeValue(attribute) : 0;
}
