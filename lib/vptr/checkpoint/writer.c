/* SPDX-License-Identifier: MIT */
/*
 * writer - beginning, writing, completing and abandoning a checkpoint in a file (writer.h).
 *
 * A vptr__writer is its caller's, a static of checkpoint.c's, which the lock of kept.c, of rank CHECKPOINT, guards; its
 * descriptor is opened and closed here. The file has no data but `zeros`, which are constant, and no lock of its own
 * but one of the file system's (flock) that keeps two processes from writing one file; scribe.c, by which it writes,
 * has one of rank LEAF. Called by checkpoint.c and taker.c. All of it blocks as long as the disk does.
 */
#include "checkpoint/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/error.h"
#include "base/log.h"
#include "checkpoint/scribe.h"

static const char zeros[8];

static vptr_status refuse_file(const vptr__writer *writer, const char *what) {
  const char *name = writer->aside[0] != '\0' ? writer->aside : writer->name;
  return vptr__error(VPTR_ERROR_FILE,
                     "vptr_checkpoint: %s cannot be %s, at byte %llu: %s; the checkpoint before it, if "
                     "there is one, is as it was",
                     name, what, (unsigned long long)writer->at, strerror(errno));
}

/* ---- beginning ------------------------------------------------------------------------------------------- */

static bool lock_file(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

/* Another process may have given the file its name, and let it go, since it was opened. */
static bool is_named(int descriptor, const char *name) {
  struct stat ours, there;
  return fstat(descriptor, &ours) == 0 && stat(name, &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

static vptr_status write_header(vptr__writer *writer, const vptr_stats *of) {
  vptr__record_header header = { .magic = VPTR__CHECKPOINT_MAGIC,
                                 .version = VPTR__CHECKPOINT_VERSION,
                                 .order = VPTR__RECORD_ORDER,
                                 .base = of->reserve_base,
                                 .size = of->reserve_bytes,
                                 .window = of->window_bytes,
                                 .process = (uint64_t)getpid() };
  header.sum = vptr__record_header_sum(&header);
  if (!vptr__disk_cut(writer->descriptor, 0) ||
      !vptr__disk_write(writer->descriptor, &(struct iovec){ &header, sizeof header }, 1))
    return refuse_file(writer, "written");
  writer->begin = writer->at = sizeof header;
  return VPTR_SUCCESS;
}

vptr_status vptr__writer_begin_new(vptr__writer *writer, const char *name, const vptr_stats *of) {
  *writer = (vptr__writer){ .descriptor = -1, .number = 1 };
  int length = snprintf(writer->name, sizeof writer->name, "%s", name);
  if (length < 0 || (size_t)length + sizeof ".new" > sizeof writer->name)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_checkpoint: the name of the file has %d bytes, and may have %zu", length,
                       sizeof writer->name - sizeof ".new");
  memcpy(writer->aside, writer->name, (size_t)length);
  memcpy(writer->aside + length, ".new", sizeof ".new");
  writer->descriptor = vptr__disk_open(writer->aside, O_WRONLY | O_CREAT);
  if (writer->descriptor < 0)
    return refuse_file(writer, "opened");
  vptr_status status = VPTR_SUCCESS;
  if (!lock_file(writer->descriptor) || !is_named(writer->descriptor, writer->aside)) {
    status = refuse_file(writer, "had by this process, as another one writes it now");
    close(writer->descriptor);
    return status;
  }
  status = write_header(writer, of);
  if (status != VPTR_SUCCESS)
    vptr__writer_abandon(writer);
  return status;
}

/* What is behind the end is of one that was not completed. */
static bool is_still(int descriptor, const vptr__writer_file *file) {
  struct stat now;
  return fstat(descriptor, &now) == 0 && now.st_dev == file->device && now.st_ino == file->inode &&
         (uint64_t)now.st_size >= file->end && vptr__disk_cut(descriptor, file->end) &&
         lseek(descriptor, (off_t)file->end, SEEK_SET) == (off_t)file->end;
}

bool vptr__writer_begin_behind(vptr__writer *writer, const char *name, const vptr__writer_file *file,
                               uint64_t number) {
  *writer = (vptr__writer){ .descriptor = -1, .number = number, .begin = file->end, .at = file->end };
  int length = snprintf(writer->name, sizeof writer->name, "%s", name);
  if (length < 0 || (size_t)length >= sizeof writer->name)
    return false;
  writer->descriptor = vptr__disk_open(name, O_WRONLY);
  if (writer->descriptor < 0)
    return false;
  if (lock_file(writer->descriptor) && is_still(writer->descriptor, file))
    return true;
  close(writer->descriptor);
  return false;
}

/* ---- records --------------------------------------------------------------------------------------------- */

static vptr_status wait_for_scribe(const vptr__writer *writer) {
  return vptr__scribe_wait() ? VPTR_SUCCESS : refuse_file(writer, "written");
}

/* The batch goes to the scribe, and another one begins. */
static vptr_status send_batch(vptr__writer *writer) {
  const int count = (int)(3 * writer->batched);
  vptr_status status = wait_for_scribe(writer);
  writer->batched = 0;
  if (status != VPTR_SUCCESS || count == 0)
    return status;
  vptr__scribe_hand(writer->descriptor, writer->pieces[writer->which], count);
  writer->which = 1 - writer->which;
  return VPTR_SUCCESS;
}

/* What is waited for at once is written here. */
vptr_status vptr__writer_flush(vptr__writer *writer) {
  const int count = (int)(3 * writer->batched);
  vptr_status status = wait_for_scribe(writer);
  writer->batched = 0;
  if (status != VPTR_SUCCESS || count == 0)
    return status;
  return vptr__disk_write(writer->descriptor, writer->pieces[writer->which], count) ? VPTR_SUCCESS
                                                                                    : refuse_file(writer, "written");
}

static vptr_status put(vptr__writer *writer, vptr__checkpoint_type type, const vptr__checkpoint_body *body,
                       const void *bytes, size_t length) {
  vptr__checkpoint_front *front = &writer->fronts[writer->which][writer->batched];
  struct iovec *pieces = &writer->pieces[writer->which][3 * writer->batched];
  front->head = (vptr__record_head){
    .mark = VPTR__RECORD_MARK, .type = type, .number = writer->number, .length = sizeof *body + length
  };
  front->body = *body;
  front->head.sum = vptr__checkpoint_sum(front);
  pieces[0] = (struct iovec){ front, sizeof *front };
  pieces[1] = (struct iovec){ (void *)(uintptr_t)bytes, length };
  pieces[2] = (struct iovec){ (void *)(uintptr_t)zeros, vptr__record_padded(length) - length };
  writer->at += sizeof *front + vptr__record_padded(length);
  writer->records++;
  return ++writer->batched == VPTR__WRITER_BATCH ? send_batch(writer) : VPTR_SUCCESS;
}

vptr_status vptr__writer_put_data(vptr__writer *writer, uint64_t address, const void *bytes, size_t size,
                                  vptr__digest digest) {
  const bool is_blank = digest.low == 0 && digest.high == 0;
  const vptr__checkpoint_body body = { address, size, digest };
  return put(writer, VPTR__CHECKPOINT_DATA, &body, bytes, is_blank ? 0 : size);
}

vptr_status vptr__writer_put(vptr__writer *writer, vptr__checkpoint_type type, uint64_t address, uint64_t size,
                             const void *bytes, size_t length) {
  const vptr__checkpoint_body body = { address, size, vptr__digest_of(bytes, length) };
  return put(writer, type, &body, bytes, length);
}

/* ---- ending ---------------------------------------------------------------------------------------------- */

static vptr_status put_commit(vptr__writer *writer) {
  vptr_status status =
      vptr__writer_put(writer, VPTR__CHECKPOINT_COMMIT, writer->records, writer->at - writer->begin, NULL, 0);
  return status == VPTR_SUCCESS ? vptr__writer_flush(writer) : status;
}

/* A file that goes on has all that the commit speaks for on the disk before the commit; a new one counts as a whole. */
static vptr_status settle_records(vptr__writer *writer) {
  vptr_status status = vptr__writer_flush(writer);
  if (status == VPTR_SUCCESS && writer->aside[0] == '\0' && !vptr__disk_sync(writer->descriptor))
    status = refuse_file(writer, "put on the disk");
  return status;
}

/* The file that had the name before lives until the scribe lets go of it: to end one takes the system a while. */
static bool take_name(const vptr__writer *writer) {
  const int former = open(writer->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool is_named_now = vptr__disk_rename(writer->aside, writer->name);
  if (former >= 0)
    vptr__scribe_close(former);
  return is_named_now;
}

vptr_status vptr__writer_commit(vptr__writer *writer, vptr__writer_file *file_out) {
  struct stat now;
  vptr_status status = settle_records(writer);
  if (status == VPTR_SUCCESS)
    status = put_commit(writer);
  if (status == VPTR_SUCCESS && (fstat(writer->descriptor, &now) != 0 || !vptr__disk_sync(writer->descriptor)))
    status = refuse_file(writer, "put on the disk");
  if (status == VPTR_SUCCESS && writer->aside[0] != '\0' && !take_name(writer))
    status = refuse_file(writer, "given its name");
  if (status != VPTR_SUCCESS)
    return status;
  close(writer->descriptor);
  *file_out = (vptr__writer_file){ now.st_dev, now.st_ino, writer->at };
  return VPTR_SUCCESS;
}

void vptr__writer_abandon(vptr__writer *writer) {
  (void)vptr__scribe_wait();
  if (writer->aside[0] != '\0')
    unlink(writer->aside);
  else if (ftruncate(writer->descriptor, (off_t)writer->begin) != 0)
    vptr__log(VPTR__LOG_DECISION, "what was begun of a checkpoint stays behind the last one in %s: %s", writer->name,
              strerror(errno));
  close(writer->descriptor);
}
