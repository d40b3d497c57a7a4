/* SPDX-License-Identifier: MIT */
/*
 * shared_event - see shared_event.h.
 *
 * The static `events` has a list with an `entry` for each such event of this process, and `lock`, of rank LEAF, which
 * guards the list, and whether the thread runs that looks whether other processes live. An entry has a `look` for each
 * call that a stream has to make with its page: the stream's last step there says that it is done with it. An entry
 * whose event is gone is freed when it has no look any more, which later calls see, and the thread. Words of pages are
 * atomic.
 *
 * Called by cuda/event.c, stream.c, sharing.c and reset.c, and by replay/send.c; and in a thread of its own, the one
 * that looks. vptr__shared_event_synchronize() waits for the event, and recording where the event has 64 places in
 * front of it that are not reached.
 */
#include "cuda/shared_event.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <vptr/cuda/driver_types.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "pool/pool.h"
#include "stream/word.h"

enum { PLACES = 64, LOOK_NS = 10000000, WAIT_NS = 200000 };

typedef struct place {
  _Atomic uint64_t number, reached; /* it is reached when both are the same */
  _Atomic int64_t process;          /* that has recorded it */
  _Atomic uint64_t start;           /* when that began: numbers of processes come again */
} place;

typedef struct page {
  char mark[8];
  pthread_mutex_t mutex; /* between processes */
  _Atomic uint64_t recorded;
  place places[PLACES];
} page;

typedef struct look {
  struct look *next;
  uint64_t done; /* written by the stream */
  uint64_t number;
  bool is_wait;
} look;

typedef struct entry {
  struct entry *next;
  const vptr__event *event; /* NULL: it was destroyed */
  const vptr_mapper *mapper;
  page *page;
  int file; /* of the page; -1: another process has made it */
  vptr__shared_event_name name;
  _Atomic uint64_t own; /* the latest number that was recorded by this event */
  look *looks;
} entry;

static struct {
  vptr__lock lock;
  entry *first;
  bool is_watching;
} events = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static const char mark[8] = "vptrEVT1";

static void pause_for(long ns) {
  const struct timespec time = { 0, ns };
  nanosleep(&time, NULL);
}

/* ---- other processes ------------------------------------------------------------------------------------ */

/* When a process began, in the system's own unit; false: it has ended, though its parent may not know. */
static bool find_start(int64_t process, uint64_t *start_out) {
  char path[64], line[1024];
  unsigned long long start = 0;
  snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : -1;
  if (file >= 0)
    close(file);
  if (length <= 0)
    return false;
  line[length] = 0;
  const char *at = strrchr(line, ')'); /* the name is in front, and may have anything in it */
  char state = 0;
  if (at == NULL || sscanf(at + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                           &state, &start) != 2)
    return false;
  *start_out = start;
  return state != 'Z' && state != 'X';
}

static bool is_alive(const place *it) {
  uint64_t start = 0;
  return find_start(atomic_load(&it->process), &start) && start == atomic_load(&it->start);
}

/* ---- pages ---------------------------------------------------------------------------------------------- */

static place *place_of(page *page, uint64_t number) {
  return &page->places[number % PLACES];
}

static void reach(place *it, uint64_t number) {
  uint64_t reached = atomic_load(&it->reached);
  while (reached < number && !atomic_compare_exchange_weak(&it->reached, &reached, number))
    ;
}

/* What a process that ended has left counts. A later number there has waited for this one. */
static bool is_reached(page *page, uint64_t number) {
  place *it = place_of(page, number);
  if (atomic_load(&it->reached) >= number || atomic_load(&it->number) > number)
    return true;
  if (is_alive(it))
    return false;
  reach(it, number);
  return true;
}

/* Whoever had the lock and ended left nothing half done that matters: a number counts once `recorded` says so. */
static void lock_page(page *page) {
  if (pthread_mutex_lock(&page->mutex) == EOWNERDEAD)
    pthread_mutex_consistent(&page->mutex);
}

static bool try_number(page *page, uint64_t *number_out) {
  uint64_t start = 0;
  (void)find_start(getpid(), &start);
  lock_page(page);
  const uint64_t number = atomic_load(&page->recorded) + 1;
  const bool is_free = number <= PLACES || is_reached(page, number - PLACES);
  if (is_free) {
    place *it = place_of(page, number);
    atomic_store(&it->process, getpid());
    atomic_store(&it->start, start);
    atomic_store(&it->number, number);
    atomic_store(&page->recorded, number);
  }
  pthread_mutex_unlock(&page->mutex);
  *number_out = number;
  return is_free;
}

static uint64_t take_number(page *page) {
  uint64_t number;
  while (!try_number(page, &number))
    pause_for(WAIT_NS);
  return number;
}

static page *map_page(int file) {
  void *made = mmap(NULL, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return made != MAP_FAILED ? made : NULL;
}

static void begin_page(page *page) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&page->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  memcpy(page->mark, mark, sizeof mark);
}

/* ---- the list ------------------------------------------------------------------------------------------- */

static void free_entry(entry *it) {
  while (it->looks != NULL) {
    look *next = it->looks->next;
    vptr__memory_free(it->looks);
    it->looks = next;
  }
  if (it->page != NULL)
    munmap(it->page, sizeof(page));
  if (it->file >= 0)
    close(it->file);
  vptr__memory_free(it);
}

/* Under the lock. */
static void drop_done(entry *it) {
  for (look **at = &it->looks; *at != NULL;) {
    look *each = *at;
    if (__atomic_load_n(&each->done, __ATOMIC_ACQUIRE) != 0) {
      *at = each->next;
      vptr__memory_free(each);
    } else
      at = &each->next;
  }
}

/* Under the lock: entries that nobody needs. */
static void sweep(void) {
  for (entry **at = &events.first; *at != NULL;) {
    entry *it = *at;
    drop_done(it);
    if (it->event == NULL && it->looks == NULL) {
      *at = it->next;
      free_entry(it);
    } else
      at = &it->next;
  }
}

static entry *find_entry(const vptr__event *event) {
  if ((vptr__event_flags(event) & cudaEventInterprocess) == 0)
    return NULL;
  vptr__lock_take(&events.lock);
  entry *it = events.first;
  while (it != NULL && it->event != event)
    it = it->next;
  vptr__lock_give(&events.lock);
  return it;
}

static void enter(entry *it) {
  vptr__lock_take(&events.lock);
  sweep();
  it->next = events.first;
  events.first = it;
  vptr__lock_give(&events.lock);
}

static vptr_status no_page(const char *what) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s for an event of several processes: %s", what,
                     strerror(errno));
}

/* ---- making and opening --------------------------------------------------------------------------------- */

static vptr_status make_page(entry *it) {
  struct stat about;
  it->file = memfd_create("vptr-event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (it->file < 0)
    return no_page("no file can be made");
  if (ftruncate(it->file, sizeof(page)) != 0 || fcntl(it->file, F_ADD_SEALS, F_SEAL_SHRINK) != 0 ||
      fstat(it->file, &about) != 0 || (it->page = map_page(it->file)) == NULL)
    return no_page("no page can be had");
  begin_page(it->page);
  memcpy(it->name.mark, mark, sizeof mark);
  it->name.process = getpid();
  it->name.file = it->file;
  it->name.inode = about.st_ino;
  return VPTR_SUCCESS;
}

static vptr_status no_event(const vptr__shared_event_name *name) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "an event of process %lld cannot be opened: it ended or destroyed it, is another user's, or its "
                     "files are not seen here",
                     (long long)name->process);
}

static vptr_status open_page(entry *it) {
  char path[64];
  struct stat about;
  snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)it->name.process, (long long)it->name.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return no_event(&it->name);
  const bool is_it = fstat(file, &about) == 0 && about.st_ino == it->name.inode &&
                     about.st_size >= (off_t)sizeof(page) && (it->page = map_page(file)) != NULL &&
                     memcmp(it->page->mark, mark, sizeof mark) == 0;
  close(file);
  return is_it ? VPTR_SUCCESS : no_event(&it->name);
}

/* name: of another process's event, or NULL. */
static vptr_status make_entry(vptr__event *event, const vptr__shared_event_name *name) {
  entry *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  it->event = event;
  it->mapper = vptr__event_mapper(event);
  it->file = -1;
  if (name != NULL)
    it->name = *name;
  vptr_status status = name == NULL ? make_page(it) : open_page(it);
  if (status == VPTR_SUCCESS)
    enter(it);
  else
    free_entry(it);
  return status;
}

vptr_status vptr__shared_event_make(vptr__event *event) {
  return make_entry(event, NULL);
}

vptr_status vptr__shared_event_open(const vptr__shared_event_name *name, vptr__event *event) {
  if (memcmp(name->mark, mark, sizeof mark) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "the handle is none that cudaIpcGetEventHandle() of this library gave");
  return make_entry(event, name);
}

bool vptr__shared_event_tell(const vptr__event *event, vptr__shared_event_name *name_out) {
  const entry *it = find_entry(event);
  if (it != NULL)
    *name_out = it->name;
  return it != NULL;
}

/* ---- streams -------------------------------------------------------------------------------------------- */

/* True: there is no stream any more that waits for another process. */
static bool look_around(void) {
  bool is_over = true;
  vptr__lock_take(&events.lock);
  sweep();
  for (entry *it = events.first; it != NULL; it = it->next)
    for (look *each = it->looks; each != NULL; each = each->next)
      if (each->is_wait && !is_reached(it->page, each->number))
        is_over = false;
  events.is_watching = !is_over;
  vptr__lock_give(&events.lock);
  return is_over;
}

static void *watch(void *unused) {
  (void)unused;
  while (!look_around())
    pause_for(LOOK_NS);
  return NULL;
}

static int start_watching(void) {
  return vptr__thread_start(watch);
}

static void add_look(entry *it, look *made) {
  vptr__lock_take(&events.lock);
  drop_done(it);
  made->next = it->looks;
  it->looks = made;
  vptr__lock_give(&events.lock);
}

/* The stream's step, and one behind it that says that the page is not looked at any more. */
static vptr_status send_steps(entry *it, vptr__stream *stream, vptr__word_verb verb, uint64_t number) {
  look *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  *made = (look){ .number = number, .is_wait = verb != VPTR__WORD_WRITE };
  const vptr__word_step steps[] = {
    { verb, sizeof(uint64_t), number, (uintptr_t)&place_of(it->page, number)->reached, NULL },
    { VPTR__WORD_WRITE, sizeof made->done, 1, (uintptr_t)&made->done, NULL },
  };
  add_look(it, made);
  vptr_status status = vptr__stream_words(stream, steps, sizeof steps / sizeof *steps);
  if (status != VPTR_SUCCESS)
    __atomic_store_n(&made->done, 1, __ATOMIC_RELEASE);
  return status;
}

/* What cannot be sent counts as reached, so that nobody waits for it for ever. */
vptr_status vptr__shared_event_record(vptr__event *event, vptr__stream *stream) {
  entry *it = find_entry(event);
  vptr_status status = vptr__pool_event_record(event, stream);
  if (it == NULL || status != VPTR_SUCCESS)
    return status;
  const uint64_t number = take_number(it->page);
  status = send_steps(it, stream, VPTR__WORD_WRITE, number);
  if (status != VPTR_SUCCESS)
    reach(place_of(it->page, number), number);
  atomic_store(&it->own, number);
  return status;
}

/* The latest number, if another process or another event has it; 0: this event itself, or nobody. */
static uint64_t foreign_number(entry *it) {
  const uint64_t number = it != NULL ? atomic_load(&it->page->recorded) : 0;
  return number != 0 && number != atomic_load(&it->own) ? number : 0;
}

vptr_status vptr__shared_event_wait(vptr__stream *stream, vptr__event *event) {
  entry *it = find_entry(event);
  const uint64_t number = foreign_number(it);
  if (number == 0)
    return vptr__pool_stream_wait(stream, event);
  if (is_reached(it->page, number))
    return VPTR_SUCCESS;
  vptr_status status = send_steps(it, stream, VPTR__WORD_GEQ, number);
  if (status == VPTR_SUCCESS)
    status = vptr__thread_start_once(&events.lock, &events.is_watching, start_watching,
                                     "that looks whether other processes live");
  return status;
}

vptr_status vptr__shared_event_query(vptr__event *event) {
  entry *it = find_entry(event);
  const uint64_t number = foreign_number(it);
  if (number == 0)
    return vptr__event_query(event);
  return is_reached(it->page, number) ? VPTR_SUCCESS : VPTR_ERROR_NOT_READY;
}

vptr_status vptr__shared_event_synchronize(vptr__event *event) {
  entry *it = find_entry(event);
  const uint64_t number = foreign_number(it);
  if (number == 0)
    return vptr__event_synchronize(event);
  while (!is_reached(it->page, number))
    pause_for(WAIT_NS);
  return VPTR_SUCCESS;
}

/* ---- ends ----------------------------------------------------------------------------------------------- */

/* Nobody opens it any more. */
static void close_entry(entry *it) {
  it->event = NULL;
  if (it->file >= 0)
    close(it->file);
  it->file = -1;
}

void vptr__shared_event_forget(const vptr__event *event) {
  entry *it = find_entry(event);
  if (it == NULL)
    return;
  vptr__lock_take(&events.lock);
  close_entry(it);
  sweep();
  vptr__lock_give(&events.lock);
}

/* The streams have ended, with what they would have written. */
void vptr__shared_events_forget(const vptr_mapper *mapper) {
  vptr__lock_take(&events.lock);
  for (entry *it = events.first; it != NULL; it = it->next) {
    if (it->mapper != mapper)
      continue;
    for (look *each = it->looks; each != NULL; each = each->next) {
      if (!each->is_wait)
        reach(place_of(it->page, each->number), each->number);
      __atomic_store_n(&each->done, 1, __ATOMIC_RELEASE);
    }
    close_entry(it);
  }
  sweep();
  vptr__lock_give(&events.lock);
}
