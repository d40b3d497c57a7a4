/* SPDX-License-Identifier: MIT */
/*
 * child - see child.h.
 *
 * The process has threads, and handlers of its own: nothing of it runs in the child (posix_spawn(), no fork()), whose
 * signals are neither blocked nor ignored. A handler of SIGCHLD that collects all children may collect this one: then
 * waitpid() finds none, and what the child has written says how it went.
 *
 * No data and no locks. Called by clang.c and link.c. Running a child blocks until it has ended.
 */
#include "nvrtc/child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- the folder ----------------------------------------------------------------------------------------- */

bool vptr__nvrtc_folder_make(char **path_out) {
  const char *parent = secure_getenv("TMPDIR");
  vptr__nvrtc_text path = { 0 };
  vptr__nvrtc_text_print(&path, "%s/vptr-nvrtc-XXXXXX", parent != NULL && parent[0] == '/' ? parent : "/tmp");
  if (path.failed || mkdtemp(path.bytes) == NULL) {
    vptr__nvrtc_text_free(&path);
    return false;
  }
  *path_out = path.bytes;
  return true;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
  (void)about, (void)kind, (void)at;
  remove(path);
  return 0;
}

void vptr__nvrtc_folder_remove(const char *path) {
  nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static bool leads_elsewhere(const char *name) {
  size_t length = strlen(name);
  return length == 0 || name[0] == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL ||
         strcmp(name, "..") == 0 || (length > 3 && strcmp(name + length - 3, "/..") == 0);
}

/* Those that a name in the folder has before its last part. */
static bool make_folders(char *path, size_t begin) {
  for (char *slash = strchr(path + begin, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool is_there = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!is_there)
      return false;
  }
  return true;
}

static bool write_whole(const char *path, const char *bytes, size_t length) {
  FILE *file = fopen(path, "wbe");
  if (file == NULL)
    return false;
  bool is_written = fwrite(bytes, 1, length, file) == length;
  return fclose(file) == 0 && is_written;
}

bool vptr__nvrtc_folder_write(const char *folder, const char *name, const char *bytes, size_t length) {
  vptr__nvrtc_text path = { 0 };
  if (leads_elsewhere(name))
    return false;
  vptr__nvrtc_text_print(&path, "%s/%s", folder, name);
  bool is_written =
      !path.failed && make_folders(path.bytes, strlen(folder) + 1) && write_whole(path.bytes, bytes, length);
  vptr__nvrtc_text_free(&path);
  return is_written;
}

bool vptr__nvrtc_folder_read(const char *folder, const char *name, vptr__nvrtc_text *text) {
  vptr__nvrtc_text path = { 0 };
  char part[4096];
  vptr__nvrtc_text_print(&path, "%s/%s", folder, name);
  FILE *file = path.failed ? NULL : fopen(path.bytes, "rbe");
  vptr__nvrtc_text_free(&path);
  if (file == NULL)
    return false;
  for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
    vptr__nvrtc_text_add(text, part, got);
  bool is_read = ferror(file) == 0;
  fclose(file);
  return is_read;
}

/* ---- the program ---------------------------------------------------------------------------------------- */

static bool prepare(posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes, const char *log) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  return posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0600) == 0 &&
         posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO) == 0 &&
         posix_spawnattr_setsigmask(attributes, &none) == 0 && posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
         posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0;
}

static bool run_with(char *const *command, const char *log) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  pid_t child = 0;
  if (posix_spawn_file_actions_init(&files) != 0)
    return false;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return false;
  }
  bool is_started = prepare(&files, &attributes, log) &&
                    posix_spawnp(&child, command[0], &files, &attributes, command, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  while (is_started && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  return is_started;
}

bool vptr__nvrtc_child_run(char *const *command, const char *folder, const char *log) {
  vptr__nvrtc_text path = { 0 };
  vptr__nvrtc_text_print(&path, "%s/%s", folder, log);
  bool is_started = !path.failed && run_with(command, path.bytes);
  vptr__nvrtc_text_free(&path);
  return is_started;
}
