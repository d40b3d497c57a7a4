/* SPDX-License-Identifier: MIT */
/*
 * word - the watcher: the thread that reads and writes words of memory for streams (word.h).
 *
 * A call is a word_call, with one `word` for each step. vptr__stream_words() makes it and puts a stop into the stream
 * (host.c); when the driver reports that the stream has come there, its callback hands the call over to the static
 * `watcher`; the watcher's thread takes it from there, owns it until its last step is done, and then opens the stream.
 *
 * `watcher.lock`, of rank LEAF, guards `due`, `is_told` and whether the thread runs. mapper->stream_lock
 * (mapper/mapper.h), of rank STREAM, guards how many calls a mapper has (vptr__stream_set.words), and the copy queue to
 * its memory (copy_queue), and is held while that is made. Neither is held while a word is read or written.
 * vptr__stream_set.ends_waits, which is atomic, tells the watcher to end a mapper's calls. Buffers with words in them
 * are retained until the call is over. A call that fails or is ended sets its stream's `failure`, which is atomic; and
 * each counts among vptr__stream_set.callbacks, under stream_lock, until the watcher has finished it.
 *
 * Called by cudart/cuda/word.c, for stream memory operations, and shared_event.c, for events of several processes; by
 * cudart/cuda/reset.c, and through base/subsystem.h by mapper/mapper.c, when a mapper goes (stream/stream.c enters it),
 * for vptr__streams_end_waits(), which blocks until the mapper has no call left; by the driver, when a stream has come
 * to a call; and in a thread of its own, the watcher's. vptr__stream_words() takes vptr__heap.lock, of rank HEAP, to
 * retain a buffer; it waits for another thread that sends and, on a full device (VPTR_OVERSUBSCRIBE), for an allocation
 * that is away to come back: so its callers hold no lock of rank STREAM or behind it.
 */
#include "stream/word.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "device/completion.h"
#include "mirror/copy_queue.h"
#include "stream/state.h"

enum {
  BUSY_NS = 20000,   /* for so long the watcher does not sleep, once something has happened */
  MOST_NS = 1000000, /* ... and then no longer than that */
  MOST_TRIES = 3     /* to load or store a word */
};

typedef struct word {
  vptr__word_step step;
  uint64_t moved;               /* what is on its way, which has to stay until it has arrived */
  vptr__copy_queue *copy_queue; /* of device memory: the way to it */
  cl_mem buffer;                /* ... its buffer, held; NULL: not yet */
  size_t offset;                /* ... and where in that it lies */
} word;

typedef struct word_call {
  struct word_call *next;
  vptr_mapper *mapper;
  vptr__stream *stream; /* alive while the call is pending, since its queue waits for it */
  cl_event before, after;
  unsigned tries; /* of the step that is next, and failed */
  size_t done, count;
  word words[];
} word_call;

static struct {
  vptr__lock lock;
  pthread_cond_t changed;
  bool running, is_told; /* of something new since the watcher has last looked */
  word_call *due;        /* that it has not taken yet */
} watcher = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- how many calls a mapper has ------------------------------------------------------------------------ */

static void count_call(vptr_mapper *mapper) {
  vptr__lock_take(&mapper->stream_lock);
  vptr__stream_set_get(mapper)->words++;
  vptr__lock_give(&mapper->stream_lock);
}

static void uncount_call(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  vptr__lock_take(&mapper->stream_lock);
  set->words--;
  pthread_cond_broadcast(&set->changed);
  vptr__lock_give(&mapper->stream_lock);
}

/* With the mapper of the stream, those of the words: none of them may go away meanwhile. */
static void count_all(const word_call *call, void (*count)(vptr_mapper *mapper)) {
  for (size_t i = 0; i < call->count; i++)
    if (call->words[i].step.owner != NULL)
      count(call->words[i].step.owner);
  count(call->mapper);
}

static void wake_watcher(void) {
  vptr__lock_take(&watcher.lock);
  watcher.is_told = true;
  if (watcher.running)
    pthread_cond_signal(&watcher.changed);
  vptr__lock_give(&watcher.lock);
}

void vptr__streams_end_waits(vptr_mapper *mapper) {
  vptr__stream_set *set = vptr__stream_set_get(mapper);
  if (set == NULL)
    return;
  atomic_store(&set->ends_waits, true);
  wake_watcher();
  vptr__lock_take(&mapper->stream_lock);
  while (set->words > 0)
    pthread_cond_wait(&set->changed, &mapper->stream_lock.mutex);
  vptr__lock_give(&mapper->stream_lock);
  atomic_store(&set->ends_waits, false);
}

static bool ends_waits(vptr_mapper *mapper) {
  return atomic_load(&vptr__stream_set_get(mapper)->ends_waits);
}

static bool must_end(const word_call *call) {
  bool must = ends_waits(call->mapper);
  for (size_t i = 0; i < call->count && !must; i++)
    must = call->words[i].step.owner != NULL && ends_waits(call->words[i].step.owner);
  return must;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static vptr_status fetch_word(word *word) {
  vptr__copy_batch batch = vptr__copy_batch_begin(word->copy_queue, word->buffer);
  vptr__copy_batch_fetch(&batch, word->offset, &word->moved, word->step.size);
  return vptr__copy_batch_end(&batch);
}

/* The numbers of a device lie in memory as the host's do: little-endian. */
static vptr_status load_word(word *word, uint64_t *value_out) {
  const vptr__word_step *step = &word->step;
  vptr_status status = VPTR_SUCCESS;
  if (step->owner != NULL)
    status = fetch_word(word);
  else if (step->size == 4)
    word->moved = __atomic_load_n((const uint32_t *)step->address, __ATOMIC_SEQ_CST);
  else
    word->moved = __atomic_load_n((const uint64_t *)step->address, __ATOMIC_SEQ_CST);
  *value_out = word->moved;
  return status;
}

static vptr_status store_word(word *word) {
  const vptr__word_step *step = &word->step;
  if (step->owner != NULL) {
    word->moved = step->value;
    vptr__copy_batch batch = vptr__copy_batch_begin(word->copy_queue, word->buffer);
    vptr__copy_batch_send(&batch, word->offset, &word->moved, step->size);
    return vptr__copy_batch_end(&batch);
  }
  if (step->size == 4)
    __atomic_store_n((uint32_t *)step->address, (uint32_t)step->value, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n((uint64_t *)step->address, step->value, __ATOMIC_SEQ_CST);
  return VPTR_SUCCESS;
}

static bool is_met(const vptr__word_step *step, uint64_t word) {
  uint64_t sign = (uint64_t)1 << (8 * step->size - 1);
  switch (step->verb) {
  case VPTR__WORD_GEQ:
    return ((word - step->value) & sign) == 0;
  case VPTR__WORD_EQ:
    return word == step->value;
  case VPTR__WORD_AND:
    return (word & step->value) != 0;
  case VPTR__WORD_NOR:
    return (~(word | step->value) & (sign | (sign - 1))) != 0;
  default:
    return true;
  }
}

static vptr_status take_step(word *word, bool *done_out) {
  uint64_t value;
  *done_out = true;
  if (word->step.verb == VPTR__WORD_WRITE)
    return store_word(word);
  vptr_status status = load_word(word, &value);
  if (status == VPTR_SUCCESS)
    *done_out = is_met(&word->step, value);
  return status;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static void let_go(const word *word) {
  vptr__device *device = word->step.owner->device;
  device->ops->memory.release(device, word->buffer);
}

static void let_go_all(word_call *call) {
  vptr__device *device = call->mapper->device;
  for (size_t i = 0; i < call->count; i++)
    if (call->words[i].buffer != NULL)
      let_go(&call->words[i]);
  if (call->before != NULL)
    device->ops->event.release(device, call->before);
  if (call->after != NULL)
    device->ops->event.release(device, call->after);
}

static void discard_call(word_call *call) {
  let_go_all(call);
  vptr__memory_free(call);
}

/* Made for the first word of the mapper's memory, for a queue is dear, and kept in the set, which counts the words. */
static vptr_status find_copy_queue(vptr_mapper *owner, vptr__copy_queue **copy_queue_out) {
  vptr__stream_set *set;
  vptr_status status = vptr__stream_set_of(owner, &set);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&owner->stream_lock);
  if (set->copy_queue == NULL)
    status = vptr__copy_queue_open(owner->device, &set->copy_queue);
  *copy_queue_out = set->copy_queue;
  vptr__lock_give(&owner->stream_lock);
  return status;
}

static vptr_status hold_word(word *word) {
  const vptr__word_step *step = &word->step;
  vptr_location location;
  if (step->owner == NULL)
    return VPTR_SUCCESS;
  vptr_status status = find_copy_queue(step->owner, &word->copy_queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__heap_retain(step->owner->heap, (void *)step->address, step->size, &location);
  if (status > VPTR_ERROR_INTERIOR)
    return status;
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(step->owner, status, "a word that a stream uses", (void *)step->address, step->size);
  word->buffer = location.buffer;
  word->offset = location.buffer_offset;
  return VPTR_SUCCESS;
}

static vptr_status make_call(vptr__stream *stream, const vptr__word_step *steps, size_t count, word_call **call_out) {
  size_t size = sizeof(word_call) + count * sizeof(word);
  word_call *call = vptr__memory_calloc(1, size);
  if (call == NULL)
    return vptr__error_host_memory(size);
  *call = (word_call){ .mapper = stream->mapper, .stream = stream, .count = count };
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < count; i++)
    call->words[i].step = steps[i];
  for (size_t i = 0; i < count && status == VPTR_SUCCESS; i++)
    status = hold_word(&call->words[i]);
  vptr__device *device = stream->mapper->device;
  if (status == VPTR_SUCCESS)
    status = device->ops->event.create_user(device, &call->after);
  if (status == VPTR_SUCCESS)
    *call_out = call;
  else
    discard_call(call);
  return status;
}

/* Whether the call is over. The caller puts a failure into words. */
static bool advance_call(word_call *call) {
  bool done = true;
  vptr_status status = VPTR_SUCCESS;
  if (must_end(call)) {
    vptr__stream_fail(call->stream, CL_INVALID_MEM_OBJECT);
    return true;
  }
  while (call->done < call->count && done && status == VPTR_SUCCESS) {
    status = take_step(&call->words[call->done], &done);
    if (status == VPTR_SUCCESS && done)
      call->done++;
    call->tries = status == VPTR_SUCCESS ? 0 : call->tries + 1;
  }
  if (call->tries < MOST_TRIES)
    return call->done == call->count;
  vptr__stream_fail(call->stream, CL_OUT_OF_RESOURCES);
  return true;
}

/* ---- the watcher ---------------------------------------------------------------------------------------- */

/* Once `after` is complete, the stream may be gone at any time, and a mapper once its last call is. */
static void finish_call(word_call *call) {
  vptr_mapper *mapper = call->mapper;
  vptr__completion_give(mapper->device, call->after, CL_COMPLETE);
  let_go_all(call);
  count_all(call, uncount_call);
  vptr__memory_free(call);
  vptr__stream_callback_gone(mapper);
}

/* Whether any of them has come further. */
static bool look_at_all(word_call **first) {
  bool moved = false;
  for (word_call **link = first; *link != NULL;) {
    word_call *call = *link;
    size_t done = call->done;
    if (!advance_call(call)) {
      moved = moved || call->done > done;
      link = &call->next;
      continue;
    }
    moved = true;
    *link = call->next;
    finish_call(call);
  }
  return moved;
}

static struct timespec time_after(uint64_t ns) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  ns += (uint64_t)time.tv_nsec;
  time.tv_sec += (time_t)(ns / 1000000000);
  time.tv_nsec = (long)(ns % 1000000000);
  return time;
}

/* Puts what has become due before the calls that there are, for which it waits if there are none. Else it waits for a
 * time. Whether there was news. */
static bool await_news(word_call **first, uint64_t ns) {
  const struct timespec end = time_after(ns);
  vptr__lock_take(&watcher.lock);
  while (*first == NULL && watcher.due == NULL)
    pthread_cond_wait(&watcher.changed, &watcher.lock.mutex);
  if (ns > 0 && !watcher.is_told)
    pthread_cond_timedwait(&watcher.changed, &watcher.lock.mutex, &end);
  bool is_told = watcher.is_told;
  watcher.is_told = false;
  for (word_call *call; (call = watcher.due) != NULL;) {
    watcher.due = call->next;
    call->next = *first;
    *first = call;
  }
  vptr__lock_give(&watcher.lock);
  return is_told;
}

/* The longer nothing has happened, the less often. */
static uint64_t pause_after(uint64_t ns) {
  if (ns < BUSY_NS)
    return 0;
  return ns / 4 < MOST_NS ? ns / 4 : MOST_NS;
}

/* Streams wait for it, for as long as it has a call. */
static void *watch_all(void *unused) {
  word_call *first = NULL;
  uint64_t since = 0;
  vptr__lock_begin_duty();
  for (;;) {
    uint64_t pause = pause_after(vptr__clock_ns() - since);
    bool is_news = await_news(&first, pause);
    if (look_at_all(&first) || is_news)
      since = vptr__clock_ns();
    else if (pause == 0)
      sched_yield();
  }
  return unused;
}

/* Under the lock. The time of day may be set, the monotonic clock not. */
static int begin_to_watch(void) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&watcher.changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  int error = vptr__thread_start(watch_all);
  if (error != 0)
    pthread_cond_destroy(&watcher.changed);
  return error;
}

static vptr_status start_watcher(void) {
  return vptr__thread_start_once(&watcher.lock, &watcher.running, begin_to_watch, "that looks at words for streams");
}

/* ---- the call ------------------------------------------------------------------------------------------- */

static void CL_CALLBACK hand_over(cl_event event, cl_int state, void *context) {
  word_call *call = context;
  (void)event;
  if (state < 0)
    vptr__stream_fail(call->stream, state);
  vptr__lock_take(&watcher.lock);
  call->next = watcher.due;
  watcher.due = call;
  watcher.is_told = true;
  pthread_cond_signal(&watcher.changed);
  vptr__lock_give(&watcher.lock);
}

vptr_status vptr__stream_words(vptr__stream *stream, const vptr__word_step *steps, size_t count) {
  word_call *call = NULL;
  vptr_status status = start_watcher();
  if (status == VPTR_SUCCESS)
    status = make_call(stream, steps, count, &call);
  if (status != VPTR_SUCCESS)
    return status;
  count_all(call, count_call);
  vptr__stop stop = { call->after, &call->before, hand_over, call };
  status = vptr__stream_stop(stream, &stop);
  if (status == VPTR_SUCCESS)
    return status;
  count_all(call, uncount_call);
  discard_call(call);
  return status;
}
