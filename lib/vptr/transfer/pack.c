/* SPDX-License-Identifier: MIT */
/*
 * pack - rects with many rows, packed into lines, and the times that tell whether that pays (pack.h).
 *
 * A vptr__pack is its mapper's state of SUBSYSTEM_PACK, from its first such copy to its end. One copy at a time has it,
 * with all that was learned: from the call of vptr__pack_copy() until that returns true, or, if it returned false,
 * until the caller has called vptr__pack_end(). The file has no other data but constants. The flag that says so,
 * `used`, is atomic, and nobody waits for it. The stream's gate takes mapper->stream_lock, of rank STREAM; the file has
 * no lock of its own. Called by strategy.c alone, for rects with many rows; and through base/subsystem.h by
 * mapper/mapper.c, when a mapper goes away, and by mapper/memory.c and mapper/reclaim.c, when it is trimmed.
 * vptr__pack_copy() blocks until the bytes have moved, or, where a command is timed, until the stream's earlier work is
 * over.
 */
#include "transfer/pack.h"

#include <sys/mman.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "device/completion.h"
#include "mapper/mapper.h"
#include "stream/gate.h"
#include "transfer/shift.h"
#include "transfer/stage.h"

static const size_t PIECE_BYTES = (size_t)4 << 20;

/* Which rects are worth a look: more rows than a driver does by the way, and not so long that each is a line itself.
 * Of copies of less than 1 MiB it is not known here whether their host memory is pinned; and costs that do not depend
 * on the size would blur their times. */
static const size_t LEAST_ROWS = 64;
static const size_t LEAST_BYTES = (size_t)1 << 20;
enum { WIDTHS = 17 /* powers of two, to 64 KiB */ };

/* Rows so long are never packed on their way to the device: on an H200 a MiB of rows of 4 KiB takes 84 to 90 us by the
 * command and 108 to 110 packed, and a trial of that costs the difference. */
static const size_t LONG_TO_DEVICE = 1024;

/* Tries of each way. The first may have to make something, and is not timed; then there is one, which settles it unless
 * the two are so close that either may have been disturbed: tries of the slower way are the program's time. */
enum { LEAST_TRIES = 2, MOST_TRIES = 4, CLOSE_PERCENT = 120 };

typedef enum way { BY_COMMAND, PACKED, WAYS } way;

/* Rects of one direction and width. */
typedef struct vptr__pack_class {
  unsigned tries;
  uint64_t least[WAYS]; /* ns for a MiB; 0: none yet */
} vptr__pack_class;

/* Hangs on a mapper from its first such copy to its end. */
typedef struct vptr__pack {
  vptr__device *device;
  cl_command_queue queue;
  atomic_flag used;     /* by one copy, which has all that follows */
  unsigned char *stage; /* NULL: neither is there */
  cl_mem pin, scratch;
  vptr__pack_class classes[2][WIDTHS];
} vptr__pack;

/* One rect under way. */
typedef struct rect {
  vptr__pack *pack;
  const vptr__pitched_endpoint *device, *host;
  bool to_device;
} rect;

/* ---- stage and scratch ---------------------------------------------------------------------------------- */

static bool pin_stage(vptr__pack *pack) {
  void *memory = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  if (pack->device->ops->memory.pin_host(pack->device, memory, PIECE_BYTES, &pack->pin) != VPTR_SUCCESS) {
    munmap(memory, PIECE_BYTES);
    return false;
  }
  pack->stage = memory;
  return true;
}

static bool equip_pack(vptr__pack *pack) {
  if (pack->stage != NULL)
    return true;
  cl_mem scratch;
  if (pack->device->ops->memory.create(pack->device, PIECE_BYTES, &scratch) != VPTR_SUCCESS)
    return false;
  if (!pin_stage(pack)) {
    pack->device->ops->memory.release(pack->device, scratch);
    return false;
  }
  pack->scratch = scratch;
  return true;
}

static void strip_pack(vptr__pack *pack) {
  if (pack->stage == NULL)
    return;
  pack->device->ops->memory.unpin_host(pack->device, pack->pin, pack->stage);
  munmap(pack->stage, PIECE_BYTES);
  pack->device->ops->memory.release(pack->device, pack->scratch);
  pack->stage = NULL;
}

/* ---- a mapper's ----------------------------------------------------------------------------------------- */

static void end_pack(vptr__pack *pack) {
  strip_pack(pack);
  pack->device->ops->queue.release(pack->device, pack->queue);
  vptr__memory_free(pack);
}

static vptr__pack *make_pack(vptr__device *device) {
  vptr__pack *pack = vptr__memory_calloc(1, sizeof *pack);
  if (pack == NULL)
    return NULL;
  pack->device = device;
  atomic_flag_clear(&pack->used);
  if (device->ops->queue.create(device, 0, false, &pack->queue) == VPTR_SUCCESS)
    return pack;
  vptr__memory_free(pack);
  return NULL;
}

static bool acquire_pack(vptr__pack *pack) {
  return pack != NULL && !atomic_flag_test_and_set_explicit(&pack->used, memory_order_acquire);
}

static void release_pack(vptr__pack *pack) {
  atomic_flag_clear_explicit(&pack->used, memory_order_release);
}

/* What is in use is not spare. */
static bool trim_pack(vptr_mapper *mapper, bool is_full) {
  (void)is_full; /* the scratch is the device's */
  vptr__pack *pack = vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK);
  if (!acquire_pack(pack))
    return false;
  strip_pack(pack);
  release_pack(pack);
  return true;
}

static void close_pack(vptr_mapper *mapper) {
  vptr__pack *pack = vptr__mapper_take_state(mapper, VPTR__SUBSYSTEM_PACK);
  if (pack == NULL)
    return;
  vptr__completion_drain(pack->device, pack->queue);
  end_pack(pack);
}

static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .close = close_pack, .trim = trim_pack };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_PACK, &subsystem);
}

/* Two threads may both make one; the second is given up. */
static vptr__pack *pack_of(vptr_mapper *mapper) {
  vptr__pack *there = vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK);
  if (there != NULL)
    return there;
  vptr__error_try();
  vptr__pack *made = make_pack(mapper->device);
  vptr__error_tried(VPTR_SUCCESS);
  if (made == NULL)
    return NULL;
  enter_subsystem();
  there = vptr__mapper_keep_state(mapper, VPTR__SUBSYSTEM_PACK, made);
  if (there != made)
    end_pack(made);
  return there;
}

/* ---- one piece ------------------------------------------------------------------------------------------ */

static void keep_first_failure(vptr_status *first, vptr_status status) {
  if (*first == VPTR_SUCCESS)
    *first = status;
}

/* Stage and scratch are used again: after this neither is the device's. */
static vptr_status await_both(const vptr__pack *pack, const cl_event events[2]) {
  vptr_status met = VPTR_SUCCESS;
  for (int i = 0; i < 2; i++)
    keep_first_failure(&met, vptr__completion_await(pack->device, pack->queue, events[i]));
  return met;
}

/* Each command has an event of its own, since each may fail alone. */
static vptr_status send_line_and_rect(const rect *copy, const vptr__rect *rows, const size_t piece[3]) {
  const vptr__pack *pack = copy->pack;
  vptr__device *device = pack->device;
  const vptr__rect packed = { pack->scratch, 0, piece[0], piece[0] * piece[1] };
  cl_event events[2] = { NULL, NULL };
  size_t bytes = vptr__rect_bytes(piece);
  vptr_status status, waited;
  if (copy->to_device) {
    status =
        device->ops->transfer.enqueue_write(device, pack->queue, pack->scratch, 0, pack->stage, bytes, &events[0]);
    if (status == VPTR_SUCCESS)
      status = device->ops->transfer.enqueue_copy_rect(device, pack->queue, &packed, rows, piece, &events[1]);
  } else {
    status = device->ops->transfer.enqueue_copy_rect(device, pack->queue, rows, &packed, piece, &events[0]);
    if (status == VPTR_SUCCESS)
      status =
          device->ops->transfer.enqueue_read(device, pack->queue, pack->scratch, 0, pack->stage, bytes, &events[1]);
  }
  waited = await_both(pack, events);
  return status == VPTR_SUCCESS ? waited : status;
}

static vptr_status move_piece(const rect *copy, const size_t at[3], const size_t piece[3]) {
  vptr__pitched_endpoint stage = { { .host = copy->pack->stage }, piece[0], piece[0] * piece[1], true },
                         host = *copy->host;
  host.memory.host += at[0] + at[1] * host.row + at[2] * host.slice;
  vptr__rect rows = vptr__pitched_endpoint_rect(copy->device, at);
  if (piece[2] == 1)
    rows.slice = rows.row * piece[1];
  if (copy->to_device)
    vptr__stage_copy(&stage, &host, piece);
  vptr_status status = send_line_and_rect(copy, &rows, piece);
  if (status == VPTR_SUCCESS && !copy->to_device)
    vptr__stage_copy(&host, &stage, piece);
  return status;
}

static vptr_status move_pieces(const rect *copy, const size_t region[3]) {
  const vptr__cut cut = vptr__cut_make(region, PIECE_BYTES);
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < cut.count && status == VPTR_SUCCESS; i++) {
    size_t at[3], piece[3];
    vptr__cut_piece(&cut, i, at, piece);
    status = move_piece(copy, at, piece);
  }
  return status;
}

/* ---- which way ------------------------------------------------------------------------------------------ */

/* Out of pinned memory a driver takes rows as they lie: 37 us a MiB of rows of 64 bytes on an H200, packed 205. */
static bool is_candidate(const vptr__device *device, const vptr__pitched_endpoint *host, bool to_device,
                         const size_t region[3]) {
  return device->tuning.packs_rows && !host->pinned && region[1] * region[2] >= LEAST_ROWS &&
         vptr__rect_bytes(region) >= LEAST_BYTES && region[0] >> (WIDTHS - 1) == 0 &&
         !(to_device && region[0] >= LONG_TO_DEVICE);
}

static vptr__pack_class *class_of(vptr__pack *pack, bool to_device, const size_t region[3]) {
  unsigned width = 0;
  while (region[0] >> (width + 1) != 0)
    width++;
  return &pack->classes[to_device][width];
}

static bool are_close(uint64_t a, uint64_t b) {
  return a > 0 && b > 0 && a * 100 <= b * CLOSE_PERCENT && b * 100 <= a * CLOSE_PERCENT;
}

/* Both ways have as many tries before it is asked whether there are to be more. */
static bool is_learning(const vptr__pack_class *of) {
  if (of->tries < WAYS * LEAST_TRIES || of->tries % WAYS != 0)
    return true;
  return of->tries < WAYS * MOST_TRIES && are_close(of->least[BY_COMMAND], of->least[PACKED]);
}

/* A way that never worked has no time, and is not the quicker one. */
static way choose_class_way(const vptr__pack_class *of) {
  if (is_learning(of))
    return (way)(of->tries % WAYS);
  return of->least[PACKED] != 0 && of->least[PACKED] < of->least[BY_COMMAND] ? PACKED : BY_COMMAND;
}

static void log_class(const vptr__device *device, const vptr__pack_class *of, bool to_device,
                      const size_t region[3]) {
  vptr__log(VPTR__LOG_DECISION,
            "%s: rects %s the device, rows of about %zu bytes, take %llu ns a MiB by the command, %llu packed",
            device->name, to_device ? "to" : "from", region[0], (unsigned long long)of->least[BY_COMMAND],
            (unsigned long long)of->least[PACKED]);
}

static void learn_time(const vptr__pack_trial *trial, way taken, const size_t region[3]) {
  vptr__pack_class *of = trial->of;
  uint64_t ns = (vptr__clock_ns() - trial->began) * 1024 / (vptr__rect_bytes(region) / 1024) + 1;
  bool is_warm = of->tries > WAYS;
  if (is_warm && (of->least[taken] == 0 || ns < of->least[taken]))
    of->least[taken] = ns;
  if (!is_learning(of))
    log_class(trial->pack->device, of, trial->to_device, region);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* Behind a gate. false: by the command, which also finds the words for what is wrong. */
static bool copy_packed(vptr__stream *stream, const rect *copy, const size_t region[3], uint64_t *began_out,
                        vptr_status *status_out) {
  vptr__gate gate;
  vptr__error_try();
  bool can = equip_pack(copy->pack) && vptr__gate_close(stream, &gate) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  if (!can)
    return false;
  *began_out = vptr__clock_ns();
  *status_out = move_pieces(copy, region);
  vptr__gate_open(&gate);
  return true;
}

/* What is timed begins when the stream's earlier work is over. */
static bool try_way(vptr__stream *stream, const rect *copy, const size_t region[3], vptr__pack_trial *trial,
                    vptr_status *status_out) {
  bool learns = is_learning(trial->of);
  way taken = choose_class_way(trial->of);
  trial->of->tries += learns;
  if (taken == PACKED) {
    bool is_packed = copy_packed(stream, copy, region, &trial->began, status_out);
    if (is_packed && learns && *status_out == VPTR_SUCCESS)
      learn_time(trial, PACKED, region);
    return is_packed;
  }
  if (!learns)
    return false;
  *status_out = vptr__transfer_settle(stream);
  trial->began = vptr__clock_ns();
  return *status_out != VPTR_SUCCESS;
}

static vptr_status poll_unless_failed(vptr__stream *stream, vptr_status status) {
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure(stream) : status;
}

bool vptr__pack_pays(const vptr__device *device, const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from,
                     const size_t region[3]) {
  bool to_device = to->memory.device != NULL;
  return is_candidate(device, to_device ? from : to, to_device, region);
}

bool vptr__pack_copy(vptr__stream *stream, const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from,
                     const size_t region[3], vptr__pack_trial *trial_out, vptr_status *status_out) {
  bool to_device = to->memory.device != NULL;
  rect copy = { pack_of(vptr__stream_mapper(stream)), to_device ? to : from, to_device ? from : to, to_device };
  *trial_out = (vptr__pack_trial){ .to_device = to_device };
  if (!acquire_pack(copy.pack))
    return false;
  trial_out->pack = copy.pack;
  trial_out->of = class_of(copy.pack, to_device, region);
  if (!try_way(stream, &copy, region, trial_out, status_out))
    return false;
  release_pack(copy.pack);
  *status_out = poll_unless_failed(stream, *status_out);
  return true;
}

vptr_status vptr__pack_end(const vptr__pack_trial *trial, vptr__stream *stream, const size_t region[3],
                           vptr_status status) {
  if (trial->pack == NULL)
    return status;
  if (status == VPTR_SUCCESS && trial->began != 0)
    learn_time(trial, BY_COMMAND, region);
  release_pack(trial->pack);
  return poll_unless_failed(stream, status);
}
