/* SPDX-License-Identifier: MIT */
/* checkpoints - see checkpoints.h. */
#include "checkpoints.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/memory.h"
#include "layer/faults.h"
#include "support/support.h"

extern char **environ;

vptr_mapper *checkpoints_mapper;
char checkpoints_folder[64], checkpoints_path[96];

static uintptr_t base;

static void begin_mapper(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_stats stats = { .struct_size = sizeof stats };
  config.reserve_size = (size_t)1 << 32;
  config.base_address = base;
  support_succeed(vptr_mapper_create(&config, &checkpoints_mapper));
  support_succeed(vptr_get_stats(checkpoints_mapper, &stats));
  base = stats.reserve_base;
}

void checkpoints_set_up(void) {
  snprintf(checkpoints_folder, sizeof checkpoints_folder, "/tmp/vptr-checkpoint-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(checkpoints_folder));
  snprintf(checkpoints_path, sizeof checkpoints_path, "%s/state", checkpoints_folder);
  base = 0;
  begin_mapper();
}

void checkpoints_tear_down(void) {
  char aside[128];
  support_succeed(vptr_check(checkpoints_mapper));
  support_succeed(vptr_mapper_destroy(checkpoints_mapper));
  snprintf(aside, sizeof aside, "%s.new", checkpoints_path);
  ck_assert_int_ne(access(aside, F_OK), 0); /* nothing is left beside it */
  unlink(checkpoints_path);
  rmdir(checkpoints_folder);
}

void checkpoints_again(void) {
  support_succeed(vptr_check(checkpoints_mapper));
  support_succeed(vptr_mapper_destroy(checkpoints_mapper));
  begin_mapper();
}

/* ---- the model ------------------------------------------------------------------------------------------ */

/* Some are zero, some begin or end with zeros, some are random. */
static void bytes_of(const checkpoints_item *item, unsigned char *out) {
  uint64_t state = item->seed;
  memset(out, 0, item->size);
  size_t from = item->seed % 4 == 1 ? item->size / 2 : 0, to = item->seed % 4 == 2 ? item->size / 2 : item->size;
  for (size_t i = from; item->seed % 4 != 0 && i < to; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    out[i] = (unsigned char)(state >> 56);
  }
}

static void write_item(checkpoints_model *model, checkpoints_item *item) {
  static unsigned char bytes[CHECKPOINTS_LARGEST];
  item->seed = support_random(&model->state);
  bytes_of(item, bytes);
  support_succeed(vptr_memcpy(checkpoints_mapper, item->ptr, bytes, item->size));
}

static size_t some_size(uint64_t *state) {
  static const size_t most[] = { 300, 5000, 300000, CHECKPOINTS_LARGEST };
  return 1 + support_below(state, most[support_below(state, 4)]);
}

static void begin_item(checkpoints_model *model, checkpoints_item *item) {
  vptr_location location;
  item->size = some_size(&model->state);
  support_succeed(vptr_malloc(checkpoints_mapper, item->size, &item->ptr));
  support_succeed(vptr_resolve(checkpoints_mapper, item->ptr, item->size, &location));
  item->serial = location.serial;
  write_item(model, item);
}

void checkpoints_change(checkpoints_model *model, int steps) {
  for (int step = 0; step < steps; step++) {
    checkpoints_item *item = &model->items[support_below(&model->state, CHECKPOINTS_MOST)];
    if (item->ptr == NULL) {
      begin_item(model, item);
    } else if (support_below(&model->state, 3) == 0) {
      write_item(model, item);
    } else {
      support_succeed(vptr_free(checkpoints_mapper, item->ptr));
      item->ptr = NULL;
    }
  }
}

static void expect_item(const checkpoints_item *item) {
  static unsigned char expected[CHECKPOINTS_LARGEST], seen[CHECKPOINTS_LARGEST];
  vptr_location location;
  support_succeed(vptr_resolve(checkpoints_mapper, item->ptr, item->size, &location));
  ck_assert_ptr_eq(location.base, item->ptr);
  ck_assert_uint_eq(location.size, item->size);
  ck_assert_uint_eq(location.serial, item->serial);
  bytes_of(item, expected);
  support_succeed(vptr_memcpy(checkpoints_mapper, seen, item->ptr, item->size));
  ck_assert(memcmp(seen, expected, item->size) == 0);
}

void checkpoints_expect(const checkpoints_model *model) {
  size_t count = 0;
  for (int i = 0; i < CHECKPOINTS_MOST; i++)
    if (model->items[i].ptr != NULL) {
      expect_item(&model->items[i]);
      count++;
    }
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), count);
  support_succeed(vptr_check(checkpoints_mapper));
}

/* ---- files ---------------------------------------------------------------------------------------------- */

unsigned char *checkpoints_read(const char *path, size_t *size_out) {
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc((size_t)size + 1);
  ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
  fclose(file);
  *size_out = (size_t)size;
  return bytes;
}

void checkpoints_put(const char *path, const unsigned char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

/* ---- calls that fail ------------------------------------------------------------------------------------ */

static bool is_of_device(int whose) {
  return whose == CHECKPOINTS_DEVICE || whose == CHECKPOINTS_DEVICE_CALL;
}

void checkpoints_fail(int whose, long n) {
  if (whose == CHECKPOINTS_DISK)
    vptr__disk_fail_nth(n);
  else if (whose == CHECKPOINTS_MEMORY)
    vptr__memory_fail_nth(n);
  else
    faults_plant(n, whose == CHECKPOINTS_DEVICE ? CL_OUT_OF_RESOURCES : CL_INVALID_OPERATION);
}

bool checkpoints_end_failing(int whose, long n) {
  const bool has_disk_failed = whose == CHECKPOINTS_DISK && vptr__disk_calls() >= n;
  vptr__disk_fail_nth(0);
  vptr__memory_fail_nth(0);
  if (is_of_device(whose))
    faults_pull();
  return has_disk_failed || (is_of_device(whose) && faults_have_fired());
}

void checkpoints_fail_each(vptr_mapper *mapper, int whose, long most) {
  bool may_fail = true;
  long n = 0;
  while (may_fail && n < most) {
    checkpoints_fail(whose, ++n);
    const vptr_status status = vptr_checkpoint(mapper, checkpoints_path, VPTR_CHECKPOINT_WHOLE);
    may_fail = checkpoints_end_failing(whose, n) || status != VPTR_SUCCESS;
  }
  ck_assert_int_gt(n, 2);
  ck_assert_int_lt(n, most);
}

/* ---- processes ------------------------------------------------------------------------------------------ */

enum { MOST_WORDS = 4 };

pid_t checkpoints_start_self(const char *const *words, const char *errors) {
  char self[PATH_MAX], copies[MOST_WORDS][128], *arguments[MOST_WORDS + 2] = { self };
  posix_spawn_file_actions_t actions;
  pid_t child;
  const ssize_t length =
      readlink("/proc/self/exe", self, sizeof self - 1); /* valgrind gives the test's, not its own */
  ck_assert_int_gt(length, 0);
  self[length] = '\0';
  for (int i = 0; words[i] != NULL; i++) {
    ck_assert_int_lt(i, MOST_WORDS);
    snprintf(copies[i], sizeof copies[i], "%s", words[i]);
    arguments[i + 1] = copies[i];
  }
  ck_assert_int_eq(posix_spawn_file_actions_init(&actions), 0);
  if (errors != NULL)
    ck_assert_int_eq(
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600), 0);
  ck_assert_int_eq(posix_spawn(&child, self, &actions, NULL, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

int checkpoints_await(pid_t child) {
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
