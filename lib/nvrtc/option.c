/* SPDX-License-Identifier: MIT */
/*
 * option - the table of NVRTC's options, and reading a call's strings by it (option.h).
 *
 * A value comes behind "=", or as the next string; that of -I, -D and -U also with nothing between. Where NVRTC has
 * such a message, the words are NVRTC's, since programs show them.
 *
 * There is no data but constants, and no lock; vptr__nvrtc_options and the log are the caller's. Called by compile.c
 * alone, for nvrtcCompileProgram(). Nothing blocks.
 */
#include "nvrtc/option.h"

#include <string.h>

#include "base/option.h"

typedef enum form {
  FLAG,    /* alone */
  VALUE,   /* any value */
  SWITCH,  /* true or false */
  JOINED,  /* the value may follow directly */
  OPTIONAL /* "=value", or alone */
} form;

typedef enum meaning {
  NOTHING, /* to OpenCL's compiler */
  REFUSED, /* cannot be done */
  ARCH,
  STANDARD,
  DEFINE,
  UNDEFINE,
  FOLDER,
  INCLUDE,
  FMAD,
  FAST_MATH,
  DEFAULT_DEVICE,
  NO_WARNINGS,
  NO_SOURCE_FOLDER,
  RELOCATABLE,
  WHOLE,
  FINDS_BUFFERS
} meaning;

typedef struct option {
  const char *name, *brief; /* --name and -brief */
  form form;
  meaning meaning;
} option;

static const option known[] = {
  { "gpu-architecture", "arch", VALUE, ARCH },
  { "std", "std", VALUE, STANDARD },
  { "define-macro", "D", JOINED, DEFINE },
  { "undefine-macro", "U", JOINED, UNDEFINE },
  { "include-path", "I", JOINED, FOLDER },
  { "pre-include", "include", VALUE, INCLUDE },
  { "fmad", "fmad", SWITCH, FMAD },
  { "use_fast_math", "use_fast_math", FLAG, FAST_MATH },
  { "device-as-default-execution-space", "default-device", FLAG, DEFAULT_DEVICE },
  { "disable-warnings", "w", FLAG, NO_WARNINGS },
  { "no-source-include", "no-source-include", FLAG, NO_SOURCE_FOLDER },
  { "device-c", "dc", FLAG, RELOCATABLE },
  { "device-w", "dw", FLAG, WHOLE },
  { "relocatable-device-code", "rdc", SWITCH, RELOCATABLE },

  { "finds-buffers", "finds-buffers", FLAG, FINDS_BUFFERS }, /* vptr's own */

  { "extensible-whole-program", "ewp", FLAG, NOTHING },
  { "device-debug", "G", FLAG, NOTHING },
  { "generate-line-info", "lineinfo", FLAG, NOTHING },
  { "dopt", "dopt", OPTIONAL, NOTHING },
  { "Ofast-compile", "Ofc", VALUE, NOTHING },
  { "ptxas-options", "Xptxas", VALUE, NOTHING },
  { "maxrregcount", "maxrregcount", VALUE, NOTHING },
  { "ftz", "ftz", SWITCH, NOTHING },
  { "prec-sqrt", "prec-sqrt", SWITCH, NOTHING },
  { "prec-div", "prec-div", SWITCH, NOTHING },
  { "extra-device-vectorization", "extra-device-vectorization", FLAG, NOTHING },
  { "modify-stack-limit", "modify-stack-limit", SWITCH, NOTHING },
  { "device-stack-protector", "device-stack-protector", SWITCH, NOTHING },
  { "jump-table-density", "jtd", VALUE, NOTHING },
  { "no-cache", "no-cache", FLAG, NOTHING },
  { "frandom-seed", "frandom-seed", VALUE, NOTHING },
  { "builtin-move-forward", "builtin-move-forward", SWITCH, NOTHING },
  { "builtin-initializer-list", "builtin-initializer-list", SWITCH, NOTHING },
  { "restrict", "restrict", FLAG, NOTHING },
  { "device-int128", "device-int128", FLAG, NOTHING },
  { "device-float128", "device-float128", FLAG, NOTHING },
  { "optimization-info", "opt-info", VALUE, NOTHING },
  { "display-error-number", "err-no", FLAG, NOTHING },
  { "no-display-error-number", "no-err-no", FLAG, NOTHING },
  { "diag-error", "diag-error", VALUE, NOTHING },
  { "diag-suppress", "diag-suppress", VALUE, NOTHING },
  { "diag-warn", "diag-warn", VALUE, NOTHING },
  { "brief-diagnostics", "brief-diag", SWITCH, NOTHING },
  { "split-compile", "split-compile", VALUE, NOTHING },
  { "minimal", "minimal", FLAG, NOTHING },
  { "version-ident", "dQ", SWITCH, NOTHING },
  { "pch", "pch", FLAG, NOTHING },
  { "pch-dir", "pch-dir", VALUE, NOTHING },
  { "pch-verbose", "pch-verbose", SWITCH, NOTHING },
  { "pch-messages", "pch-messages", SWITCH, NOTHING },
  { "instantiate-templates-in-pch", "instantiate-templates-in-pch", SWITCH, NOTHING },

  { "dlink-time-opt", "dlto", FLAG, REFUSED },
  { "gen-opt-lto", "gen-opt-lto", FLAG, REFUSED },
  { "optix-ir", "optix-ir", FLAG, REFUSED },
  { "create-pch", "create-pch", VALUE, REFUSED },
  { "use-pch", "use-pch", VALUE, REFUSED },
  { "time", "time", VALUE, REFUSED },
  { "fdevice-time-trace", "fdevice-time-trace", VALUE, REFUSED },
  { "fdevice-syntax-only", "fdevice-syntax-only", FLAG, REFUSED },
};

static nvrtcResult refuse_option(vptr__nvrtc_text *log, const char *before, const char *what, const char *behind) {
  vptr__nvrtc_text_print(log, "nvrtc: error: %s%s%s\n", before, what, behind);
  return NVRTC_ERROR_INVALID_OPTION;
}

/* What stands behind a name: NULL if the string is not of that name; "" at its end. */
static const char *skip_name(const char *text, const char *dashes, const char *name) {
  size_t skip = strlen(dashes), length = strlen(name);
  if (strncmp(text, dashes, skip) != 0 || strncmp(text + skip, name, length) != 0)
    return NULL;
  return text + skip + length;
}

/* The option that a string is, and what is behind its name. */
static const option *find_option(const char *text, const char **rest_out) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const option *candidate = &known[i];
    const char *rest = skip_name(text, "--", candidate->name);
    if (rest == NULL || (*rest != '\0' && *rest != '=')) {
      rest = skip_name(text, "-", candidate->brief);
      if (rest == NULL || (candidate->form != JOINED && *rest != '\0' && *rest != '='))
        continue;
    }
    *rest_out = rest;
    return candidate;
  }
  return NULL;
}

static bool is_bool(const char *value) {
  return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

/* sm_80, compute_90a, ...: any that CUDA had since it has 64-bit pointers only. */
static bool read_arch(const char *value, vptr__nvrtc_options *options) {
  const char *real = skip_name(value, "", "sm_"), *virtual = skip_name(value, "", "compute_");
  const char *digits = real != NULL ? real : virtual;
  int number = 0;
  if (digits == NULL)
    return false;
  for (; *digits >= '0' && *digits <= '9' && number < 1000; digits++)
    number = 10 * number + (*digits - '0');
  if ((*digits == 'a' || *digits == 'f') && number >= 90)
    digits++;
  if (*digits != '\0' || number < 30 || number > 129)
    return false;
  options->arch = 10 * number;
  options->is_real = real != NULL;
  return true;
}

static bool is_standard(const char *value) {
  static const char *const standards[] = { "c++03", "c++11", "c++14", "c++17", "c++20" };
  for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
    if (strcmp(value, standards[i]) == 0)
      return true;
  return false;
}

static void undefine_macro(const char *value, vptr__nvrtc_options *options) {
  vptr__nvrtc_text marked = { 0 };
  vptr__nvrtc_text_print(&marked, "-%s", value);
  if (marked.failed)
    options->defines.failed = true;
  else
    vptr__nvrtc_list_add(&options->defines, marked.bytes, marked.length);
  vptr__nvrtc_text_free(&marked);
}

static nvrtcResult apply_option(const option *option, const char *value, vptr__nvrtc_text *log,
                                vptr__nvrtc_options *options) {
  switch (option->meaning) {
  case ARCH:
    if (!read_arch(value, options))
      return refuse_option(log, "invalid value for --gpu-architecture (-arch)", "", "");
    break;
  case STANDARD:
    if (!is_standard(value))
      return refuse_option(log, "invalid value for --std(-std)", "", "");
    vptr__nvrtc_list_add(&options->standards, value, strlen(value));
    break;
  case DEFINE:
    vptr__nvrtc_list_add(&options->defines, value, strlen(value));
    break;
  case UNDEFINE:
    undefine_macro(value, options);
    break;
  case FOLDER:
    vptr__nvrtc_list_add(&options->folders, value, strlen(value));
    break;
  case INCLUDE:
    vptr__nvrtc_list_add(&options->includes, value, strlen(value));
    break;
  case FMAD:
    options->no_fma = strcmp(value, "false") == 0;
    break;
  case FAST_MATH:
    options->fast_math = true;
    break;
  case DEFAULT_DEVICE:
    options->default_device = true;
    break;
  case NO_WARNINGS:
    options->no_warnings = true;
    break;
  case NO_SOURCE_FOLDER:
    options->no_source_folder = true;
    break;
  case RELOCATABLE:
    options->is_relocatable = option->form == FLAG || strcmp(value, "true") == 0;
    break;
  case WHOLE:
    options->is_relocatable = false;
    break;
  case FINDS_BUFFERS:
    options->finds_buffers = true;
    break;
  case REFUSED:
    return refuse_option(log, "option --", option->name, " is not supported by vptr: leave it out");
  case NOTHING:
    break;
  }
  return NVRTC_SUCCESS;
}

/* A value must be there, and true or false where it has to be. */
static nvrtcResult check_value(const option *option, const char *text, const char *value, vptr__nvrtc_text *log) {
  if (option->form == FLAG && *value != '\0')
    return refuse_option(log, "unrecognized option ", text, " found");
  if (option->form == SWITCH && !is_bool(value)) {
    vptr__nvrtc_text_print(log, "nvrtc: error: --%s (-%s) expects true or false\n", option->name, option->brief);
    return NVRTC_ERROR_INVALID_OPTION;
  }
  if (option->form == VALUE && *value == '\0')
    return refuse_option(log, "option ", text, " needs a value");
  return NVRTC_SUCCESS;
}

/* Reads options[at], and options[at + 1] if that is its value. */
static nvrtcResult read_one(int *at, int count, const char *const *texts, vptr__nvrtc_text *log,
                            vptr__nvrtc_options *options) {
  const char *text = texts[*at], *rest = "";
  const option *option = text != NULL ? find_option(text, &rest) : NULL;
  if (option == NULL)
    return refuse_option(log, "unrecognized option ", text != NULL ? text : "", " found");
  if (*rest == '=')
    rest++;
  else if (*rest == '\0' && option->form != FLAG && option->form != OPTIONAL && *at + 1 < count &&
           texts[*at + 1] != NULL)
    rest = texts[++*at];
  nvrtcResult result = check_value(option, text, rest, log);
  if (result != NVRTC_SUCCESS || (option->form == JOINED && *rest == '\0'))
    return result; /* a folder or macro without a name is let pass, as NVRTC does */
  return apply_option(option, rest, log, options);
}

nvrtcResult vptr__nvrtc_options_read(int count, const char *const *options, vptr__nvrtc_text *log,
                                     vptr__nvrtc_options *options_out) {
  *options_out = (vptr__nvrtc_options){ .finds_buffers = vptr__option_flag(VPTR__OPTION_FINDS_BUFFERS) };
  if (count < 0)
    return NVRTC_ERROR_INVALID_INPUT;
  if (count > 0 && options == NULL)
    return NVRTC_ERROR_INVALID_OPTION;
  nvrtcResult result = NVRTC_SUCCESS;
  for (int i = 0; i < count && result == NVRTC_SUCCESS; i++)
    result = read_one(&i, count, options, log, options_out);
  if (options_out->defines.failed || options_out->folders.failed || options_out->includes.failed ||
      options_out->standards.failed)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  return result;
}

void vptr__nvrtc_options_free(vptr__nvrtc_options *options) {
  vptr__nvrtc_list_free(&options->defines);
  vptr__nvrtc_list_free(&options->folders);
  vptr__nvrtc_list_free(&options->includes);
  vptr__nvrtc_list_free(&options->standards);
}
