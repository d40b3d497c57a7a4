/* SPDX-License-Identifier: MIT */
/*
 * preprocessor - C's and C++17's: macros, conditions, includes, all in memory.
 *
 * Translations run inside programs (run-time compilation), so there is no cpp to call. Files come from a reader: the
 * disk with a list of folders for the compiler driver, a list of headers by name for run-time compilation, and our own
 * built-in headers (cuda_runtime.h, stdint.h, math.h, float.h, ... : what kernels need of them) before the system's,
 * which are never read: they are written for host compilers, and full of what no kernel needs. An unknown <header> is
 * empty, as are in quotes the host's own, CUDA's libraries' and whatever else the reader says that the host's compiler
 * has; any other unknown "header" is an error, with the folders that were searched. A "header" beside the file that
 * includes it goes before a built-in one of the same name.
 *
 * Predefined: __CUDACC__, __CUDA_ARCH__ (by default 700), __cplusplus (201703L), __VPTR__, __CUDACC_RTC__ for run-time
 * compilation, CUDART_VERSION and CUDA_VERSION by the headers, __NVCC__, and what C++ has. A `#line` holds for what
 * comes behind it.
 */
#ifndef VPTR_TRANSLATE_PREPROCESSOR_PREPROCESSOR_H
#define VPTR_TRANSLATE_PREPROCESSOR_PREPROCESSOR_H

#include "translate/lexer/token.h"

typedef struct vptr__preprocessor vptr__preprocessor;

/* Finds a header: its text (copied at once) and the name for messages; false: not found.
 * is_quoted: #include "name"; includer: the name of the file it stands in; after: NULL, or for #include_next where that
 * one was found. */
typedef struct vptr__reader {
  bool (*open)(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
               const char **text_out, size_t *length_out, const char **path_out);
  void *context;
  const char *searched; /* the folders, as a message shows them ("inc:src"); may be NULL */
  bool (*is_hosts)(void *context, const char *name); /* not found by open(), but by the host's compiler; may be NULL */
} vptr__reader;

vptr__preprocessor *vptr__preprocessor_create(vptr__source *source, const vptr__reader *reader);

/* As -Dname=value and -Uname; value NULL: 1. */
void vptr__preprocessor_define(vptr__preprocessor *preprocessor, const char *name, const char *value);
void vptr__preprocessor_undefine(vptr__preprocessor *preprocessor, const char *name);
bool vptr__preprocessor_is_defined(const vptr__preprocessor *preprocessor, const char *name); /* by now */

/* What a unit begins with: __CUDA_ARCH__, and the options of whoever compiles it in their order, each "NAME",
 * "NAME=VALUE", or "-NAME", which undefines it. The list ends with NULL, and may be NULL. */
void vptr__preprocessor_define_all(vptr__preprocessor *preprocessor, int arch, const char *const *defines);

/* Text to read: pushed ones are read before what was pushed earlier. */
void vptr__preprocessor_push(vptr__preprocessor *preprocessor, vptr__source_file *file);

/* A built-in header, as if it were included. False: there is none of that name (or it was read, and is read once). */
bool vptr__preprocessor_push_built_in(vptr__preprocessor *preprocessor, const char *name);

/* The next token, keywords told from names, adjacent strings not joined, no VPTR__TOKEN_OTHER; VPTR__TOKEN_END for
 * ever at the end. */
vptr__token vptr__preprocessor_next(vptr__preprocessor *preprocessor);

/* The files that were included, in order, for dependency files: path, or NULL behind the last. */
const char *vptr__preprocessor_included(const vptr__preprocessor *preprocessor, int index);

/* Headers that were included and found nowhere by this side, the host's among them; NULL behind the last. */
typedef struct vptr__absent {
  const char *name;
  vptr__position position;
  struct vptr__absent *next;
} vptr__absent;
const vptr__absent *vptr__preprocessor_absent(const vptr__preprocessor *preprocessor);

/* missing.c: of a header of CUDA's that vptr has not, what to do without it; NULL: nothing is known of it. */
const char *vptr__preprocessor_advice(const char *header);

#endif
