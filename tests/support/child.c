/* SPDX-License-Identifier: MIT */
#include "support/child.h"

#include "base/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void read_all(int from, char text[CHILD_TEXT_SIZE]) {
  size_t used = 0;
  ssize_t got;
  while (used < CHILD_TEXT_SIZE - 1 && (got = read(from, text + used, CHILD_TEXT_SIZE - 1 - used)) > 0)
    used += (size_t)got;
  text[used] = '\0';
}

static _Noreturn void become_child(void (*body)(void), const int pipe_ends[2]) {
  dup2(pipe_ends[1], STDERR_FILENO);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  body();
  exit(0);
}

static void give_up(const char *what) {
  perror(what);
  abort();
}

void child_run(void (*body)(void), child *child_out) {
  int pipe_ends[2];
  int status;
  fflush(NULL);
  if (pipe(pipe_ends) != 0)
    give_up("pipe");
  pid_t pid = fork();
  if (pid == 0)
    become_child(body, pipe_ends);
  close(pipe_ends[1]);
  if (pid < 0)
    give_up("fork");
  read_all(pipe_ends[0], child_out->text);
  close(pipe_ends[0]);
  if (waitpid(pid, &status, 0) != pid)
    give_up("waitpid");
  child_out->exited = WIFEXITED(status);
  child_out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  child_out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void child_set(const char *name, const char *value) {
  if (value != NULL)
    setenv(name, value, 1);
  else
    unsetenv(name);
  vptr__option_reload();
}

void child_require(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "broken: %s\n", what);
  _exit(CHILD_BROKEN);
}

bool child_has_addr2line(void) {
  return system("addr2line --version >/dev/null 2>&1") == 0;
}
