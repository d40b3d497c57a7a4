/* SPDX-License-Identifier: MIT */
/*
 * include - which text an #include means.
 *
 * A built-in header goes before what the reader finds in its folders: those are often CUDA's own, which are written for
 * another compiler. Only a "quoted" name that lies in the including file's own folder goes before that: it is the
 * program's.
 */
#include "translate/preprocessor/state.h"

#include <string.h>

#include "translate/source/text.h"

typedef struct wanted {
  const char *name;
  bool is_quoted, is_next;
  vptr__position position;
} wanted;

/* ---- the built-in headers -------------------------------------------------------------------------------- */

/* Names that mean the same header, and headers that have nothing for kernels. */
static const struct alias {
  const char *name, *header;
} aliases[] = {
  { "builtin_types.h", "cuda_runtime.h" },
  { "channel_descriptor.h", "cuda_runtime.h" },
  { "common_functions.h", "cuda_runtime.h" },
  { "cuda.h", "cuda_runtime.h" },
  { "cuda_device_runtime_api.h", "cuda_runtime.h" },
  { "cuda_runtime_api.h", "cuda_runtime.h" },
  { "device_atomic_functions.h", "cuda_runtime.h" },
  { "device_double_functions.h", "cuda_runtime.h" },
  { "device_functions.h", "cuda_runtime.h" },
  { "device_launch_parameters.h", "cuda_runtime.h" },
  { "device_types.h", "cuda_runtime.h" },
  { "driver_functions.h", "cuda_runtime.h" },
  { "driver_types.h", "cuda_runtime.h" },
  { "host_config.h", "cuda_runtime.h" },
  { "host_defines.h", "cuda_runtime.h" },
  { "library_types.h", "cuda_runtime.h" },
  { "math_functions.h", "math.h" },
  { "sm_20_atomic_functions.h", "cuda_runtime.h" },
  { "sm_20_intrinsics.h", "cuda_runtime.h" },
  { "sm_30_intrinsics.h", "cuda_runtime.h" },
  { "sm_32_atomic_functions.h", "cuda_runtime.h" },
  { "sm_32_intrinsics.h", "cuda_runtime.h" },
  { "sm_35_atomic_functions.h", "cuda_runtime.h" },
  { "sm_35_intrinsics.h", "cuda_runtime.h" },
  { "sm_60_atomic_functions.h", "cuda_runtime.h" },
  { "sm_61_intrinsics.h", "cuda_runtime.h" },
  { "surface_types.h", "cuda_runtime.h" },
  { "texture_types.h", "cuda_runtime.h" },
  { "vector_functions.h", "cuda_runtime.h" },
  { "vector_functions.hpp", "cuda_runtime.h" },
  { "vector_types.h", "cuda_runtime.h" },
  { "cassert", "assert.h" },
  { "cfloat", "float.h" },
  { "climits", "limits.h" },
  { "cmath", "math.h" },
  { "cstddef", "stddef.h" },
  { "cstdint", "stdint.h" },
  { "cstdio", "stdio.h" },
  { "cstdlib", "stdlib.h" },
  { "cstring", "string.h" },
  { "inttypes.h", "stdint.h" },
  { "cinttypes", "stdint.h" },
  { "cuda/std/cstdint", "stdint.h" },
  { "cuda/std/cstddef", "stddef.h" },
  { "cuda/std/climits", "limits.h" },
  { "cuda/std/cassert", "assert.h" },
  { "cuda/std/cmath", "math.h" },
};

static const char *header_of(const char *name) {
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(aliases[i].name, name) == 0)
      return aliases[i].header;
  return name;
}

static const vptr__text *find_built_in(const char *name) {
  name = header_of(name);
  for (const vptr__text *text = vptr__header_texts; text->name != NULL; text++)
    if (strcmp(text->name, name) == 0)
      return text;
  return NULL;
}

static bool is_read_once(const vptr__preprocessor *preprocessor, const char *path) {
  for (const vptr__path *once = preprocessor->once; once != NULL; once = once->next)
    if (strcmp(once->text, path) == 0)
      return true;
  return false;
}

/* Paths of built-in headers are told from files by this. */
static const char *built_in_path(vptr__preprocessor *preprocessor, const vptr__text *text) {
  return vptr__arena_format(preprocessor->arena, "<built-in %s>", text->name);
}

static vptr__source_file *add_built_in(vptr__preprocessor *preprocessor, const vptr__text *text,
                                       vptr__position position) {
  const char *path = built_in_path(preprocessor, text);
  if (is_read_once(preprocessor, path))
    return NULL;
  vptr__source_file *file = vptr__source_add(preprocessor->source, path, text->text, text->length, position);
  file->is_ours = true;
  return file;
}

vptr__source_file *vptr__include_built_in(vptr__preprocessor *preprocessor, const char *name,
                                          vptr__position position) {
  const vptr__text *text = find_built_in(name);
  return text != NULL ? add_built_in(preprocessor, text, position) : NULL;
}

/* ---- the reader's ---------------------------------------------------------------------------------------- */

typedef struct text {
  const char *bytes, *path;
  size_t length;
} text;

static bool open_text(vptr__preprocessor *preprocessor, const wanted *wanted, text *text_out) {
  const vptr__reader *reader = &preprocessor->reader;
  const vptr__input *input = preprocessor->inputs;
  const char *after = wanted->is_next ? (input->path != NULL ? input->path : input->file->name) : NULL;
  *text_out = (text){ NULL, wanted->name, 0 };
  return reader->open != NULL && reader->open(reader->context, wanted->name, wanted->is_quoted,
                                              input->path != NULL ? input->path : input->file->name, after,
                                              &text_out->bytes, &text_out->length, &text_out->path);
}

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* The path is the includer's folder, followed by the name that was asked for. */
static bool is_beside(const vptr__preprocessor *preprocessor, const wanted *wanted, const char *path) {
  const vptr__input *input = preprocessor->inputs;
  const char *includer = input->path != NULL ? input->path : input->file->name;
  size_t folder = folder_length(includer);
  return strncmp(path, includer, folder) == 0 && strcmp(path + folder, wanted->name) == 0;
}

static void note_included(vptr__preprocessor *preprocessor, const char *path) {
  for (int i = 0; i < preprocessor->included_count; i++)
    if (strcmp(preprocessor->included[i], path) == 0)
      return;
  if (preprocessor->included_count == preprocessor->included_capacity) {
    int capacity = preprocessor->included_capacity == 0 ? 16 : preprocessor->included_capacity * 2;
    const char **paths = vptr__arena_allocate(preprocessor->arena, (size_t)capacity * sizeof *paths);
    if (preprocessor->included_count > 0)
      memcpy(paths, preprocessor->included, (size_t)preprocessor->included_count * sizeof *paths);
    preprocessor->included = paths;
    preprocessor->included_capacity = capacity;
  }
  preprocessor->included[preprocessor->included_count++] = path;
}

static vptr__found add_text(vptr__preprocessor *preprocessor, const wanted *wanted, const text *found) {
  if (is_read_once(preprocessor, found->path))
    return (vptr__found){ NULL, NULL };
  const char *path = vptr__arena_copy(preprocessor->arena, found->path, strlen(found->path));
  note_included(preprocessor, path);
  const char *bytes = vptr__arena_copy(preprocessor->arena, found->bytes, found->length); /* with a zero behind it */
  vptr__source_file *file = vptr__source_add(preprocessor->source, path, bytes, found->length, wanted->position);
  return (vptr__found){ file, path };
}

/* ---- the choice ------------------------------------------------------------------------------------------ */

static bool is_hosts(const vptr__preprocessor *preprocessor, const wanted *wanted) {
  const vptr__reader *reader = &preprocessor->reader;
  return reader->is_hosts != NULL && reader->is_hosts(reader->context, wanted->name);
}

static bool has_header(vptr__preprocessor *preprocessor, const wanted *wanted) {
  text text;
  return find_built_in(wanted->name) != NULL || open_text(preprocessor, wanted, &text) ||
         is_hosts(preprocessor, wanted);
}

static void note_absent(vptr__preprocessor *preprocessor, const wanted *wanted) {
  vptr__absent *absent = VPTR__ARENA_NEW(preprocessor->arena, vptr__absent);
  *absent = (vptr__absent){ wanted->name, wanted->position, NULL };
  if (preprocessor->last_absent == NULL)
    preprocessor->absent = absent;
  else
    preprocessor->last_absent->next = absent;
  preprocessor->last_absent = absent;
}

static void report_missing(vptr__preprocessor *preprocessor, const wanted *wanted) {
  const char *searched = preprocessor->reader.searched, *advice = vptr__preprocessor_advice(wanted->name);
  if (advice != NULL)
    vptr__source_report(preprocessor->source, VPTR__ERROR, wanted->position, "\"%s\" was not found: %s", wanted->name,
                        advice);
  else if (searched != NULL)
    vptr__source_report(preprocessor->source, VPTR__ERROR, wanted->position,
                        "\"%s\" was not found: neither beside the file that includes it nor in %s", wanted->name,
                        searched);
  else
    vptr__source_report(preprocessor->source, VPTR__ERROR, wanted->position,
                        "\"%s\" was not found: name its folder with -I, or give its text", wanted->name);
}

static vptr__found find_header(vptr__preprocessor *preprocessor, const wanted *wanted) {
  text text;
  const vptr__text *built_in = wanted->is_next ? NULL : find_built_in(wanted->name);
  bool is_found = (built_in == NULL || wanted->is_quoted) && open_text(preprocessor, wanted, &text);
  if (is_found && (built_in == NULL || is_beside(preprocessor, wanted, text.path)))
    return add_text(preprocessor, wanted, &text);
  if (built_in != NULL)
    return (vptr__found){ add_built_in(preprocessor, built_in, wanted->position),
                          built_in_path(preprocessor, built_in) };
  note_absent(preprocessor, wanted);
  bool is_told_here = wanted->is_quoted || preprocessor->reader.is_hosts == NULL; /* else the host's compiler tells */
  if (is_told_here && !vptr__include_is_system(wanted->name) && !is_hosts(preprocessor, wanted))
    report_missing(preprocessor, wanted);
  return (vptr__found){ NULL, NULL };
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static bool set_name(vptr__preprocessor *preprocessor, const char *name, size_t length, bool is_quoted,
                     wanted *wanted) {
  wanted->name = vptr__arena_copy(preprocessor->arena, name, length);
  wanted->is_quoted = is_quoted;
  return length > 0;
}

/* What macros gave, from its first token on: "name", or < and what stands before >. */
static bool read_expanded_name(vptr__preprocessor *preprocessor, wanted *wanted) {
  vptr__token token = vptr__expand_next(preprocessor);
  if (token.kind == VPTR__TOKEN_STRING && token.text[0] == '"')
    return set_name(preprocessor, token.text + 1, token.length - 2, true, wanted);
  if (token.kind != '<')
    return false;
  vptr__token_list list = { 0 };
  while ((token = vptr__expand_next(preprocessor)).kind != '>' && token.kind != VPTR__TOKEN_END)
    vptr__token_list_add(preprocessor->arena, &list, &token);
  uint32_t length;
  const char *name = vptr__substitute_spell(preprocessor, list.items, list.count, &length);
  return token.kind == '>' && set_name(preprocessor, name, length, false, wanted);
}

static bool read_name(vptr__preprocessor *preprocessor, wanted *wanted) {
  vptr__token token;
  if (preprocessor->contexts == NULL && vptr__lexer_header_name(&preprocessor->inputs->lexer, &token))
    return set_name(preprocessor, token.text, token.length, token.kind == '"', wanted);
  return read_expanded_name(preprocessor, wanted);
}

vptr__found vptr__include_read(vptr__preprocessor *preprocessor, vptr__position position, bool is_next) {
  wanted wanted = { .position = position, .is_next = is_next };
  if (read_name(preprocessor, &wanted))
    return find_header(preprocessor, &wanted);
  vptr__source_report(preprocessor->source, VPTR__ERROR, position, "#include needs \"name\" or <name>");
  return (vptr__found){ NULL, NULL };
}

bool vptr__include_exists(vptr__preprocessor *preprocessor) {
  wanted wanted = { .name = "" };
  vptr__token open = vptr__expand_raw(preprocessor);
  if (open.kind == '(' && read_name(preprocessor, &wanted) && vptr__expand_raw(preprocessor).kind == ')')
    return has_header(preprocessor, &wanted);
  vptr__source_report(preprocessor->source, VPTR__ERROR, open.position, "__has_include needs (\"name\") or (<name>)");
  return false;
}

void vptr__include_once(vptr__preprocessor *preprocessor) {
  const vptr__input *input = preprocessor->inputs;
  vptr__path *once = VPTR__ARENA_NEW(preprocessor->arena, vptr__path);
  once->text = input->path != NULL ? input->path : input->file->name;
  once->next = preprocessor->once;
  preprocessor->once = once;
}
