/* SPDX-License-Identifier: MIT */
/* child - see child.h. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 128 };

extern char **environ;

bool child_find(const char *name, char *path_out, size_t size) {
  char folder[4096];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[length > 0 ? length : 0] = '\0';
  char *last = strrchr(folder, '/');
  if (last != NULL)
    *last = '\0';
  static const char *const ways[] = { "", "../" };
  for (int i = 0; i < 2; i++) {
    int written = snprintf(path_out, size, "%s/%s%s", folder, ways[i], name);
    if (written > 0 && (size_t)written < size && access(path_out, X_OK) == 0)
      return true;
  }
  return false;
}

/* The read end is this program's alone; the child has the other as its stdout. posix_spawn() changes no argument. */
static bool start(const char *const *arguments, pid_t *child_out, FILE **lines_out) {
  posix_spawn_file_actions_t actions;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    perror("vptr-bench: cannot make a pipe");
    return false;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  int error = posix_spawn(child_out, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *lines_out = error == 0 ? fdopen(ends[0], "r") : NULL;
  if (*lines_out != NULL)
    return true;
  fprintf(stderr, "vptr-bench: cannot start %s: %s\n", arguments[0], strerror(error != 0 ? error : errno));
  close(ends[0]);
  if (error == 0) {
    kill(*child_out, SIGTERM);
    waitpid(*child_out, NULL, 0);
  }
  return false;
}

static bool read_lines(FILE *lines, child_line take, void *to) {
  char *line = NULL;
  size_t capacity = 0;
  bool good = true;
  for (ssize_t length; good && (length = getline(&line, &capacity, lines)) > 0;) {
    if (line[length - 1] == '\n')
      line[length - 1] = '\0';
    good = take(to, line);
  }
  free(line);
  return good;
}

bool child_run(const char *const *arguments, child_line take, void *to, int *status_out) {
  pid_t child;
  FILE *lines;
  int status = 0;
  if (!start(arguments, &child, &lines))
    return false;
  bool good = read_lines(lines, take, to);
  if (!good)
    kill(child, SIGTERM);
  fclose(lines);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  *status_out = WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
  return good;
}
