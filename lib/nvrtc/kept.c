/* SPDX-License-Identifier: MIT */
/*
 * kept - see kept.h.
 *
 * The list of files is their paths, each with its zero. What is kept of a compilation is the number of bytes of its
 * messages, a line's end, the messages and the module. Variables that move where compilers look for headers, or which
 * compilers there are, are a part of the key. A header that is made where it would be found before one that was read is
 * not noticed, as with ccache.
 *
 * No data and no locks. Called by clang.c and link.c. It blocks for the file system alone.
 */
#include "nvrtc/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/version.h>

#include "base/binary.h"
#include "base/memory.h"
#include "nvrtc/depend.h"

static const char *const variables[] = {
  "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "PATH", "VPTR_CLANG", "VPTRCC_TEST_INCLUDE", "VPTRCC_TEST_KERNELC",
};

/* Names in the command may be relative, and headers of vptr's are found beside vptrcc. */
void vptr__nvrtc_kept_begin(vptr__nvrtc_text *what) {
  char *here = getcwd(NULL, 0);
  vptr__nvrtc_text_print(what, "%s\n%s\n", VPTR_VERSION_STRING, here != NULL ? here : "");
  free(here);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    vptr__nvrtc_text_print(what, "%s=%s\n", variables[i], value != NULL ? value : "");
  }
}

static vptr__binary_key key_of(const char *kind, const vptr__nvrtc_text *what, const char *state) {
  return (vptr__binary_key){ { { kind, strlen(kind) },
                               { what->bytes, what->length },
                               { state, strlen(state) },
                               { "", 0 },
                               { "", 0 },
                               { "", 0 } } };
}

static vptr__binary_key files_key(const vptr__nvrtc_text *what) {
  return key_of("nvrtc: files of C++, 1", what, "");
}

static vptr__binary_key module_key(const vptr__nvrtc_text *what, const vptr__nvrtc_text *state) {
  return key_of("nvrtc: module of C++, 1", what, state->bytes != NULL ? state->bytes : "");
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static bool load_files(const vptr__nvrtc_text *what, vptr__nvrtc_list *files) {
  unsigned char *bytes;
  size_t size;
  vptr__binary_key key = files_key(what);
  if (!vptr__binary_load(&key, &bytes, &size))
    return false;
  for (size_t at = 0, length; at < size; at += length + 1) {
    length = strnlen((const char *)bytes + at, size - at);
    vptr__nvrtc_list_add(files, (const char *)bytes + at, length);
  }
  vptr__memory_free(bytes);
  return !files->failed;
}

static bool load_module(const vptr__binary_key *key, vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  unsigned char *bytes;
  size_t size, said = 0, at = 0;
  if (!vptr__binary_load(key, &bytes, &size))
    return false;
  for (; at < size && bytes[at] >= '0' && bytes[at] <= '9' && said < size; at++)
    said = 10 * said + (size_t)(bytes[at] - '0');
  bool is_whole = at < size && bytes[at] == '\n' && said < size - at - 1;
  if (is_whole) {
    const char *message = (const char *)bytes + at + 1;
    vptr__nvrtc_text_add(log, message, said);
    vptr__nvrtc_text_add(module, message + said, size - at - 1 - said);
  }
  vptr__memory_free(bytes);
  return is_whole;
}

bool vptr__nvrtc_kept_load(const vptr__nvrtc_text *what, vptr__nvrtc_text *module, vptr__nvrtc_text *log) {
  vptr__nvrtc_list files = { 0 };
  vptr__nvrtc_text state = { 0 };
  bool is_loaded = !what->failed && load_files(what, &files) && vptr__nvrtc_depend_state(&files, NULL, &state);
  if (is_loaded) {
    vptr__binary_key key = module_key(what, &state);
    is_loaded = load_module(&key, module, log);
  }
  vptr__nvrtc_text_free(&state);
  vptr__nvrtc_list_free(&files);
  return is_loaded;
}

/* ---- keeping -------------------------------------------------------------------------------------------- */

static void store_text(const vptr__binary_key *key, const vptr__nvrtc_text *text) {
  if (!text->failed && text->length > 0)
    vptr__binary_keep(key, (const unsigned char *)text->bytes, text->length);
}

void vptr__nvrtc_kept_store(const vptr__nvrtc_text *what, const vptr__nvrtc_list *files, const struct timespec *began,
                            const vptr__nvrtc_text *module, const vptr__nvrtc_text *log) {
  vptr__nvrtc_text state = { 0 }, paths = { 0 }, made = { 0 };
  bool is_known = !what->failed && !files->failed && !module->failed && !log->failed &&
                  vptr__nvrtc_depend_state(files, began, &state);
  for (size_t i = 0; is_known && i < files->count; i++)
    vptr__nvrtc_text_add(&paths, files->items[i], strlen(files->items[i]) + 1);
  vptr__nvrtc_text_print(&made, "%zu\n", log->length);
  vptr__nvrtc_text_add(&made, log->bytes, log->length);
  vptr__nvrtc_text_add(&made, module->bytes, module->length);
  if (is_known) {
    vptr__binary_key first = files_key(what), second = module_key(what, &state);
    store_text(&first, &paths);
    store_text(&second, &made);
  }
  vptr__nvrtc_text_free(&state);
  vptr__nvrtc_text_free(&paths);
  vptr__nvrtc_text_free(&made);
}
