/* SPDX-License-Identifier: MIT */
/*
 * vptr-kernelc - writes kernel C (writer.h) of the LLVM IR of a CUDA file's device half.
 *
 * vptrcc runs it between clang and the translator. It is a program of its own since LLVM must not share a process with
 * an OpenCL driver, which may bring another one.
 */
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "kernels.h"
#include "prelude.h"
#include "unit.h"
#include "variable.h"
#include "writer.h"

#ifdef __SANITIZE_ADDRESS__
/* A kernel that is refused is left by longjmp(): what was allocated for it goes with the process. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
  return 1;
}
#endif

/* LLVM may have been built without the target: then passes know less. */
static void find_machine(kc_writer *writer) {
  static const char triple[] = "nvptx64-nvidia-cuda";
  LLVMTargetRef target = NULL;
  char *message = NULL;
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  if (LLVMGetTargetFromTriple(triple, &target, &message) == 0)
    writer->machine = LLVMCreateTargetMachine(target, triple, "sm_70", "", LLVMCodeGenLevelDefault, LLVMRelocDefault,
                                              LLVMCodeModelDefault);
}

static size_t count_globals(const kc_writer *writer) {
  size_t count = 0;
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    count++;
  return count;
}

static bool write_module(kc_writer *writer) {
  kc_text kernels, variables;
  kc_kernels_find(writer);
  if (!kc_kernels_prepare(writer))
    return false;
  /* Only now are all there: LLVM makes several variables of one struct. */
  writer->globals = kc_allocate(count_globals(writer), sizeof *writer->globals);
  kc_variables_name(writer);
  kc_begin(writer, &kernels);
  for (size_t i = 0; i < writer->kernel_count; i++)
    kc_kernel_write(writer, &writer->kernels[i]);
  kc_end(writer, &kernels);
  kc_begin(writer, &variables);
  kc_variables_write(writer);
  kc_end(writer, &variables);
  if (writer->finds_buffers)
    kc_print(writer, "#define VPTR_REACH\n");
  kc_print(writer, "%s%s%s%s", kc_prelude_texts[KC_PRELUDE].text,
           writer->uses_heap ? kc_prelude_texts[KC_HEAP].text : "", variables.text, kernels.text);
  free(variables.text);
  free(kernels.text);
  return writer->errors == 0;
}

/* What the file defines for the host: lines of a module, as those who look for names read them. */
static void write_name(kc_writer *writer, const char *kind, LLVMValueRef value) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  kc_print(writer, "//vptr %s lowered=%.*s\n", kind, (int)length, name);
}

static bool write_names(kc_writer *writer) {
  kc_kernels_find(writer);
  for (size_t i = 0; i < writer->kernel_count; i++)
    write_name(writer, "kernel", writer->kernels[i].function);
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    if (kc_variable_is_for_host(each))
      write_name(writer, "variable", each);
  return true;
}

static bool write_file(kc_writer *writer, const char *path, bool wants_names) {
  writer->out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (writer->out == NULL) {
    perror(path);
    return false;
  }
  bool is_good = wants_names ? write_names(writer) : write_module(writer);
  if (fflush(writer->out) != 0 || (writer->out != stdout && fclose(writer->out) != 0)) {
    perror(path);
    return false;
  }
  return is_good;
}

static int print_usage(void) {
  fputs("usage: vptr-kernelc [--stops-at-barriers] [--finds-buffers] [--names] [-o OUTPUT] [--suffix SUFFIX] "
        "INPUT.bc ...\n"
        "Writes CUDA C for vptrcc's translator of the LLVM bitcode that clang makes of a CUDA file's device half, or "
        "of those of several files of one program; or only the names of their kernels and variables.\n",
        stderr);
  return 2;
}

/* --suffix is of the input behind it. */
static bool read_input(kc_writer *writer, const char *path, const char **suffix) {
  bool is_read = kc_unit_add(writer, path, *suffix);
  *suffix = NULL;
  return is_read;
}

int main(int argc, char **argv) {
  static kc_writer writer;
  const char *output = "-", *suffix = NULL;
  bool wants_names = false;
  for (int i = 1; i < argc; i++) {
    bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "--version") == 0) {
      puts("vptr-kernelc for LLVM " KERNELC_LLVM);
      return 0;
    }
    if (strcmp(argv[i], "--stops-at-barriers") == 0)
      writer.stops_at_barriers = true;
    else if (strcmp(argv[i], "--names") == 0)
      wants_names = true;
    else if (strcmp(argv[i], "--finds-buffers") == 0)
      writer.finds_buffers = true;
    else if (strcmp(argv[i], "-o") == 0 && has_value)
      output = argv[++i];
    else if (strcmp(argv[i], "--suffix") == 0 && has_value)
      suffix = argv[++i];
    else if (!read_input(&writer, argv[i], &suffix))
      return 1;
  }
  if (writer.module == NULL)
    return print_usage();
  writer.data = LLVMGetModuleDataLayout(writer.module);
  find_machine(&writer);
  return write_file(&writer, output, wants_names) ? 0 : 1;
}
