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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Written by the handler alone. */
static volatile sig_atomic_t caught, child, second_child;

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP };

static void on_signal(int signal) {
  int saved = errno;
  caught = signal;
  if (child > 0)
    kill((pid_t)child, signal);
  if (second_child > 0)
    kill((pid_t)second_child, signal);
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
  cc_timing_begin(&workshop->timing, options->arena);
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

/* cpu_out: seconds of the processor's; may be NULL. */
static int wait_for(pid_t pid, const char *program, double *cpu_out) {
  int status = 0;
  struct rusage used;
  while (wait4(pid, &status, 0, &used) < 0)
    if (errno != EINTR)
      return 1;
  if (cpu_out != NULL)
    *cpu_out = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  if (caught == 0)
    fprintf(stderr, "vptrcc: error: %s was ended by signal %d (%s)\n", program, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
  return 1;
}

/* The word behind -o; "" without. */
static const char *output_of(const cc_list *command) {
  for (size_t i = 0; i + 1 < command->count; i++)
    if (strcmp(command->items[i], "-o") == 0)
      return command->items[i + 1];
  return "";
}

/* messages: a file for what it says, or NULL. 0: it cannot be run, which was said. */
static pid_t spawn_command(const cc_list *command, const char *messages) {
  posix_spawn_file_actions_t actions;
  pid_t pid = 0;
  int error = posix_spawn_file_actions_init(&actions);
  fflush(NULL);
  if (error == 0 && messages != NULL)
    error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  /* execvp() takes char *const * and changes nothing */
  if (error == 0)
    error = posix_spawnp(&pid, command->items[0], &actions, NULL, (char *const *)(uintptr_t)command->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0)
    return pid;
  fprintf(stderr, "vptrcc: error: '%s' cannot be run: %s; install a C++ compiler, or name one with -ccbin\n",
          command->items[0], strerror(error));
  return 0;
}

/* `where` is the handler's. */
static bool start_command(cc_workshop *workshop, const char *phase, const cc_list *command, const char *messages,
                          volatile sig_atomic_t *where, cc_process *process) {
  *process = (cc_process){ .phase = phase, .program = command->items[0], .output = output_of(command) };
  if (workshop->options->is_verbose)
    cc_show_words("#$", command);
  if (workshop->options->is_dry || caught != 0)
    return caught == 0;
  process->begin = cc_timing_now();
  process->pid = spawn_command(command, messages);
  if (process->pid == 0)
    return false;
  *where = (sig_atomic_t)process->pid;
  if (caught != 0) /* between the question and now */
    kill(process->pid, (int)caught);
  return true;
}

static int wait_for_command(cc_workshop *workshop, cc_process *process, volatile sig_atomic_t *where) {
  if (process->pid == 0)
    return 0;
  double cpu = 0;
  int status = wait_for(process->pid, process->program, &cpu);
  *where = 0;
  process->pid = 0;
  cc_timing_add(&workshop->timing, process->phase, process->program, process->output,
                cc_timing_now() - process->begin, cpu);
  return status;
}

int cc_workshop_run_heard(cc_workshop *workshop, const char *phase, const cc_list *command, const char *messages) {
  cc_process process;
  if (!start_command(workshop, phase, command, messages, &child, &process))
    return 1;
  return wait_for_command(workshop, &process, &child);
}

int cc_workshop_run(cc_workshop *workshop, const char *phase, const cc_list *command) {
  return cc_workshop_run_heard(workshop, phase, command, NULL);
}

bool cc_workshop_start(cc_workshop *workshop, const char *phase, const cc_list *command, const char *messages,
                       cc_process *process) {
  return start_command(workshop, phase, command, messages, &second_child, process);
}

int cc_workshop_wait(cc_workshop *workshop, cc_process *process) {
  return wait_for_command(workshop, process, &second_child);
}

bool cc_process_has_ended(const cc_process *process) {
  siginfo_t info = { .si_pid = 0 };
  return process->pid == 0 ||
         (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0);
}

/* It is not waited for with words: that it was ended is no news. */
void cc_process_end(cc_process *process) {
  if (process->pid == 0)
    return;
  kill(process->pid, SIGTERM);
  while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  second_child = 0;
  process->pid = 0;
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
  return pid != 0 && wait_for(pid, command->items[0], NULL) == 0;
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

void cc_file_tell(vptr__arena *arena, const char *path) {
  const char *text = NULL;
  size_t length = 0;
  if (access(path, R_OK) == 0 && cc_file_read(arena, path, &text, &length))
    fwrite(text, 1, length, stderr);
}
