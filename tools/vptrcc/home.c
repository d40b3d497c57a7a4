/* SPDX-License-Identifier: MIT */
/* home - see home.h. */
#include "home.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static const char *way(vptr__arena *arena, const char *from, const char *to) {
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
static const char *real(vptr__arena *arena, const char *path) {
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
  const char *headers = vptr__arena_format(arena, "%s/%s", own, way(arena, VPTRCC_BINDIR, VPTRCC_INCLUDEDIR));
  const char *libraries = vptr__arena_format(arena, "%s/%s", own, way(arena, VPTRCC_BINDIR, VPTRCC_LIBDIR));
  if (home->headers.count == 0)
    cc_list_add(&home->headers, real(arena, headers));
  if (home->libraries.count == 0)
    cc_list_add(&home->libraries, real(arena, libraries));
}

static void find_compilers(cc_home *home, const cc_options *options) {
  const char *cxx = getenv("VPTRCC_CXX"), *cc = getenv("VPTRCC_CC");
  if (options->host_compiler != NULL) {
    struct stat status;
    const char *path = options->host_compiler;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
      const char *plain = vptr__arena_format(options->arena, "%s/c++", path);
      path = access(plain, X_OK) == 0 ? plain : vptr__arena_format(options->arena, "%s/g++", path);
    }
    cc_list_add(&home->cxx, path);
    cc_list_add(&home->cc, path);
    return;
  }
  add_words(&home->cxx, cxx != NULL && *cxx != 0 ? cxx : VPTRCC_DEFAULT_CXX, " \t");
  add_words(&home->cc, cc != NULL && *cc != 0 ? cc : VPTRCC_DEFAULT_CC, " \t");
  if (home->cxx.count == 0)
    cc_list_add(&home->cxx, "c++");
  if (home->cc.count == 0)
    cc_list_add(&home->cc, "cc");
}

void cc_home_find(cc_home *home, const cc_options *options) {
  vptr__arena *arena = options->arena;
  cc_list *lists[] = { &home->headers, &home->cuda_headers, &home->libraries, &home->cxx, &home->cc };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    cc_list_init(lists[i], arena);
  const char *headers = getenv("VPTRCC_TEST_INCLUDE"), *libraries = getenv("VPTRCC_TEST_LIB");
  if (headers != NULL)
    add_words(&home->headers, headers, ":");
  if (libraries != NULL)
    add_words(&home->libraries, libraries, ":");
  find_installed(home, arena);
  for (size_t i = 0; i < home->headers.count; i++)
    cc_list_add(&home->cuda_headers, real(arena, vptr__arena_format(arena, "%s/vptr/cuda", home->headers.items[i])));
  find_compilers(home, options);
}
