/* SPDX-License-Identifier: MIT */
/*
 * checkpoint - the public vptr_checkpoint(): writes all live memory of a mapper into a file.
 *
 *     wait for the work -> what is live -> [ a new file | behind the last checkpoint ] -> chunks, table, commit
 *
 * The static `last` has what the last checkpoint wrote, so that the next may go on in its file; the static `writer`, in
 * write_all(), is the writer of the one that is taken now. The lock of kept.c, of rank CHECKPOINT, guards both, and is
 * held from begin to end, device and disk included (vptr__kept_begin()). The heap's snapshot, and the list of what
 * modules save, are variables of the call. Called by programs; by the loader, which enters the subsystem's table; and
 * through base/subsystem.h by mapper/request.c, where a signal asked. It blocks until device and disk are done.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/option.h"
#include "base/subsystem.h"
#include "base/waiting.h"
#include "checkpoint/kept.h"
#include "checkpoint/taker.h"

/* As much of a file that goes on may be out of date as holds, and so much more. */
enum { SPARE_BYTES = 1 << 20 };

static struct {
  char name[PATH_MAX]; /* empty: there is none */
  uintptr_t base;      /* of the mapper's addresses */
  size_t size, window;
  uint64_t number;
  vptr__writer_file file;
  vptr__taken taken;
} last;

/* ---- where it is written ---------------------------------------------------------------------------------- */

static bool is_of_last(const char *name, const vptr_stats *stats) {
  return strcmp(last.name, name) == 0 && last.base == stats->reserve_base && last.size == stats->reserve_bytes &&
         last.window == stats->window_bytes && last.file.end <= 2 * last.taken.stored + SPARE_BYTES;
}

/* A file that goes on, or a new one. */
static vptr_status begin_writer(vptr__writer *writer, const char *name, unsigned flags, const vptr_stats *stats,
                                bool *goes_on_out) {
  *goes_on_out = (flags & VPTR_CHECKPOINT_WHOLE) == 0 && is_of_last(name, stats) &&
                 vptr__writer_begin_behind(writer, name, &last.file, last.number + 1);
  return *goes_on_out ? VPTR_SUCCESS : vptr__writer_begin_new(writer, name, stats);
}

static void remember(const vptr__writer *writer, const vptr_stats *stats, const vptr__writer_file *file,
                     const vptr__taken *taken) {
  vptr__taken_free(&last.taken);
  memcpy(last.name, writer->name, sizeof last.name);
  last.base = stats->reserve_base;
  last.size = stats->reserve_bytes;
  last.window = stats->window_bytes;
  last.number = writer->number;
  last.file = *file;
  last.taken = *taken;
  vptr__log(VPTR__LOG_DECISION, "vptr_checkpoint: %llu records and %llu bytes, in %s, which has %llu bytes",
            (unsigned long long)writer->records, (unsigned long long)(writer->at - writer->begin), writer->name,
            (unsigned long long)writer->at);
}

/* ---- taking ----------------------------------------------------------------------------------------------- */

static vptr_status wait_for_work(vptr_mapper *mapper) {
  const vptr__subsystem *streams = vptr__subsystem_at(VPTR__SUBSYSTEM_STREAM);
  vptr_status status = vptr__waiting_check();
  if (status == VPTR_SUCCESS && streams != NULL)
    status = streams->drain(mapper);
  return status == VPTR_SUCCESS ? mapper->device->ops->queue.finish_all(mapper->device) : status;
}

static vptr_status write_all(vptr_mapper *mapper, vptr__snapshot *snapshot, vptr__saved_list *saved, const char *name,
                             unsigned flags, const vptr_stats *stats) {
  static const vptr__taken nothing;
  static vptr__writer writer; /* too large for a stack; the lock guards it */
  vptr__writer_file file;
  vptr__taken taken;
  bool goes_on;
  vptr_status status = begin_writer(&writer, name, flags, stats, &goes_on);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__taken_write(mapper, snapshot, saved, goes_on ? &last.taken : &nothing, &writer, &taken);
  if (status != VPTR_SUCCESS) {
    vptr__writer_abandon(&writer);
    return status;
  }
  status = vptr__writer_commit(&writer, &file);
  if (status == VPTR_SUCCESS) {
    remember(&writer, stats, &file, &taken);
    return VPTR_SUCCESS;
  }
  vptr__writer_abandon(&writer);
  vptr__taken_free(&taken);
  return status;
}

/* ---- buffers that are attached ---------------------------------------------------------------------------- */

static vptr__saved_pinned *pinned_at(const vptr__saved_list *saved, size_t item) {
  return saved->items[item].kind == VPTR__SAVED_PINNED
             ? (vptr__saved_pinned *)(uintptr_t)vptr__saved_detail(saved, &saved->items[item])
             : NULL;
}

static bool is_told(const vptr__saved_list *saved, const vptr__snapshot_place *place) {
  bool is_there = false;
  for (size_t i = 0; i < saved->count && !is_there; i++) {
    const vptr__saved_pinned *pinned = pinned_at(saved, i);
    is_there = pinned != NULL && pinned->device == place->base && pinned->serial == place->serial;
  }
  return is_there;
}

static bool is_attached(const vptr__snapshot *snapshot, const vptr__saved_pinned *pinned) {
  bool is_there = false;
  for (size_t i = 0; i < snapshot->attached_count && !is_there; i++)
    is_there = pinned->device == snapshot->attached[i].base && pinned->serial == snapshot->attached[i].serial;
  return is_there;
}

static bool is_live_still(vptr_mapper *mapper, const vptr__snapshot_place *place) {
  vptr_location location;
  return vptr__mapper_locate(mapper, (const void *)(uintptr_t)place->base, 1, &location) == VPTR_SUCCESS &&
         location.serial == place->serial;
}

/* Each is somebody's who makes it again. An address that was given out since the snapshot is not told: it may be one
 * that something of the snapshot had. */
static vptr_status match_attached(vptr_mapper *mapper, const vptr__snapshot *snapshot,
                                  const vptr__saved_list *saved) {
  for (size_t i = 0; i < snapshot->attached_count; i++) {
    const vptr__snapshot_place *place = &snapshot->attached[i];
    if (!is_told(saved, place) && is_live_still(mapper, place))
      return vptr__error(
          VPTR_ERROR_UNSUPPORTED,
          "the buffer at %#zx is not the mapper's own: vptr_attach() was given it, or it is memory under "
          "reserved addresses, or memory of the program's that is registered, and that no "
          "vptr_checkpoint_keep() names; it cannot be made again in another process: free it, or "
          "unregister or name the memory, before",
          (size_t)place->base);
  }
  for (size_t i = 0; i < saved->count; i++) {
    vptr__saved_pinned *pinned = pinned_at(saved, i);
    if (pinned != NULL && !is_attached(snapshot, pinned))
      pinned->device = pinned->serial = 0;
  }
  return VPTR_SUCCESS;
}

/* What has memory in the heap is told behind the snapshot: so it has what is told, but for what was made since, which
 * is not live where it is restored. */
static vptr_status write_snapshot(vptr_mapper *mapper, vptr__snapshot *snapshot, const char *name, unsigned flags,
                                  const vptr_stats *stats) {
  vptr__saved_list saved = { .items = NULL };
  vptr_status status = vptr__subsystems_save(mapper, &saved);
  vptr__saved_sort(&saved);
  if (status == VPTR_SUCCESS)
    status = match_attached(mapper, snapshot, &saved);
  if (status == VPTR_SUCCESS)
    status = write_all(mapper, snapshot, &saved, name, flags, stats);
  vptr__saved_free(&saved);
  return status;
}

static vptr_status take_checkpoint(vptr_mapper *mapper, const char *name, unsigned flags) {
  vptr_stats stats = { .struct_size = sizeof stats };
  vptr__snapshot snapshot;
  vptr_status status = wait_for_work(mapper);
  if (status == VPTR_SUCCESS)
    status = vptr__subsystems_check_checkpoint(mapper);
  if (status == VPTR_SUCCESS)
    status = vptr_get_stats(mapper, &stats);
  if (status == VPTR_SUCCESS)
    status = vptr__snapshot_take(mapper->heap, &snapshot);
  if (status != VPTR_SUCCESS)
    return status;
  status = write_snapshot(mapper, &snapshot, name, flags, &stats);
  vptr__snapshot_free(&snapshot);
  return status;
}

/* ---- by a signal ------------------------------------------------------------------------------------------ */

/* vptr_last_error() stays what it was: the program asked for nothing. */
static void serve_request(vptr_mapper *mapper) {
  const char *path = vptr__option_text(VPTR__OPTION_CHECKPOINT);
  if (path == NULL)
    return;
  vptr__error_try();
  const vptr_status status = vptr_checkpoint(mapper, path, 0);
  if (status == VPTR_SUCCESS)
    vptr__log_always("a checkpoint was written into %s", path);
  else
    vptr__log_always("no checkpoint was written into %s: %s", path, vptr_last_error());
  vptr__error_tried(VPTR_SUCCESS);
}

__attribute__((constructor)) static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .serve_request = serve_request };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_CHECKPOINT, &subsystem);
}

vptr_status vptr_checkpoint(vptr_mapper *mapper, const char *path, unsigned flags) {
  if (path == NULL || path[0] == '\0')
    return vptr__error(path == NULL ? VPTR_ERROR_NULL_POINTER : VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_checkpoint: path is %s; name the file", path == NULL ? "NULL" : "empty");
  if ((flags & ~VPTR_CHECKPOINT_WHOLE) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_checkpoint: flags has unknown bits: 0x%x", flags);
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr__kept_begin();
  status = take_checkpoint(meant, path, flags);
  vptr__kept_end();
  return status;
}
