/* SPDX-License-Identifier: MIT */
/* depend - see depend.h. */
#include "depend.h"

#include <string.h>

#include "process.h"

static const char *with_suffix(vptr__arena *arena, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
  return vptr__arena_format(arena, "%.*s%s", (int)(dot != NULL ? (size_t)(dot - path) : strlen(path)), path, suffix);
}

static const char *without_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* The object that make knows: -o, where one is made; never one of ours that vanishes. */
const char *cc_depend_target(const cc_options *options, const char *source, const char *object) {
  return options->goal == CC_COMPILE ? object : with_suffix(options->arena, without_folder(source), ".o");
}

const char *cc_depend_file(const cc_options *options, const char *source) {
  if (options->depend_file != NULL)
    return options->depend_file;
  if (options->goal == CC_COMPILE && options->output != NULL)
    return with_suffix(options->arena, options->output, ".d");
  return with_suffix(options->arena, without_folder(source), ".d");
}

void cc_depend_options(cc_list *command, const cc_options *options, const char *target, const char *file) {
  for (size_t i = 0; i < options->targets.count; i++) {
    cc_list_add(command, "-MT");
    cc_list_add(command, options->targets.items[i]);
  }
  if (options->targets.count == 0) {
    cc_list_add(command, "-MQ");
    cc_list_add(command, target);
  }
  if (options->has_phony_targets)
    cc_list_add(command, "-MP");
  if (file != NULL || options->depend_file != NULL) {
    cc_list_add(command, "-MF");
    cc_list_add(command, file != NULL ? file : options->depend_file);
  }
}

/* As make reads it: blanks, # and $ escaped. */
static const char *escape_path(vptr__arena *arena, const char *path) {
  cc_buffer out;
  cc_buffer_init(&out, arena);
  for (; *path != 0; path++) {
    if (*path == ' ' || *path == '\t' || *path == '#')
      cc_buffer_add(&out, "\\", 1);
    if (*path == '$')
      cc_buffer_add(&out, "$", 1);
    cc_buffer_add(&out, path, 1);
  }
  return out.text;
}

static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
    if ((at == text || strchr(" \t\n", at[-1]) != NULL) && strchr(" \t\n:\\", at[length]) != NULL)
      return true;
  return false;
}

/* Where the first rule ends: at the line end that no backslash joins. */
static size_t rule_length(const char *text) {
  const char *at = text;
  while ((at = strchr(at, '\n')) != NULL && at > text && at[-1] == '\\')
    at++;
  return at != NULL ? (size_t)(at - text) : strlen(text);
}

bool cc_depend_write(const cc_options *options, const char *written, const cc_list *included, const char *path) {
  const char *text = NULL;
  size_t length = 0;
  if (!cc_file_read(options->arena, written, &text, &length))
    return false;
  cc_buffer out, phony;
  cc_buffer_init(&out, options->arena);
  cc_buffer_init(&phony, options->arena);
  size_t rule = rule_length(text);
  cc_buffer_add(&out, text, rule);
  for (size_t i = 0; i < included->count; i++) {
    const char *name = escape_path(options->arena, included->items[i]);
    if (has_word(text, name))
      continue;
    cc_buffer_print(&out, " \\\n %s", name);
    cc_buffer_print(&phony, "%s:\n", name);
  }
  cc_buffer_add(&out, text + rule, length - rule);
  if (options->has_phony_targets)
    cc_buffer_add(&out, phony.text, phony.length);
  return cc_file_write(path, out.text, out.length);
}

/* Its place in a rule is blank then, and a rule of its own goes. */
bool cc_depend_copy_without(vptr__arena *arena, const char *written, const char *without, const char *path) {
  const char *text = NULL, *name = escape_path(arena, without), *next = NULL;
  size_t length = 0, skipped = strlen(name);
  cc_buffer out;
  cc_buffer_init(&out, arena);
  if (!cc_file_read(arena, written, &text, &length))
    return false;
  for (; (next = strstr(text, name)) != NULL; text = next + skipped + (next[skipped] == ':'))
    cc_buffer_add(&out, text, (size_t)(next - text));
  cc_buffer_add(&out, text, strlen(text));
  return cc_file_write(path, out.text, out.length);
}
