/* SPDX-License-Identifier: MIT */
/*
 * log - lines on stderr (log.h).
 *
 * A line is formatted on the stack and leaves in one write(2): stdio would split it where stderr is unbuffered, and
 * its lock is one that the program may hold. errno stays as it was, so that a line may be said anywhere. No data but
 * constant texts, and no locks; the level is read from option.c, which reads the environment once. Called by the files
 * of lib/vptr, by cudart/pinned/supply.c, by cudart/module/print.c and restored.c, cudart/record/file.c and
 * recorder.c, cudart/replay/runs.c, by nvtx/line.c and nvtx/injection.c, and by cublas/tensor.c and tuning.c.
 */
#include "base/log.h"

#include "base/option.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Room for the longest sentence of error.c with a prefix; what is longer shows that it was cut. */
enum { LINE_SIZE = 1024 };

static const char prefix[] = "vptr: ";
static const char cut_mark[] = "...";

static void write_all(const char *text, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, text, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; /* nobody is left to tell */
    text += written;
    size -= (size_t)written;
  }
}

static void write_line(const char *format, va_list arguments) {
  int errno_before = errno;
  char line[LINE_SIZE];
  const size_t room = sizeof line - 1; /* one byte for the newline, which takes the place of the final '\0' */
  memcpy(line, prefix, sizeof prefix);
  size_t used = sizeof prefix - 1;
  int wanted = vsnprintf(line + used, room - used, format, arguments);
  if (wanted >= 0 && (size_t)wanted < room - used) {
    used += (size_t)wanted;
  } else if (wanted >= 0) {
    used = room - 1;
    memcpy(line + used - (sizeof cut_mark - 1), cut_mark, sizeof cut_mark - 1);
  }
  line[used++] = '\n';
  write_all(line, used);
  errno = errno_before;
}

bool vptr__log_wanted(int level) {
  return vptr__option_number(VPTR__OPTION_VERBOSE, 0) >= (uint64_t)level;
}

void vptr__log(int level, const char *format, ...) {
  if (!vptr__log_wanted(level))
    return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void vptr__log_always(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}
