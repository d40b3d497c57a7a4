/* SPDX-License-Identifier: MIT */
/*
 * file - opening and writing the file of VPTR_RECORD, record by record (record/file.h).
 *
 * Data: the static `file` is the one there is: its descriptor and state, the mapper whose launches it has, and the list
 * of modules that are in it. It stays open until the process ends, or a write fails. Its member `lock`, of rank LEAF,
 * guards all of it, and is held while the system writes. Modules are numbered under that lock, in the order in which
 * they stand in the file. Called by recorder.c, for each record.
 */
#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/log.h"
#include "base/option.h"

enum { MOST_MODULES = 4096 };

typedef enum state { UNOPENED, OPEN, FAILED } state;

/* A text that is in the file. It is known by its sum, for where it lies another may later. */
typedef struct known {
  uint64_t length, sum;
} known;

static struct {
  vptr__lock lock;
  state state;
  int descriptor;
  uint64_t end; /* of the whole records */
  const vptr_mapper *mapper;
  bool has_told; /* that launches on other devices are left out */
  uint32_t module_count;
  known modules[MOST_MODULES]; /* their numbers are their places */
} file = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- opening -------------------------------------------------------------------------------------------- */

/* The name with the process's number in the place of %p; false: it is too long. */
static bool expand_name(const char *name, char *out, size_t size) {
  const char *mark = strstr(name, "%p");
  int length = mark == NULL ? snprintf(out, size, "%s", name)
                            : snprintf(out, size, "%.*s%ld%s", (int)(mark - name), name, (long)getpid(), mark + 2);
  return length >= 0 && (size_t)length < size;
}

/* What was there is cut off only when it is ours. */
static int open_file(const char *name) {
  int descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && (ftruncate(descriptor, 0) == 0 || errno == EINVAL))
    return descriptor;
  int code = errno;
  close(descriptor);
  errno = code;
  return -1;
}

static bool write_header(const vptr_stats *stats) {
  vptr__record_header header = { .magic = VPTR__RECORD_MAGIC,
                                 .version = VPTR__RECORD_VERSION,
                                 .order = VPTR__RECORD_ORDER,
                                 .base = stats->reserve_base,
                                 .size = stats->reserve_bytes,
                                 .window = stats->window_bytes,
                                 .process = (uint64_t)getpid() };
  header.sum = vptr__record_header_sum(&header);
  file.end = sizeof header;
  return vptr__disk_write(file.descriptor, &(struct iovec){ &header, sizeof header }, 1);
}

static void open_once(const vptr_mapper *mapper, const vptr_stats *stats) {
  const char *asked = vptr__option_text(VPTR__OPTION_RECORD);
  char name[PATH_MAX];
  file.state = FAILED;
  file.mapper = mapper;
  if (asked == NULL)
    return;
  if (!expand_name(asked, name, sizeof name)) {
    vptr__log_always("VPTR_RECORD: the name is too long, nothing is recorded");
    return;
  }
  file.descriptor = open_file(name);
  if (file.descriptor < 0) {
    vptr__log_always("VPTR_RECORD=%s: %s; nothing is recorded%s", name, strerror(errno),
                     errno == EWOULDBLOCK ? ", since another process records there: put %p into the name" : "");
    return;
  }
  if (write_header(stats)) {
    file.state = OPEN;
    return;
  }
  vptr__log_always("VPTR_RECORD=%s: %s; nothing is recorded", name, strerror(errno));
  close(file.descriptor);
}

/* A file is of one device's addresses. */
bool vptr__record_file_open(vptr_mapper *mapper) {
  vptr_stats stats = { .struct_size = sizeof stats };
  if (vptr_get_stats(mapper, &stats) != VPTR_SUCCESS) /* takes a lock below ours */
    return false;
  vptr__lock_take(&file.lock);
  if (file.state == UNOPENED)
    open_once(mapper, &stats);
  bool is_open = file.state == OPEN, is_own = file.mapper == mapper;
  bool tells = is_open && !is_own && !file.has_told;
  file.has_told |= tells;
  vptr__lock_give(&file.lock);
  if (tells)
    vptr__log_always(
        "VPTR_RECORD: the file is of the first device that launched a kernel; launches on %s are left out",
        mapper->device->name);
  return is_open && is_own;
}

/* ---- records -------------------------------------------------------------------------------------------- */

static void give_up(void) {
  int code = errno;
  file.state = FAILED;
  vptr__log_always("VPTR_RECORD: %s, after %llu bytes; recording ends, and the program goes on", strerror(code),
                   (unsigned long long)file.end);
  if (ftruncate(file.descriptor, (off_t)file.end) != 0)
    vptr__log(VPTR__LOG_DECISION, "the unfinished record at the end of the file stays there: %s", strerror(errno));
  close(file.descriptor);
}

static bool put_record(vptr__record_head *head, const void *first, size_t first_size, const void *second,
                       size_t second_size) {
  static const char zeros[8];
  struct iovec pieces[] = { { head, sizeof *head },
                            { (void *)(uintptr_t)first, first_size },
                            { (void *)(uintptr_t)second, second_size },
                            { (void *)(uintptr_t)zeros, vptr__record_padded(head->length) - head->length } };
  if (!vptr__disk_write(file.descriptor, pieces, 4))
    return false;
  file.end += sizeof *head + vptr__record_padded(head->length);
  return true;
}

static vptr__record_head head_of(vptr__record_type type, uint64_t number, const void *first, size_t first_size,
                                 const void *second, size_t second_size) {
  vptr__record_head head = {
    .mark = VPTR__RECORD_MARK, .type = type, .number = number, .length = first_size + second_size
  };
  head.sum = vptr__record_sum(vptr__record_head_sum(&head), first, first_size);
  head.sum = vptr__record_sum(head.sum, second, second_size);
  return head;
}

/* With the lock. */
static bool put_or_give_up(vptr__record_head *head, const void *first, size_t first_size, const void *second,
                           size_t second_size) {
  bool is_put = file.state == OPEN && put_record(head, first, first_size, second, second_size);
  if (file.state == OPEN && !is_put)
    give_up();
  return is_put;
}

bool vptr__record_file_put(vptr__record_type type, uint64_t number, const void *first, size_t first_size,
                           const void *second, size_t second_size) {
  vptr__record_head head = head_of(type, number, first, first_size, second, second_size);
  vptr__lock_take(&file.lock);
  bool is_put = put_or_give_up(&head, first, first_size, second, second_size);
  vptr__lock_give(&file.lock);
  return is_put;
}

/* ---- modules -------------------------------------------------------------------------------------------- */

static uint32_t find_module(const known *text) {
  uint32_t i = 0;
  while (i < file.module_count && memcmp(&file.modules[i], text, sizeof *text) != 0)
    i++;
  return i;
}

/* With the lock: a text that is not in the file. */
static bool add_module(const known *added, const void *text) {
  vptr__record_head head = head_of(VPTR__RECORD_MODULE, file.module_count, text, added->length, NULL, 0);
  if (!put_or_give_up(&head, text, added->length, NULL, 0))
    return false;
  file.modules[file.module_count++] = *added;
  return true;
}

bool vptr__record_file_put_module(const void *text, size_t length, uint64_t *number_out, bool *is_full_out) {
  const known wanted = { length, vptr__record_sum(VPTR__RECORD_SUM_FIRST, text, length) };
  vptr__lock_take(&file.lock);
  const uint32_t number = find_module(&wanted);
  const bool is_full = number == MOST_MODULES;
  const bool is_put = file.state == OPEN && !is_full && (number < file.module_count || add_module(&wanted, text));
  vptr__lock_give(&file.lock);
  *number_out = number;
  *is_full_out = is_full;
  return is_put;
}
