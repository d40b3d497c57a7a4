/* SPDX-License-Identifier: MIT */
/*
 * jit - loading libvptr-nvrtc, and having CUDA text translated by it (jit.h).
 *
 * The static `translator` has the library's functions, or why there are none, and is filled once, by pthread_once();
 * there is no lock. Called by registration.c and loadable.c, for text that is not a module yet. It blocks while the
 * text is translated; it fails, with a message, where the library is not found or the text does not compile.
 */
#include "cuda/jit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/beside.h"
#include "cuda/error.h"
#include "nvrtc/translate.h"

static const char library_name[] = "libvptr-nvrtc.so.0";

static struct {
  pthread_once_t once;
  vptr__nvrtc_verdict (*translate)(const char *text, size_t length, char **module_out, char **log_out);
  void (*free)(char *text);
  char reason[256]; /* why it could not be opened */
} translator = { .once = PTHREAD_ONCE_INIT };

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

static void open_translator(void) {
  void *library = vptr__beside_open(library_name);
  if (library != NULL && find_entry_point(library, "vptr__nvrtc_free", &translator.free) &&
      find_entry_point(library, "vptr__nvrtc_translate", &translator.translate))
    return;
  const char *reason = dlerror();
  translator.translate = NULL;
  snprintf(translator.reason, sizeof translator.reason, "%s", reason != NULL ? reason : "no such library");
}

/* The log's first error, or its first line. */
static cudaError_t refuse_text(const char *log) {
  const char *error = strstr(log, ": error: ");
  const char *line = log;
  for (const char *end; error != NULL && (end = strchr(line, '\n')) != NULL && end < error;)
    line = end + 1;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the module's CUDA text: %.*s", (int)strcspn(line, "\n"), line);
  return cudaErrorInvalidPtx;
}

/* What the translator made is its own library's to free. */
static cudaError_t copy_module(const char *made, char **module_out) {
  size_t size = strlen(made) + 1;
  char *module = vptr__memory_calloc(size, 1);
  if (module == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(size));
  memcpy(module, made, size);
  *module_out = module;
  return cudaSuccess;
}

cudaError_t vptr__cuda_translate(const char *text, size_t length, char **module_out) {
  pthread_once(&translator.once, open_translator);
  if (translator.translate == NULL) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "CUDA text is translated by %s, and that cannot be opened: %s", library_name,
                translator.reason);
    return cudaErrorJitCompilerNotFound;
  }
  char *made = NULL, *log = NULL;
  vptr__nvrtc_verdict verdict = translator.translate(text, length, &made, &log);
  if (verdict == VPTR__NVRTC_OUT_OF_MEMORY)
    return vptr__cuda_from_status(vptr__error_host_memory(length));
  cudaError_t error = verdict == VPTR__NVRTC_DONE ? copy_module(made, module_out) : refuse_text(log);
  translator.free(made);
  translator.free(log);
  return error;
}
