/* SPDX-License-Identifier: MIT */
/*
 * jit - loading libvptr-nvrtc, and having CUDA text translated and modules linked by it (jit.h).
 *
 * The static `translator` has the library's functions, which are atomic. The static `lock`, of rank LEAF, guards the
 * static `reason`, why it could not be opened. Opening takes the dynamic loader's lock, under which constructors of
 * plugins come here, so nobody waits for a thread that opens it. Called by registration.c and loadable.c, for text that
 * is not a module yet; by loadable.c and driver/link.c, to link; to open the library, by loadable.c and need.c. It
 * blocks while that is done; it fails, with a message, where the library is not open or the text does not compile.
 */
#include "cuda/jit.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/beside.h"
#include "cuda/error.h"
#include "nvrtc/translate.h"

static const char library_name[] = "libvptr-nvrtc.so.0";

typedef __typeof__(vptr__nvrtc_translate) translate_function;
typedef __typeof__(vptr__nvrtc_link) link_function;
typedef __typeof__(vptr__nvrtc_free) free_function;

static struct {
  _Atomic(translate_function *) translate; /* behind the others; NULL: it is not open */
  _Atomic(link_function *) link;
  _Atomic(free_function *) free;
} translator;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static char reason[256] = "no such library";

/* Whether the linker of its build made versions at all. */
static bool has_versions(void *library) {
  return dlvsym(library, "nvrtcVersion", "VPTR_NVRTC_0") != NULL;
}

/* POSIX lets a function's address travel through void *; C has no cast for it. */
static bool find_entry_point(void *library, const char *name, void *function_out) {
  void *found = has_versions(library) ? dlvsym(library, name, VPTR__NVRTC_NODE) : dlsym(library, name);
  memcpy(function_out, &found, sizeof found);
  return found != NULL;
}

static void keep_reason(const char *words) {
  vptr__lock_take(&lock);
  if (words != NULL)
    snprintf(reason, sizeof reason, "%s", words);
  vptr__lock_give(&lock);
}

void vptr__cuda_translator_open(void) {
  translate_function *translate;
  link_function *link;
  free_function *release;
  if (atomic_load(&translator.translate) != NULL)
    return;
  void *library = vptr__beside_open(library_name);
  if (library == NULL || !find_entry_point(library, "vptr__nvrtc_free", &release) ||
      !find_entry_point(library, "vptr__nvrtc_link", &link) ||
      !find_entry_point(library, "vptr__nvrtc_translate", &translate)) {
    keep_reason(dlerror());
    return;
  }
  atomic_store(&translator.free, release);
  atomic_store(&translator.link, link);
  atomic_store(&translator.translate, translate);
}

static cudaError_t refuse_unopened(void) {
  char words[sizeof reason];
  vptr__lock_take(&lock);
  memcpy(words, reason, sizeof words);
  vptr__lock_give(&lock);
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "CUDA text is translated, and relocatable code linked, by %s, and that cannot be "
              "opened: %s",
              library_name, words);
  return cudaErrorJitCompilerNotFound;
}

/* The log's first error, or its first line. */
static cudaError_t refuse_inputs(const char *what, const char *log, cudaError_t result) {
  const char *error = strstr(log, "error: ");
  const char *line = log;
  for (const char *end; error != NULL && (end = strchr(line, '\n')) != NULL && end < error;)
    line = end + 1;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %.*s", what, (int)strcspn(line, "\n"), line);
  return result;
}

/* What the translator made is its own library's to free. */
static cudaError_t copy_text(const char *made, char **module_out) {
  size_t size = strlen(made) + 1;
  char *module = vptr__memory_calloc(size, 1);
  if (module == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(size));
  memcpy(module, made, size);
  *module_out = module;
  return cudaSuccess;
}

cudaError_t vptr__cuda_translate(const char *text, size_t length, char **module_out) {
  translate_function *translate = atomic_load(&translator.translate);
  free_function *release = atomic_load(&translator.free);
  if (translate == NULL)
    return refuse_unopened();
  char *made = NULL, *log = NULL;
  vptr__nvrtc_verdict verdict = translate(text, length, &made, &log);
  if (verdict == VPTR__NVRTC_OUT_OF_MEMORY)
    return vptr__cuda_from_status(vptr__error_host_memory(length));
  cudaError_t error = verdict == VPTR__NVRTC_DONE ? copy_text(made, module_out)
                                                  : refuse_inputs("the module's CUDA text", log, cudaErrorInvalidPtx);
  release(made);
  release(log);
  return error;
}

static cudaError_t copy_link(const char *made, const char *log, char **module_out, char **log_out) {
  cudaError_t error = copy_text(log, log_out);
  if (error != cudaSuccess)
    return error;
  error = made != NULL ? copy_text(made, module_out) : refuse_inputs("linking", log, cudaErrorUnknown);
  if (error != cudaSuccess && error != cudaErrorUnknown)
    vptr__memory_free(*log_out);
  return error;
}

cudaError_t vptr__cuda_link(const vptr__nvrtc_input *inputs, size_t count, char **module_out, char **log_out) {
  vptr__cuda_translator_open();
  link_function *link = atomic_load(&translator.link);
  free_function *release = atomic_load(&translator.free);
  if (atomic_load(&translator.translate) == NULL)
    return refuse_unopened();
  char *made = NULL, *log = NULL;
  if (link(inputs, count, &made, &log) == VPTR__NVRTC_OUT_OF_MEMORY)
    return vptr__cuda_from_status(vptr__error_host_memory(count * sizeof *inputs));
  cudaError_t error = copy_link(made, log, module_out, log_out);
  release(made);
  release(log);
  return error;
}
