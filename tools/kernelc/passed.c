/* SPDX-License-Identifier: MIT */
/* passed - see passed.h. */
#include "passed.h"

#include <string.h>

#include "name.h"
#include "type.h"
#include "value.h"

static const char *member_type_name(kc_writer *writer, LLVMTypeRef leaf) {
  return kc_is_integer(leaf) && kc_width(leaf) < 8 ? "u8" : kc_type_name(writer, leaf);
}

/* A leaf that is not where C would put it is bytes, and so are three bytes of bits, of which clang 16 makes one. */
static bool is_natural(kc_writer *writer, LLVMTypeRef leaf, unsigned long long offset) {
  if (kc_is_integer(leaf) && kc_width(leaf) > 8 && kc_width(leaf) != kc_storage_bits(leaf))
    return false;
  return offset % LLVMStoreSizeOfType(writer->data, leaf) == 0;
}

/* Whether the kernel loads what lies at an offset of the struct. All that is done with the pointer is loads. */
static bool is_loaded(kc_writer *writer, LLVMValueRef pointer, unsigned long long leaf_offset) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), base = NULL;
    unsigned long long offset = 0;
    if (LLVMIsALoadInst(user) == NULL) {
      if (is_loaded(writer, user, leaf_offset))
        return true;
    } else if (kc_constant_offset(writer, pointer, &base, &offset)) {
      unsigned count = kc_leaf_count(writer, LLVMTypeOf(user));
      for (unsigned i = 0; i < count; i++)
        if (offset + kc_leaf_offset(writer, LLVMTypeOf(user), i) == leaf_offset)
          return true;
    }
  }
  return false;
}

/* A launch finds what a member that is a pointer points to, and refuses what is no memory of the device. So a member is
 * a number where that would be wrong: in a struct that is copied, as all pointers in memory are, since LLVM has one
 * type for a union of a pointer and a number; and where the kernel does not load it, as a reference to an object of the
 * host. */
static void print_leaf(kc_writer *writer, LLVMTypeRef leaf, unsigned long long offset, bool is_number) {
  if (is_number && kc_is_pointer(leaf) && is_natural(writer, leaf, offset))
    kc_print(writer, " u64 f%llu;", offset);
  else if (is_natural(writer, leaf, offset))
    kc_print(writer, " %s f%llu;", member_type_name(writer, leaf), offset);
  else if (kc_is_pointer(leaf))
    kc_refuse(writer, "a struct passed by value has a pointer at byte %llu: pointers lie at multiples of 8", offset);
  else
    kc_print(writer, " u8 f%llu[%llu];", offset, LLVMStoreSizeOfType(writer->data, leaf));
}

void kc_passed_struct(kc_writer *writer, LLVMValueRef function, unsigned parameter) {
  LLVMTypeRef type = kc_passed_type(function, parameter);
  unsigned long long at = 0, size = kc_size(writer, type);
  unsigned count = kc_leaf_count(writer, type);
  bool is_copied = kc_passed_is_copied(writer, function, parameter);
  kc_print(writer, "struct __align__(%llu) vptr_%s_%u {", kc_attribute(function, parameter + 1, "align"),
           kc_name_of(function), parameter);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef leaf = kc_leaf_type(writer, type, i);
    unsigned long long offset = kc_leaf_offset(writer, type, i);
    if (offset > at)
      kc_print(writer, " u8 h%llu[%llu];", at, offset - at);
    print_leaf(writer, leaf, offset, is_copied || !is_loaded(writer, LLVMGetParam(function, parameter), offset));
    at = offset + LLVMStoreSizeOfType(writer->data, leaf);
  }
  if (size > at)
    kc_print(writer, " u8 h%llu[%llu];", at, size - at);
  kc_print(writer, " };\n");
}

/* ---- what is done with it -------------------------------------------------------------------------------- */

static bool find_leaf(kc_writer *writer, LLVMTypeRef type, unsigned long long offset, LLVMTypeRef *leaf_out) {
  unsigned count = kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++)
    if (kc_leaf_offset(writer, type, i) == offset) {
      *leaf_out = kc_leaf_type(writer, type, i);
      return is_natural(writer, *leaf_out, offset);
    }
  return false;
}

/* As a number of that many bits both are the same; a pointer is a pointer. */
static bool is_same_leaf(LLVMTypeRef one, LLVMTypeRef other) {
  if (LLVMGetTypeKind(one) != LLVMGetTypeKind(other))
    return false;
  return !kc_is_integer(one) || kc_width(one) == kc_width(other);
}

static bool is_member_load(kc_writer *writer, LLVMValueRef load, LLVMTypeRef passed, unsigned long long offset) {
  LLVMTypeRef type = LLVMTypeOf(load), found = NULL;
  unsigned count = kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++)
    if (!find_leaf(writer, passed, offset + kc_leaf_offset(writer, type, i), &found) ||
        !is_same_leaf(found, kc_leaf_type(writer, type, i)))
      return false;
  return true;
}

/* Whether all that the kernel does with the pointer is to load members of it. */
static bool has_only_loads(kc_writer *writer, LLVMValueRef pointer, LLVMTypeRef passed) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), base = NULL;
    unsigned long long offset = 0;
    if (LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAAddrSpaceCastInst(user) != NULL) {
      if (!has_only_loads(writer, user, passed))
        return false;
    } else if (LLVMIsALoadInst(user) == NULL || !kc_constant_offset(writer, pointer, &base, &offset) ||
               !is_member_load(writer, user, passed, offset)) {
      return false;
    }
  }
  return true;
}

bool kc_passed_is_copied(kc_writer *writer, LLVMValueRef function, unsigned parameter) {
  return kc_passed_type(function, parameter) != NULL &&
         !has_only_loads(writer, LLVMGetParam(function, parameter), kc_passed_type(function, parameter));
}

static void copy_leaf(kc_writer *writer, const char *name, LLVMTypeRef leaf, unsigned long long offset) {
  if (!is_natural(writer, leaf, offset)) {
    for (unsigned long long i = 0; i < LLVMStoreSizeOfType(writer->data, leaf); i++)
      kc_print(writer, "  c_%s[%llu] = %s.f%llu[%llu];\n", name, offset + i, name, offset, i);
    return;
  }
  const char *type = kc_is_pointer(leaf) ? "u64" : member_type_name(writer, leaf);
  kc_print(writer, "  *(%s *)(c_%s + %llu) = %s.f%llu;\n", type, name, offset, name, offset);
}

void kc_passed_copy(kc_writer *writer, LLVMValueRef function, unsigned parameter) {
  LLVMTypeRef type = kc_passed_type(function, parameter);
  const char *name = kc_name_of(LLVMGetParam(function, parameter));
  if (!kc_passed_is_copied(writer, function, parameter))
    return;
  unsigned count = kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++)
    copy_leaf(writer, name, kc_leaf_type(writer, type, i), kc_leaf_offset(writer, type, i));
}

bool kc_passed_is_path(kc_writer *writer, LLVMValueRef function, LLVMValueRef pointer) {
  if (LLVMIsAGetElementPtrInst(pointer) == NULL && LLVMIsAAddrSpaceCastInst(pointer) == NULL)
    return false;
  LLVMValueRef base = kc_base_of(pointer);
  for (unsigned i = 0; LLVMIsAArgument(base) != NULL && i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == base)
      return kc_passed_type(function, i) != NULL && !kc_passed_is_copied(writer, function, i);
  return false;
}

bool kc_passed_load(kc_writer *writer, LLVMValueRef load, LLVMTypeRef leaf, unsigned long long offset) {
  LLVMValueRef base = NULL, function = writer->kernel->function;
  unsigned long long at = 0;
  (void)leaf;
  if (!kc_constant_offset(writer, LLVMGetOperand(load, 0), &base, &at) || LLVMIsAArgument(base) == NULL)
    return false;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == base && kc_passed_type(function, i) != NULL &&
        !kc_passed_is_copied(writer, function, i)) {
      kc_print(writer, "%s.f%llu", kc_name_of(base), at + offset);
      return true;
    }
  return false;
}
