/* SPDX-License-Identifier: MIT */
/*
 * variable - see variable.h.
 *
 * A variable is bytes, aligned as LLVM has it. One whose initial value has addresses in it is a struct of words, of which
 * those are pointers, so that the translator sees them.
 */
#include "variable.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "type.h"
#include "value.h"

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

/* ---- shared ---------------------------------------------------------------------------------------------- */

void kc_variables_of_kernel(kc_writer *writer) {
  for (size_t i = 0; i < writer->global_count; i++) {
    LLVMValueRef global = writer->globals[i];
    unsigned long long bytes = kc_size(writer, LLVMGlobalGetValueType(global));
    if (space_of(global) != KC_SHARED)
      continue;
    if (LLVMIsDeclaration(global) || bytes == 0)
      kc_print(writer, "  extern __shared__ __align__(16) char %s[];\n", kc_global_name(global));
    else
      kc_print(writer, "  __shared__ __align__(%u) char %s[%llu];\n", alignment_of(writer, global),
               kc_global_name(global), bytes);
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
  } else if (kind == LLVMPointerTypeKind && at % 8 == 0) {
    content->addresses[at / 8] = value;
    content->has_addresses = true;
  } else {
    kc_refuse(writer, "variable %s has an initial value that is computed from addresses", "of the module");
  }
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

static const char *memory_word(kc_writer *writer, LLVMValueRef global) {
  if (is_managed(writer, global))
    return "__managed__";
  return space_of(global) == KC_CONSTANT ? "__constant__" : "__device__";
}

static void write_bytes(kc_writer *writer, const content *content, unsigned long long size) {
  unsigned long long last = size;
  while (last > 0 && content->bytes[last - 1] == 0)
    last--;
  if (last == 0)
    return;
  kc_print(writer, " = {");
  for (unsigned long long i = 0; i < last; i++)
    kc_print(writer, i % 32 == 0 ? "\n  %u," : "%u,", content->bytes[i]);
  kc_print(writer, " }");
}

static void write_address(kc_writer *writer, LLVMValueRef address) {
  LLVMValueRef base = NULL;
  unsigned long long offset = 0;
  if (!kc_constant_offset(writer, address, &base, &offset) || LLVMIsAGlobalVariable(base) == NULL)
    kc_refuse(writer, "a variable has the address of a function as its initial value: kernels cannot call it");
  kc_print(writer, "(char *)%s + %llu", kc_global_name(base), offset);
}

static void write_words(kc_writer *writer, LLVMValueRef global, const content *content, unsigned long long size) {
  kc_print(writer, "struct vptr_type_%s {", kc_global_name(global));
  for (unsigned long long i = 0; i < size / 8; i++)
    kc_print(writer, content->addresses[i] != NULL ? " char *w%llu;" : " u64 w%llu;", i);
  kc_print(writer, " };\nextern \"C\" __device__ struct vptr_type_%s %s = {", kc_global_name(global),
           kc_global_name(global));
  for (unsigned long long i = 0; i < size / 8; i++) {
    unsigned long long number = 0;
    memcpy(&number, content->bytes + i * 8, 8);
    kc_print(writer, " ");
    if (content->addresses[i] != NULL)
      write_address(writer, content->addresses[i]);
    else
      kc_print(writer, "%lluull", number);
    kc_print(writer, ",");
  }
  kc_print(writer, " };\n");
}

static void write_variable(kc_writer *writer, LLVMValueRef global) {
  unsigned long long size = kc_size(writer, LLVMGlobalGetValueType(global));
  const char *name = kc_global_name(global), *word = memory_word(writer, global);
  content content = { .bytes = kc_allocate((size_t)size + 8, 1),
                      .addresses = kc_allocate((size_t)size / 8 + 1, sizeof(LLVMValueRef)) };
  if (size == 0)
    kc_refuse(writer, "variable %s has no size here", name);
  if (LLVMGetInitializer(global) != NULL)
    fill_content(writer, &content, LLVMGetInitializer(global), 0);
  if (content.has_addresses) {
    write_words(writer, global, &content, size);
    return;
  }
  bool is_extern = LLVMIsDeclaration(global);
  kc_print(writer,
           is_extern ? "extern \"C\" { extern %s __align__(%u) unsigned char %s[%llu]"
                     : "extern \"C\" { %s __align__(%u) unsigned char %s[%llu]",
           word, alignment_of(writer, global), name, size);
  if (!is_extern)
    write_bytes(writer, &content, size);
  kc_print(writer, "; }\n");
}

/* ---- which ----------------------------------------------------------------------------------------------- */

/* LLVM keeps what was noted, and what was written: as the section of the variable, which nothing else here uses. */
static const char noted[] = "vptr", written[] = "vptr written";

static bool has_mark(LLVMValueRef global, const char *mark) {
  const char *section = LLVMGetSection(global);
  return section != NULL && strcmp(section, mark) == 0;
}

static bool is_noted(LLVMValueRef global) {
  return has_mark(global, noted);
}

void kc_variables_note(kc_writer *writer) {
  for (size_t i = 0; i < writer->global_count; i++)
    if (space_of(writer->globals[i]) != KC_SHARED)
      LLVMSetSection(writer->globals[i], noted);
}

/* Variables whose addresses are in others. */
static void note_addresses(LLVMValueRef value) {
  if (LLVMIsAGlobalVariable(value) != NULL) {
    if (!is_noted(value)) {
      LLVMSetSection(value, noted);
      if (LLVMGetInitializer(value) != NULL)
        note_addresses(LLVMGetInitializer(value));
    }
    return;
  }
  for (int i = 0; LLVMIsAConstant(value) != NULL && i < LLVMGetNumOperands(value); i++)
    note_addresses(LLVMGetOperand(value, (unsigned)i));
}

static bool is_for_host(LLVMValueRef global) {
  return (space_of(global) == KC_GLOBAL || space_of(global) == KC_CONSTANT) && !LLVMIsDeclaration(global) &&
         LLVMIsExternallyInitialized(global);
}

static void write_with_needed(kc_writer *writer, LLVMValueRef global);

static void write_needed(kc_writer *writer, LLVMValueRef value) {
  if (LLVMIsAGlobalVariable(value) != NULL)
    write_with_needed(writer, value);
  for (int i = 0;
       LLVMIsAConstant(value) != NULL && LLVMIsAGlobalValue(value) == NULL && i < LLVMGetNumOperands(value); i++)
    write_needed(writer, LLVMGetOperand(value, (unsigned)i));
}

/* The variables first whose addresses it has. */
static void write_with_needed(kc_writer *writer, LLVMValueRef global) {
  if (!is_noted(global))
    return;
  LLVMSetSection(global, written);
  if (LLVMGetInitializer(global) != NULL)
    write_needed(writer, LLVMGetInitializer(global));
  write_variable(writer, global);
}

void kc_variables_write(kc_writer *writer) {
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each)) {
    if (is_for_host(each))
      LLVMSetSection(each, noted);
    if (is_noted(each) && LLVMGetInitializer(each) != NULL)
      note_addresses(LLVMGetInitializer(each));
  }
  if (setjmp(writer->refused) != 0)
    return;
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    write_with_needed(writer, each);
}
