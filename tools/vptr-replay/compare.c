/* SPDX-License-Identifier: MIT */
/* compare - see compare.h. */
#include "compare.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

enum { PIECE = 1 << 20, RAN = 1 };

/* ---- a device's process --------------------------------------------------------------------------------- */

static bool choose_word(const char *word, size_t length) {
  char name[64], value[256];
  const char *equals = memchr(word, '=', length);
  size_t before = equals != NULL ? (size_t)(equals - word) : 0;
  const char *from = equals != NULL ? equals + 1 : word;
  if (before + sizeof "VPTR_PLATFORM" > sizeof name || length - before > sizeof value - 1 || length == 0) {
    fprintf(stderr, "vptr-replay: '%.*s' describes no device: say a part of a platform's name, or NAME=VALUE\n",
            (int)length, word);
    return false;
  }
  strcpy(name, equals != NULL ? "VPTR_" : "VPTR_PLATFORM");
  for (size_t i = 0; i < before; i++)
    name[5 + i] = (char)toupper((unsigned char)word[i]);
  if (equals != NULL)
    name[5 + before] = '\0';
  snprintf(value, sizeof value, "%.*s", (int)(word + length - from), from);
  return setenv(name, value, 1) == 0;
}

bool rp_device_choose(const char *description) {
  for (;;) {
    size_t length = strcspn(description, ",");
    if (!choose_word(description, length))
      return false;
    if (description[length] == '\0')
      return true;
    description += length + 1;
  }
}

static bool write_all(int to, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t written = write(to, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    at += written;
    size -= (size_t)written;
  }
  return true;
}

static bool send_areas(const rp_launch *launch, int to, unsigned char *piece) {
  for (uint32_t i = 0; i < launch->is.area_count; i++) {
    const size_t size = launch->areas[i].is.size;
    for (size_t at = 0; at < size; at += PIECE) {
      size_t part = size - at < PIECE ? size - at : PIECE;
      if (!rp_device_read(launch, i, at, piece, part) || !write_all(to, piece, part))
        return false;
    }
  }
  return true;
}

static bool is_meant(const rp_launch *launch, uint64_t first, uint64_t last) {
  return rp_launch_can_run(launch) && launch->number >= first && launch->number <= last;
}

static int run_all(const rp_recording *recording, const char *description, uint64_t first, uint64_t last, int to) {
  const char ran = RAN;
  double seconds;
  unsigned char *piece = rp_calloc(1, PIECE);
  if (!rp_device_choose(description) || !rp_device_open(recording, first, last))
    return 3;
  for (size_t i = 0; i < recording->launch_count; i++)
    if (is_meant(&recording->launches[i], first, last) &&
        (!rp_device_run(recording, &recording->launches[i], 1, &seconds) || !write_all(to, &ran, 1) ||
         !send_areas(&recording->launches[i], to, piece)))
      return 3;
  return 0;
}

/* ---- who compares --------------------------------------------------------------------------------------- */

typedef struct side {
  const char *description;
  pid_t process;
  int from;
  unsigned char *piece;
} side;

static bool begin_side(side *it, const rp_recording *recording, const char *description, uint64_t first,
                       uint64_t last) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  fflush(NULL);
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    int status = run_all(recording, description, first, last, ends[1]);
    fflush(NULL);
    _exit(status);
  }
  close(ends[1]);
  *it = (side){ description, process, ends[0], rp_calloc(1, PIECE) };
  return process > 0;
}

static bool read_all(side *it, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t got = read(it->from, it->piece + at, size - at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      fprintf(stderr, "vptr-replay: the process for '%s' ended too early\n", it->description);
      return false;
    }
    at += (size_t)got;
  }
  return true;
}

static int compare_area(const rp_recording *recording, const rp_launch *launch, uint32_t area, side *sides,
                        const rp_rule *rule) {
  const size_t size = launch->areas[area].is.size;
  for (size_t at = 0; at < size; at += PIECE) {
    size_t part = size - at < PIECE ? size - at : PIECE;
    if (!read_all(&sides[0], part) || !read_all(&sides[1], part))
      return 3;
    size_t found = rp_difference_find(rule, sides[0].piece, sides[1].piece, part);
    if (found < part) {
      rp_difference_tell(recording, launch, area, at + found, rule, sides[0].piece + found, sides[1].piece + found,
                         sides[0].description, sides[1].description);
      return 1;
    }
  }
  return 0;
}

static int compare_all(const rp_recording *recording, side *sides, uint64_t first, uint64_t last,
                       const rp_rule *rule) {
  size_t compared = 0;
  for (size_t i = 0; i < recording->launch_count; i++) {
    const rp_launch *launch = &recording->launches[i];
    if (!is_meant(launch, first, last))
      continue;
    if (!read_all(&sides[0], 1) || !read_all(&sides[1], 1))
      return 3;
    for (uint32_t k = 0; k < launch->is.area_count; k++) {
      int verdict = compare_area(recording, launch, k, sides, rule);
      if (verdict != 0)
        return verdict;
    }
    compared++;
  }
  printf("%zu launches leave the same on '%s' and '%s'\n", compared, sides[0].description, sides[1].description);
  return 0;
}

/* Whoever has more to send hears that nobody reads any more. */
static void end_side(const side *it) {
  int status;
  if (it->process <= 0)
    return;
  close(it->from);
  kill(it->process, SIGTERM);
  waitpid(it->process, &status, 0);
  free(it->piece);
}

int rp_compare(const rp_recording *recording, const char *a, const char *b, uint64_t first, uint64_t last,
               const rp_rule *rule) {
  side sides[2] = { { .process = 0 }, { .process = 0 } };
  int verdict = 3;
  if (begin_side(&sides[0], recording, a, first, last) && begin_side(&sides[1], recording, b, first, last))
    verdict = compare_all(recording, sides, first, last, rule);
  else
    fprintf(stderr, "vptr-replay: no process for a device: %s\n", strerror(errno));
  end_side(&sides[0]);
  end_side(&sides[1]);
  return verdict;
}
