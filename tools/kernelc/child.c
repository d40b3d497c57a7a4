/* SPDX-License-Identifier: MIT */
/*
 * child - see child.h.
 *
 * A launch's configuration and its call are two instructions with the arguments' between them, which may branch. So a
 * function that launches has variables for a configuration: the first stores there, the second loads, and LLVM's passes
 * leave values of them. The record is filled by a function of its own for each kernel.
 */
#include "child.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "passed.h"
#include "place.h"
#include "type.h"
#include "wide.h"

enum { GRID, BLOCK = 3, SHARED = 6, STREAM, WORDS }; /* of a configuration, 64 bits each */
enum { TAIL_LAUNCH = 3 };                            /* cudaStreamTailLaunch, as CUDA has it */

static const char mark[] = "vptr.kernel", configure[] = "vptr_cuda_configure", take[] = "vptr_child_take";

/* A function that launches. */
typedef struct parent {
  kc_writer *writer;
  LLVMBuilderRef builder;
  LLVMValueRef words[WORDS]; /* its variables */
} parent;

/* ---- marks ----------------------------------------------------------------------------------------------- */

static bool is_text(LLVMValueRef value, const char *text) {
  size_t length = 0;
  if (value == NULL || LLVMIsAGlobalVariable(value) == NULL || LLVMIsDeclaration(value))
    return false;
  LLVMValueRef content = LLVMGetInitializer(value);
  const char *characters = LLVMIsConstantString(content) ? LLVMGetAsString(content, &length) : NULL;
  return characters != NULL && length == strlen(text) + 1 && memcmp(characters, text, length) == 0;
}

/* { function, "vptr.kernel", file, line, NULL }, ... */
bool kc_child_is_marked(LLVMModuleRef module, LLVMValueRef function) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global.annotations"), row;
  if (list == NULL)
    return false;
  for (unsigned i = 0; (row = LLVMGetAggregateElement(LLVMGetInitializer(list), i)) != NULL; i++)
    if (LLVMGetAggregateElement(row, 0) == function && is_text(LLVMGetAggregateElement(row, 1), mark))
      return true;
  return false;
}

static bool is_own(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* clang's word for what is a unit's own, behind the name of a kernel that our headers have for that; NULL: there is
 * none, or `suffix` is in its place. */
static const char *take_own_word(LLVMModuleRef module) {
  static const char name[] = "_ZL14vptr_own_namesv";
  for (LLVMValueRef each = LLVMGetFirstFunction(module); each != NULL; each = LLVMGetNextFunction(each)) {
    size_t length = 0;
    const char *text = LLVMGetValueName2(each, &length);
    if (!kc_starts(text, name))
      continue;
    char *word = kc_allocate(length + 1, 1);
    memcpy(word, text + strlen(name), length - strlen(name));
    LLVMDeleteFunction(each);
    return word;
  }
  return NULL;
}

static void name_own(LLVMValueRef function, const char *suffix) {
  char text[1024];
  size_t length = 0;
  int written = snprintf(text, sizeof text, "%s%s", LLVMGetValueName2(function, &length), suffix);
  if (written > 0 && (size_t)written < sizeof text)
    LLVMSetValueName2(function, text, (size_t)written);
}

void kc_child_name(LLVMModuleRef module, const char *suffix) {
  const char *word = take_own_word(module);
  if (suffix == NULL)
    suffix = word;
  for (LLVMValueRef each = LLVMGetFirstFunction(module); each != NULL; each = LLVMGetNextFunction(each)) {
    if (!is_own(each) || !kc_child_is_marked(module, each))
      continue;
    if (suffix != NULL)
      name_own(each, suffix);
    LLVMSetLinkage(each, LLVMExternalLinkage);
  }
}

/* ---- the record ------------------------------------------------------------------------------------------ */

static LLVMTypeRef number(kc_writer *writer, unsigned bits) {
  return LLVMIntTypeInContext(writer->context, bits);
}

/* Numbers, which are 1 and 64 bits wide, and what stands behind the first. */
static LLVMValueRef take_function(kc_writer *writer, LLVMTypeRef *type_out) {
  enum { FIRST = 1, PARAMETERS = FIRST + WORDS };
  LLVMTypeRef parameters[PARAMETERS];
  for (int i = 0; i < PARAMETERS; i++)
    parameters[i] = number(writer, i == FIRST + SHARED ? 64 : 32);
  *type_out = LLVMFunctionType(LLVMPointerTypeInContext(writer->context, KC_GLOBAL), parameters, PARAMETERS, false);
  LLVMValueRef function = LLVMGetNamedFunction(writer->module, take);
  return function != NULL ? function : LLVMAddFunction(writer->module, take, *type_out);
}

static LLVMValueRef take_record(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef launcher, unsigned kernel) {
  LLVMTypeRef type;
  LLVMValueRef function = take_function(writer, &type), arguments[1 + WORDS];
  arguments[0] = LLVMConstInt(number(writer, 32), kernel, false);
  for (unsigned i = 0; i < SHARED; i++)
    arguments[1 + i] = LLVMBuildTrunc(builder, LLVMGetParam(launcher, i), number(writer, 32), "");
  arguments[1 + SHARED] = LLVMGetParam(launcher, SHARED);
  LLVMValueRef is_tail = LLVMBuildICmp(builder, LLVMIntEQ, LLVMGetParam(launcher, STREAM),
                                       LLVMConstInt(number(writer, 64), TAIL_LAUNCH, false), "");
  arguments[1 + STREAM] = LLVMBuildZExt(builder, is_tail, number(writer, 32), "");
  return LLVMBuildCall2(builder, type, function, arguments, 1 + WORDS, "");
}

/* As the kernel's parameters are written (kernel.c): true and false are bytes, wide integers two words. */
static unsigned long long alignment_of(kc_writer *writer, LLVMValueRef kernel, unsigned parameter) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, parameter));
  if (kc_passed_type(kernel, parameter) != NULL)
    return kc_attribute(kernel, parameter + 1, "align");
  return kc_is_wide(type) ? 16 : LLVMABIAlignmentOfType(writer->data, type);
}

static void store_argument(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef place, unsigned alignment,
                           LLVMValueRef value, LLVMTypeRef passed) {
  if (passed != NULL) {
    LLVMValueRef bytes = LLVMConstInt(number(writer, 64), LLVMABISizeOfType(writer->data, passed), false);
    LLVMBuildMemCpy(builder, place, alignment, value, alignment, bytes);
    return;
  }
  if (kc_is_integer(LLVMTypeOf(value)) && kc_width(LLVMTypeOf(value)) == 1)
    value = LLVMBuildZExt(builder, value, number(writer, 8), "");
  LLVMSetAlignment(LLVMBuildStore(builder, value, place), alignment);
}

static void store_arguments(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef launcher, LLVMValueRef kernel,
                            LLVMValueRef record) {
  unsigned long long at = 0;
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    LLVMValueRef value = LLVMGetParam(launcher, WORDS + i);
    LLVMTypeRef passed = kc_passed_type(kernel, i);
    unsigned long long alignment = alignment_of(writer, kernel, i);
    at = (at + alignment - 1) / alignment * alignment;
    LLVMValueRef offset = LLVMConstInt(number(writer, 64), at, false);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, number(writer, 8), record, &offset, 1, "");
    store_argument(writer, builder, place, (unsigned)alignment, value, passed);
    at += LLVMABISizeOfType(writer->data, passed != NULL ? passed : LLVMTypeOf(value));
  }
}

/* No record is left when too many launches were asked for. */
static void fill_launcher(kc_writer *writer, LLVMValueRef launcher, LLVMValueRef kernel, unsigned which) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  LLVMBasicBlockRef begin = LLVMAppendBasicBlockInContext(writer->context, launcher, "");
  LLVMBasicBlockRef there = LLVMAppendBasicBlockInContext(writer->context, launcher, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(writer->context, launcher, "");
  LLVMPositionBuilderAtEnd(builder, begin);
  LLVMValueRef record = take_record(writer, builder, launcher, which);
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, record, ""), end, there);
  LLVMPositionBuilderAtEnd(builder, there);
  store_arguments(writer, builder, launcher, kernel, record);
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

static LLVMTypeRef launcher_type(kc_writer *writer, LLVMValueRef kernel) {
  unsigned count = WORDS + LLVMCountParams(kernel);
  LLVMTypeRef *parameters = kc_allocate(count, sizeof *parameters);
  for (unsigned i = 0; i < count; i++)
    parameters[i] = i < WORDS ? number(writer, 64) : LLVMTypeOf(LLVMGetParam(kernel, i - WORDS));
  return LLVMFunctionType(LLVMVoidTypeInContext(writer->context), parameters, count, false);
}

/* ---- launches -------------------------------------------------------------------------------------------- */

static LLVMValueRef function_of(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static void begin_before(parent *it, LLVMValueRef instruction) {
  it->writer->instruction = instruction;
  LLVMPositionBuilderBefore(it->builder, instruction);
  LLVMSetCurrentDebugLocation2(it->builder, LLVMInstructionGetDebugLoc(instruction));
}

static void make_words(parent *it, LLVMValueRef function) {
  LLVMPositionBuilderBefore(it->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMSetCurrentDebugLocation2(it->builder, NULL);
  for (int i = 0; i < WORDS; i++)
    it->words[i] = LLVMBuildAlloca(it->builder, number(it->writer, 64), "");
}

/* dim3 comes as a pointer to it. */
static LLVMValueRef word_of(parent *it, LLVMValueRef call, unsigned word) {
  LLVMTypeRef wide = number(it->writer, 64), narrow = number(it->writer, 32);
  if (word == SHARED)
    return LLVMBuildZExtOrBitCast(it->builder, LLVMGetOperand(call, 2), wide, "");
  if (word == STREAM)
    return LLVMBuildPtrToInt(it->builder, LLVMGetOperand(call, 3), wide, "");
  LLVMValueRef offset = LLVMConstInt(wide, word % BLOCK * 4, false);
  LLVMValueRef place =
      LLVMBuildInBoundsGEP2(it->builder, number(it->writer, 8), LLVMGetOperand(call, word / BLOCK), &offset, 1, "");
  return LLVMBuildZExt(it->builder, LLVMBuildLoad2(it->builder, narrow, place, ""), wide, "");
}

/* All is well with it: what is not, the host finds. */
static void store_words(parent *it, LLVMValueRef call) {
  begin_before(it, call);
  for (unsigned i = 0; i < WORDS; i++)
    LLVMBuildStore(it->builder, word_of(it, call, i), it->words[i]);
  LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
}

static void call_launcher(parent *it, LLVMValueRef call, LLVMValueRef launcher) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = kc_allocate(WORDS + count, sizeof *arguments);
  begin_before(it, call);
  for (int i = 0; i < WORDS; i++)
    arguments[i] = LLVMBuildLoad2(it->builder, number(it->writer, 64), it->words[i], "");
  for (unsigned i = 0; i < count; i++)
    arguments[WORDS + i] = LLVMGetOperand(call, i);
  LLVMBuildCall2(it->builder, LLVMGlobalGetValueType(launcher), launcher, arguments, WORDS + count, "");
  LLVMInstructionEraseFromParent(call);
  free(arguments);
}

static bool calls(LLVMValueRef instruction, LLVMValueRef function) {
  return LLVMIsACallInst(instruction) != NULL && LLVMGetCalledValue(instruction) == function;
}

/* The launcher of a called kernel; NULL: the instruction is no such call. */
static LLVMValueRef launcher_of(kc_writer *writer, LLVMValueRef *launchers, LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  for (size_t i = 0; i < writer->kernel_count; i++) {
    LLVMValueRef kernel = writer->kernels[i].function;
    if (LLVMGetCalledValue(instruction) != kernel)
      continue;
    if (launchers[i] == NULL) {
      launchers[i] = LLVMAddFunction(writer->module, "vptr_launch", launcher_type(writer, kernel));
      fill_launcher(writer, launchers[i], kernel, (unsigned)i);
    }
    return launchers[i];
  }
  return NULL;
}

static void replace_in(kc_writer *writer, LLVMValueRef function, LLVMValueRef configuration,
                       LLVMValueRef *launchers) {
  parent it = { .writer = writer, .builder = LLVMCreateBuilderInContext(writer->context) };
  make_words(&it, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each != NULL; each = next) {
      next = LLVMGetNextInstruction(each);
      LLVMValueRef launcher = launcher_of(writer, launchers, each);
      if (launcher != NULL)
        call_launcher(&it, each, launcher);
      else if (calls(each, configuration))
        store_words(&it, each);
    }
  LLVMDisposeBuilder(it.builder);
}

/* ---- what is no launch ----------------------------------------------------------------------------------- */

/* The last of them is the writer's instruction. */
static unsigned count_calls(kc_writer *writer, LLVMValueRef function, LLVMValueRef callee) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(callee); use != NULL; use = LLVMGetNextUse(use))
    if (calls(LLVMGetUser(use), callee) && function_of(LLVMGetUser(use)) == function) {
      writer->instruction = LLVMGetUser(use);
      count++;
    }
  return count;
}

/* Lists of LLVM's, and annotations, name kernels, too. */
static void check_uses(kc_writer *writer, LLVMValueRef kernel) {
  int length = 0;
  const char *name = kc_place_function_name(kernel, &length);
  for (LLVMUseRef use = LLVMGetFirstUse(kernel); use != NULL; use = LLVMGetNextUse(use)) {
    writer->instruction = LLVMIsAInstruction(LLVMGetUser(use));
    if (writer->instruction != NULL && !calls(writer->instruction, kernel))
      kc_refuse(writer,
                "the address of kernel %.*s() is taken: what a kernel launches is a kernel's name, or a template's "
                "argument; choose by if or switch",
                length, name);
  }
}

/* Of a function in no namespace the name itself: its parameters' types may well be ours (__half). */
static bool is_name_of_headers(const char *mangled) {
  const char *digits = mangled + strlen("_Z") + (mangled[2] == 'L'), *name = digits + strspn(digits, "0123456789");
  if (name == digits)
    return strstr(mangled, "vptr_") != NULL || strstr(mangled, "__") != NULL;
  return kc_starts(name, "vptr_") || kc_starts(name, "__");
}

/* And not one of those that our headers declare. */
static bool is_of_program(LLVMValueRef callee) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(callee, &length);
  return kc_starts(name, "_Z") && !is_name_of_headers(name) &&
         LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(callee))) == LLVMVoidTypeKind;
}

/* A kernel that the program only declares has no mark. */
static void check_callees(kc_writer *writer, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
      LLVMValueRef callee = LLVMIsACallInst(each) != NULL ? LLVMGetCalledValue(each) : NULL;
      int length = 0;
      writer->instruction = each;
      if (callee != NULL && LLVMIsAFunction(callee) != NULL && LLVMIsDeclaration(callee) && is_of_program(callee)) {
        const char *name = kc_place_function_name(callee, &length);
        kc_refuse(writer, "%.*s() is not defined in the program: define it, or link what does", length, name);
      }
    }
}

/* Each launch is a configuration and a call; the host's functions are not there. */
static void check_calls(kc_writer *writer, LLVMValueRef function, unsigned configurations) {
  unsigned called = 0;
  for (size_t i = 0; i < writer->kernel_count; i++)
    called += count_calls(writer, function, writer->kernels[i].function);
  if (called > configurations)
    kc_refuse(writer, "a kernel is called and not launched: it takes <<<grid, block>>>");
  if (called < configurations)
    check_callees(writer, function);
}

static void replace_all(kc_writer *writer, LLVMValueRef *launchers) {
  LLVMValueRef configuration = LLVMGetNamedFunction(writer->module, configure);
  for (size_t i = 0; i < writer->kernel_count; i++)
    check_uses(writer, writer->kernels[i].function);
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each)) {
    unsigned configurations = configuration != NULL ? count_calls(writer, each, configuration) : 0;
    check_calls(writer, each, configurations);
    if (configurations > 0)
      replace_in(writer, each, configuration, launchers);
  }
}

bool kc_children_replace(kc_writer *writer) {
  LLVMValueRef *launchers = kc_allocate(writer->kernel_count, sizeof *launchers);
  if (setjmp(writer->refused) != 0)
    return false;
  replace_all(writer, launchers);
  writer->instruction = NULL;
  return true;
}
