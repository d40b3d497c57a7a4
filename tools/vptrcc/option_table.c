/* SPDX-License-Identifier: MIT */
/* option_table - see option_table.h. */
#include "option_table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "translate/dump/dump.h"
#include "words.h"

static const char *join_option(cc_options *options, const char *prefix, const char *value) {
  return vptr__arena_format(options->arena, "%s%s", prefix, value);
}

/* ---- what options do ------------------------------------------------------------------------------------- */

static void on_goal_device_compile(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_COMPILE;
  options->is_relocatable = true;
}

static void on_goal_whole_compile(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_COMPILE;
  options->is_relocatable = false;
}

/* -dlink and -ptx are one goal together. */
static void on_goal_module(cc_options *options, const char *value) {
  (void)value;
  options->goal = options->goal == CC_DEVICE_LINK ? CC_MODULE_LINK : CC_MODULE;
}

static void on_goal_device_link(cc_options *options, const char *value) {
  (void)value;
  options->goal = options->goal == CC_MODULE ? CC_MODULE_LINK : CC_DEVICE_LINK;
}

static void on_goal_depend_user(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_DEPENDENCIES;
  options->skips_system_headers = true;
}

static void on_depend_user(cc_options *options, const char *value) {
  (void)value;
  options->depends = options->skips_system_headers = true;
}

static void on_depend_target(cc_options *options, const char *value) {
  cc_list_add(&options->targets, value);
}

static void add_folder(cc_options *options, const char *value) {
  cc_list_add(&options->folders, value);
  cc_list_add(&options->preprocessing, join_option(options, "-I", value));
}

static void add_system_folder(cc_options *options, const char *value) {
  cc_list_add(&options->system_folders, value);
  cc_list_add(&options->preprocessing, "-isystem");
  cc_list_add(&options->preprocessing, value);
}

static void add_included(cc_options *options, const char *value) {
  cc_list_add(&options->included, value);
  cc_list_add(&options->preprocessing, "-include");
  cc_list_add(&options->preprocessing, value);
}

static void for_names(cc_options *options, const char *value, cc_action *act) {
  cc_list names;
  cc_list_init(&names, options->arena);
  cc_words_names(&names, value);
  for (size_t i = 0; i < names.count; i++)
    act(options, names.items[i]);
}

static void on_include(cc_options *options, const char *value) {
  for_names(options, value, add_folder);
}

static void on_system_include(cc_options *options, const char *value) {
  for_names(options, value, add_system_folder);
}

static void on_pre_include(cc_options *options, const char *value) {
  for_names(options, value, add_included);
}

static void on_define(cc_options *options, const char *value) {
  cc_list_add(&options->defines, value);
  cc_list_add(&options->preprocessing, join_option(options, "-D", value));
}

static void on_undefine(cc_options *options, const char *value) {
  cc_list_add(&options->defines, join_option(options, "-", value));
  cc_list_add(&options->preprocessing, join_option(options, "-U", value));
}

static void on_optimize(cc_options *options, const char *value) {
  cc_list_add(&options->flags, join_option(options, "-O", value));
}

static void on_language(cc_options *options, const char *value) {
  if (strcmp(value, "cu") == 0 || strcmp(value, "c") == 0 || strcmp(value, "c++") == 0)
    options->language = value;
  else if (strcmp(value, "none") == 0)
    options->language = NULL;
  else
    cc_options_refuse(options, "vptrcc compiles cu, c and c++, and -x says", value);
}

/* sm_75, compute_75, 75: 750; all, native and lists: what it is without. */
static void on_arch(cc_options *options, const char *value) {
  const char *digits = value + strcspn(value, "0123456789");
  int number = atoi(digits);
  options->arch = number >= 30 && number < 1000 ? number * 10 : 0;
}

static void on_code(cc_options *options, const char *value) {
  const char *arch = strstr(value, "arch=");
  if (options->arch == 0 && arch != NULL)
    on_arch(options, vptr__arena_copy(options->arena, arch, strcspn(arch, ",")));
}

/* Macros and folders are for both sides, or they would read different texts. */
static void on_host_options(cc_options *options, const char *value) {
  cc_list words;
  cc_list_init(&words, options->arena);
  cc_words_options(&words, value);
  for (size_t i = 0; i < words.count; i++) {
    const char *word = words.items[i];
    bool is_for_both = word[0] == '-' && (word[1] == 'D' || word[1] == 'U' || word[1] == 'I');
    if (is_for_both && word[2] != 0)
      cc_option_do(cc_option_find_letter(word[1]), options, word + 2);
    else if (is_for_both && i + 1 < words.count)
      cc_option_do(cc_option_find_letter(word[1]), options, words.items[++i]);
    else
      cc_list_add(&options->flags, word);
  }
}

static void on_linker_options(cc_options *options, const char *value) {
  cc_list words;
  cc_list_init(&words, options->arena);
  cc_words_options(&words, value);
  for (size_t i = 0; i < words.count; i++) {
    cc_options_add_input(options, "-Xlinker", "option");
    cc_options_add_input(options, words.items[i], "option");
  }
}

static void add_library_folder(cc_options *options, const char *value) {
  cc_options_add_input(options, join_option(options, "-L", value), "option");
}

/* NVIDIA's own libraries, by the names that ours have; NULL: there is nothing to link. */
static void add_library(cc_options *options, const char *value) {
  static const struct {
    const char *name, *ours;
  } libraries[] = {
    { "cudart", "vptr-cudart" }, { "cudart_static", NULL },     { "cudadevrt", NULL },      { "cuda", "vptr-cuda" },
    { "nvrtc", "vptr-nvrtc" },   { "nvToolsExt", "vptr-nvtx" }, { "nvidia-ml", "vptr-ml" },
  };
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (strcmp(value, libraries[i].name) == 0) {
      value = libraries[i].ours;
      break;
    }
  if (value != NULL)
    cc_options_add_input(options, join_option(options, "-l", value), "option");
}

static void on_library_folder(cc_options *options, const char *value) {
  for_names(options, value, add_library_folder);
}

static void on_library(cc_options *options, const char *value) {
  for_names(options, value, add_library);
}

static void on_default_stream(cc_options *options, const char *value) {
  if (strcmp(value, "per-thread") == 0)
    on_define(options, "CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  else if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0)
    cc_options_refuse(options, "--default-stream is legacy or per-thread, not", value);
}

static bool is_true(cc_options *options, const char *value) {
  bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
  if (!yes && !no)
    cc_options_refuse(options, "expected true or false, not", value);
  return yes;
}

static void on_relocatable(cc_options *options, const char *value) {
  options->is_relocatable = is_true(options, value);
}

static void on_fmad(cc_options *options, const char *value) {
  options->no_fma = !is_true(options, value);
}

static void on_runtime(cc_options *options, const char *value) {
  if (strcmp(value, "none") == 0)
    options->has_no_runtime = true;
  else if (strcmp(value, "static") != 0 && strcmp(value, "shared") != 0)
    cc_options_refuse(options, "-cudart is none, shared or static, not", value);
}

static void on_front_end(cc_options *options, const char *value) {
  static const char *const names[] = { "auto", "own", "clang" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(value, names[i]) == 0) {
      options->front_end = (cc_front_end)i;
      return;
    }
  cc_options_refuse(options, "--front-end is own, clang or auto, not", value);
}

static void on_dump(cc_options *options, const char *value) {
  unsigned steps = vptr__dump_steps(value);
  options->dump |= steps;
  options->goal = CC_DUMP;
  if (steps == 0)
    cc_options_refuse(options, "--dump takes tree, types, spaces, plan and text, with commas between them, not",
                      value);
}

static void on_shared(cc_options *options, const char *value) {
  (void)value;
  options->is_shared = true;
  cc_list_add(&options->linking, "-shared");
}

static void on_dry(cc_options *options, const char *value) {
  (void)value;
  options->is_dry = options->is_verbose = true;
}

static void on_no_warnings(cc_options *options, const char *value) {
  (void)value;
  options->has_no_warnings = true;
  cc_list_add(&options->flags, "-w");
}

static void on_options_file(cc_options *options, const char *value) {
  for_names(options, value, cc_options_read_file);
}

static void on_run_arguments(cc_options *options, const char *value) {
  cc_words_options(&options->run_arguments, value);
}

static void on_template_depth(cc_options *options, const char *value) {
  cc_list_add(&options->flags, join_option(options, "-ftemplate-depth=", value));
}

static void on_template_backtrace(cc_options *options, const char *value) {
  cc_list_add(&options->flags, join_option(options, "-ftemplate-backtrace-limit=", value));
}

static void on_forward_to_both(cc_options *options, const char *value) {
  (void)value;
  options->unknown_for_compiler = options->unknown_for_linker = true;
}

static void on_binary(cc_options *options, const char *value) {
  (void)value;
  cc_options_refuse(
      options,
      "there is no machine code of NVIDIA's here; -ptx writes the translated text, which is what modules load, for",
      "-cubin, -fatbin");
}

/* ---- the table ------------------------------------------------------------------------------------------- */

/* What most options do is written in their rows: they choose the goal, set a flag or a text of cc_options, or give the
 * host's compiler an option. */
#define BARE(brief, full, act)                                                                                       \
  { brief, full, false, CC_ACT, act, 0, CC_LINK, NULL }
#define VALUE(brief, full, act)                                                                                      \
  { brief, full, true, CC_ACT, act, 0, CC_LINK, NULL }
#define GOAL(brief, full, goal)                                                                                      \
  { brief, full, false, CC_SET_GOAL, NULL, 0, goal, NULL }
#define FLAG(brief, full, member)                                                                                    \
  { brief, full, false, CC_SET_FLAG, NULL, offsetof(cc_options, member), CC_LINK, NULL }
#define TEXT(brief, full, member)                                                                                    \
  { brief, full, true, CC_SET_TEXT, NULL, offsetof(cc_options, member), CC_LINK, NULL }
#define HOST(brief, full, option)                                                                                    \
  { brief, full, false, CC_REPORT_HOST, NULL, 0, CC_LINK, option }
#define IGNORED(brief, full)                                                                                         \
  { brief, full, false, CC_IGNORE, NULL, 0, CC_LINK, NULL }
#define IGNORED_VALUE(brief, full)                                                                                   \
  { brief, full, true, CC_IGNORE, NULL, 0, CC_LINK, NULL }

static const cc_option rows[] = {
  TEXT("o", "output-file", output),
  GOAL("c", "compile", CC_COMPILE),
  BARE("dc", "device-c", on_goal_device_compile),
  BARE("dw", "device-w", on_goal_whole_compile),
  BARE("dlink", "device-link", on_goal_device_link),
  GOAL("lib", NULL, CC_ARCHIVE),
  GOAL("E", "preprocess", CC_PREPROCESS),
  BARE("ptx", NULL, on_goal_module),
  GOAL("cuda", NULL, CC_HOST_TEXT),
  BARE("cubin", NULL, on_binary),
  BARE("fatbin", NULL, on_binary),
  GOAL("M", "generate-dependencies", CC_DEPENDENCIES),
  BARE("MM", "generate-nonsystem-dependencies", on_goal_depend_user),
  FLAG("MD", "generate-dependencies-with-compile", depends),
  BARE("MMD", "generate-nonsystem-dependencies-with-compile", on_depend_user),
  FLAG("MP", "generate-dependency-targets", has_phony_targets),
  TEXT("MF", "dependency-output", depend_file),
  VALUE("MT", "dependency-target-name", on_depend_target),
  VALUE("MQ", NULL, on_depend_target),
  VALUE("isystem", "system-include", on_system_include),
  VALUE("include", "pre-include", on_pre_include),
  HOST("g", "debug", "-g"),
  TEXT("std", NULL, standard),
  VALUE("x", NULL, on_language),
  VALUE("arch", "gpu-architecture", on_arch),
  VALUE("gencode", "generate-code", on_code),
  VALUE("Xcompiler", "compiler-options", on_host_options),
  VALUE("Xlinker", "linker-options", on_linker_options),
  VALUE("fmad", NULL, on_fmad),
  FLAG("use_fast_math", NULL, fast_math),
  TEXT("ccbin", "compiler-bindir", host_compiler),
  VALUE("cudart", NULL, on_runtime),
  VALUE("default-stream", NULL, on_default_stream),
  VALUE("rdc", "relocatable-device-code", on_relocatable),
  BARE("shared", NULL, on_shared),
  FLAG("keep", "save-temps", keeps),
  TEXT("keep-dir", NULL, keep_folder),
  FLAG("v", "verbose", is_verbose),
  BARE("dryrun", NULL, on_dry),
  BARE("w", "disable-warnings", on_no_warnings),
  GOAL("h", "help", CC_HELP),
  GOAL("V", "version", CC_VERSION),
  VALUE(NULL, "include-path", on_include),
  VALUE(NULL, "define-macro", on_define),
  VALUE(NULL, "undefine-macro", on_undefine),
  VALUE(NULL, "library-path", on_library_folder),
  VALUE(NULL, "library", on_library),
  VALUE(NULL, "optimize", on_optimize),
  VALUE("optf", "options-file", on_options_file),
  VALUE(NULL, "front-end", on_front_end),
  VALUE(NULL, "dump", on_dump),
  FLAG(NULL, "finds-buffers", finds_buffers),
  GOAL("run", "run", CC_RUN),
  VALUE("run-args", NULL, on_run_arguments),
  GOAL("arch-ls", "list-gpu-arch", CC_LIST_ARCH),
  GOAL("code-ls", "list-gpu-code", CC_LIST_CODE),
  GOAL(NULL, "list-front-ends", CC_LIST_FRONT_ENDS),
  TEXT("odir", "output-directory", output_folder),
  TEXT("arbin", "archiver-binary", archiver),
  HOST("pg", "profile", "-pg"),
  HOST("noeh", "no-exceptions", "-fno-exceptions"),
  VALUE("ftemplate-depth", NULL, on_template_depth),
  VALUE("ftemplate-backtrace-limit", NULL, on_template_backtrace),
  FLAG("forward-unknown-to-host-compiler", NULL, unknown_for_compiler),
  FLAG("forward-unknown-to-host-linker", NULL, unknown_for_linker),
  BARE("forward-unknown-opts", NULL, on_forward_to_both),
  TEXT("time", NULL, time_file),
  FLAG("nodlink", "no-device-link", has_no_device_link),
  BARE("optix-ir", NULL, on_binary),
  BARE("ltoir", NULL, on_binary),
  /* for NVIDIA's assembler, its own front end, or Windows */
  IGNORED("allow-unsupported-compiler", NULL),
  IGNORED("astoolspatch", "compile-as-tools-patch"),
  IGNORED("aug-hls", "augment-host-linker-script"),
  IGNORED("dlto", "dlink-time-opt"),
  IGNORED("err-no", "display-error-number"),
  IGNORED("ewp", "extensible-whole-program"),
  IGNORED("expt-extended-lambda", NULL),
  IGNORED("expt-relaxed-constexpr", NULL),
  IGNORED("extended-lambda", NULL),
  IGNORED("extra-device-vectorization", NULL),
  IGNORED("fdevice-syntax-only", NULL),
  IGNORED("force-cl-env-setup", NULL),
  IGNORED("G", "device-debug"),
  IGNORED("gen-opt-lto", NULL),
  IGNORED("jobserver", NULL),
  IGNORED("keep-device-functions", NULL),
  IGNORED("lineinfo", "generate-line-info"),
  IGNORED("link", NULL),
  IGNORED("lto", NULL),
  IGNORED("no-align-double", NULL),
  IGNORED("no-compress", NULL),
  IGNORED("no-err-no", "no-display-error-number"),
  IGNORED("nohdinitlist", "no-host-device-initializer-list"),
  IGNORED("nohdmoveforward", "no-host-device-move-forward"),
  IGNORED("noprof", "dont-use-profile"),
  IGNORED("objtemp", "objdir-as-tempdir"),
  IGNORED("reloc-ptx", "relocatable-ptx"),
  IGNORED("res-usage", "resource-usage"),
  IGNORED("restrict", NULL),
  IGNORED("src-in-ptx", "source-in-ptx"),
  IGNORED("use-local-env", NULL),
  IGNORED("Wdefault-stream-launch", NULL),
  IGNORED("Wext-lambda-captures-this", NULL),
  IGNORED("Wmissing-launch-bounds", NULL),
  IGNORED("Wno-deprecated-gpu-targets", NULL),
  IGNORED_VALUE("brief-diag", "brief-diagnostics"),
  IGNORED_VALUE("code", "gpu-code"),
  IGNORED_VALUE("compress-mode", NULL),
  IGNORED_VALUE("cudadevrt", NULL),
  IGNORED_VALUE("ddp", "dependency-drive-prefix"),
  IGNORED_VALUE("device-entity-has-hidden-visibility", NULL),
  IGNORED_VALUE("device-stack-protector", NULL),
  IGNORED_VALUE("diag-error", NULL),
  IGNORED_VALUE("diag-suppress", NULL),
  IGNORED_VALUE("diag-warn", NULL),
  IGNORED_VALUE("dopt", NULL),
  IGNORED_VALUE("dp", "drive-prefix"),
  IGNORED_VALUE("e", "entries"),
  IGNORED_VALUE("fdevice-time-trace", NULL),
  IGNORED_VALUE("frandom-seed", NULL),
  IGNORED_VALUE("ftz", NULL),
  IGNORED_VALUE("idp", "input-drive-prefix"),
  IGNORED_VALUE("jtd", "jump-table-density"),
  IGNORED_VALUE("ldir", "libdevice-directory"),
  IGNORED_VALUE("m", "machine"), /* 64: there is no other */
  IGNORED_VALUE("maxrregcount", NULL),
  IGNORED_VALUE("Ofc", "Ofast-compile"),
  IGNORED_VALUE("opt-info", "optimization-info"),
  IGNORED_VALUE("prec-div", NULL),
  IGNORED_VALUE("prec-sqrt", NULL),
  IGNORED_VALUE("qpp-config", NULL),
  IGNORED_VALUE("sanitize", NULL),
  IGNORED_VALUE("split-compile", NULL),
  IGNORED_VALUE("split-compile-extended", NULL),
  IGNORED_VALUE("static-global-template-stub", NULL),
  IGNORED_VALUE("t", "threads"),
  IGNORED_VALUE("target-dir", "target-directory"),
  IGNORED_VALUE("Xarchive", "archive-options"),
  IGNORED_VALUE("Xcicc", NULL),
  IGNORED_VALUE("Xcudafe", NULL),
  IGNORED_VALUE("Xfatbin", NULL),
  IGNORED_VALUE("Xnvlink", "nvlink-options"),
  IGNORED_VALUE("Xptxas", "ptxas-options"),
};

/* Written together with their value, or before it. */
static const cc_option letters[] = {
  VALUE("I", NULL, on_include),  VALUE("D", NULL, on_define),
  VALUE("U", NULL, on_undefine), VALUE("L", NULL, on_library_folder),
  VALUE("l", NULL, on_library),  VALUE("O", NULL, on_optimize),
  TEXT("o", NULL, output),       VALUE("x", NULL, on_language),
  IGNORED_VALUE("t", NULL),
};

static bool is_called(const char *called, const char *name, size_t length) {
  return called != NULL && strlen(called) == length && strncmp(called, name, length) == 0;
}

const cc_option *cc_option_find(const char *name, const char **value_out) {
  size_t length = strcspn(name, "=");
  *value_out = name[length] == '=' ? name + length + 1 : NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const cc_option *row = &rows[i];
    bool is_it = is_called(row->brief, name, length) || is_called(row->full, name, length);
    if (is_it && (row->has_value || *value_out == NULL))
      return row;
  }
  return NULL;
}

const cc_option *cc_option_find_letter(char letter) {
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (letters[i].brief[0] == letter)
      return &letters[i];
  return NULL;
}

void cc_option_do(const cc_option *option, cc_options *options, const char *value) {
  switch (option->effect) {
  case CC_ACT:
    option->act(options, value);
    break;
  case CC_SET_GOAL:
    options->goal = option->goal;
    break;
  case CC_SET_FLAG:
    *(bool *)((char *)options + option->place) = true;
    break;
  case CC_SET_TEXT:
    *(const char **)(void *)((char *)options + option->place) = value;
    break;
  case CC_REPORT_HOST:
    cc_list_add(&options->flags, option->host);
    break;
  case CC_IGNORE:
    break;
  }
}
