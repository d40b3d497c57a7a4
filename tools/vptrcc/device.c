/* SPDX-License-Identifier: MIT */
/* device - see device.h. */
#include "device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "translate/translate.h"

typedef struct finder {
  const cc_options *options;
  const cc_home *home;
  cc_list host_folders; /* where the host's compiler looks by itself, as realpath() has them */
  bool has_asked;       /* host_folders are known: the compiler is asked once, and only if the text wants it */
} finder;

/* What an #include asks for. */
typedef struct wanted {
  const char *name;
  const char *after; /* #include_next: the file to go on behind; NULL once that was passed */
  const char **text_out;
  size_t *length_out;
  const char **path_out;
} wanted;

static const char *path_in(vptr__arena *arena, const char *folder, size_t length, const char *name) {
  if (*name == '/' || length == 0)
    return name;
  return vptr__arena_format(arena, "%.*s/%s", (int)length, folder, name);
}

static bool is_ours(const finder *finder, const char *path) {
  char resolved[PATH_MAX];
  if (realpath(path, resolved) == NULL)
    return false;
  char *slash = strrchr(resolved, '/');
  if (slash != NULL)
    *slash = 0;
  return cc_list_has(&finder->home->cuda_headers, resolved);
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

static bool accept_file(const finder *finder, wanted *wanted, const char *path) {
  if (!is_file(path))
    return false;
  if (wanted->after != NULL) {
    if (strcmp(path, wanted->after) == 0)
      wanted->after = NULL;
    return false;
  }
  *wanted->path_out = path;
  *wanted->text_out = "";
  *wanted->length_out = 0;
  return is_ours(finder, path) || cc_file_read(finder->options->arena, path, wanted->text_out, wanted->length_out);
}

/* ---- the host's folders ---------------------------------------------------------------------------------- */

/* What compilers print with -v: each folder on a line of its own, behind a blank. Their own command lines begin so,
 * too, and are no folders. */
static void add_folders(cc_list *folders, char *text) {
  char *rest = NULL, resolved[PATH_MAX];
  for (const char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
    if (line[0] == ' ' && line[1] == '/' && realpath(line + 1, resolved) != NULL)
      cc_list_add(folders, vptr__arena_copy(folders->arena, resolved, strlen(resolved)));
}

static const cc_list *host_folders(finder *finder) {
  if (finder->has_asked)
    return &finder->host_folders;
  finder->has_asked = true;
  static const char *const words[] = { "-E", "-v", "-x", "c++", "/dev/null" };
  cc_list command;
  cc_buffer heard;
  cc_list_init(&command, finder->options->arena);
  cc_buffer_init(&heard, finder->options->arena);
  cc_list_append(&command, &finder->home->cxx);
  cc_list_append(&command, &finder->options->flags);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cc_list_add(&command, words[i]);
  cc_list_init(&finder->host_folders, finder->options->arena);
  if (cc_process_read(&command, &heard))
    add_folders(&finder->host_folders, heard.text);
  return &finder->host_folders;
}

/* As compilers do: a folder of their own stays that when -I names it, too. */
static bool is_of_system(finder *finder, const char *folder) {
  char resolved[PATH_MAX];
  if (realpath(folder, resolved) == NULL || strncmp(resolved, "/usr/", 5) != 0)
    return false;
  return strcmp(resolved, "/usr/include") == 0 || strcmp(resolved, "/usr/local/include") == 0 ||
         cc_list_has(host_folders(finder), resolved);
}

static bool is_in(const finder *finder, const cc_list *folders, const char *name) {
  for (size_t i = 0; i < folders->count; i++)
    if (is_file(path_in(finder->options->arena, folders->items[i], strlen(folders->items[i]), name)))
      return true;
  return false;
}

static bool is_hosts(void *context, const char *name) {
  finder *finder = context;
  return is_in(finder, &finder->home->cuda_headers, name) || is_in(finder, &finder->home->headers, name) ||
         is_in(finder, host_folders(finder), name);
}

/* ---- what is read ---------------------------------------------------------------------------------------- */

static bool take_from(finder *finder, wanted *wanted, const cc_list *folders) {
  for (size_t i = 0; i < folders->count; i++) {
    const char *folder = folders->items[i];
    const char *path = path_in(finder->options->arena, folder, strlen(folder), wanted->name);
    if (is_file(path) && !is_of_system(finder, folder) && accept_file(finder, wanted, path))
      return true;
  }
  return false;
}

static bool open_header(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                        const char **text_out, size_t *length_out, const char **path_out) {
  finder *finder = context;
  wanted wanted = { name, after, text_out, length_out, path_out };
  const char *slash = includer != NULL ? strrchr(includer, '/') : NULL;
  if (is_quoted && after == NULL &&
      accept_file(finder, &wanted,
                  path_in(finder->options->arena, includer, slash != NULL ? (size_t)(slash - includer) : 0, name)))
    return true;
  if (take_from(finder, &wanted, &finder->options->folders) ||
      take_from(finder, &wanted, &finder->options->system_folders))
    return true;
  return after == NULL && take_from(finder, &wanted, &finder->home->cuda_headers);
}

/* "inc:src", for messages; NULL: no folder was given. */
static const char *join_folders(const cc_options *options) {
  cc_list all;
  cc_buffer out;
  cc_list_init(&all, options->arena);
  cc_list_append(&all, &options->folders);
  cc_list_append(&all, &options->system_folders);
  cc_buffer_init(&out, options->arena);
  for (size_t i = 0; i < all.count; i++)
    cc_buffer_print(&out, "%s%s", i > 0 ? ":" : "", all.items[i]);
  return all.count > 0 ? out.text : NULL;
}

/* -include looks in the working folder first, not beside the text. */
static const char *pre_included(vptr__arena *arena, const char *name) {
  char resolved[PATH_MAX];
  bool is_here = is_file(name) && realpath(name, resolved) != NULL;
  return is_here ? vptr__arena_copy(arena, resolved, strlen(resolved)) : name;
}

/* The translator takes plain macros by the side; what else comes before the text (-include, macros with
 * parameters) is written there, and the text's own lines begin anew. */
static const char *with_beginning(const cc_options *options, const char *name, const char *text, size_t *length,
                                  cc_list *plain) {
  cc_buffer out;
  cc_buffer_init(&out, options->arena);
  for (size_t i = 0; i < options->defines.count; i++) {
    const char *define = options->defines.items[i];
    size_t name_length = strcspn(define, "=");
    if (memchr(define, '(', name_length) == NULL)
      cc_list_add(plain, define);
    else
      cc_buffer_print(&out, "#define %.*s %s\n", (int)name_length, define,
                      define[name_length] == '=' ? define + name_length + 1 : "1");
  }
  for (size_t i = 0; i < options->included.count; i++)
    cc_buffer_print(&out, "#include \"%s\"\n", pre_included(options->arena, options->included.items[i]));
  if (out.length == 0)
    return text;
  cc_buffer_print(&out, "#line 1 \"%s\"\n", name);
  cc_buffer_add(&out, text, *length);
  *length = out.length;
  return out.text;
}

static bool is_for_clang(vptr__arena *arena, const cc_home *home, const char *name) {
  for (size_t i = 0; i < home->cuda_headers.count; i++)
    if (is_file(vptr__arena_format(arena, "%s/clang/%s", home->cuda_headers.items[i], name)))
      return true;
  return false;
}

/* Thrust and CUB, and what has a header for clang alone. */
static bool is_of_library(vptr__arena *arena, const cc_home *home, const char *name) {
  return strncmp(name, "thrust/", 7) == 0 || strncmp(name, "cub/", 4) == 0 || is_for_clang(arena, home, name);
}

static void copy_out(vptr__arena *arena, const cc_home *home, const vptr__translation *translation,
                     cc_device_text *device) {
  if (translation->module != NULL)
    device->module = vptr__arena_copy(arena, translation->module, strlen(translation->module));
  for (char **path = translation->included; path != NULL && *path != NULL; path++)
    if (**path != '<')
      cc_list_add(&device->included, vptr__arena_copy(arena, *path, strlen(*path)));
  for (char **name = translation->absent; name != NULL && *name != NULL; name++)
    device->is_library |= is_of_library(arena, home, *name);
}

/* ---- the preprocessor alone ------------------------------------------------------------------------------ */

static bool is_of(const char *file, const char *other) {
  return file == other || (file != NULL && other != NULL && strcmp(file, other) == 0);
}

static void print_place(cc_buffer *out, const vptr__place *before, const vptr__place *place) {
  if (!is_of(before->file, place->file) || place->line < before->line || place->line > before->line + 3)
    cc_buffer_print(out, "\n# %u \"%s\"\n", place->line, place->file != NULL ? place->file : "?");
  else
    for (unsigned line = before->line; line < place->line; line++)
      cc_buffer_add(out, "\n", 1);
}

static void print_token(cc_buffer *out, const vptr__token *token) {
  if (token->kind == VPTR__TOKEN_PRAGMA_UNROLL) {
    cc_buffer_print(out, "\n#pragma unroll %.*s\n", (int)token->length, token->text);
    return;
  }
  cc_buffer_add(out, token->text, token->length);
  cc_buffer_add(out, " ", 1);
}

/* What our own headers say is left out: the text will be read with them again, by name. */
static void note_built_in(cc_list *headers, const vptr__source_file *file) {
  static const char prefix[] = "<built-in ";
  size_t length = strlen(file->name);
  if (strncmp(file->name, prefix, sizeof prefix - 1) != 0 || cc_list_has(headers, file->name))
    return;
  cc_list_add(headers, file->name);
  cc_list_print(headers, "#include <%.*s\n", (int)(length - sizeof prefix + 1), file->name + sizeof prefix - 1);
}

static void print_tokens(vptr__source *source, vptr__preprocessor *preprocessor, cc_buffer *out, cc_list *headers) {
  vptr__place before = { NULL, 0, 0 };
  const vptr__source_file *last = NULL;
  for (;;) {
    vptr__token token = vptr__preprocessor_next(preprocessor);
    if (token.kind == VPTR__TOKEN_END)
      return;
    const vptr__source_file *file = vptr__source_file_at(source, token.position);
    if (file != NULL && file->is_ours) {
      if (file != last)
        note_built_in(headers, last = file);
      continue;
    }
    vptr__place place = vptr__source_place(source, token.position);
    print_place(out, &before, &place);
    print_token(out, &token);
    before = place;
    if (token.kind == VPTR__TOKEN_PRAGMA_UNROLL)
      before.file = NULL;
  }
}

bool cc_device_preprocess(const cc_options *options, const cc_home *home, const char *name, const char *text,
                          size_t length, cc_device_text *device) {
  vptr__arena *arena = options->arena;
  finder finder = { .options = options, .home = home };
  vptr__reader reader = { open_header, &finder, join_folders(options), is_hosts };
  cc_list defines, headers;
  cc_buffer out, all;
  cc_list_init(&defines, arena);
  cc_list_init(&headers, arena);
  cc_buffer_init(&out, arena);
  cc_buffer_init(&all, arena);
  *device = (cc_device_text){ .module = NULL };
  cc_list_init(&device->included, arena);
  cc_list_init(&device->headers, arena);
  cc_list_add(&defines, "__CUDACC_RDC__=1");
  text = with_beginning(options, name, text, &length, &defines);
  vptr__source *source = vptr__source_create(arena);
  if (options->has_no_warnings)
    vptr__source_mute_warnings(source);
  vptr__preprocessor *preprocessor = vptr__preprocessor_create(source, &reader);
  vptr__preprocessor_define_all(preprocessor, vptr__translate_arch(options->arch), defines.items);
  vptr__preprocessor_push(preprocessor, vptr__source_add(source, name, text, length, 0));
  vptr__preprocessor_push_built_in(preprocessor, "cuda_runtime.h");
  print_tokens(source, preprocessor, &out, &headers);
  for (size_t i = 1; i < headers.count; i += 2)
    cc_buffer_print(&all, "%s", headers.items[i]);
  cc_buffer_add(&all, out.text, out.length);
  for (int i = 0; vptr__preprocessor_included(preprocessor, i) != NULL; i++)
    if (*vptr__preprocessor_included(preprocessor, i) != '<')
      cc_list_add(&device->included, vptr__preprocessor_included(preprocessor, i));
  for (const vptr__absent *each = vptr__preprocessor_absent(preprocessor); each != NULL; each = each->next)
    if (is_hosts(&finder, each->name) && !cc_list_has(&device->headers, each->name))
      cc_list_add(&device->headers, each->name);
  fputs(vptr__source_log(source), stderr);
  device->module = all.text;
  return vptr__source_errors(source) == 0;
}

/* ---- what is not here ------------------------------------------------------------------------------------ */

/* The host's compiler has said the rest. */
void cc_device_explain(const cc_options *options, const cc_home *home, bool is_by_clang, const char *name,
                       const char *text, size_t length) {
  vptr__arena *arena = options->arena;
  finder finder = { .options = options, .home = home };
  vptr__reader reader = { open_header, &finder, join_folders(options), is_hosts };
  cc_list defines;
  cc_list_init(&defines, arena);
  text = with_beginning(options, name, text, &length, &defines);
  cc_list_add(&defines, "-__CUDA_ARCH__");
  vptr__source *source = vptr__source_create(arena);
  vptr__preprocessor *preprocessor = vptr__preprocessor_create(source, &reader);
  vptr__preprocessor_define_all(preprocessor, vptr__translate_arch(options->arch), defines.items);
  vptr__preprocessor_push(preprocessor, vptr__source_add(source, name, text, length, 0));
  vptr__preprocessor_push_built_in(preprocessor, "cuda_runtime.h");
  while (vptr__preprocessor_next(preprocessor).kind != VPTR__TOKEN_END)
    ;
  for (const vptr__absent *each = vptr__preprocessor_absent(preprocessor); each != NULL; each = each->next) {
    const char *advice = vptr__preprocessor_advice(each->name);
    if (advice == NULL || is_hosts(&finder, each->name) || (is_by_clang && is_for_clang(arena, home, each->name)))
      continue;
    vptr__place place = vptr__source_place(source, each->position);
    fprintf(stderr, "%s:%u:%u: error: '%s' is not here: %s\n", place.file, place.line, place.column, each->name,
            advice);
  }
}

/* ---- the whole translator -------------------------------------------------------------------------------- */

static bool translate_text(vptr__arena *arena, const cc_home *home, const char *name, const char *text, size_t length,
                           const vptr__reader *reader, const vptr__translate_options *options,
                           cc_device_text *device) {
  vptr__translation translation;
  if (!vptr__translate(name, text, length, reader, options, &translation)) {
    device->log = "vptrcc: error: memory is out\n";
    return false;
  }
  device->log = vptr__arena_copy(arena, translation.log, strlen(translation.log));
  device->dump = vptr__arena_copy(arena, translation.dump, strlen(translation.dump));
  copy_out(arena, home, &translation, device);
  vptr__translate_free(&translation);
  return device->module != NULL;
}

static bool translate_file(const cc_options *options, const cc_home *home, const char *name, const char *text,
                           size_t length, bool is_part, cc_device_text *device) {
  vptr__arena *arena = options->arena;
  finder finder = { .options = options, .home = home };
  vptr__reader reader = { open_header, &finder, join_folders(options), is_hosts };
  cc_list defines;
  cc_list_init(&defines, arena);
  *device = (cc_device_text){ .module = NULL };
  cc_list_init(&device->included, arena);
  if (options->is_relocatable)
    cc_list_add(&defines, "__CUDACC_RDC__=1");
  text = with_beginning(options, name, text, &length, &defines);
  vptr__translate_options translate = { .defines = defines.items,
                                        .arch = options->arch,
                                        .no_fma = options->no_fma,
                                        .fast_math = options->fast_math,
                                        .finds_buffers = options->finds_buffers,
                                        .is_part = is_part,
                                        .no_warnings = options->has_no_warnings,
                                        .dump = is_part ? 0 : options->dump };
  return translate_text(arena, home, name, text, length, &reader, &translate, device);
}

bool cc_device_translate(const cc_options *options, const cc_home *home, const char *name, const char *text,
                         size_t length, cc_device_text *device) {
  return translate_file(options, home, name, text, length, false, device);
}

bool cc_device_judge(const cc_options *options, const cc_home *home, const char *name, const char *text,
                     size_t length, cc_device_text *device) {
  return translate_file(options, home, name, text, length, true, device);
}

static bool open_nothing(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                         const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after;
  (void)text_out, (void)length_out, (void)path_out;
  return false;
}

/* Its errors are the program's; warnings are about the text that was written, and clang has given its own. */
bool cc_device_translate_kernels(const cc_options *options, const cc_home *home, const char *name, const char *text,
                                 size_t length, int arch, cc_device_text *device) {
  vptr__reader reader = { .open = open_nothing };
  vptr__translate_options translate = { .arch = arch,
                                        .no_fma = options->no_fma,
                                        .fast_math = options->fast_math,
                                        .is_kernel_c = true,
                                        .memory_limit = (size_t)4 << 30,
                                        .no_warnings = true,
                                        .dump = options->dump };
  *device = (cc_device_text){ .module = NULL };
  cc_list_init(&device->included, options->arena);
  return translate_text(options->arena, home, name, text, length, &reader, &translate, device);
}
