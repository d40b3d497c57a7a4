/* SPDX-License-Identifier: MIT */
/* process - see process.h. */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Written by the handler alone. */
static volatile sig_atomic_t caught, child;

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP };

static void on_signal(int signal) {
  int saved = errno;
  caught = signal;
  if (child > 0)
    kill((pid_t)child, signal);
  errno = saved;
}

int cc_workshop_signal(void) {
  return (int)caught;
}

/* ---- the folder ------------------------------------------------------------------------------------------ */

/* One that is ignored, as under nohup, stays so. */
static void watch_signals(void) {
  struct sigaction action = { .sa_handler = on_signal }, before;
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(fatal_signals[i], &action, NULL);
}

bool cc_workshop_open(cc_workshop *workshop, const cc_options *options) {
  const char *parent = getenv("TMPDIR");
  *workshop = (cc_workshop){ .arena = options->arena, .options = options };
  cc_list_init(&workshop->given, options->arena);
  watch_signals();
  char *folder =
      vptr__arena_format(options->arena, "%s/vptrcc-XXXXXX", parent != NULL && *parent != 0 ? parent : "/tmp");
  if (options->is_dry) {
    workshop->folder = folder;
    return true;
  }
  if (mkdtemp(folder) == NULL) {
    fprintf(stderr, "vptrcc: error: no folder can be made as %s: %s; set TMPDIR to one that can be written\n", folder,
            strerror(errno));
    return false;
  }
  workshop->folder = folder;
  return true;
}

void cc_workshop_close(cc_workshop *workshop) {
  DIR *directory = workshop->folder != NULL ? opendir(workshop->folder) : NULL;
  if (directory == NULL)
    return;
  const struct dirent *entry;
  while ((entry = readdir(directory)) != NULL)
    unlinkat(dirfd(directory), entry->d_name, 0);
  closedir(directory);
  rmdir(workshop->folder);
  workshop->folder = NULL;
}

const char *cc_workshop_path(cc_workshop *workshop, const char *name, const char *suffix) {
  const cc_options *options = workshop->options;
  const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name, *dot = strrchr(base, '.');
  int length = (int)(dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
  const char *folder =
      options->keeps ? (options->keep_folder != NULL ? options->keep_folder : ".") : workshop->folder;
  const char *path = vptr__arena_format(workshop->arena, "%s/%.*s%s", folder, length, base, suffix);
  /* a/x.cu and b/x.cu; or a file that is kept would lie where an input lies */
  for (int i = 2; cc_list_has(&workshop->given, path) || cc_options_is_input(options, path); i++)
    path = vptr__arena_format(workshop->arena, "%s/%.*s-%d%s", folder, length, base, i, suffix);
  cc_list_add(&workshop->given, path);
  return path;
}

/* ---- programs -------------------------------------------------------------------------------------------- */

void cc_show_words(const char *before, const cc_list *command) {
  fputs(before, stderr);
  for (size_t i = 0; i < command->count; i++) {
    const char *word = command->items[i];
    bool is_plain = *word != 0 && strcspn(word, " \t\n\"'\\$`()<>|&;*?#~") == strlen(word);
    fprintf(stderr, is_plain ? " %s" : " '%s'", word);
  }
  fputc('\n', stderr);
}

static int wait_for(pid_t pid, const char *program) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  if (caught == 0)
    fprintf(stderr, "vptrcc: error: %s was ended by signal %d (%s)\n", program, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
  return 1;
}

int cc_workshop_run(cc_workshop *workshop, const cc_list *command) {
  if (workshop->options->is_verbose)
    cc_show_words("#$", command);
  if (workshop->options->is_dry)
    return 0;
  if (caught != 0)
    return 1;
  pid_t pid = 0;
  fflush(NULL);
  /* execvp() takes char *const * and changes nothing */
  int error = posix_spawnp(&pid, command->items[0], NULL, NULL, (char *const *)(uintptr_t)command->items, environ);
  if (error != 0) {
    fprintf(stderr, "vptrcc: error: '%s' cannot be run: %s; install a C++ compiler, or name one with -ccbin\n",
            command->items[0], strerror(error));
    return 1;
  }
  child = (sig_atomic_t)pid;
  if (caught != 0) /* between the question and now */
    kill(pid, (int)caught);
  int status = wait_for(pid, command->items[0]);
  child = 0;
  return status;
}

/* `heard` of the two streams goes to `end`, the other one nowhere. */
static pid_t start_heard(const cc_list *command, int heard, int end) {
  int other = heard == STDERR_FILENO ? STDOUT_FILENO : STDERR_FILENO;
  pid_t pid = 0;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return 0;
  bool is_ready = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
                  posix_spawn_file_actions_addopen(&actions, other, "/dev/null", O_WRONLY, 0) == 0 &&
                  posix_spawn_file_actions_adddup2(&actions, end, heard) == 0;
  if (!is_ready ||
      posix_spawnp(&pid, command->items[0], &actions, NULL, (char *const *)(uintptr_t)command->items, environ) != 0)
    pid = 0;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

static bool read_process(const cc_list *command, int heard, cc_buffer *out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  pid_t pid = start_heard(command, heard, ends[1]);
  close(ends[1]);
  char bytes[4096];
  for (ssize_t count; pid != 0 && (count = read(ends[0], bytes, sizeof bytes)) != 0;)
    if (count > 0)
      cc_buffer_add(out, bytes, (size_t)count);
    else if (errno != EINTR)
      break;
  close(ends[0]);
  return pid != 0 && wait_for(pid, command->items[0]) == 0;
}

bool cc_process_read(const cc_list *command, cc_buffer *out) {
  return read_process(command, STDERR_FILENO, out);
}

bool cc_process_output(const cc_list *command, cc_buffer *out) {
  return read_process(command, STDOUT_FILENO, out);
}

/* ---- files ----------------------------------------------------------------------------------------------- */

bool cc_file_read(vptr__arena *arena, const char *path, const char **text_out, size_t *length_out) {
  FILE *file = fopen(path, "rbe");
  struct stat status;
  if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
    fprintf(stderr, "vptrcc: error: %s: %s\n", path, file == NULL ? strerror(errno) : "is no file that can be read");
    if (file != NULL)
      fclose(file);
    return false;
  }
  char *text = vptr__arena_allocate(arena, (size_t)status.st_size + 1);
  *length_out = fread(text, 1, (size_t)status.st_size, file);
  *text_out = text;
  bool is_whole = !ferror(file);
  if (!is_whole)
    fprintf(stderr, "vptrcc: error: %s: %s\n", path, strerror(errno));
  fclose(file);
  return is_whole;
}

bool cc_file_write(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wbe");
  bool is_written = file != NULL && fwrite(text, 1, length, file) == length;
  if (file != NULL)
    is_written = fclose(file) == 0 && is_written;
  if (!is_written)
    fprintf(stderr, "vptrcc: error: %s: %s\n", path, strerror(errno));
  return is_written;
}
