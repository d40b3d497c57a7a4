/* SPDX-License-Identifier: MIT */
/*
 * depend - rules for make, read, and the hashes of files (depend.h).
 *
 * A file that was written while the compiler ran may have been read before that: what is in it now is not what was
 * compiled. The clock of a file system may lag a few milliseconds behind; so what was written in the last tenth of a
 * second before the compiler began counts, too.
 *
 * No data and no locks. Called by clang.c and kept.c. It blocks while files are read, a few megabytes as a rule.
 */
#include "nvrtc/depend.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- rules ---------------------------------------------------------------------------------------------- */

/* One path from *at on, without make's escapes; blanks, and ends of lines behind a backslash, are left out. False: the
 * rule has ended. */
static bool read_path(const char **at, vptr__nvrtc_text *path) {
  const char *p = *at;
  while (*p == ' ' || *p == '\t' || (p[0] == '\\' && p[1] == '\n'))
    p += 1 + (*p == '\\');
  for (; *p != '\0' && strchr(" \t\n", *p) == NULL && (p[0] != '\\' || p[1] != '\n'); p++) {
    p += (p[0] == '$' && p[1] == '$') || (p[0] == '\\' && p[1] != '\0' && strchr(" \t#", p[1]) != NULL);
    vptr__nvrtc_text_add(path, p, 1);
  }
  *at = p;
  return path->length > 0;
}

bool vptr__nvrtc_depend_read(const char *rule, const char *except, vptr__nvrtc_list *paths) {
  const char *at = strstr(rule, ": ");
  size_t length = strlen(except);
  bool has_more = at != NULL;
  for (at += has_more; has_more;) {
    vptr__nvrtc_text path = { 0 };
    has_more = read_path(&at, &path) && !path.failed;
    paths->failed |= path.failed;
    if (has_more && (strncmp(path.bytes, except, length) != 0 || path.bytes[length] != '/'))
      vptr__nvrtc_list_add(paths, path.bytes, path.length);
    vptr__nvrtc_text_free(&path);
  }
  return at != NULL && !paths->failed;
}

bool vptr__nvrtc_depend_find(const char *program, vptr__nvrtc_list *paths) {
  const char *in = strchr(program, '/') != NULL ? NULL : getenv("PATH");
  if (in == NULL)
    return access(program, X_OK) == 0 && vptr__nvrtc_list_add(paths, program, strlen(program)) != NULL;
  for (bool is_found = false; *in != '\0'; in += strcspn(in, ":") + (in[strcspn(in, ":")] == ':')) {
    vptr__nvrtc_text path = { 0 };
    vptr__nvrtc_text_print(&path, "%.*s/%s", (int)strcspn(in, ":"), in, program);
    is_found = !path.failed && access(path.bytes, X_OK) == 0;
    bool is_added = is_found && vptr__nvrtc_list_add(paths, path.bytes, path.length) != NULL;
    vptr__nvrtc_text_free(&path);
    if (is_found)
      return is_added;
  }
  return false;
}

/* ---- files ---------------------------------------------------------------------------------------------- */

static bool is_older(const struct stat *about, const struct timespec *than) {
  const int64_t second = 1000000000, shortly = second / 10;
  int64_t apart = ((int64_t)than->tv_sec - about->st_mtim.tv_sec) * second + than->tv_nsec - about->st_mtim.tv_nsec;
  return apart > shortly;
}

/* FNV-1a of 64 bits, as in base/binary.c. */
static bool hash_file(int file, uint64_t *sum_out) {
  unsigned char part[16384];
  uint64_t sum = UINT64_C(14695981039346656037);
  ssize_t got;
  while ((got = read(file, part, sizeof part)) > 0)
    for (ssize_t i = 0; i < got; i++)
      sum = (sum ^ part[i]) * UINT64_C(1099511628211);
  *sum_out = sum;
  return got == 0;
}

static bool add_state(const char *path, const struct timespec *before, vptr__nvrtc_text *state) {
  struct stat about;
  uint64_t sum = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  bool is_good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && (before == NULL || is_older(&about, before)) &&
                 hash_file(file, &sum);
  close(file);
  vptr__nvrtc_text_print(state, "%016" PRIx64 " %jd %s\n", sum, (intmax_t)about.st_size, path);
  return is_good;
}

bool vptr__nvrtc_depend_state(const vptr__nvrtc_list *paths, const struct timespec *before, vptr__nvrtc_text *state) {
  for (size_t i = 0; i < paths->count; i++)
    if (!add_state(paths->items[i], before, state))
      return false;
  return !state->failed;
}
