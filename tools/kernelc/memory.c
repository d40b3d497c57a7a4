/* SPDX-License-Identifier: MIT */
/*
 * memory - see memory.h.
 *
 * A pointer in memory is a number, of 64 bits, that the host knows: __vptr_pointer() and __vptr_bits() translate where
 * one is loaded and stored. So a copy of bytes copies pointers, too. Those that lead elsewhere are numbers already
 * where they are loaded (mixed.h).
 */
#include "memory.h"

#include <string.h>

#include "cast.h"
#include "locked.h"
#include "name.h"
#include "passed.h"
#include "stream.h"
#include "type.h"
#include "value.h"

/* ---- one leaf -------------------------------------------------------------------------------------------- */

static bool is_own(LLVMValueRef pointer) {
  unsigned space = kc_space_of(pointer);
  return space == KC_SHARED || space == KC_PRIVATE;
}

void kc_byte_at(kc_writer *writer, LLVMValueRef pointer, unsigned long long offset) {
  const bool is_looked_for = writer->finds_buffers && !is_own(pointer) && kc_space_of(pointer) != KC_CONSTANT;
  const bool is_known = is_looked_for && kc_stream_knows(writer, pointer);
  if (is_looked_for)
    kc_print(writer, is_known ? "(" : "__vptr_reach(");
  if (offset > 0)
    kc_print(writer, "(");
  kc_value(writer, pointer, 0);
  if (offset > 0)
    kc_print(writer, " + %llu)", offset);
  if (is_known)
    kc_stream_add(writer, pointer);
  if (is_looked_for)
    kc_print(writer, ")");
}

/* What puts bytes together finds each. */
static void print_bytes(kc_writer *writer, LLVMValueRef pointer, unsigned long long offset) {
  const bool reaches = writer->finds_buffers;
  writer->finds_buffers = false;
  kc_byte_at(writer, pointer, offset);
  writer->finds_buffers = reaches;
}

/* How a leaf lies in memory. */
static const char *stored_name(kc_writer *writer, LLVMTypeRef leaf) {
  if (kc_is_pointer(leaf))
    return "u64";
  if (kc_is_integer(leaf) && kc_width(leaf) == 1)
    return "u8";
  return kc_type_name(writer, leaf);
}

/* The largest power of two that divides the alignment and the offset. LLVM's largest, 2^32, comes as 0. */
static unsigned alignment_at(unsigned alignment, unsigned long long offset) {
  if (alignment == 0)
    alignment = 1u << 31;
  while (alignment > 1 && offset % alignment != 0)
    alignment /= 2;
  return alignment;
}

/* Three, five, six and seven bytes are put together, wherever they lie. */
static bool is_aligned(kc_writer *writer, LLVMTypeRef leaf, unsigned alignment, unsigned long long offset) {
  unsigned long long size = LLVMStoreSizeOfType(writer->data, leaf);
  return alignment_at(alignment, offset) >= size && (size & (size - 1)) == 0;
}

static unsigned bits_of(kc_writer *writer, LLVMTypeRef leaf) {
  return (unsigned)LLVMStoreSizeOfType(writer->data, leaf) * 8;
}

/* vptr_load64() puts bytes together. */
static void print_load(kc_writer *writer, LLVMValueRef load, LLVMTypeRef leaf, unsigned long long offset) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, bits_of(writer, leaf));
  bool is_whole = is_aligned(writer, leaf, LLVMGetAlignment(load), offset);
  if (kc_is_pointer(leaf))
    kc_print(writer, "__vptr_pointer(");
  if (is_whole) {
    kc_print(writer, "*(%s%s *)", LLVMGetVolatile(load) ? "volatile " : "", stored_name(writer, leaf));
    kc_byte_at(writer, pointer, offset);
  } else {
    if (kc_is_floating(leaf))
      kc_cast_bits_begin(writer, bits, leaf);
    kc_print(writer, "vptr_load%u(", bits_of(writer, leaf));
    print_bytes(writer, pointer, offset);
    kc_print(writer, ")");
    if (kc_is_floating(leaf))
      kc_cast_bits_end(writer, bits, leaf);
  }
  if (kc_is_pointer(leaf))
    kc_print(writer, ")");
}

static void fence_if_ordered(kc_writer *writer, LLVMValueRef access) {
  LLVMAtomicOrdering ordering = LLVMGetOrdering(access);
  if (ordering > LLVMAtomicOrderingMonotonic)
    kc_print(writer, "__threadfence(); ");
}

void kc_load(kc_writer *writer, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  unsigned count = kc_locked_load(writer, load) ? 0 : kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef leaf = kc_leaf_type(writer, type, i);
    unsigned long long offset = kc_leaf_offset(writer, type, i);
    kc_print(writer, count == 1 ? "%s = " : "%s_%u = ", kc_name_of(load), i);
    if (!kc_passed_load(writer, load, leaf, offset))
      print_load(writer, load, leaf, offset);
    kc_print(writer, "; ");
  }
  fence_if_ordered(writer, load);
}

/* ---- stores ---------------------------------------------------------------------------------------------- */

static void print_bits_of(kc_writer *writer, LLVMValueRef store, LLVMTypeRef leaf, unsigned which) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!kc_is_pointer(leaf)) {
    kc_value(writer, value, which);
    return;
  }
  if (is_own(value) && !is_own(LLVMGetOperand(store, 1)))
    kc_refuse(writer,
              "a pointer to shared memory or to a variable of the thread is stored in global memory, where it "
              "would mean nothing to others: store an index");
  kc_cast_pointer_bits(writer, value, which);
}

static void print_store(kc_writer *writer, LLVMValueRef store, LLVMTypeRef leaf, unsigned which,
                        unsigned long long offset) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, bits_of(writer, leaf));
  if (is_aligned(writer, leaf, LLVMGetAlignment(store), offset)) {
    kc_print(writer, "*(%s%s *)", LLVMGetVolatile(store) ? "volatile " : "", stored_name(writer, leaf));
    kc_byte_at(writer, pointer, offset);
    kc_print(writer, " = ");
    print_bits_of(writer, store, leaf, which);
    kc_print(writer, "; ");
    return;
  }
  kc_print(writer, "vptr_store%u(", bits_of(writer, leaf));
  print_bytes(writer, pointer, offset);
  kc_print(writer, ", ");
  if (kc_is_floating(leaf))
    kc_cast_bits_begin(writer, leaf, bits);
  print_bits_of(writer, store, leaf, which);
  if (kc_is_floating(leaf))
    kc_cast_bits_end(writer, leaf, bits);
  kc_print(writer, "); ");
}

void kc_store(kc_writer *writer, LLVMValueRef store) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  fence_if_ordered(writer, store);
  unsigned count = kc_locked_store(writer, store) ? 0 : kc_leaf_count(writer, type);
  for (unsigned i = 0; i < count; i++)
    print_store(writer, store, kc_leaf_type(writer, type, i), i, kc_leaf_offset(writer, type, i));
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 16 };

/* Of a pointer argument of a call: its align(n), at least 1. */
static unsigned argument_alignment(LLVMValueRef call, unsigned argument) {
  LLVMAttributeRef attribute =
      LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName("align", 5));
  uint64_t alignment = attribute != NULL ? LLVMGetEnumAttributeValue(attribute) : 1;
  return alignment > 8 ? 8 : (unsigned)alignment; /* up to 2^32, of a null pointer */
}

/* Few words are copied one by one, all loaded before the first is stored: places may overlap, and it is what the
 * driver's compiler sees through. */
static bool copy_words(kc_writer *writer, LLVMValueRef call) {
  LLVMValueRef size = LLVMGetOperand(call, 2);
  if (LLVMIsAConstantInt(size) == NULL || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0)
    return false;
  unsigned to = argument_alignment(call, 0), from = argument_alignment(call, 1);
  unsigned word = to < from ? to : from;
  unsigned long long bytes = LLVMConstIntGetZExtValue(size);
  while (word > 1 && bytes % word != 0)
    word /= 2;
  if (bytes / word > MOST_WORDS)
    return false;
  kc_print(writer, "{ ");
  for (unsigned long long i = 0; i < bytes / word; i++) {
    kc_print(writer, "u%u w%llu = *(u%u *)", word * 8, i, word * 8);
    kc_byte_at(writer, LLVMGetOperand(call, 1), i * word);
    kc_print(writer, "; ");
  }
  for (unsigned long long i = 0; i < bytes / word; i++) {
    kc_print(writer, "*(u%u *)", word * 8);
    kc_byte_at(writer, LLVMGetOperand(call, 0), i * word);
    kc_print(writer, " = w%llu; ", i);
  }
  kc_print(writer, "} ");
  return true;
}

static void call_with_three(kc_writer *writer, const char *name, LLVMValueRef call) {
  kc_print(writer, "%s(", name);
  for (unsigned i = 0; i < 3; i++) {
    kc_print(writer, i > 0 ? ", " : "");
    kc_value(writer, LLVMGetOperand(call, i), 0);
  }
  kc_print(writer, "); ");
}

void kc_copy(kc_writer *writer, LLVMValueRef call) {
  if (!copy_words(writer, call))
    call_with_three(writer, writer->finds_buffers ? "vptr_move" : "memmove", call);
}

void kc_set(kc_writer *writer, LLVMValueRef call) {
  call_with_three(writer, writer->finds_buffers ? "vptr_set" : "memset", call);
}
