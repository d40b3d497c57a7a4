/* SPDX-License-Identifier: MIT */
/* options - see options.h. */
#include "options.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "option_table.h"
#include "process.h"
#include "words.h"

void cc_options_refuse(cc_options *options, const char *what, const char *value) {
  if (options->wrong == NULL)
    options->wrong = vptr__arena_format(options->arena, "%s '%s'", what, value);
}

void cc_options_add_input(cc_options *options, const char *path, const char *language) {
  if (options->input_count == options->input_capacity) {
    options->input_capacity = options->input_capacity * 2 + 16;
    cc_input *inputs = vptr__arena_allocate(options->arena, options->input_capacity * sizeof *inputs);
    if (options->input_count > 0)
      memcpy(inputs, options->inputs, options->input_count * sizeof *inputs);
    options->inputs = inputs;
  }
  options->inputs[options->input_count++] = (cc_input){ path, language };
  options->file_count += strcmp(language, "option") != 0;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static const char *language_of(const cc_options *options, const char *path) {
  static const struct {
    const char *suffix, *language;
  } suffixes[] = {
    { ".cu", "cu" },   { ".c", "c" },   { ".cc", "c++" }, { ".cpp", "c++" }, { ".cxx", "c++" },
    { ".c++", "c++" }, { ".C", "c++" }, { ".i", "c" },    { ".ii", "c++" },
  };
  const char *dot = strrchr(path, '.');
  if (options->language != NULL)
    return options->language;
  for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(dot, suffixes[i].suffix) == 0)
      return suffixes[i].language;
  return "object";
}

/* -Werror of nvcc's takes kinds of its own, behind a blank or '='; any other is the host's. */
static bool is_kind_of_warning(const char *value) {
  static const char *const kinds[] = { "all-warnings",
                                       "cross-execution-space-call",
                                       "reorder",
                                       "default-stream-launch",
                                       "missing-launch-bounds",
                                       "deprecated-declarations",
                                       "ext-lambda-captures-this",
                                       NULL };
  for (const char *const *kind = kinds; value != NULL && *kind != NULL; kind++)
    if (strncmp(*kind, value, strlen(*kind)) == 0 && strchr(",", value[strlen(*kind)]) != NULL)
      return true;
  return false;
}

static bool is_for_host(const char *option) {
  static const char *const plain[] = {
    "-p",    "-pg",       "-pthread",       "-static",           "-s", "-rdynamic", "-pipe", "-pie", "-no-pie",
    "-ansi", "-nostdlib", "-static-libgcc", "-static-libstdc++", NULL
  };
  for (const char *const *each = plain; *each != NULL; each++)
    if (strcmp(*each, option) == 0)
      return true;
  return option[1] == 'f' || option[1] == 'm' || option[1] == 'W' || (option[1] == 'g' && option[2] != 'e');
}

/* -Ifolder, -I folder; -O is a level by itself, unless a digit follows. */
static int read_letter(cc_options *options, const cc_option *row, const char *const *argv) {
  bool is_level = argv[1] != NULL && argv[1][0] >= '0' && argv[1][0] <= '9' && argv[1][1] == 0;
  bool takes_next = argv[0][2] == 0 && (argv[0][1] != 'O' || is_level);
  if (takes_next && argv[1] == NULL)
    cc_options_refuse(options, "a value is missing behind", argv[0]);
  else
    cc_option_do(row, options, takes_next ? argv[1] : argv[0] + 2 + (argv[0][2] == '='));
  return takes_next && argv[1] != NULL ? 2 : 1;
}

/* How many arguments the option at argv[0] takes up. */
static int read_option(cc_options *options, const char *const *argv) {
  const char *option = argv[0], *name = option + (option[1] == '-' ? 2 : 1), *value = NULL;
  if (strcmp(option, "--time") == 0) { /* -time and --time= are nvcc's */
    options->is_timed = true;
    return 1;
  }
  const cc_option *row = cc_option_find(name, &value);
  if (row != NULL && row->has_value && value == NULL && argv[1] == NULL) {
    cc_options_refuse(options, "a value is missing behind", option);
    return 1;
  }
  if (row != NULL) {
    bool takes_next = row->has_value && value == NULL;
    cc_option_do(row, options, takes_next ? argv[1] : value);
    return takes_next ? 2 : 1;
  }
  row = cc_option_find_letter(option[1]);
  if (row != NULL)
    return read_letter(options, row, argv);
  if (strcmp(name, "Werror") == 0 && is_kind_of_warning(argv[1]))
    return 2;
  if (strncmp(name, "Werror=", 7) == 0 && is_kind_of_warning(name + 7))
    return 1;
  if (strncmp(option, "-Wl,", 4) == 0)
    cc_options_add_input(options, option, "option");
  else if (is_for_host(option))
    cc_list_add(&options->flags, option);
  else
    cc_list_add(&options->unknown, option);
  return 1;
}

/* Some build systems put quotes around the names of files. */
static const char *file_name(const cc_options *options, const char *name) {
  size_t length = strlen(name);
  bool is_quoted = length > 2 && name[0] == '"' && name[length - 1] == '"';
  return is_quoted ? vptr__arena_copy(options->arena, name + 1, length - 2) : name;
}

static void read_words(cc_options *options, const char *const *words, size_t count) {
  for (size_t i = 0; i < count;) {
    if (words[i][0] == '-' && words[i][1] != 0) {
      i += (size_t)read_option(options, words + i);
      continue;
    }
    const char *name = file_name(options, words[i++]);
    cc_options_add_input(options, name, language_of(options, name));
  }
}

enum { LARGEST_DEPTH = 16 };

void cc_options_read_file(cc_options *options, const char *path) {
  const char *text = NULL;
  size_t length = 0;
  cc_list words;
  cc_list_init(&words, options->arena);
  if (options->depth == LARGEST_DEPTH) {
    cc_options_refuse(options, "files of options name each other 16 levels deep, the last is", path);
  } else if (!cc_file_read(options->arena, path, &text, &length)) {
    cc_options_refuse(options, "options cannot be read from", path);
  } else {
    cc_words_shell(&words, vptr__arena_copy(options->arena, text, length));
    options->depth++;
    read_words(options, words.items, words.count);
    options->depth--;
  }
}

static void forward_unknown(cc_options *options) {
  for (size_t i = 0; i < options->unknown.count; i++) {
    const char *option = options->unknown.items[i];
    if (options->unknown_for_compiler)
      cc_list_add(&options->flags, option);
    if (options->unknown_for_linker)
      cc_list_add(&options->linking, option);
    if (!options->unknown_for_compiler && !options->unknown_for_linker)
      cc_options_refuse(options, "vptrcc knows no option", option);
  }
}

bool cc_options_want_words(const cc_options *options) {
  cc_goal goal = options->goal;
  return goal == CC_HELP || goal == CC_VERSION || goal == CC_LIST_ARCH || goal == CC_LIST_CODE;
}

static void check_options(cc_options *options) {
  bool is_single = options->goal != CC_LINK && options->goal != CC_DEVICE_LINK && options->goal != CC_MODULE_LINK &&
                   options->goal != CC_ARCHIVE && options->goal != CC_RUN;
  forward_unknown(options);
  if (cc_options_want_words(options) || options->wrong != NULL)
    return;
  if (options->file_count == 0 && options->goal != CC_LIST_FRONT_ENDS)
    options->wrong = "no input files";
  else if (is_single && options->output != NULL && options->file_count > 1)
    options->wrong = "-o names one file, and there are several to make: compile them one by one, or leave -o out";
}

void cc_options_read(cc_options *options, vptr__arena *arena, int argc, char **argv) {
  *options = (cc_options){ .arena = arena, .goal = CC_LINK };
  cc_list *lists[] = { &options->folders,       &options->system_folders, &options->defines, &options->included,
                       &options->preprocessing, &options->flags,          &options->linking, &options->targets,
                       &options->unknown,       &options->run_arguments };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    cc_list_init(lists[i], arena);
  /* more const is all that changes */
  read_words(options, (const char *const *)(uintptr_t)(argv + 1), argc > 0 ? (size_t)argc - 1 : 0);
  check_options(options);
}

bool cc_options_is_input(const cc_options *options, const char *path) {
  struct stat it, other;
  bool is_there = stat(path, &it) == 0;
  for (size_t i = 0; i < options->input_count; i++) {
    const cc_input *input = &options->inputs[i];
    if (strcmp(input->language, "option") == 0)
      continue;
    bool is_same =
        is_there && stat(input->path, &other) == 0 && it.st_dev == other.st_dev && it.st_ino == other.st_ino;
    if (is_same || strcmp(input->path, path) == 0)
      return true;
  }
  return false;
}
