/* SPDX-License-Identifier: MIT */
/*
 * header - finding and reading headers for the preprocessor (header.h).
 *
 * A folder that is named is looked for among the program's headers too, before the disk; --no-source-include keeps the
 * source's own folder on the disk out. Called by compile.c, with a program, and by translate.c, without one or any
 * folder. The translator calls open_header() for each #include, which blocks while it reads the file.
 */
#include "nvrtc/header.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct found {
  const char *text, *path;
  size_t length;
} found;

/* The folder of a path, with its slash; 0: it names none. */
static size_t folder_of(const char *path) {
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool find_given(const vptr__nvrtc_headers *headers, const char *name, found *found_out) {
  for (size_t i = 0; headers->program != NULL && i < headers->program->headers.count; i++) {
    const char *text = headers->program->headers.items[i];
    if (strcmp(headers->program->header_names.items[i], name) == 0) {
      *found_out = (found){ text, headers->program->header_names.items[i], strlen(text) };
      return true;
    }
  }
  return false;
}

static void read_all(FILE *file, vptr__nvrtc_text *text) {
  char part[4096];
  for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
    vptr__nvrtc_text_add(text, part, got);
  text->failed |= ferror(file) != 0;
}

static bool find_file(vptr__nvrtc_headers *headers, const char *path, found *found_out) {
  struct stat about;
  FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return false;
  vptr__nvrtc_text text = { 0 };
  read_all(file, &text);
  fclose(file);
  const char *kept = NULL, *kept_path = NULL;
  if (!text.failed) {
    kept = vptr__nvrtc_list_add(&headers->texts, text.bytes, text.length);
    kept_path = vptr__nvrtc_list_add(&headers->paths, path, strlen(path));
  }
  *found_out = (found){ kept, kept_path, text.length };
  vptr__nvrtc_text_free(&text);
  return kept != NULL && kept_path != NULL;
}

/* A name in a folder, given with its slash or without; on the disk, or among the program's headers. */
static bool find_in(vptr__nvrtc_headers *headers, const char *folder, size_t length, const char *name, bool on_disk,
                    found *found_out) {
  vptr__nvrtc_text path = { 0 };
  vptr__nvrtc_text_add(&path, folder, length);
  if (length > 0 && folder[length - 1] != '/')
    vptr__nvrtc_text_add(&path, "/", 1);
  vptr__nvrtc_text_add(&path, name, strlen(name));
  bool is_there = !path.failed && (find_given(headers, path.bytes, found_out) ||
                                   (on_disk && find_file(headers, path.bytes, found_out)));
  vptr__nvrtc_text_free(&path);
  return is_there;
}

static bool find_beside(vptr__nvrtc_headers *headers, const char *name, const char *includer, found *found_out) {
  bool is_source = headers->program == NULL || strcmp(includer, headers->program->name) == 0;
  bool on_disk = !is_source || !headers->options->no_source_folder;
  return find_in(headers, includer, folder_of(includer), name, on_disk, found_out);
}

/* Of the places in their order, those behind `after` only, for #include_next. */
static bool find_next(vptr__nvrtc_headers *headers, const char *name, const char *after, found *found_out) {
  bool passed = after == NULL;
  for (size_t i = 0; i < headers->options->folders.count; i++) {
    const char *folder = headers->options->folders.items[i];
    if (!find_in(headers, folder, strlen(folder), name, true, found_out))
      continue;
    if (passed)
      return true;
    passed = strcmp(found_out->path, after) == 0;
  }
  return false;
}

static bool open_header(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                        const char **text_out, size_t *length_out, const char **path_out) {
  vptr__nvrtc_headers *headers = context;
  found found = { 0 };
  bool is_found = name[0] == '/' && find_file(headers, name, &found);
  if (!is_found && after == NULL)
    is_found = (is_quoted && find_beside(headers, name, includer != NULL ? includer : "", &found)) ||
               find_given(headers, name, &found);
  if (!is_found && !find_next(headers, name, after, &found))
    return false;
  *text_out = found.text;
  *length_out = found.length;
  *path_out = found.path;
  return true;
}

void vptr__nvrtc_headers_begin(vptr__nvrtc_headers *headers, nvrtcProgram program,
                               const vptr__nvrtc_options *options) {
  *headers = (vptr__nvrtc_headers){ .program = program, .options = options };
  for (size_t i = 0; i < options->folders.count; i++)
    vptr__nvrtc_text_print(&headers->searched, "%s%s", i > 0 ? ":" : "", options->folders.items[i]);
  headers->reader = (vptr__reader){ .open = open_header, .context = headers, .searched = headers->searched.bytes };
}

void vptr__nvrtc_headers_end(vptr__nvrtc_headers *headers) {
  vptr__nvrtc_list_free(&headers->texts);
  vptr__nvrtc_list_free(&headers->paths);
  vptr__nvrtc_text_free(&headers->searched);
}
