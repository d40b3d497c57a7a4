/* SPDX-License-Identifier: MIT */
/*
 * unit - see unit.h.
 *
 * clang gives static kernels and variables that the host uses a name of their file's own: `_ZL4mine__static__a1b2`. It
 * decides that at the file's end, so that what it wrote before may still call the variable `_ZL4mine`: that is mended
 * here.
 */
#include "unit.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"

static const char *const marks[] = { "__static__", "__intern__" };

/* Where the mark begins, or NULL. */
static const char *mark_of(const char *name) {
  const char *found = NULL;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    for (const char *at = name; (at = strstr(at, marks[i])) != NULL; at++)
      if (found == NULL || at > found)
        found = at;
  return found;
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static void join_early_uses(LLVMModuleRef module, LLVMValueRef marked, const char *name, const char *mark) {
  char plain[1024];
  int length = snprintf(plain, sizeof plain, "%.*s", (int)(mark - name), name);
  if (length <= 0 || (size_t)length >= sizeof plain)
    return;
  LLVMValueRef early = LLVMGetNamedGlobal(module, plain);
  if (early == NULL || !LLVMIsDeclaration(early) || LLVMTypeOf(early) != LLVMTypeOf(marked))
    return;
  LLVMReplaceAllUsesWith(early, marked);
  LLVMDeleteGlobal(early);
}

static void rename_marked(LLVMValueRef value, const char *name, const char *mark, const char *suffix) {
  char text[1024];
  int length = snprintf(text, sizeof text, "%.*s%s", (int)(mark - name), name, suffix);
  if (length > 0 && (size_t)length < sizeof text)
    LLVMSetValueName2(value, text, (size_t)length);
}

static void name_variables(LLVMModuleRef module, const char *suffix) {
  for (LLVMValueRef each = LLVMGetFirstGlobal(module); each != NULL; each = LLVMGetNextGlobal(each)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(each, &length), *mark = mark_of(name);
    if (mark == NULL || LLVMIsDeclaration(each))
      continue;
    join_early_uses(module, each, name, mark);
    if (suffix != NULL)
      rename_marked(each, name, mark, suffix);
  }
}

static void name_functions(LLVMModuleRef module, const char *suffix) {
  for (LLVMValueRef each = LLVMGetFirstFunction(module); each != NULL; each = LLVMGetNextFunction(each)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(each, &length), *mark = mark_of(name);
    if (mark != NULL && suffix != NULL)
      rename_marked(each, name, mark, suffix);
  }
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* Of LLVM's passes: that a loop was not unrolled, as a library has asked, is no news to those who compile it. */
static void report_error(LLVMDiagnosticInfoRef diagnostic, void *nothing) {
  (void)nothing;
  if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError)
    return;
  char *words = LLVMGetDiagInfoDescription(diagnostic);
  fprintf(stderr, "vptr-kernelc: error: %s\n", words);
  LLVMDisposeMessage(words);
  exit(1);
}

/* Of the linker. Otherwise LLVM prints and ends the process. */
static void report_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *source) {
  if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError)
    return;
  char *words = LLVMGetDiagInfoDescription(diagnostic);
  fprintf(stderr, "%s: error: %s: what two files define is one of them's, or static, or inline\n",
          *(const char **)source, words);
  LLVMDisposeMessage(words);
}

static LLVMModuleRef read_bitcode(kc_writer *writer, const char *path) {
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    fprintf(stderr, "vptr-kernelc: error: %s: %s\n", path, message != NULL ? message : "cannot be read");
    return NULL;
  }
  bool is_read = !LLVMParseBitcodeInContext2(writer->context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  if (is_read)
    return module;
  fprintf(stderr,
          "vptr-kernelc: error: %s: no LLVM bitcode that version " KERNELC_LLVM " reads: compile it by clang "
          "of that version, or an older one\n",
          path);
  return NULL;
}

bool kc_unit_add(kc_writer *writer, const char *path, const char *suffix) {
  if (writer->context == NULL) {
    writer->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(writer->context, report_error, NULL);
  }
  LLVMModuleRef module = read_bitcode(writer, path);
  if (module == NULL)
    return false;
  name_variables(module, suffix);
  name_functions(module, suffix);
  kc_child_name(module, suffix);
  if (writer->module == NULL) {
    writer->module = module;
    return true;
  }
  size_t length = 0;
  const char *source = LLVMGetSourceFileName(module, &length);
  LLVMContextSetDiagnosticHandler(writer->context, report_diagnostic, &source);
  bool is_linked = !LLVMLinkModules2(writer->module, module);
  LLVMContextSetDiagnosticHandler(writer->context, report_error, NULL);
  return is_linked;
}
