/* SPDX-License-Identifier: MIT */
/* home - see home.h. */
#include "home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"

/* The Makefile says where things go, and what configure compiled with. */
#ifndef VPTRCC_BINDIR
#define VPTRCC_BINDIR "/usr/local/bin"
#define VPTRCC_INCLUDEDIR "/usr/local/include"
#define VPTRCC_LIBDIR "/usr/local/lib"
#define VPTRCC_DEFAULT_CXX "c++"
#define VPTRCC_DEFAULT_CC "cc"
#endif

static void add_words(cc_list *list, const char *text, const char *separators) {
  while (*(text += strspn(text, separators)) != 0) {
    size_t length = strcspn(text, separators);
    cc_list_add(list, vptr__arena_copy(list->arena, text, length));
    text += length;
  }
}

/* "../lib" from /usr/bin to /usr/lib. */
static const char *relative_path(vptr__arena *arena, const char *from, const char *to) {
  size_t common = 0;
  for (size_t i = 0; from[i] == to[i] || from[i] == 0 || to[i] == 0; i++) {
    if ((from[i] == '/' || from[i] == 0) && (to[i] == '/' || to[i] == 0))
      common = i;
    if (from[i] == 0 || to[i] == 0)
      break;
  }
  const char *up = "";
  for (const char *rest = from + common; *rest != 0; rest++)
    if (*rest == '/' && rest[1] != 0)
      up = vptr__arena_format(arena, "../%s", up);
  const char *down = to + common;
  return vptr__arena_format(arena, "%s%s", up, down + strspn(down, "/"));
}

/* Plain where it is there: messages and search paths show it. */
static const char *resolve_path(vptr__arena *arena, const char *path) {
  char resolved[PATH_MAX];
  return realpath(path, resolved) != NULL ? vptr__arena_copy(arena, resolved, strlen(resolved)) : path;
}

static const char *own_folder(vptr__arena *arena) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0)
    return VPTRCC_BINDIR;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  return vptr__arena_copy(arena, path, slash != NULL ? (size_t)(slash - path) : 0);
}

static void find_installed(cc_home *home, vptr__arena *arena) {
  const char *own = own_folder(arena);
  const char *headers =
      vptr__arena_format(arena, "%s/%s", own, relative_path(arena, VPTRCC_BINDIR, VPTRCC_INCLUDEDIR));
  const char *libraries = vptr__arena_format(arena, "%s/%s", own, relative_path(arena, VPTRCC_BINDIR, VPTRCC_LIBDIR));
  if (home->headers.count == 0)
    cc_list_add(&home->headers, resolve_path(arena, headers));
  if (home->libraries.count == 0)
    cc_list_add(&home->libraries, resolve_path(arena, libraries));
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* The C++ compiler beside a C compiler: /usr/bin/g++-12 of /usr/bin/gcc-12. NULL: there is none. */
static const char *sibling_of(vptr__arena *arena, const char *path) {
  static const char *const pairs[][2] = { { "clang", "clang++" }, { "gcc", "g++" }, { "cc", "c++" } };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const char *at = strstr(base_of(path), pairs[i][0]);
    if (at == NULL || strchr(base_of(path), '+') != NULL)
      continue;
    const char *name =
        vptr__arena_format(arena, "%.*s%s%s", (int)(at - path), path, pairs[i][1], at + strlen(pairs[i][0]));
    return strchr(name, '/') == NULL || access(name, X_OK) == 0 ? name : NULL;
  }
  return NULL;
}

/* Linking is nothing to cache; and who reads the command takes its first word for the compiler. */
static void find_linker(cc_home *home) {
  static const char *const wrappers[] = { "ccache", "sccache", "distcc", "icecc" };
  size_t first = 0;
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers && first + 1 < home->cxx.count; i++)
    first += strcmp(base_of(home->cxx.items[first]), wrappers[i]) == 0;
  for (size_t i = first; i < home->cxx.count; i++)
    cc_list_add(&home->linker, home->cxx.items[i]);
}

static void find_compilers(cc_home *home, const cc_options *options) {
  const char *env_cxx = getenv("VPTRCC_CXX"), *env_cc = getenv("VPTRCC_CC");
  if (options->host_compiler != NULL) {
    struct stat status;
    const char *path = options->host_compiler;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
      const char *plain = vptr__arena_format(options->arena, "%s/c++", path);
      path = access(plain, X_OK) == 0 ? plain : vptr__arena_format(options->arena, "%s/g++", path);
    }
    const char *cxx = sibling_of(options->arena, path);
    cc_list_add(&home->cxx, cxx != NULL ? cxx : path);
    cc_list_add(&home->cc, path);
    return;
  }
  add_words(&home->cxx, env_cxx != NULL && *env_cxx != 0 ? env_cxx : VPTRCC_DEFAULT_CXX, " \t");
  add_words(&home->cc, env_cc != NULL && *env_cc != 0 ? env_cc : VPTRCC_DEFAULT_CC, " \t");
  if (home->cxx.count == 0)
    cc_list_add(&home->cxx, "c++");
  if (home->cc.count == 0)
    cc_list_add(&home->cc, "cc");
}

void cc_home_find(cc_home *home, const cc_options *options) {
  vptr__arena *arena = options->arena;
  cc_list *lists[] = { &home->headers, &home->cuda_headers, &home->libraries, &home->library_options,
                       &home->cxx,     &home->cc,           &home->linker };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    cc_list_init(lists[i], arena);
  const char *headers = getenv("VPTRCC_TEST_INCLUDE"), *libraries = getenv("VPTRCC_TEST_LIB");
  if (headers != NULL)
    add_words(&home->headers, headers, ":");
  if (libraries != NULL)
    add_words(&home->libraries, libraries, ":");
  find_installed(home, arena);
  for (size_t i = 0; i < home->headers.count; i++)
    cc_list_add(&home->cuda_headers,
                resolve_path(arena, vptr__arena_format(arena, "%s/vptr/cuda", home->headers.items[i])));
  home->cuda = vptr__arena_format(arena, "%s/vptr/cuda", home->libraries.items[0]);
  cc_list_print(&home->library_options, "-L%s/lib64", home->cuda);
  for (size_t i = 0; i < home->libraries.count; i++)
    cc_list_print(&home->library_options, "-L%s", home->libraries.items[i]);
  find_compilers(home, options);
  find_linker(home);
}

void cc_home_print(const cc_home *home) {
  const char *path = getenv("PATH");
  cc_list includes;
  cc_list_init(&includes, home->cxx.arena);
  cc_list_print(&includes, "-I%s/include", home->cuda);
  fprintf(stderr, "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s\n", home->cuda, home->cuda,
          path != NULL ? path : "");
  cc_show_words("#$ INCLUDES=", &includes);
  cc_show_words("#$ LIBRARIES=", &home->library_options);
  fputs("#$ CUDAFE_FLAGS=\n#$ PTXAS_FLAGS=\n", stderr);
}
