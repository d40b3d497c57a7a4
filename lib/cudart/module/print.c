/* SPDX-License-Identifier: MIT */
/*
 * print - the ring in which kernels leave what they print, and the calls and the thread that empty it onto stdout.
 *
 *     words     0 head, words that were taken   1 tail, words that were printed   2 calls that had no room
 *               3 how many words there are      4 whether a full ring is emptied meanwhile   5 whether somebody waits
 *               16 the records (print_record.h); one that begins with a bit 31 is left out, one with a bit 30 goes
 *               to stderr, as what CUDA says of failed assertions does, and one with a bit 29 has any format
 *
 * Head and tail only grow, by the number of words, a power of two, they have a place in the ring. Kernels take words by
 * an atomic exchange of the head, and write the first word of a record last (translate/emit/prelude/print.cl): it is 0
 * until then, for what has been printed is zeroed before the tail goes on. So the host may look while kernels run, and
 * prints what is there of the oldest, up to the first that is still being written.
 *
 * It looks where CUDA does: behind each wait, before a launch of a kernel that prints, and at a reset; and when the
 * process ends. A launch is remembered until the driver says that it is over, so that other waits cost a look at a
 * word. On a CPU whose kernels take plain memory the ring is that, and a thread of ours empties it whenever a kernel
 * has found it full, and waits: nothing is lost, however much it is. Elsewhere the ring is memory of the device, read
 * by commands of a stream that nothing else uses, and what it has no room for is counted, and said in words.
 *
 * Data: the static `rings` has a print_ring for each device. The static lock `printing`, of rank ARRAY, guards them and
 * their turn at stdout, and is held while a device is read; `running`, `is_dirty` and `limit` of a ring, and the words
 * of a plain one, are atomic. The static `lock`, of rank LEAF, guards `has_thread` (the thread runs) and `ends_by_us`
 * (atexit() has our function), and goes with the condition `changed`, on which the thread sleeps until a kernel that
 * prints is launched.
 *
 * Called by prepare.c, launch.c and child.c for kernels that print; by cudart/cuda/lost.c, setting.c and reset.c, by
 * the functions that module.h declares; by a thread of its own; by the driver, when a kernel is over; and by the C
 * library, at exit. It waits for the host's stdout, and where the ring is the device's for commands that read it, but
 * for no kernel.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/thread.h"
#include "mapper/ledger.h"
#include "module/print_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HEAD, TAIL, LOST, WORDS, IS_EMPTIED, WAITS, HEAD_WORDS = 16 };
enum { USUAL_BYTES = 1 << 20, LEAST_BYTES = 1 << 12, MOST_BYTES = 1 << 30, NAP_NS = 1000000 };
static const uint32_t left_out = UINT32_C(1) << 31, of_failure = UINT32_C(1) << 30, of_any = UINT32_C(1) << 29;

typedef struct print_ring {
  atomic_size_t limit;      /* in bytes; 0: as usual */
  vptr_mapper *mapper;      /* NULL: there is no ring */
  _Atomic(uint32_t) *plain; /* where the host has the ring: there it is, or else a copy of what was read */
  bool is_plain;
  void *memory; /* the device's, unless it is plain */
  vptr__stream *stream;
  uint32_t words, told; /* told: how many lost calls */
  pid_t process;
  atomic_uint running;  /* launches that are not over */
  atomic_bool is_dirty; /* there may be something to print */
} print_ring;

static vptr__lock printing = VPTR__LOCK_INIT(VPTR__RANK_ARRAY);
static print_ring rings[VPTR__MOST_DEVICES];
static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool has_thread, ends_by_us;

static uint32_t words_wanted(const print_ring *it) {
  size_t bytes = atomic_load(&it->limit), words = LEAST_BYTES / sizeof(uint32_t);
  bytes = bytes == 0 ? USUAL_BYTES : bytes;
  while (words < MOST_BYTES / sizeof(uint32_t) && words * sizeof(uint32_t) < bytes)
    words *= 2;
  return (uint32_t)words;
}

static size_t bytes_of(uint32_t words) {
  return (HEAD_WORDS + (size_t)words) * sizeof(uint32_t);
}

/* ---- commands, where the ring is the device's ----------------------------------------------------------- */

/* Reads into `to`; or, if that is NULL, writes the pattern over and over. */
static vptr_status send_command(const print_ring *it, cl_command_queue queue, uint32_t from, uint32_t words,
                                uint32_t *to, uint32_t pattern) {
  vptr__device *device = it->mapper->device;
  const size_t offset = from * sizeof(uint32_t), bytes = words * sizeof(uint32_t);
  vptr_location location;
  cl_event event = NULL;
  vptr_status status = vptr__heap_retain(it->mapper->heap, it->memory, bytes_of(it->words), &location);
  if (status != VPTR_SUCCESS)
    return status;
  if (to != NULL)
    status = device->ops->transfer.enqueue_read(device, queue, location.buffer, location.buffer_offset + offset, to,
                                                bytes, &event);
  else
    status = device->ops->transfer.enqueue_fill(device, queue, location.buffer, location.buffer_offset + offset,
                                                bytes, &pattern, sizeof pattern, &event);
  vptr__stream_note(it->stream, event);
  device->ops->memory.release(device, location.buffer);
  return status;
}

static vptr_status run_command(const print_ring *it, uint32_t from, uint32_t words, uint32_t *to, uint32_t pattern) {
  cl_command_queue queue;
  if (words == 0)
    return VPTR_SUCCESS;
  vptr_status status = vptr__stream_begin(it->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_command(it, queue, from, words, to, pattern);
  vptr__stream_end(it->stream);
  return status == VPTR_SUCCESS && to != NULL ? vptr__stream_synchronize(it->stream) : status;
}

static vptr_status read_words(const print_ring *it, uint32_t from, uint32_t words) {
  return it->is_plain ? VPTR_SUCCESS : run_command(it, from, words, (uint32_t *)it->plain + from, 0);
}

static vptr_status set_words(const print_ring *it, uint32_t from, uint32_t words, uint32_t pattern) {
  for (uint32_t i = from; i < from + words; i++)
    atomic_store_explicit(&it->plain[i], pattern, memory_order_relaxed);
  return it->is_plain ? VPTR_SUCCESS : run_command(it, from, words, NULL, pattern);
}

/* Of the records, by what head and tail count: in one piece or two. */
static vptr_status each_piece(const print_ring *it, uint32_t from, uint32_t words, bool is_read) {
  const uint32_t at = from & (it->words - 1), first = (uint32_t)vptr__smaller(words, it->words - at);
  vptr_status status = is_read ? read_words(it, HEAD_WORDS + at, first) : set_words(it, HEAD_WORDS + at, first, 0);
  if (status != VPTR_SUCCESS)
    return status;
  return is_read ? read_words(it, HEAD_WORDS, words - first) : set_words(it, HEAD_WORDS, words - first, 0);
}

/* ---- printing ------------------------------------------------------------------------------------------- */

static uint32_t give_up(const print_ring *it, uint32_t words) {
  vptr__log_always(
      "what kernels printed was overwritten in memory of device %d, and the rest of it is lost: a kernel "
      "writes where it should not",
      it->mapper->device->ordinal);
  return words;
}

/* A failure comes behind what was printed before it, where both are one file. False: it is no record. */
static bool print_one(const uint32_t *record, uint32_t words, uint32_t marks) {
  FILE *to = (marks & of_failure) != 0 ? stderr : stdout;
  if (to == stderr)
    (void)fflush(stdout);
  flockfile(to);
  bool is_good =
      (marks & of_any) != 0 ? vptr__print_any_record(record, words, to) : vptr__print_record(record, words, to);
  funlockfile(to);
  return is_good;
}

/* From the tail on; how many words that were. */
static uint32_t print_records(const print_ring *it, uint32_t tail, uint32_t head) {
  uint32_t done = 0;
  while (done < head - tail && head - tail <= it->words) {
    const uint32_t at = (tail + done) & (it->words - 1);
    _Atomic(uint32_t) *record = &it->plain[HEAD_WORDS + at];
    const uint32_t first = atomic_load_explicit(record, memory_order_acquire);
    const uint32_t marks = first & (left_out | of_failure | of_any), words = first - marks;
    if (first == 0)
      break;
    bool is_whole = words > 0 && words <= it->words - at && words <= head - tail - done;
    if (!is_whole || ((marks & left_out) == 0 && !print_one((const uint32_t *)record, words, marks)))
      return give_up(it, head - tail);
    done += words;
  }
  return head - tail <= it->words ? done : give_up(it, head - tail);
}

static void tell_lost(print_ring *it) {
  const uint32_t lost = atomic_load(&it->plain[LOST]) - it->told;
  it->told += lost;
  if (lost > 0)
    vptr__log_always(
        "%u calls of printf() in kernels were lost: the buffer of device %d has %zu bytes, half of which "
        "one call may take; raise cudaLimitPrintfFifoSize by cudaDeviceSetLimit(), before the first "
        "launch of a kernel that prints, or wait more often",
        lost, it->mapper->device->ordinal, it->words * sizeof(uint32_t));
}

/* The tail goes on when nothing of what it passes is needed any more. */
static vptr_status empty_ring(print_ring *it) {
  vptr_status status = read_words(it, HEAD, HEAD_WORDS);
  if (status != VPTR_SUCCESS)
    return status; /* what was sent may still be on its way */
  const uint32_t head = atomic_load(&it->plain[HEAD]), tail = atomic_load(&it->plain[TAIL]);
  if (it->is_plain)
    atomic_store(&it->plain[WAITS], 0);
  status = each_piece(it, tail, (uint32_t)vptr__smaller(head - tail, it->words), true);
  if (status != VPTR_SUCCESS)
    return status;
  flockfile(stdout);
  const uint32_t done = print_records(it, tail, head);
  if (done > 0)
    (void)fflush(stdout);
  funlockfile(stdout);
  status = each_piece(it, tail, (uint32_t)vptr__smaller(done, it->words), false);
  if (status == VPTR_SUCCESS && it->is_plain)
    atomic_store_explicit(&it->plain[TAIL], tail + done, memory_order_release);
  else if (status == VPTR_SUCCESS && done > 0)
    status = set_words(it, TAIL, 1, tail + done);
  if (status == VPTR_SUCCESS && !it->is_plain && done > 0)
    status = vptr__stream_synchronize(it->stream); /* the next launch finds the room */
  tell_lost(it);
  return status;
}

/* A process that was forked has a copy of what its parent is to print. */
static void empty_if_ours(print_ring *it) {
  if (it->mapper == NULL || it->process != getpid())
    return;
  vptr__error_try();
  vptr__error_tried(empty_ring(it));
}

static void flush_ring(print_ring *it) {
  vptr__lock_take(&printing);
  empty_if_ours(it);
  vptr__lock_give(&printing);
}

/* In that order: a launch counts itself before it says that there may be something. */
VPTR__HOT void vptr__print_flush(int ordinal) {
  print_ring *it = &rings[ordinal];
  if (!atomic_load_explicit(&it->is_dirty, memory_order_relaxed))
    return;
  atomic_store(&it->is_dirty, false);
  if (atomic_load(&it->running) > 0)
    atomic_store(&it->is_dirty, true);
  flush_ring(it);
}

void vptr__print_flush_failure(int ordinal) {
  atomic_store(&rings[ordinal].is_dirty, true);
  vptr__print_flush(ordinal);
}

/* Memory of the device is not read here: a driver may be gone. */
static void flush_at_end(void) {
  for (int i = 0; i < VPTR__MOST_DEVICES; i++)
    if (rings[i].process == getpid() && rings[i].is_plain)
      flush_ring(&rings[i]);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

static bool is_any_running(void) {
  for (int i = 0; i < VPTR__MOST_DEVICES; i++)
    if (atomic_load_explicit(&rings[i].running, memory_order_relaxed) > 0)
      return true;
  return false;
}

static void empty_where_awaited(print_ring *it) {
  vptr__lock_take(&printing);
  if (it->mapper != NULL && it->is_plain && atomic_load(&it->plain[WAITS]) != 0)
    empty_if_ours(it);
  vptr__lock_give(&printing);
}

static void *empty_rings(void *unused) {
  (void)unused;
  for (;;) {
    vptr__lock_take(&lock);
    while (!is_any_running())
      pthread_cond_wait(&changed, &lock.mutex);
    vptr__lock_give(&lock);
    (void)nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
    for (int i = 0; i < VPTR__MOST_DEVICES; i++)
      if (atomic_load_explicit(&rings[i].running, memory_order_relaxed) > 0)
        empty_where_awaited(&rings[i]);
  }
  return NULL;
}

static int start_thread(void) {
  return vptr__thread_start(empty_rings);
}

/* ---- launches ------------------------------------------------------------------------------------------- */

void vptr__print_begin(const vptr_mapper *mapper) {
  print_ring *it = &rings[mapper->device->ordinal];
  const bool was_idle = atomic_fetch_add(&it->running, 1) == 0;
  atomic_store(&it->is_dirty, true);
  if (!was_idle)
    return;
  vptr__lock_take(&lock);
  pthread_cond_signal(&changed);
  vptr__lock_give(&lock);
}

static void CL_CALLBACK end_launch(cl_event event, cl_int state, void *ring) {
  (void)event;
  (void)state;
  atomic_fetch_sub(&((print_ring *)ring)->running, 1);
}

/* Where the driver cannot tell, or does not (device.h), the ring is looked at as if the kernel ran on. */
void vptr__print_sent(const vptr_mapper *mapper, cl_event event) {
  vptr__device *device = mapper->device;
  print_ring *it = &rings[device->ordinal];
  if (event == NULL) {
    atomic_fetch_sub(&it->running, 1);
    return;
  }
  vptr__error_try();
  vptr__error_tried(device->ops->event.notify(device, event, end_launch, it));
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* Where kernels are functions of this process. */
static bool takes_plain(const vptr_mapper *mapper, bool has_addresses) {
  vptr__device *device = mapper->device;
  return has_addresses && (device->type & CL_DEVICE_TYPE_CPU) != 0 && device->ops->memory.takes_system(device);
}

/* Of the device: zeros, but for the number of words. */
static vptr_status make_on_device(print_ring *made) {
  vptr_status status = vptr__stream_create(made->mapper, VPTR__STREAM_NON_BLOCKING, 0, &made->stream);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__mapper_allocate(made->mapper, bytes_of(made->words), NULL, &made->memory);
  if (status == VPTR_SUCCESS) {
    vptr__ledger_own(made->mapper, made->memory);
    status = run_command(made, 0, HEAD_WORDS + made->words, NULL, 0);
    if (status == VPTR_SUCCESS)
      status = run_command(made, WORDS, 1, NULL, made->words);
    if (status == VPTR_SUCCESS)
      status = vptr__stream_synchronize(made->stream);
    if (status != VPTR_SUCCESS)
      vptr_free(made->mapper, made->memory);
  }
  if (status != VPTR_SUCCESS)
    vptr__stream_destroy(made->stream);
  return status;
}

/* What cannot be freed now goes with the rest of its mapper. Where a wait failed, a command may still write the copy,
 * which is left to it then. */
static void end_ring(const print_ring *made) {
  bool is_over = true;
  if (!made->is_plain) {
    vptr__error_try();
    (void)vptr_free(made->mapper, made->memory);
    is_over = vptr__stream_synchronize(made->stream) == VPTR_SUCCESS;
    vptr__error_tried(vptr__stream_destroy(made->stream));
  }
  if (is_over)
    vptr__memory_free((void *)made->plain);
}

static void set_up_process(print_ring *made) {
  vptr__lock_take(&lock);
  bool is_first = !ends_by_us;
  ends_by_us = true;
  vptr__lock_give(&lock);
  if (is_first)
    (void)atexit(flush_at_end);
  vptr__error_try();
  bool runs = vptr__thread_start_once(&lock, &has_thread, start_thread, "for what kernels print") == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  atomic_store(&made->plain[IS_EMPTIED], made->is_plain && runs);
}

static vptr_status make_ring(vptr_mapper *mapper, bool has_addresses, print_ring *made) {
  made->mapper = mapper;
  made->words = words_wanted(&rings[mapper->device->ordinal]);
  made->is_plain = takes_plain(mapper, has_addresses);
  made->process = getpid();
  made->plain = vptr__memory_calloc(bytes_of(made->words), 1);
  if (made->plain == NULL)
    return vptr__error_host_memory(bytes_of(made->words));
  atomic_store(&made->plain[WORDS], made->words);
  vptr_status status = made->is_plain ? VPTR_SUCCESS : make_on_device(made);
  if (status != VPTR_SUCCESS)
    vptr__memory_free((void *)made->plain);
  else if (made->is_plain)
    set_up_process(made);
  return status;
}

/* False: another thread was faster. What a mapper that is gone had is nobody's. */
static bool keep_ring(print_ring *it, const print_ring *made) {
  vptr__lock_take(&printing);
  bool is_first = it->mapper != made->mapper;
  if (is_first) {
    it->plain = made->plain;
    it->is_plain = made->is_plain;
    it->memory = made->memory;
    it->stream = made->stream;
    it->words = made->words;
    it->told = 0;
    it->process = made->process;
    it->mapper = made->mapper;
  }
  vptr__lock_give(&printing);
  return is_first;
}

static bool find_ring(print_ring *it, const vptr_mapper *mapper, bool *is_plain_out, void **ptr_out) {
  vptr__lock_take(&printing);
  bool is_there = it->mapper == mapper;
  if (is_there) {
    *is_plain_out = it->is_plain;
    *ptr_out = it->is_plain ? (void *)it->plain : it->memory;
  }
  vptr__lock_give(&printing);
  return is_there;
}

vptr_status vptr__print_room(vptr_mapper *mapper, bool has_addresses, bool *is_plain_out, void **ptr_out) {
  print_ring *it = &rings[mapper->device->ordinal], made = { .mapper = NULL };
  if (find_ring(it, mapper, is_plain_out, ptr_out))
    return VPTR_SUCCESS;
  vptr_status status = make_ring(mapper, has_addresses, &made);
  if (status != VPTR_SUCCESS)
    return status;
  if (!keep_ring(it, &made))
    end_ring(&made);
  find_ring(it, mapper, is_plain_out, ptr_out);
  return VPTR_SUCCESS;
}

void vptr__print_limit(int ordinal, size_t bytes) {
  atomic_store(&rings[ordinal].limit, vptr__larger(bytes, 1));
}

void vptr__print_forget(int ordinal) {
  print_ring *it = &rings[ordinal], had;
  vptr__lock_take(&printing);
  empty_if_ours(it);
  had = (print_ring){
    .mapper = it->mapper, .plain = it->plain, .is_plain = it->is_plain, .memory = it->memory, .stream = it->stream
  };
  it->mapper = NULL;
  it->plain = NULL;
  vptr__lock_give(&printing);
  if (had.mapper != NULL)
    end_ring(&had);
  atomic_store(&it->limit, 0);
  atomic_store(&it->is_dirty, false);
}
