/* SPDX-License-Identifier: MIT */
/*
 * stream - see stream.h.
 *
 * All is calculated in 64 bits. A value of 32 is what it is at the first thread, and grows by a number that is taken
 * for signed: both are exact modulo 2^32. Where it is widened it must not wrap within the block, which is asked then:
 * from there on both are exact.
 */
#include "stream.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

#include "graph.h"
#include "indirect.h"
#include "name.h"
#include "passed.h"
#include "stop.h"
#include "type.h"
#include "value.h"

enum { AXES = 3, MOST_VALUES = 256, MOST_ACCESSES = 16, MOST_DEPTH = 40, UNKNOWN = -1 };

/* As many bytes as kc_byte_at() is asked for behind a pointer without a load or store that tells. */
enum { LEAST_BYTES = 128 };

/* vptr_sN is the value at the block's first thread, vptr_gN_A by how much it grows along an axis. */
typedef struct even {
  LLVMValueRef value;
  unsigned width;
  bool grows[AXES];
} even;

typedef struct place {
  LLVMValueRef pointer;
  unsigned long long bytes; /* that are accessed there */
} place;

struct kc_stream {
  even values[MOST_VALUES];
  int count;
  place places[MOST_ACCESSES];
  int place_count;
};

static int number_of(kc_writer *writer, LLVMValueRef value, int depth);

/* ---- values ---------------------------------------------------------------------------------------------- */

static unsigned width_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return kc_is_pointer(type) ? 64 : kc_is_integer(type) ? kc_width(type) : 0;
}

/* The caller writes what follows: the text is a declaration so far. */
static int begin_value(kc_writer *writer, LLVMValueRef value) {
  struct kc_stream *stream = writer->stream;
  stream->values[stream->count] = (even){ .value = value, .width = width_of(value) };
  kc_print(writer, "u64 vptr_s%d = ", stream->count);
  return stream->count++;
}

static const char *narrowed(const kc_writer *writer, int number) {
  return writer->stream->values[number].width == 32 ? "(u64)(u32)" : "";
}

static const char *sign_extended(const kc_writer *writer, int number) {
  return writer->stream->values[number].width == 32 ? "(long long)(int)" : "";
}

static void print_growth(kc_writer *writer, int number, int axis) {
  if (writer->stream->values[number].grows[axis])
    kc_print(writer, "vptr_g%d_%d", number, axis);
  else
    kc_print(writer, "0ll");
}

/* By so much it is less than at the first thread, or more. */
static void print_span(kc_writer *writer, int number, bool is_most) {
  static const char *const sizes[AXES] = { "blockDim.x", "blockDim.y", "blockDim.z" };
  const char *separator = "";
  kc_print(writer, "(");
  for (int axis = 0; axis < AXES; axis++)
    if (writer->stream->values[number].grows[axis]) {
      kc_print(writer, "%s(vptr_g%d_%d %s 0ll ? vptr_g%d_%d * (long long)(%s - 1u) : 0ll)", separator, number, axis,
               is_most ? ">" : "<", number, axis, sizes[axis]);
      separator = " + ";
    }
  kc_print(writer, *separator == 0 ? "0ll)" : ")");
}

static bool grows(const kc_writer *writer, int number) {
  const even *even = &writer->stream->values[number];
  return even->grows[0] || even->grows[1] || even->grows[2];
}

/* ---- where they begin ------------------------------------------------------------------------------------ */

static int of_thread(kc_writer *writer, LLVMValueRef call, int axis) {
  int number = begin_value(writer, call);
  kc_print(writer, "0ull; long long vptr_g%d_%d = 1ll;\n", number, axis);
  writer->stream->values[number].grows[axis] = true;
  return number;
}

static int of_call(kc_writer *writer, LLVMValueRef call) {
  static const struct {
    const char *name, *text;
  } rows[] = { { "ntid.", "blockDim" }, { "ctaid.", "blockIdx" }, { "nctaid.", "gridDim" } };
  static const char special[] = "llvm.nvvm.read.ptx.sreg.";
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  if (!kc_starts(name, special))
    return UNKNOWN;
  name += strlen(special);
  const char axis = name[strlen(name) - 1];
  if (axis < 'x' || axis > 'z')
    return UNKNOWN;
  if (kc_starts(name, "tid.") && strlen(name) == strlen("tid.x"))
    return of_thread(writer, call, axis - 'x');
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (kc_starts(name, rows[i].name) && strlen(name) == strlen(rows[i].name) + 1) {
      int number = begin_value(writer, call);
      kc_print(writer, "(u64)%s.%c;\n", rows[i].text, axis);
      return number;
    }
  return UNKNOWN;
}

/* A parameter, a variable of the module, or a constant. */
static int of_leaf(kc_writer *writer, LLVMValueRef value) {
  bool is_pointer = kc_is_pointer(LLVMTypeOf(value));
  if (LLVMIsAUndefValue(value) != NULL || (is_pointer && kc_indirect_is_number(value)))
    return UNKNOWN;
  for (unsigned i = 0; i < LLVMCountParams(writer->kernel->function); i++)
    if (LLVMGetParam(writer->kernel->function, i) == value && kc_passed_type(writer->kernel->function, i) != NULL)
      return UNKNOWN;
  int number = begin_value(writer, value);
  kc_print(writer, is_pointer ? "__vptr_number(" : "(u64)(");
  kc_value(writer, value, 0);
  kc_print(writer, ");\n");
  return number;
}

/* A member of a struct by value never changes. */
static int of_load(kc_writer *writer, LLVMValueRef load) {
  LLVMValueRef function = writer->kernel->function;
  if (LLVMGetVolatile(load) || !kc_passed_is_path(writer, function, LLVMGetOperand(load, 0)))
    return UNKNOWN;
  int number = begin_value(writer, load);
  kc_print(writer, kc_is_pointer(LLVMTypeOf(load)) ? "__vptr_number(" : "(u64)(");
  kc_passed_load(writer, load, LLVMTypeOf(load), 0);
  kc_print(writer, ");\n");
  return number;
}

/* ---- sums and products ----------------------------------------------------------------------------------- */

static int of_sum(kc_writer *writer, LLVMValueRef value, int left, int right, char sign) {
  int number = begin_value(writer, value);
  even *even = &writer->stream->values[number];
  kc_print(writer, "%s(vptr_s%d %c vptr_s%d);", narrowed(writer, number), left, sign, right);
  for (int axis = 0; axis < AXES; axis++) {
    if (!writer->stream->values[left].grows[axis] && !writer->stream->values[right].grows[axis])
      continue;
    even->grows[axis] = true;
    kc_print(writer, " long long vptr_g%d_%d = %s(", number, axis, sign_extended(writer, number));
    print_growth(writer, left, axis);
    kc_print(writer, " %c ", sign);
    print_growth(writer, right, axis);
    kc_print(writer, ");");
  }
  kc_print(writer, "\n");
  return number;
}

/* `by` is the same for all threads. */
static int of_product(kc_writer *writer, LLVMValueRef value, int of, int by, const char *operation) {
  int number = begin_value(writer, value);
  even *even = &writer->stream->values[number];
  kc_print(writer, "%s(vptr_s%d %s vptr_s%d);", narrowed(writer, number), of, operation, by);
  for (int axis = 0; axis < AXES; axis++) {
    if (!writer->stream->values[of].grows[axis])
      continue;
    even->grows[axis] = true;
    kc_print(writer, " long long vptr_g%d_%d = %s(long long)((u64)vptr_g%d_%d %s vptr_s%d);", number, axis,
             sign_extended(writer, number), of, axis, operation, by);
  }
  kc_print(writer, "\n");
  return number;
}

/* A bit is asked of what is the same for all. */
static int of_bits(kc_writer *writer, LLVMValueRef value, int left, int right, const char *operation) {
  if (grows(writer, left) || grows(writer, right))
    return UNKNOWN;
  return of_product(writer, value, left, right, operation);
}

static bool is_shift_within(LLVMValueRef instruction) {
  LLVMValueRef by = LLVMGetOperand(instruction, 1);
  return LLVMIsAConstantInt(by) != NULL && LLVMConstIntGetZExtValue(by) < width_of(instruction);
}

static int of_operation(kc_writer *writer, LLVMValueRef instruction, int depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  int left = number_of(writer, LLVMGetOperand(instruction, 0), depth);
  int right = left == UNKNOWN ? UNKNOWN : number_of(writer, LLVMGetOperand(instruction, 1), depth);
  if (right == UNKNOWN)
    return UNKNOWN;
  switch (opcode) {
  case LLVMAdd:
    return of_sum(writer, instruction, left, right, '+');
  case LLVMSub:
    return of_sum(writer, instruction, left, right, '-');
  case LLVMMul:
    if (!grows(writer, right))
      return of_product(writer, instruction, left, right, "*");
    return grows(writer, left) ? UNKNOWN : of_product(writer, instruction, right, left, "*");
  case LLVMShl:
    return is_shift_within(instruction) ? of_product(writer, instruction, left, right, "<<") : UNKNOWN;
  case LLVMLShr:
    return is_shift_within(instruction) ? of_bits(writer, instruction, left, right, ">>") : UNKNOWN;
  case LLVMAnd:
    return of_bits(writer, instruction, left, right, "&");
  case LLVMXor: /* ~x is -1 - x */
    if (LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) != NULL &&
        LLVMConstIntGetSExtValue(LLVMGetOperand(instruction, 1)) == -1)
      return of_sum(writer, instruction, right, left, '-');
    return of_bits(writer, instruction, left, right, "^");
  case LLVMOr:
#if LLVM_VERSION_MAJOR >= 18
    if (LLVMGetIsDisjoint(instruction))
      return of_sum(writer, instruction, left, right, '+');
#endif
    return of_bits(writer, instruction, left, right, "|");
  default:
    return UNKNOWN;
  }
}

/* ---- widths ---------------------------------------------------------------------------------------------- */

/* vptr_is_even is false from now on if the value wraps within the block. */
static void ask_for_wraps(kc_writer *writer, int number, bool is_signed) {
  const char *first = is_signed ? "(long long)(int)vptr_s" : "(long long)vptr_s";
  kc_print(writer, "vptr_is_even &= (u32)(%s%d + ", first, number);
  print_span(writer, number, false);
  kc_print(writer, " >= %s) & (u32)(%s%d + ", is_signed ? "-0x80000000ll" : "0ll", first, number);
  print_span(writer, number, true);
  kc_print(writer, " <= %s);\n", is_signed ? "0x7fffffffll" : "0xffffffffll");
}

static int of_other_width(kc_writer *writer, LLVMValueRef instruction, int from) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode != LLVMTrunc && grows(writer, from))
    ask_for_wraps(writer, from, opcode == LLVMSExt);
  int number = begin_value(writer, instruction);
  even *even = &writer->stream->values[number];
  kc_print(writer, "%svptr_s%d;", opcode == LLVMSExt ? "(u64)(long long)(int)" : narrowed(writer, number), from);
  for (int axis = 0; axis < AXES; axis++)
    if (writer->stream->values[from].grows[axis]) {
      even->grows[axis] = true;
      kc_print(writer, " long long vptr_g%d_%d = %svptr_g%d_%d;", number, axis, sign_extended(writer, number), from,
               axis);
    }
  kc_print(writer, "\n");
  return number;
}

/* ---- addresses ------------------------------------------------------------------------------------------- */

/* The same pointer, so many bytes on. */
static int add_bytes(kc_writer *writer, LLVMValueRef pointer, int to, int index, unsigned long long size) {
  struct kc_stream *stream = writer->stream;
  if (stream->count + 3 > MOST_VALUES)
    return UNKNOWN;
  int unit = begin_value(writer, pointer);
  kc_print(writer, "%lluull;\n", size);
  return of_sum(writer, pointer, to, of_product(writer, pointer, index, unit, "*"), '+');
}

static int add_constant(kc_writer *writer, LLVMValueRef pointer, int to, unsigned long long bytes) {
  if (writer->stream->count + 2 > MOST_VALUES)
    return UNKNOWN;
  int number = begin_value(writer, pointer);
  kc_print(writer, "%lluull;\n", bytes);
  return of_sum(writer, pointer, to, number, '+');
}

static int of_path(kc_writer *writer, LLVMValueRef pointer, int depth) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  int at = number_of(writer, LLVMGetOperand(pointer, 0), depth);
  for (int i = 1; at != UNKNOWN && i < LLVMGetNumOperands(pointer); i++) {
    LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      at = add_constant(writer, pointer, at, LLVMOffsetOfElement(writer->data, type, member));
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    if (LLVMIsAConstantInt(index) != NULL) {
      at = add_constant(writer, pointer, at,
                        (unsigned long long)LLVMConstIntGetSExtValue(index) * kc_size(writer, type));
      continue;
    }
    int number = width_of(index) == 64 ? number_of(writer, index, depth) : UNKNOWN;
    at = number == UNKNOWN ? UNKNOWN : add_bytes(writer, pointer, at, number, kc_size(writer, type));
  }
  return at;
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static int of_instruction(kc_writer *writer, LLVMValueRef instruction, int depth) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMCall:
    return of_call(writer, instruction);
  case LLVMLoad:
    return of_load(writer, instruction);
  case LLVMGetElementPtr:
    return of_path(writer, instruction, depth);
  case LLVMAddrSpaceCast:
    return number_of(writer, LLVMGetOperand(instruction, 0), depth);
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc: {
    int from = number_of(writer, LLVMGetOperand(instruction, 0), depth);
    return from == UNKNOWN ? UNKNOWN : of_other_width(writer, instruction, from);
  }
  default:
    return LLVMIsABinaryOperator(instruction) != NULL ? of_operation(writer, instruction, depth) : UNKNOWN;
  }
}

/* Of a pointer, the last one is the whole of it. */
static int known(const struct kc_stream *stream, LLVMValueRef value) {
  int number = stream->count - 1;
  while (number >= 0 && stream->values[number].value != value)
    number--;
  return number;
}

static int number_of(kc_writer *writer, LLVMValueRef value, int depth) {
  unsigned width = width_of(value);
  int number = known(writer->stream, value);
  if (number >= 0)
    return number;
  if ((width != 32 && width != 64) || depth >= MOST_DEPTH || writer->stream->count + 4 > MOST_VALUES)
    return UNKNOWN;
  return LLVMIsAInstruction(value) != NULL ? of_instruction(writer, value, depth + 1) : of_leaf(writer, value);
}

/* ---- accesses -------------------------------------------------------------------------------------------- */

static bool is_elsewhere(LLVMValueRef pointer) {
  unsigned space = kc_space_of(pointer);
  return space == KC_SHARED || space == KC_PRIVATE || space == KC_CONSTANT;
}

/* What the instruction accesses by itself; NULL: it does not. */
static LLVMValueRef accessed_by(LLVMValueRef instruction, LLVMTypeRef *type_out) {
  *type_out = LLVMTypeOf(instruction);
  if (LLVMIsALoadInst(instruction) != NULL)
    return LLVMGetOperand(instruction, 0);
  if (LLVMIsAAtomicRMWInst(instruction) != NULL || LLVMIsAAtomicCmpXchgInst(instruction) != NULL)
    return LLVMGetOperand(instruction, 0);
  if (LLVMIsAStoreInst(instruction) == NULL)
    return NULL;
  *type_out = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  return LLVMGetOperand(instruction, 1);
}

/* False: there are too many. */
static bool note_place(struct kc_stream *stream, LLVMValueRef pointer, unsigned long long bytes) {
  int i = 0;
  while (i < stream->place_count && stream->places[i].pointer != pointer)
    i++;
  if (i == MOST_ACCESSES)
    return false;
  if (i == stream->place_count)
    stream->places[stream->place_count++] = (place){ .pointer = pointer, .bytes = LEAST_BYTES };
  if (bytes > stream->places[i].bytes)
    stream->places[i].bytes = bytes;
  return true;
}

/* A barrier would be in both texts, under a condition. */
static bool collect_places(kc_writer *writer) {
  for (int i = 0; i < writer->graph->count; i++) {
    if (writer->graph->blocks[i].is_header)
      return false;
    for (LLVMValueRef each = LLVMGetFirstInstruction(writer->graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each)) {
      LLVMTypeRef type = NULL;
      LLVMValueRef pointer = accessed_by(each, &type);
      if (kc_stop_of(each).operation != NULL ||
          (pointer != NULL && !is_elsewhere(pointer) && !note_place(writer->stream, pointer, kc_size(writer, type))))
        return false;
    }
  }
  return writer->stream->place_count > 0;
}

/* Where it lies, by its least address and its greatest. Growth that is out of all proportion would wrap. */
static void find_place(kc_writer *writer, int which, int number) {
  const even *even = &writer->stream->values[number];
  for (int axis = 0; axis < AXES; axis++)
    if (even->grows[axis])
      kc_print(writer, "vptr_is_even &= (u32)((u64)vptr_g%d_%d + (1ull << 40) <= 1ull << 41);\n", number, axis);
  kc_print(writer, "u64 vptr_d%d = __vptr_stream(vptr_s%d + (u64)", which, number);
  print_span(writer, number, false);
  kc_print(writer, ", vptr_s%d + (u64)", number);
  print_span(writer, number, true);
  kc_print(writer, " + %lluull, (int)vptr_is_even);\n", writer->stream->places[which].bytes - 1);
}

static bool find_places(kc_writer *writer) {
  kc_print(writer, "u32 vptr_is_even = 1u;\n");
  for (int i = 0; i < writer->stream->place_count; i++) {
    int number = number_of(writer, writer->stream->places[i].pointer, 0);
    if (number == UNKNOWN)
      return false;
    find_place(writer, i, number);
  }
  return true;
}

bool kc_stream_begin(kc_writer *writer, LLVMValueRef function) {
  kc_text text;
  (void)function;
  writer->stream = kc_allocate(1, sizeof *writer->stream);
  if (!collect_places(writer)) {
    writer->stream = NULL;
    return false;
  }
  kc_begin(writer, &text);
  bool is_even = find_places(writer);
  kc_end(writer, &text);
  if (!is_even) {
    writer->stream = NULL;
    return false;
  }
  kc_print(writer, "%sif (", text.text);
  for (int i = 0; i < writer->stream->place_count; i++)
    kc_print(writer, "%s(vptr_d%d != ~0ull)", i > 0 ? " & " : "", i);
  kc_print(writer, ") {\n");
  return true;
}

static int place_of(const kc_writer *writer, LLVMValueRef pointer) {
  int i = writer->stream != NULL ? writer->stream->place_count - 1 : UNKNOWN;
  while (i >= 0 && writer->stream->places[i].pointer != pointer)
    i--;
  return i;
}

bool kc_stream_knows(const kc_writer *writer, LLVMValueRef pointer) {
  return place_of(writer, pointer) != UNKNOWN;
}

void kc_stream_add(kc_writer *writer, LLVMValueRef pointer) {
  kc_print(writer, " + vptr_d%d", place_of(writer, pointer));
}

void kc_stream_else(kc_writer *writer) {
  writer->stream = NULL;
  kc_print(writer, "} else {\n");
}

void kc_stream_end(kc_writer *writer) {
  kc_print(writer, "}\n");
}
