/* SPDX-License-Identifier: MIT */
/*
 * bulk - large copies of pageable memory, by threads and pinned chunks (bulk.h).
 *
 * The mapper's queue and the chunks of the thread that asks are made before the first piece moves: if one cannot be
 * had, vptr__bulk_copy() returns false, and the caller goes another way. From the first piece on a failure is the
 * copy's.
 *
 * A vptr__bulk is its mapper's state of SUBSYSTEM_BULK, from its first large copy to its end; a `line` is a variable of
 * the thread that asked for the copy, and lives until all helpers have left it. The static `lock`, of rank LEAF, with
 * its condition `turn`, guards whose turn it is (vptr__bulk.is_used). Who has the turn has the queue and the movers, of
 * which each thread at the line uses one; of a joint device a mover is one member's, pins memory for that alone, and
 * takes pieces from its lane first, as pieces of other lanes go through memory that is not pinned for their member. A
 * queue of a joint device waits for each command, so there each mover has one; `asked`, and of a line `next` of its
 * lanes and `failed`, are atomic. vptr__bulk.sending, of rank MAPPING, is held while a piece is sent or a chunk is
 * pinned. The stream's gate takes mapper->stream_lock, of rank STREAM.
 *
 * Called by transfer/strategy.c alone, for a long line, and blocks until that is done; in a thread of the worker pool
 * for each helper's part; through base/subsystem.h by mapper/mapper.c, when a mapper goes away and when an allocation
 * leaves a full device or comes back, and by mapper/memory.c and mapper/reclaim.c, when it is trimmed; and by the
 * loader.
 */
#include "transfer/bulk.h"

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "device/completion.h"
#include "device/lane.h"
#include "stream/gate.h"
#include "transfer/worker_pool.h"
#include "transfer/nontemporal.h"

/* A larger piece costs fewer commands, of some 10 us each, and keeps the device waiting longer for the first; and
 * pinning takes 0.6 ms a MiB. On an H200, 1 GiB to the device: 51.7 GB/s with 4 MiB, 50.1 with 2, 46.3 with 1. */
static const size_t CHUNK_BYTES = (size_t)2 << 20;
static const size_t LEAST_PIECE = (size_t)512 << 10;
static const size_t GRAIN = (size_t)64 << 10; /* of which pieces are multiples, so that none is odd for the bus */
enum { PIECES_EACH = 8 /* that a thread should have of a line */ };
/* Both in lines of the least length, tuning.bulk_bytes. */
enum {
  LINES_EACH = 4,   /* see earned_threads() */
  LINES_POURED = 16 /* see unload_slot() */
};

/* Bytes of the line. */
typedef struct piece {
  size_t at, size;
} piece;

/* A chunk, and what is under way in it. */
typedef struct slot {
  unsigned char *chunk;
  cl_event event; /* NULL: nothing is */
  piece piece;
} slot;

/* What one thread copies through: one's own, so that nobody waits for a chunk but for the device. */
typedef struct mover {
  cl_command_queue queue; /* NULL: the mapper's */
  cl_mem pin;
  slot slots[2]; /* halves of one mapping; chunk NULL: there is none */
} mover;

/* Hangs on a mapper from its first large copy to its end. */
typedef struct vptr__bulk {
  vptr__device *device;
  vptr__lock sending; /* of a thread that sends a piece or pins a chunk: see bulk.h */
  cl_command_queue queue;
  atomic_size_t asked; /* bytes of all lines so far */
  bool is_used;        /* somebody has the turn, and with it the queue and the movers; guarded by the static lock */
  mover movers[VPTR__WORKER_POOL_MOST];
} vptr__bulk;

/* Why a thread stopped. */
typedef struct outcome {
  vptr_status status;
  cl_int code;
} outcome;

/* One line under way. */
typedef struct line {
  vptr__worker_pool_job job; /* first: the worker pool knows no more */
  vptr__bulk *bulk;
  cl_mem buffer;
  size_t offset;
  unsigned char *host;
  bool to_device;
  size_t size, piece;
  struct {
    atomic_size_t next; /* byte that nobody has taken */
    size_t end;
  } lanes[VPTR__LANES_MOST];
  unsigned lane_count;
  atomic_bool failed;
  outcome outcomes[VPTR__WORKER_POOL_MOST];
} line;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;

/* ---- chunks --------------------------------------------------------------------------------------------- */

static unsigned lane_of(const vptr__bulk *bulk, const mover *mover) {
  return (unsigned)(mover - bulk->movers) % vptr__lane_count(bulk->device);
}

static vptr_status pin_chunks(vptr__bulk *bulk, const mover *mover, void *memory, cl_mem *pin_out) {
  vptr__device *device = vptr__lane_device(bulk->device, lane_of(bulk, mover));
  vptr__lock_take(&bulk->sending);
  vptr_status status = device->ops->memory.pin_host(device, memory, 2 * CHUNK_BYTES, pin_out);
  vptr__lock_give(&bulk->sending);
  return status;
}

/* The mapper's queue serves the first. */
static bool equip_queue(const vptr__bulk *bulk, mover *mover) {
  if (bulk->device->joint == NULL || mover == bulk->movers || mover->queue != NULL)
    return true;
  return bulk->device->ops->queue.create(bulk->device, 0, false, &mover->queue) == VPTR_SUCCESS;
}

/* Pages of its own: a driver that pins part of a page keeps its neighbours from being unpinned. */
static bool equip_mover(vptr__bulk *bulk, mover *mover) {
  if (mover->slots[0].chunk != NULL)
    return true;
  if (!equip_queue(bulk, mover))
    return false;
  void *memory = mmap(NULL, 2 * CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  if (pin_chunks(bulk, mover, memory, &mover->pin) != VPTR_SUCCESS) {
    munmap(memory, 2 * CHUNK_BYTES);
    return false;
  }
  mover->slots[0].chunk = memory;
  mover->slots[1].chunk = (unsigned char *)memory + CHUNK_BYTES;
  return true;
}

static void strip_mover(const vptr__bulk *bulk, mover *mover) {
  void *memory = mover->slots[0].chunk;
  vptr__device *device = vptr__lane_device(bulk->device, lane_of(bulk, mover));
  if (mover->queue != NULL)
    bulk->device->ops->queue.release(bulk->device, mover->queue);
  if (memory != NULL) {
    device->ops->memory.unpin_host(device, mover->pin, memory);
    munmap(memory, 2 * CHUNK_BYTES);
  }
  *mover = (struct mover){ NULL, NULL, { { NULL, NULL, { 0, 0 } } } };
}

static void strip_all(vptr__bulk *bulk) {
  for (int i = 0; i < VPTR__WORKER_POOL_MOST; i++)
    strip_mover(bulk, &bulk->movers[i]);
}

/* ---- a mapper's ----------------------------------------------------------------------------------------- */

static void end_bulk(vptr__bulk *bulk) {
  strip_all(bulk);
  bulk->device->ops->queue.release(bulk->device, bulk->queue);
  vptr__lock_fini(&bulk->sending);
  vptr__memory_free(bulk);
}

static vptr__bulk *make_bulk(vptr__device *device) {
  vptr__bulk *bulk = vptr__memory_calloc(1, sizeof *bulk);
  if (bulk == NULL)
    return NULL;
  bulk->device = device;
  vptr__lock_init(&bulk->sending, VPTR__RANK_MAPPING);
  if (device->ops->queue.create(device, 0, false, &bulk->queue) == VPTR_SUCCESS) {
    vptr__log(VPTR__LOG_DECISION, "large copies of ordinary memory to %s go in pieces, through pinned memory",
              device->name);
    return bulk;
  }
  vptr__lock_fini(&bulk->sending);
  vptr__memory_free(bulk);
  return NULL;
}

static void take_turn(vptr__bulk *bulk) {
  vptr__lock_take(&lock);
  while (bulk->is_used)
    pthread_cond_wait(&turn, &lock.mutex);
  bulk->is_used = true;
  vptr__lock_begin_duty(); /* others wait for their turn */
  vptr__lock_give(&lock);
}

static void give_turn(vptr__bulk *bulk) {
  vptr__lock_take(&lock);
  bulk->is_used = false;
  vptr__lock_end_duty();
  pthread_cond_broadcast(&turn);
  vptr__lock_give(&lock);
}

/* Where allocations leave a full device, their bytes go through the chunks. */
static bool trim_bulk(vptr_mapper *mapper, bool is_full) {
  vptr__bulk *bulk = vptr__mapper_state(mapper, VPTR__SUBSYSTEM_BULK);
  if (bulk == NULL || (is_full && mapper->heap_config.move != NULL))
    return false;
  take_turn(bulk);
  strip_all(bulk);
  give_turn(bulk);
  return true;
}

/* A second wait: each thread has waited for its own pieces. It fails where the device is lost, which then writes to no
 * chunk any more. */
static void close_bulk(vptr_mapper *mapper) {
  vptr__bulk *bulk = vptr__mapper_take_state(mapper, VPTR__SUBSYSTEM_BULK);
  if (bulk == NULL)
    return;
  vptr__completion_drain(bulk->device, bulk->queue);
  end_bulk(bulk);
}

/* Two threads may both make one; the second is given up. */
static vptr__bulk *bulk_of(vptr_mapper *mapper) {
  vptr__bulk *there = vptr__mapper_state(mapper, VPTR__SUBSYSTEM_BULK);
  if (there != NULL)
    return there;
  vptr__bulk *made = make_bulk(mapper->device);
  if (made == NULL)
    return NULL;
  there = vptr__mapper_keep_state(mapper, VPTR__SUBSYSTEM_BULK, made);
  if (there != made)
    end_bulk(made);
  return there;
}

/* ---- one piece ------------------------------------------------------------------------------------------ */

static void keep_first_failure(vptr_status *first, vptr_status status) {
  if (*first == VPTR_SUCCESS)
    *first = status;
}

static bool take_from_lane(line *line, unsigned lane, piece *piece_out) {
  const size_t at = atomic_fetch_add_explicit(&line->lanes[lane].next, line->piece, memory_order_relaxed);
  if (at >= line->lanes[lane].end)
    return false;
  const size_t left = line->lanes[lane].end - at;
  *piece_out = (piece){ at, left < line->piece ? left : line->piece };
  return true;
}

/* Of the mover's own lane, then of those that others have not done. */
static bool take_piece(line *line, const mover *mover, piece *piece_out) {
  const unsigned own = lane_of(line->bulk, mover);
  if (atomic_load_explicit(&line->failed, memory_order_relaxed))
    return false;
  for (unsigned i = 0; i < line->lane_count; i++)
    if (take_from_lane(line, (own + i) % line->lane_count, piece_out))
      return true;
  return false;
}

static cl_command_queue queue_of(const line *line, const mover *mover) {
  return mover->queue != NULL ? mover->queue : line->bulk->queue;
}

/* Two threads' commands lie in the queue as they come: no piece has a byte of another's. */
static vptr_status send_piece(const line *line, const mover *mover, slot *slot) {
  vptr__device *device = line->bulk->device;
  cl_command_queue queue = queue_of(line, mover);
  size_t at = line->offset + slot->piece.at, size = slot->piece.size;
  vptr_status status =
      line->to_device
          ? device->ops->transfer.enqueue_write(device, queue, line->buffer, at, slot->chunk, size, &slot->event)
          : device->ops->transfer.enqueue_read(device, queue, line->buffer, at, slot->chunk, size, &slot->event);
  if (status == VPTR_SUCCESS && !device->quirk.begins_unflushed)
    status = device->ops->queue.flush(device, queue);
  return status;
}

static vptr_status begin_piece(const line *line, const mover *mover, slot *slot) {
  if (line->to_device)
    memcpy(slot->chunk, line->host + slot->piece.at, slot->piece.size);
  /* Held for microseconds, by threads that send one after the other. */
  vptr__lock_take_yielding(&line->bulk->sending);
  vptr_status status = send_piece(line, mover, slot);
  vptr__lock_give(&line->bulk->sending);
  return status;
}

/* Lines that no cache holds leave the caches alone. */
static void unload_slot(const line *line, const slot *slot) {
  if (line->size / line->bulk->device->tuning.bulk_bytes >= LINES_POURED)
    vptr__nontemporal_copy(line->host + slot->piece.at, slot->chunk, slot->piece.size);
  else
    memcpy(line->host + slot->piece.at, slot->chunk, slot->piece.size);
}

/* The chunk is used again: after this nothing of the device's is under way in it. */
static vptr_status end_piece(const line *line, const mover *mover, slot *slot) {
  const bool has_bytes = slot->event != NULL && !line->to_device;
  vptr_status status = vptr__completion_await(line->bulk->device, queue_of(line, mover), slot->event);
  slot->event = NULL;
  if (status == VPTR_SUCCESS && has_bytes)
    unload_slot(line, slot);
  return status;
}

/* ---- a thread's part ------------------------------------------------------------------------------------ */

/* Slots take turns. What is left in the other one is over at the end too, whatever happened. */
static vptr_status move_pieces(line *line, mover *mover) {
  vptr_status status = VPTR_SUCCESS;
  slot *now = &mover->slots[0], *other = &mover->slots[1];
  for (bool more = true; more;) {
    keep_first_failure(&status, end_piece(line, mover, now));
    more = status == VPTR_SUCCESS && take_piece(line, mover, &now->piece);
    if (more)
      keep_first_failure(&status, begin_piece(line, mover, now));
    slot *used = now;
    now = other;
    other = used;
  }
  keep_first_failure(&status, end_piece(line, mover, now));
  return status;
}

/* What calls say here of a failure is dropped (vptr__error_try()): the thread that asked for the copy says it, from
 * `outcomes`. A helper without chunks leaves the pieces to others. */
static void work_on_line(vptr__worker_pool_job *job, unsigned place) {
  line *line = (struct line *)job;
  mover *mover = &line->bulk->movers[place];
  vptr__error_try();
  vptr_status status = equip_mover(line->bulk, mover) ? move_pieces(line, mover) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS) {
    line->outcomes[place] = (outcome){ status, vptr_last_cl_error() };
    atomic_store_explicit(&line->failed, true, memory_order_relaxed);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

/* ---- a line --------------------------------------------------------------------------------------------- */

static vptr_status report_line_failure(const line *line, cl_int code) {
  return vptr__error_cl(code, "copying %zu bytes %s offset %zu of a buffer, in pieces through pinned memory",
                        line->size, line->to_device ? "to" : "from", line->offset);
}

static vptr_status outcome_of(const line *line) {
  for (unsigned i = 0; i < line->job.places; i++)
    if (line->outcomes[i].status != VPTR_SUCCESS)
      return report_line_failure(line, line->outcomes[i].code);
  return VPTR_SUCCESS;
}

/* How many threads may have chunks. Pinning 4 MiB may take longer than the driver takes for a copy of them, so each
 * thread's have to be worth it by what the program has copied, this line included: 4 of the least lines. */
static unsigned earned_threads(vptr__bulk *bulk, size_t size) {
  size_t asked = atomic_fetch_add_explicit(&bulk->asked, size, memory_order_relaxed) + size;
  size_t threads = asked / LINES_EACH / bulk->device->tuning.bulk_bytes;
  unsigned most = vptr__worker_pool_size();
  return threads < most ? (unsigned)threads : most;
}

static void cut_lanes(line *line) {
  size_t at = 0;
  line->lane_count = vptr__lane_count(line->bulk->device);
  for (unsigned i = 0; i < line->lane_count; i++) {
    const size_t end = vptr__lane_end(line->bulk->device, line->buffer, line->offset, line->size, i);
    atomic_init(&line->lanes[i].next, at);
    line->lanes[i].end = end;
    at = end;
  }
}

static void cut_pieces(line *line, unsigned threads) {
  cut_lanes(line);
  size_t piece = line->size / (threads * PIECES_EACH);
  line->piece = piece < LEAST_PIECE ? LEAST_PIECE : piece > CHUNK_BYTES ? CHUNK_BYTES : piece - piece % GRAIN;
  size_t pieces = (line->size - 1) / line->piece + 1;
  line->job =
      (vptr__worker_pool_job){ .work = work_on_line, .places = pieces < threads ? (unsigned)pieces : threads };
}

/* Behind a gate. false: the thread that asks has no chunks. */
static bool move_line(line *line) {
  take_turn(line->bulk);
  vptr__error_try();
  bool can = equip_mover(line->bulk, &line->bulk->movers[0]);
  vptr__error_tried(VPTR_SUCCESS);
  if (can)
    vptr__worker_pool_do(&line->job);
  give_turn(line->bulk);
  return can;
}

/* Without a gate the driver's own way is left, which also finds the words for what is wrong. */
static bool close_gate(vptr__stream *stream, vptr__gate *gate_out) {
  vptr__error_try();
  bool closed = vptr__gate_close(stream, gate_out) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return closed;
}

static vptr__bulk *try_bulk_of(vptr_mapper *mapper) {
  vptr__error_try();
  vptr__bulk *bulk = bulk_of(mapper);
  vptr__error_tried(VPTR_SUCCESS);
  return bulk;
}

/* False: it is not worth it. */
static bool cut_line(vptr_mapper *mapper, line *line) {
  if (!vptr__bulk_pays(mapper->device, line->size) || vptr__worker_pool_size() < 2)
    return false;
  line->bulk = try_bulk_of(mapper);
  const unsigned threads = line->bulk != NULL ? earned_threads(line->bulk, line->size) : 0;
  if (threads < 2)
    return false;
  cut_pieces(line, threads);
  return true;
}

bool vptr__bulk_copy(vptr__stream *stream, const vptr__endpoint *to, const vptr__endpoint *from, size_t size,
                     vptr_status *status_out) {
  const vptr__endpoint *device = to->device != NULL ? to : from, *host = to->device != NULL ? from : to;
  line line = {
    .buffer = device->buffer, .offset = device->offset, .host = host->host, .to_device = device == to, .size = size
  };
  vptr__gate gate;
  if (!cut_line(vptr__stream_mapper(stream), &line) || !close_gate(stream, &gate))
    return false;
  bool can = move_line(&line);
  vptr__gate_open(&gate);
  if (can)
    *status_out = outcome_of(&line);
  return can;
}

/* No gate: who asks has the buffer to himself, and has waited for all that used it. */
static bool move_bytes(vptr_mapper *mapper, cl_mem buffer, bool to_device, void *host, size_t size,
                       vptr_status *status_out) {
  line line = { .buffer = buffer, .host = host, .to_device = to_device, .size = size };
  if (!cut_line(mapper, &line) || !move_line(&line))
    return false;
  *status_out = outcome_of(&line);
  return true;
}

__attribute__((constructor)) static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .close = close_bulk, .trim = trim_bulk, .move_bytes = move_bytes };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_BULK, &subsystem);
}
