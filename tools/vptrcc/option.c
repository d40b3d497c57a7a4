/* SPDX-License-Identifier: MIT */
/* option - see option.h. */
#include "option.h"

#include <stdlib.h>
#include <string.h>

static const char *joined(cc_options *options, const char *prefix, const char *value) {
  return vptr__arena_format(options->arena, "%s%s", prefix, value);
}

/* a,b,c: three options; "\," is a comma. */
static void add_parts(cc_list *list, const char *value) {
  cc_buffer part;
  cc_buffer_init(&part, list->arena);
  for (const char *at = value;; at++) {
    if (*at == '\\' && at[1] == ',') {
      cc_buffer_add(&part, ++at, 1);
    } else if (*at == ',' || *at == 0) {
      if (part.length > 0)
        cc_list_add(list, part.text);
      cc_buffer_init(&part, list->arena);
      if (*at == 0)
        return;
    } else {
      cc_buffer_add(&part, at, 1);
    }
  }
}

/* ---- what options do ------------------------------------------------------------------------------------- */

static void on_nothing(cc_options *options, const char *value) {
  (void)options;
  (void)value;
}

static void on_output(cc_options *options, const char *value) {
  options->output = value;
}

static void on_goal_compile(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_COMPILE;
}

static void on_goal_preprocess(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_PREPROCESS;
}

static void on_goal_module(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_MODULE;
}

static void on_goal_host_text(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_HOST_TEXT;
}

static void on_goal_archive(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_ARCHIVE;
}

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

static void on_goal_device_link(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_DEVICE_LINK;
}

static void on_goal_depend(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_DEPENDENCIES;
}

static void on_goal_depend_user(cc_options *options, const char *value) {
  on_goal_depend(options, value);
  options->skips_system_headers = true;
}

static void on_help(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_HELP;
}

static void on_version(cc_options *options, const char *value) {
  (void)value;
  options->goal = CC_VERSION;
}

static void on_depend(cc_options *options, const char *value) {
  (void)value;
  options->depends = true;
}

static void on_depend_user(cc_options *options, const char *value) {
  (void)value;
  options->depends = options->skips_system_headers = true;
}

static void on_depend_phony(cc_options *options, const char *value) {
  (void)value;
  options->has_phony_targets = true;
}

static void on_depend_file(cc_options *options, const char *value) {
  options->depend_file = value;
}

static void on_depend_target(cc_options *options, const char *value) {
  cc_list_add(&options->targets, value);
}

static void on_include(cc_options *options, const char *value) {
  cc_list_add(&options->folders, value);
  cc_list_add(&options->preprocessing, joined(options, "-I", value));
}

static void on_system_include(cc_options *options, const char *value) {
  cc_list_add(&options->system_folders, value);
  cc_list_add(&options->preprocessing, "-isystem");
  cc_list_add(&options->preprocessing, value);
}

static void on_pre_include(cc_options *options, const char *value) {
  cc_list_add(&options->included, value);
  cc_list_add(&options->preprocessing, "-include");
  cc_list_add(&options->preprocessing, value);
}

static void on_define(cc_options *options, const char *value) {
  cc_list_add(&options->defines, value);
  cc_list_add(&options->preprocessing, joined(options, "-D", value));
}

static void on_undefine(cc_options *options, const char *value) {
  cc_list_add(&options->defines, joined(options, "-", value));
  cc_list_add(&options->preprocessing, joined(options, "-U", value));
}

static void on_optimize(cc_options *options, const char *value) {
  cc_list_add(&options->flags, joined(options, "-O", value));
}

static void on_debug(cc_options *options, const char *value) {
  (void)value;
  cc_list_add(&options->flags, "-g");
}

static void on_standard(cc_options *options, const char *value) {
  options->standard = value;
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
  cc_list parts;
  cc_list_init(&parts, options->arena);
  add_parts(&parts, value);
  for (size_t i = 0; i < parts.count; i++) {
    const char *part = parts.items[i];
    char letter = part[0] == '-' && part[1] != 0 && part[2] != 0 ? part[1] : (char)0;
    if (letter == 'D' || letter == 'U' || letter == 'I')
      cc_option_find_letter(letter)->act(options, part + 2);
    else
      cc_list_add(&options->flags, part);
  }
}

static void on_linker_options(cc_options *options, const char *value) {
  cc_list parts;
  cc_list_init(&parts, options->arena);
  add_parts(&parts, value);
  for (size_t i = 0; i < parts.count; i++) {
    cc_options_add_input(options, "-Xlinker", "option");
    cc_options_add_input(options, parts.items[i], "option");
  }
}

static void on_library_folder(cc_options *options, const char *value) {
  cc_options_add_input(options, joined(options, "-L", value), "option");
}

/* NVIDIA's own libraries, by the names that ours have; NULL: there is nothing to link. */
static void on_library(cc_options *options, const char *value) {
  static const struct {
    const char *name, *ours;
  } libraries[] = {
    { "cudart", "vptr-cudart" }, { "cudart_static", NULL }, { "cudadevrt", NULL },
    { "cuda", "vptr-cuda" },     { "nvrtc", "vptr-nvrtc" },
  };
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (strcmp(value, libraries[i].name) == 0) {
      value = libraries[i].ours;
      break;
    }
  if (value != NULL)
    cc_options_add_input(options, joined(options, "-l", value), "option");
}

static void on_host_compiler(cc_options *options, const char *value) {
  options->host_compiler = value;
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

static void on_fast_math(cc_options *options, const char *value) {
  (void)value;
  options->fast_math = true;
}

static void on_runtime(cc_options *options, const char *value) {
  if (strcmp(value, "none") == 0)
    options->has_no_runtime = true;
  else if (strcmp(value, "static") != 0 && strcmp(value, "shared") != 0)
    cc_options_refuse(options, "-cudart is none, shared or static, not", value);
}

static void on_shared(cc_options *options, const char *value) {
  (void)value;
  options->is_shared = true;
  cc_list_add(&options->linking, "-shared");
}

static void on_keep(cc_options *options, const char *value) {
  (void)value;
  options->keeps = true;
}

static void on_keep_folder(cc_options *options, const char *value) {
  options->keep_folder = value;
}

static void on_verbose(cc_options *options, const char *value) {
  (void)value;
  options->is_verbose = true;
}

static void on_dry(cc_options *options, const char *value) {
  (void)value;
  options->is_dry = options->is_verbose = true;
}

static void on_no_warnings(cc_options *options, const char *value) {
  (void)value;
  cc_list_add(&options->flags, "-w");
}

static void on_binary(cc_options *options, const char *value) {
  (void)value;
  cc_options_refuse(
      options,
      "there is no machine code of NVIDIA's here; -ptx writes the translated text, which is what modules load, for",
      "-cubin, -fatbin");
}

/* ---- the table ------------------------------------------------------------------------------------------- */

enum { CC_BARE = false, CC_WITH_VALUE = true };

static const cc_option rows[] = {
  { "o", CC_WITH_VALUE, on_output },
  { "output-file", CC_WITH_VALUE, on_output },
  { "c", CC_BARE, on_goal_compile },
  { "compile", CC_BARE, on_goal_compile },
  { "dc", CC_BARE, on_goal_device_compile },
  { "device-c", CC_BARE, on_goal_device_compile },
  { "dw", CC_BARE, on_goal_whole_compile },
  { "device-w", CC_BARE, on_goal_whole_compile },
  { "dlink", CC_BARE, on_goal_device_link },
  { "device-link", CC_BARE, on_goal_device_link },
  { "link", CC_BARE, on_nothing },
  { "lib", CC_BARE, on_goal_archive },
  { "E", CC_BARE, on_goal_preprocess },
  { "preprocess", CC_BARE, on_goal_preprocess },
  { "ptx", CC_BARE, on_goal_module },
  { "cuda", CC_BARE, on_goal_host_text },
  { "cubin", CC_BARE, on_binary },
  { "fatbin", CC_BARE, on_binary },
  { "M", CC_BARE, on_goal_depend },
  { "generate-dependencies", CC_BARE, on_goal_depend },
  { "MM", CC_BARE, on_goal_depend_user },
  { "generate-nonsystem-dependencies", CC_BARE, on_goal_depend_user },
  { "MD", CC_BARE, on_depend },
  { "generate-dependencies-with-compile", CC_BARE, on_depend },
  { "MMD", CC_BARE, on_depend_user },
  { "generate-nonsystem-dependencies-with-compile", CC_BARE, on_depend_user },
  { "MP", CC_BARE, on_depend_phony },
  { "generate-dependency-targets", CC_BARE, on_depend_phony },
  { "MF", CC_WITH_VALUE, on_depend_file },
  { "dependency-output", CC_WITH_VALUE, on_depend_file },
  { "MT", CC_WITH_VALUE, on_depend_target },
  { "MQ", CC_WITH_VALUE, on_depend_target },
  { "dependency-target-name", CC_WITH_VALUE, on_depend_target },
  { "include-path", CC_WITH_VALUE, on_include },
  { "isystem", CC_WITH_VALUE, on_system_include },
  { "system-include", CC_WITH_VALUE, on_system_include },
  { "include", CC_WITH_VALUE, on_pre_include },
  { "pre-include", CC_WITH_VALUE, on_pre_include },
  { "define-macro", CC_WITH_VALUE, on_define },
  { "undefine-macro", CC_WITH_VALUE, on_undefine },
  { "optimize", CC_WITH_VALUE, on_optimize },
  { "g", CC_BARE, on_debug },
  { "debug", CC_BARE, on_debug },
  { "G", CC_BARE, on_nothing },
  { "device-debug", CC_BARE, on_nothing },
  { "lineinfo", CC_BARE, on_nothing },
  { "generate-line-info", CC_BARE, on_nothing },
  { "std", CC_WITH_VALUE, on_standard },
  { "x", CC_WITH_VALUE, on_language },
  { "arch", CC_WITH_VALUE, on_arch },
  { "gpu-architecture", CC_WITH_VALUE, on_arch },
  { "gencode", CC_WITH_VALUE, on_code },
  { "generate-code", CC_WITH_VALUE, on_code },
  { "code", CC_WITH_VALUE, on_nothing },
  { "gpu-code", CC_WITH_VALUE, on_nothing },
  { "Xcompiler", CC_WITH_VALUE, on_host_options },
  { "compiler-options", CC_WITH_VALUE, on_host_options },
  { "Xlinker", CC_WITH_VALUE, on_linker_options },
  { "linker-options", CC_WITH_VALUE, on_linker_options },
  { "Xptxas", CC_WITH_VALUE, on_nothing },
  { "ptxas-options", CC_WITH_VALUE, on_nothing },
  { "Xnvlink", CC_WITH_VALUE, on_nothing },
  { "nvlink-options", CC_WITH_VALUE, on_nothing },
  { "Xcudafe", CC_WITH_VALUE, on_nothing },
  { "Xarchive", CC_WITH_VALUE, on_nothing },
  { "maxrregcount", CC_WITH_VALUE, on_nothing },
  { "ftz", CC_WITH_VALUE, on_nothing },
  { "prec-div", CC_WITH_VALUE, on_nothing },
  { "prec-sqrt", CC_WITH_VALUE, on_nothing },
  { "fmad", CC_WITH_VALUE, on_fmad },
  { "use_fast_math", CC_BARE, on_fast_math },
  { "extra-device-vectorization", CC_BARE, on_nothing },
  { "expt-relaxed-constexpr", CC_BARE, on_nothing },
  { "expt-extended-lambda", CC_BARE, on_nothing },
  { "extended-lambda", CC_BARE, on_nothing },
  { "allow-unsupported-compiler", CC_BARE, on_nothing },
  { "forward-unknown-to-host-compiler", CC_BARE, on_nothing },
  { "resource-usage", CC_BARE, on_nothing },
  { "res-usage", CC_BARE, on_nothing },
  { "restrict", CC_BARE, on_nothing },
  { "source-in-ptx", CC_BARE, on_nothing },
  { "diag-suppress", CC_WITH_VALUE, on_nothing },
  { "diag-error", CC_WITH_VALUE, on_nothing },
  { "diag-warn", CC_WITH_VALUE, on_nothing },
  { "display-error-number", CC_BARE, on_nothing },
  { "no-display-error-number", CC_BARE, on_nothing },
  { "threads", CC_WITH_VALUE, on_nothing },
  { "t", CC_WITH_VALUE, on_nothing },
  { "split-compile", CC_WITH_VALUE, on_nothing },
  { "ccbin", CC_WITH_VALUE, on_host_compiler },
  { "compiler-bindir", CC_WITH_VALUE, on_host_compiler },
  { "library", CC_WITH_VALUE, on_library },
  { "library-path", CC_WITH_VALUE, on_library_folder },
  { "cudart", CC_WITH_VALUE, on_runtime },
  { "default-stream", CC_WITH_VALUE, on_default_stream },
  { "rdc", CC_WITH_VALUE, on_relocatable },
  { "relocatable-device-code", CC_WITH_VALUE, on_relocatable },
  { "shared", CC_BARE, on_shared },
  { "keep", CC_BARE, on_keep },
  { "save-temps", CC_BARE, on_keep },
  { "keep-dir", CC_WITH_VALUE, on_keep_folder },
  { "v", CC_BARE, on_verbose },
  { "verbose", CC_BARE, on_verbose },
  { "dryrun", CC_BARE, on_dry },
  { "m", CC_WITH_VALUE, on_nothing }, /* 64: there is no other */
  { "machine", CC_WITH_VALUE, on_nothing },
  { "Wno-deprecated-gpu-targets", CC_BARE, on_nothing },
  { "w", CC_BARE, on_no_warnings },
  { "disable-warnings", CC_BARE, on_no_warnings },
  { "h", CC_BARE, on_help },
  { "help", CC_BARE, on_help },
  { "V", CC_BARE, on_version },
  { "version", CC_BARE, on_version },
};

/* Written together with their value, or before it. */
static const cc_option letters[] = {
  { "I", true, on_include },        { "D", true, on_define },  { "U", true, on_undefine },
  { "L", true, on_library_folder }, { "l", true, on_library }, { "O", true, on_optimize },
};

const cc_option *cc_option_find(const char *name, const char **value_out) {
  size_t length = strcspn(name, "=");
  *value_out = name[length] == '=' ? name + length + 1 : NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0 &&
        (rows[i].has_value || *value_out == NULL))
      return &rows[i];
  return NULL;
}

const cc_option *cc_option_find_letter(char letter) {
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (letters[i].name[0] == letter)
      return &letters[i];
  return NULL;
}
