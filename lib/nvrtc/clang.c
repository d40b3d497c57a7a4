/* SPDX-License-Identifier: MIT */
/*
 * clang - see clang.h.
 *
 * The program and its headers are written to a folder that is removed again, and vptrcc is run there: it knows clang,
 * and LLVM stays out of this process, which may have an OpenCL driver with another one. vptrcc is VPTRCC, or the one
 * that was installed with the library.
 *
 *     folder/program.cu   #line 1 "name", the program, and a line for each name expression (expression.c)
 *     folder/headers/     those of nvrtcCreateProgram()
 *     folder/module, folder/log, folder/depend, folder/tools
 *
 * What comes of it is kept on disk (kept.h), with the files that were read and who read them: the last two say that.
 *
 * No data; a program is its caller's, whose mutex is held. Called by compile.c, where the own translator has refused a
 * program, and where it is relocatable; by link.c, to find who links. It blocks while vptrcc and clang work, about a
 * second.
 */
#include "nvrtc/clang.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/binary.h"
#include "base/memory.h"
#include "nvrtc/child.h"
#include "nvrtc/depend.h"
#include "nvrtc/expression.h"
#include "nvrtc/kept.h"

#ifndef VPTR_NVRTC_BINDIR
#define VPTR_NVRTC_BINDIR "/usr/local/bin"
#endif

/* ---- what is written ------------------------------------------------------------------------------------ */

static bool write_headers(nvrtcProgram program, const char *folder, vptr__nvrtc_text *log) {
  for (size_t i = 0; i < program->headers.count; i++) {
    const char *name = program->header_names.items[i], *text = program->headers.items[i];
    vptr__nvrtc_text path = { 0 };
    vptr__nvrtc_text_print(&path, "headers/%s", name);
    bool is_written = !path.failed && vptr__nvrtc_folder_write(folder, path.bytes, text, strlen(text));
    vptr__nvrtc_text_free(&path);
    if (!is_written) {
      vptr__nvrtc_text_print(log,
                             "nvrtc: error: header '%s' cannot be written for clang: give it a name without '..' "
                             "or '/' in front, and see that TMPDIR has room\n",
                             name);
      return false;
    }
  }
  return true;
}

/* Functions without a word are for both sides then, which for the device's half is the same. */
static void make_source(nvrtcProgram program, const vptr__nvrtc_options *options, vptr__nvrtc_text *text) {
  if (options->default_device)
    vptr__nvrtc_text_print(text, "#pragma clang force_cuda_host_device begin\n");
  vptr__nvrtc_text_print(text, "#line 1 \"%s\"\n", program->name);
  vptr__nvrtc_text_add(text, program->source, strlen(program->source));
  if (options->default_device)
    vptr__nvrtc_text_print(text, "\n#pragma clang force_cuda_host_device end");
  vptr__nvrtc_expressions_write(&program->expressions, text);
}

static bool write_source(nvrtcProgram program, const vptr__nvrtc_options *options, const char *folder) {
  vptr__nvrtc_text text = { 0 };
  make_source(program, options, &text);
  bool is_written = !text.failed && vptr__nvrtc_folder_write(folder, "program.cu", text.bytes, text.length);
  vptr__nvrtc_text_free(&text);
  return is_written;
}

/* ---- the command ---------------------------------------------------------------------------------------- */

static void add_word(vptr__nvrtc_list *command, const char *first, const char *second) {
  vptr__nvrtc_text word = { 0 };
  vptr__nvrtc_text_print(&word, "%s%s", first, second);
  if (word.failed)
    command->failed = true;
  else
    vptr__nvrtc_list_add(command, word.bytes, word.length);
  vptr__nvrtc_text_free(&word);
}

static void add_words(vptr__nvrtc_list *command, const char *option, const vptr__nvrtc_list *values) {
  for (size_t i = 0; i < values->count; i++)
    add_word(command, option, values->items[i]);
}

/* The folder that the program's name says it is from. */
static void add_source_folder(vptr__nvrtc_list *command, nvrtcProgram program) {
  const char *slash = strrchr(program->name, '/');
  char *folder = slash != NULL ? vptr__nvrtc_copy(program->name, (size_t)(slash - program->name) + 1) : NULL;
  if (folder != NULL)
    add_word(command, "-I", folder);
  command->failed |= slash != NULL && folder == NULL;
  vptr__memory_free(folder);
}

static void add_defines(vptr__nvrtc_list *command, const vptr__nvrtc_list *defines) {
  for (size_t i = 0; i < defines->count; i++) {
    bool is_undone = defines->items[i][0] == '-';
    add_word(command, is_undone ? "-U" : "-D", defines->items[i] + is_undone);
  }
}

static void add_options(vptr__nvrtc_list *command, const vptr__nvrtc_options *options) {
  vptr__nvrtc_text arch = { 0 };
  vptr__nvrtc_text_print(&arch, "-arch=sm_%d", options->arch / 10);
  if (options->arch != 0)
    add_word(command, arch.failed ? "" : arch.bytes, "");
  command->failed |= arch.failed;
  vptr__nvrtc_text_free(&arch);
  if (options->standards.count > 0)
    add_word(command, "-std=", options->standards.items[options->standards.count - 1]);
  if (options->finds_buffers)
    add_word(command, "--finds-buffers", "");
  if (options->no_fma)
    add_word(command, "-fmad=false", "");
  if (options->fast_math)
    add_word(command, "-use_fast_math", "");
  if (options->no_warnings)
    add_word(command, "-w", "");
  add_defines(command, &options->defines);
}

static void add_files(vptr__nvrtc_list *command, nvrtcProgram program, const vptr__nvrtc_options *options,
                      const char *folder) {
  vptr__nvrtc_text headers = { 0 };
  vptr__nvrtc_text_print(&headers, "-I%s/headers", folder);
  add_word(command, headers.failed ? "" : headers.bytes, "");
  command->failed |= headers.failed;
  vptr__nvrtc_text_free(&headers);
  if (!options->no_source_folder)
    add_source_folder(command, program);
  add_words(command, "-I", &options->folders);
  for (size_t i = 0; i < options->includes.count; i++) {
    add_word(command, "-include", "");
    add_word(command, options->includes.items[i], "");
  }
  add_word(command, "-MD", "");
  add_word(command, "-MF", "");
  add_word(command, folder, "/depend");
  add_word(command, "-o", "");
  add_word(command, folder, "/module");
  add_word(command, folder, "/program.cu");
}

const char *vptr__nvrtc_clang_driver(void) {
  const char *given = secure_getenv("VPTRCC");
  return given != NULL && given[0] != 0 ? given : VPTR_NVRTC_BINDIR "/vptrcc";
}

bool vptr__nvrtc_clang_is_allowed(void) {
  return getauxval(AT_SECURE) == 0;
}

bool vptr__nvrtc_clang_is_there(void) {
  vptr__nvrtc_list files = { 0 };
  bool is_there = vptr__nvrtc_clang_is_allowed() && vptr__nvrtc_depend_find(vptr__nvrtc_clang_driver(), &files);
  vptr__nvrtc_list_free(&files);
  return is_there;
}

/* What the own translator has refused is clang's, and so is what only clang is told in this file. */
static bool is_for_clang(nvrtcProgram program, const vptr__nvrtc_options *options) {
  return !options->is_relocatable || options->default_device || program->expressions.count > 0;
}

static void make_command(vptr__nvrtc_list *command, nvrtcProgram program, const vptr__nvrtc_options *options,
                         const char *folder) {
  add_word(command, vptr__nvrtc_clang_driver(), "");
  if (is_for_clang(program, options))
    add_word(command, "--front-end=clang", "");
  if (options->is_relocatable)
    add_word(command, "-rdc=true", "");
  add_word(command, "-ptx", "");
  add_word(command, "-D__CUDACC_RTC__=1", "");
  add_options(command, options);
  add_files(command, program, options, folder);
}

/* ---- what is kept --------------------------------------------------------------------------------------- */

/* All that a compilation depends on but the files that it reads. The folder has another name each time. */
static void describe(nvrtcProgram program, const vptr__nvrtc_options *options, vptr__nvrtc_text *what) {
  vptr__nvrtc_list command = { 0 };
  vptr__nvrtc_kept_begin(what);
  make_command(&command, program, options, "");
  for (size_t i = 0; i < command.count; i++)
    vptr__nvrtc_text_add(what, command.items[i], strlen(command.items[i]) + 1);
  what->failed |= command.failed;
  vptr__nvrtc_list_free(&command);
  for (size_t i = 0; i < program->headers.count; i++) {
    vptr__nvrtc_text_add(what, program->header_names.items[i], strlen(program->header_names.items[i]) + 1);
    vptr__nvrtc_text_add(what, program->headers.items[i], strlen(program->headers.items[i]) + 1);
  }
  make_source(program, options, what);
}

/* The second word of a line, where the first is `name`. */
static bool find_tool(const char *lines, const char *name, vptr__nvrtc_list *files) {
  const char *at = lines != NULL ? strstr(lines, name) : NULL;
  if (at == NULL)
    return false;
  at += strlen(name);
  char *path = vptr__nvrtc_copy(at, strcspn(at, "\t\n"));
  bool is_found = path != NULL && vptr__nvrtc_depend_find(path, files);
  vptr__memory_free(path);
  return is_found;
}

bool vptr__nvrtc_clang_tools(const char *folder, vptr__nvrtc_list *files) {
  const char *vptrcc = vptr__nvrtc_clang_driver();
  vptr__nvrtc_list command = { 0 };
  vptr__nvrtc_text lines = { 0 };
  add_word(&command, vptrcc, "");
  add_word(&command, "--list-front-ends", "");
  bool is_found = vptr__nvrtc_depend_find(vptrcc, files) && !command.failed &&
                  vptr__nvrtc_child_run(command.items, folder, "tools") &&
                  vptr__nvrtc_folder_read(folder, "tools", &lines) && find_tool(lines.bytes, "\nclang\t", files) &&
                  find_tool(lines.bytes, "\nvptr-kernelc\t", files);
  vptr__nvrtc_text_free(&lines);
  vptr__nvrtc_list_free(&command);
  return is_found;
}

static void keep(const vptr__nvrtc_text *what, const char *folder, const struct timespec *began,
                 const vptr__nvrtc_text *module, const vptr__nvrtc_text *log) {
  vptr__nvrtc_list files = { 0 };
  vptr__nvrtc_text rule = { 0 };
  if (vptr__nvrtc_folder_read(folder, "depend", &rule) && rule.bytes != NULL &&
      vptr__nvrtc_depend_read(rule.bytes, folder, &files) && vptr__nvrtc_clang_tools(folder, &files))
    vptr__nvrtc_kept_store(what, &files, began, module, log);
  vptr__nvrtc_text_free(&rule);
  vptr__nvrtc_list_free(&files);
}

/* ---- what comes back ------------------------------------------------------------------------------------ */

/* Messages name headers as the program does. */
static void add_log(vptr__nvrtc_text *log, const char *said, const char *folder) {
  size_t length = strlen(folder);
  while (said != NULL && *said != 0) {
    const char *next = strstr(said, folder);
    vptr__nvrtc_text_add(log, said, next != NULL ? (size_t)(next - said) : strlen(said));
    said = next != NULL ? next + length : NULL;
    if (said != NULL)
      said += strncmp(said, "/headers/", 9) == 0 ? 9 : *said == '/';
  }
}

static nvrtcResult run_in(const char *folder, nvrtcProgram program, const vptr__nvrtc_options *options,
                          vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  vptr__nvrtc_list command = { 0 };
  vptr__nvrtc_text said = { 0 };
  if (!write_headers(program, folder, log))
    return NVRTC_ERROR_COMPILATION;
  make_command(&command, program, options, folder);
  bool is_started = write_source(program, options, folder) && !command.failed &&
                    vptr__nvrtc_child_run(command.items, folder, "log");
  if (is_started)
    (void)vptr__nvrtc_folder_read(folder, "log", &said);
  else
    vptr__nvrtc_text_print(log,
                           "nvrtc: note: if this is C++ that vptr's own front end has not: that needs clang (apt "
                           "install clang-19) and %s, which cannot be run; VPTRCC names another\n",
                           command.count > 0 ? command.items[0] : "vptrcc");
  add_log(log, said.bytes, folder);
  bool is_made = is_started && vptr__nvrtc_folder_read(folder, "module", module) && module->length > 0;
  bool is_out = command.failed || said.failed || module->failed || log->failed;
  vptr__nvrtc_text_free(&said);
  vptr__nvrtc_list_free(&command);
  return is_out ? NVRTC_ERROR_OUT_OF_MEMORY : is_made ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

static nvrtcResult compile_in_folder(nvrtcProgram program, const vptr__nvrtc_options *options,
                                     const vptr__nvrtc_text *what, vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  char *folder;
  struct timespec began;
  if (!vptr__nvrtc_folder_make(&folder)) {
    vptr__nvrtc_text_print(log, "nvrtc: error: C++ needs a folder for clang, and none can be made: TMPDIR names "
                                "where\n");
    return NVRTC_ERROR_COMPILATION;
  }
  clock_gettime(CLOCK_REALTIME, &began);
  nvrtcResult result = run_in(folder, program, options, module, log);
  if (result == NVRTC_SUCCESS && what->length > 0)
    keep(what, folder, &began, module, log);
  vptr__nvrtc_folder_remove(folder);
  vptr__memory_free(folder);
  return result;
}

nvrtcResult vptr__nvrtc_clang_compile(nvrtcProgram program, const vptr__nvrtc_options *options,
                                      vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  vptr__nvrtc_text what = { 0 };
  if (!vptr__nvrtc_clang_is_allowed()) {
    vptr__nvrtc_text_print(log, "nvrtc: error: C++ needs clang, and a set-uid program starts none\n");
    return NVRTC_ERROR_COMPILATION;
  }
  if (vptr__binary_is_on())
    describe(program, options, &what);
  nvrtcResult result = what.length > 0 && vptr__nvrtc_kept_load(&what, module, log)
                           ? NVRTC_SUCCESS
                           : compile_in_folder(program, options, &what, module, log);
  if (result == NVRTC_SUCCESS)
    result = module->failed || log->failed ? NVRTC_ERROR_OUT_OF_MEMORY
                                           : vptr__nvrtc_expressions_read(&program->expressions, module);
  vptr__nvrtc_text_free(&what);
  return result;
}
