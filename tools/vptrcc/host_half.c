/* SPDX-License-Identifier: MIT */
/*
 * host_half - see host_half.h.
 *
 * A process that ends early, or has no kernels, never opens the pipe: so the way in is tried, and not waited for.
 * With --keep the module is to be a file that stays, and one half follows the other.
 */
#include "host_half.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clang.h"

void cc_host_half_begin(cc_driver *driver, const cc_input *input, const char *object, const char *dependencies,
                        cc_host_half *half) {
  *half = (cc_host_half){
    .driver = driver,
    .input = input,
    .object = object,
    .dependencies = dependencies,
    .binary = cc_workshop_path(&driver->workshop, input->path, ".fatbin"),
  };
  bool is_file = driver->options.keeps || driver->options.is_dry;
  if (is_file || mkfifo(half->binary, 0600) != 0)
    return;
  cc_list command = cc_clang_host_command(driver, input, half->binary, object, dependencies);
  half->messages = cc_workshop_path(&driver->workshop, input->path, ".host.txt");
  half->is_beside = true;
  (void)cc_workshop_start(&driver->workshop, "clang host", &command, half->messages, &half->process);
}

/* -1: the other side has ended without it. */
static int open_pipe(const cc_host_half *half) {
  static const struct timespec moment = { 0, 1000000 };
  for (;;) {
    bool has_ended = cc_process_has_ended(&half->process);
    int pipe_end = open(half->binary, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe_end >= 0 || errno != ENXIO || has_ended)
      return pipe_end;
    nanosleep(&moment, NULL);
  }
}

static void feed_module(const cc_host_half *half, const char *module) {
  size_t left = strlen(module) + 1; /* clang takes all of it, and the text ends with a zero there */
  int pipe_end = open_pipe(half);
  if (pipe_end < 0)
    return;
  signal(SIGPIPE, SIG_IGN);
  fcntl(pipe_end, F_SETFL, 0);
  while (left > 0) {
    ssize_t written = write(pipe_end, module, left);
    if (written < 0 && errno != EINTR)
      break;
    module += written > 0 ? written : 0;
    left -= written > 0 ? (size_t)written : 0;
  }
  close(pipe_end);
}

static int compile_afterwards(cc_host_half *half, const char *module) {
  cc_driver *driver = half->driver;
  cc_list command = cc_clang_host_command(driver, half->input, half->binary, half->object, half->dependencies);
  if (!driver->options.is_dry && !cc_file_write(half->binary, module, strlen(module) + 1))
    return 1;
  return cc_workshop_run(&driver->workshop, "clang host", &command);
}

int cc_host_half_finish(cc_host_half *half, const char *module) {
  if (!half->is_beside)
    return compile_afterwards(half, module);
  if (half->process.pid == 0) /* it was said why it does not run */
    return 1;
  feed_module(half, module);
  int status = cc_workshop_wait(&half->driver->workshop, &half->process);
  cc_file_tell(half->driver->arena, half->messages);
  return status;
}

/* One without kernels may be done already. */
void cc_host_half_give_up(cc_host_half *half) {
  struct stat status;
  if (!half->is_beside)
    return;
  cc_process_end(&half->process);
  if (stat(half->object, &status) == 0 && S_ISREG(status.st_mode))
    unlink(half->object);
}
