/* SPDX-License-Identifier: MIT */
/*
 * variable - see variable.h.
 *
 * A variable is bytes, aligned as LLVM has it. One with addresses of others in its initial value, as a table of strings
 * has, is a struct of bytes and pointers: the runtime writes addresses when it gives variables their memory.
 */
#include "variable.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "type.h"
#include "value.h"
#include "wide.h"

static unsigned space_of(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global));
}

static unsigned alignment_of(kc_writer *writer, LLVMValueRef global) {
  unsigned alignment = LLVMGetAlignment(global);
  return alignment > 0 ? alignment : LLVMABIAlignmentOfType(writer->data, LLVMGlobalGetValueType(global));
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static bool is_c_name(const char *name) {
  for (const char *c = name; *c != 0; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return false;
  return *name != 0 && !isdigit((unsigned char)*name);
}

void kc_variables_name(kc_writer *writer) {
  unsigned number = 0;
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each)) {
    size_t length = 0;
    char name[32];
    const char *now = LLVMGetValueName2(each, &length);
    if (is_c_name(now) || kc_starts(now, "llvm."))
      continue;
    int written = snprintf(name, sizeof name, "vptr_constant_%u", number++);
    LLVMSetValueName2(each, name, (size_t)written);
  }
}

/* ---- initial bytes --------------------------------------------------------------------------------------- */

typedef struct content {
  unsigned char *bytes;
  LLVMValueRef *addresses; /* by word of 8 bytes; NULL: there is none */
  bool has_addresses;
} content;

static void fill_content(kc_writer *writer, content *content, LLVMValueRef value, unsigned long long at);

static void fill_members(kc_writer *writer, content *content, LLVMValueRef value, unsigned long long at) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  for (unsigned i = 0;; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    if (element == NULL)
      return;
    unsigned long long offset =
        is_struct ? LLVMOffsetOfElement(writer->data, type, i) : i * kc_size(writer, LLVMTypeOf(element));
    fill_content(writer, content, element, at + offset);
  }
}

static void fill_number(kc_writer *writer, content *content, LLVMValueRef value, unsigned long long at) {
  unsigned long long size = LLVMStoreSizeOfType(writer->data, LLVMTypeOf(value)), number = 0;
  LLVMBool loses = 0;
  if (kc_is_wide(LLVMTypeOf(value))) {
    for (unsigned half = 0; half < 2; half++)
      fill_number(writer, content, kc_wide_half(writer, value, half), at + half * 8);
    return;
  }
  if (LLVMIsAConstantInt(value) != NULL) {
    if (size > 8)
      kc_refuse(writer, "a variable has an initial value of %llu bits", size * 8);
    number = LLVMConstIntGetZExtValue(value);
  } else {
    double real = LLVMConstRealGetDouble(value, &loses);
    float narrow = (float)real;
    if (size != 4 && size != 8)
      kc_refuse(writer, "a variable has an initial value of a type that kernels cannot have");
    memcpy(&number, size == 8 ? (void *)&real : (void *)&narrow, size);
  }
  memcpy(content->bytes + at, &number, size);
}

/* A function's number, in its address's place. */
static bool is_numbered(LLVMValueRef value) {
  return LLVMIsAConstantExpr(value) != NULL && LLVMGetConstOpcode(value) == LLVMIntToPtr &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 0)) != NULL;
}

/* An address as a number, whole. */
static bool is_address(LLVMValueRef value) {
  return LLVMIsAConstantExpr(value) != NULL && LLVMGetConstOpcode(value) == LLVMPtrToInt &&
         kc_width(LLVMTypeOf(value)) == 64;
}

static void fill_content(kc_writer *writer, content *content, LLVMValueRef value, unsigned long long at) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsPoison(value))
    return;
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    fill_members(writer, content, value, at);
  } else if (LLVMIsAConstantInt(value) != NULL || LLVMIsAConstantFP(value) != NULL) {
    fill_number(writer, content, value, at);
  } else if (is_numbered(value)) {
    fill_number(writer, content, LLVMGetOperand(value, 0), at);
  } else if ((kind == LLVMPointerTypeKind || is_address(value)) && at % 8 == 0) {
    content->addresses[at / 8] = kind == LLVMPointerTypeKind ? value : LLVMGetOperand(value, 0);
    content->has_addresses = true;
  } else {
    kc_refuse(writer, "variable %s has an initial value that is computed from addresses", "of the module");
  }
}

static content content_of(kc_writer *writer, LLVMValueRef global) {
  unsigned long long size = kc_size(writer, LLVMGlobalGetValueType(global));
  content content = { .bytes = kc_allocate((size_t)size + 8, 1),
                      .addresses = kc_allocate((size_t)size / 8 + 1, sizeof(LLVMValueRef)) };
  if (LLVMGetInitializer(global) != NULL)
    fill_content(writer, &content, LLVMGetInitializer(global), 0);
  return content;
}

/* ---- in each kernel -------------------------------------------------------------------------------------- */

bool kc_variable_is_shared(LLVMValueRef global) {
  return space_of(global) == KC_SHARED;
}

unsigned long long kc_variable_shared_bytes(kc_writer *writer, LLVMValueRef global) {
  return LLVMIsDeclaration(global) ? 0 : kc_size(writer, LLVMGlobalGetValueType(global));
}

static void write_shared(kc_writer *writer, LLVMValueRef global) {
  unsigned long long bytes = kc_variable_shared_bytes(writer, global);
  if (bytes == 0)
    kc_print(writer, "  extern __shared__ __align__(16) char %s[];\n", kc_global_name(global));
  else
    kc_print(writer, "  __shared__ __align__(%u) char %s[%llu];\n", alignment_of(writer, global),
             kc_global_name(global), bytes);
}

void kc_variables_of_kernel(kc_writer *writer) {
  for (size_t i = 0; i < writer->global_count; i++)
    if (space_of(writer->globals[i]) == KC_SHARED)
      write_shared(writer, writer->globals[i]);
}

/* ---- managed variables ----------------------------------------------------------------------------------- */

/* __managed__ of our headers is an annotation: { variable, "vptr.managed", file, line, NULL } in a list of LLVM's. */
static bool is_managed(kc_writer *writer, LLVMValueRef global) {
  LLVMValueRef list = LLVMGetNamedGlobal(writer->module, "llvm.global.annotations"), base = NULL, row;
  unsigned long long offset = 0;
  if (list == NULL)
    return false;
  for (unsigned i = 0; (row = LLVMGetAggregateElement(LLVMGetInitializer(list), i)) != NULL; i++) {
    size_t length = 0;
    char *word = kc_string_of(writer, LLVMGetAggregateElement(row, 1), &length);
    bool is_mark = word != NULL && strcmp(word, "vptr.managed") == 0;
    free(word);
    if (is_mark && kc_constant_offset(writer, LLVMGetAggregateElement(row, 0), &base, &offset) && base == global)
      return true;
  }
  return false;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

/* What lies in a table is found by an address, as what lies in global memory is. */
static bool is_in_table(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_expression = LLVMIsAConstantExpr(user) != NULL;
    if (is_expression ? is_in_table(user) : LLVMIsAInstruction(user) == NULL && LLVMIsAConstant(user) != NULL)
      return true;
  }
  return false;
}

static const char *memory_word(kc_writer *writer, LLVMValueRef global) {
  if (is_managed(writer, global))
    return "__managed__";
  if (is_in_table(global))
    return "__device__";
  return space_of(global) == KC_CONSTANT ? "__constant__" : "__device__";
}

static void write_list(kc_writer *writer, const unsigned char *bytes, unsigned long long count) {
  for (unsigned long long i = 0; i < count; i++)
    kc_print(writer, i % 32 == 0 ? "\n  %u," : "%u,", bytes[i]);
}

static void write_bytes(kc_writer *writer, const content *content, unsigned long long size) {
  unsigned long long last = size;
  while (last > 0 && content->bytes[last - 1] == 0)
    last--;
  if (last == 0)
    return;
  kc_print(writer, " = {");
  write_list(writer, content->bytes, last);
  kc_print(writer, " }");
}

static void write_address(kc_writer *writer, LLVMValueRef address, const char *name) {
  LLVMValueRef base = NULL;
  unsigned long long offset = 0;
  if (!kc_constant_offset(writer, address, &base, &offset) || LLVMIsAGlobalVariable(base) == NULL)
    kc_refuse(writer, "variable %s has an initial value that is computed from addresses", name);
  if (space_of(base) == KC_SHARED || is_managed(writer, base))
    kc_refuse(writer,
              "variable %s has the address of shared or managed memory as its initial value: set it in a kernel",
              name);
  if (!LLVMIsDeclaration(base) && offset > kc_size(writer, LLVMGlobalGetValueType(base)))
    kc_refuse(writer, "variable %s has an address outside of %s as its initial value", name, kc_global_name(base));
  kc_print(writer, "(char *)%s + %llull,", kc_global_name(base), offset);
}

static void write_bytes_member(kc_writer *writer, const content *content, unsigned long long at,
                               unsigned long long count, bool fills) {
  if (!fills) {
    kc_print(writer, " unsigned char b%llu[%llu];", at, count);
    return;
  }
  kc_print(writer, " {");
  write_list(writer, content->bytes + at, count);
  kc_print(writer, " },");
}

/* Of the struct: runs of bytes, and pointers. Their declarations, or what they begin with. */
static void write_members(kc_writer *writer, const content *content, LLVMValueRef global, bool fills) {
  unsigned long long size = kc_size(writer, LLVMGlobalGetValueType(global)), end;
  for (unsigned long long at = 0; at < size; at = end) {
    for (end = at; end < size && content->addresses[end / 8] == NULL;)
      end += 8;
    if (end > at)
      write_bytes_member(writer, content, at, end - at, fills);
    if (end == size)
      return;
    if (fills)
      write_address(writer, content->addresses[end / 8], kc_global_name(global));
    else
      kc_print(writer, " char *a%llu;", end);
    end += 8;
  }
}

static void write_head(kc_writer *writer, LLVMValueRef global, const char *type, unsigned long long count,
                       bool is_extern) {
  kc_print(writer, "extern \"C\" { %s%s __align__(%u) %s %s[%llu]", is_extern ? "extern " : "",
           memory_word(writer, global), alignment_of(writer, global), type, kc_global_name(global), count);
}

/* Its number is the host's to write, so that it begins with nothing. */
static void write_reference(kc_writer *writer, LLVMValueRef global, const char *attribute, unsigned long long size) {
  kc_print(writer, "extern \"C\" { %s__device__ __attribute__((%s)) __align__(8) unsigned char %s[%llu]; }\n",
           LLVMIsDeclaration(global) ? "extern " : "", attribute, kc_global_name(global), size);
}

static bool has_addresses(kc_writer *writer, LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && content_of(writer, global).has_addresses;
}

static void write_variable(kc_writer *writer, LLVMValueRef global) {
  unsigned long long size = kc_size(writer, LLVMGlobalGetValueType(global));
  if (size == 0)
    kc_refuse(writer, "variable %s has no size here", kc_global_name(global));
  const char *attribute = kc_reference_attribute(writer, global);
  if (attribute != NULL) {
    write_reference(writer, global, attribute, size);
    return;
  }
  content content = content_of(writer, global);
  write_head(writer, global, "unsigned char", size, LLVMIsDeclaration(global));
  if (!LLVMIsDeclaration(global))
    write_bytes(writer, &content, size);
  kc_print(writer, "; }\n");
}

/* Declared first, for two may have each other's address. */
static void declare_pointing(kc_writer *writer, LLVMValueRef global) {
  unsigned long long size = kc_size(writer, LLVMGlobalGetValueType(global));
  const char *name = kc_global_name(global);
  char type[256];
  content content = content_of(writer, global);
  if (is_managed(writer, global) || size % 8 != 0)
    kc_refuse(writer, "variable %s has an address as its initial value, and is %s: set it in a kernel", name,
              size % 8 != 0 ? "packed" : "managed");
  kc_print(writer, "struct vptr_in_%s {", name);
  write_members(writer, &content, global, false);
  kc_print(writer, " };\n");
  (void)snprintf(type, sizeof type, "struct vptr_in_%.200s", name);
  write_head(writer, global, type, 1, true);
  kc_print(writer, "; }\n");
}

static void write_pointing(kc_writer *writer, LLVMValueRef global) {
  const char *name = kc_global_name(global);
  char type[256];
  content content = content_of(writer, global);
  (void)snprintf(type, sizeof type, "struct vptr_in_%.200s", name);
  write_head(writer, global, type, 1, false);
  kc_print(writer, " = { {");
  write_members(writer, &content, global, true);
  kc_print(writer, " } }; }\n");
}

/* ---- which ----------------------------------------------------------------------------------------------- */

/* LLVM keeps what was noted: as the section of the variable, which nothing else here uses. */
static const char noted[] = "vptr";

static bool is_noted(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section != NULL && strcmp(section, noted) == 0;
}

void kc_variables_note(kc_writer *writer) {
  for (size_t i = 0; i < writer->global_count; i++)
    if (space_of(writer->globals[i]) != KC_SHARED)
      LLVMSetSection(writer->globals[i], noted);
}

bool kc_variable_is_for_host(LLVMValueRef global) {
  return (space_of(global) == KC_GLOBAL || space_of(global) == KC_CONSTANT) && !LLVMIsDeclaration(global) &&
         LLVMIsExternallyInitialized(global);
}

static bool note_base(kc_writer *writer, LLVMValueRef address) {
  LLVMValueRef base = NULL;
  unsigned long long offset = 0;
  if (address == NULL || !kc_constant_offset(writer, address, &base, &offset) ||
      LLVMIsAGlobalVariable(base) == NULL || space_of(base) == KC_SHARED || is_noted(base))
    return false;
  LLVMSetSection(base, noted);
  return true;
}

/* Those whose addresses it has; whether any was new. */
static bool note_others(kc_writer *writer, LLVMValueRef global) {
  bool is_any = false;
  if (!is_noted(global) || !has_addresses(writer, global))
    return false;
  content content = content_of(writer, global);
  unsigned long long words = kc_size(writer, LLVMGlobalGetValueType(global)) / 8;
  for (unsigned long long i = 0; i < words; i++)
    is_any |= note_base(writer, content.addresses[i]);
  return is_any;
}

static void note_all(kc_writer *writer) {
  bool is_any = true;
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    if (kc_variable_is_for_host(each))
      LLVMSetSection(each, noted);
  while (is_any) {
    is_any = false;
    for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
      is_any |= note_others(writer, each);
  }
}

static void each_noted(kc_writer *writer, bool has, void (*write)(kc_writer *writer, LLVMValueRef global)) {
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    if (is_noted(each) && has_addresses(writer, each) == has)
      write(writer, each);
}

void kc_variables_write(kc_writer *writer) {
  writer->kernel = NULL;
  if (setjmp(writer->refused) != 0)
    return;
  note_all(writer);
  each_noted(writer, false, write_variable);
  each_noted(writer, true, declare_pointing);
  each_noted(writer, true, write_pointing);
}
