/* SPDX-License-Identifier: MIT */
/*
 * error_log - cudaLogs*(): messages of calls that failed, in a ring, and functions of the program's that are told each.
 *
 * A message has a number, which is an iterator's value. The static `messages` is the ring, `count` how many there were;
 * `listeners` are the functions, in the order of their numbers, and `registered` is the latest number. A function is
 * called without the lock; one that is unregistered meanwhile is waited for, or, by itself, freed when it returns. The
 * thread-local `calling` is the one that the thread is in. What fails within an attempt (base/error.h) leaves no
 * message: its caller may do without, or fails itself, and that failure leaves one. A forked child keeps no messages,
 * and is refused: the thread that holds the lock, or the C library's lock of the time zone, may not be there.
 *
 * Lock: one, the static `lock`, of rank LEAF, guards all that is not a thread's own; the condition `is_free` is
 * signalled when a function has returned. Called by programs, and by driver/stream_attribute.c; by error.c for each
 * failure that the runtime returns, and by driver/result.c for those of the driver's interface. Unregistering blocks,
 * and writing a file does.
 */
#include "cuda/error_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/error.h"
#include "cuda/pool.h"
#include "mapper/registry.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* As many bytes as NVIDIA's keeps. */
enum { KEPT = 50, MESSAGE = 512, MOST_BYTES = KEPT * MESSAGE };

struct CUlogsCallbackEntry_st {
  struct CUlogsCallbackEntry_st *next;
  cudaLogsCallback_t function;
  void *data;
  unsigned number; /* of registering */
  unsigned busy;   /* threads in the function */
  bool ends;       /* when the one that is in it returns */
};

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t is_free = PTHREAD_COND_INITIALIZER;
static char messages[KEPT][MESSAGE];
static unsigned count, registered;
static cudaLogsCallbackHandle listeners;
static _Thread_local cudaLogsCallbackHandle calling;

/* ---- messages ------------------------------------------------------------------------------------------- */

static void write_message(char message[MESSAGE], const char *name) {
  struct timespec now = { 0, 0 };
  struct tm local = { 0 };
  char clock[16] = "";
  clock_gettime(CLOCK_REALTIME, &now);
  if (localtime_r(&now.tv_sec, &local) != NULL)
    strftime(clock, sizeof clock, "%H:%M:%S", &local);
  snprintf(message, MESSAGE, "[%s.%03d][%ld][CUDA][E] %s: %s", clock, (int)(now.tv_nsec / 1000000),
           (long)syscall(SYS_gettid), name, vptr_last_error());
}

static void keep_message(const char *message) {
  vptr__lock_take(&lock);
  memcpy(messages[count++ % KEPT], message, MESSAGE);
  vptr__lock_give(&lock);
}

/* The next one behind a number, which is busy until it is let go of; NULL: there is none. */
static cudaLogsCallbackHandle take_listener(unsigned behind) {
  vptr__lock_take(&lock);
  cudaLogsCallbackHandle it = listeners;
  while (it != NULL && it->number <= behind)
    it = it->next;
  if (it != NULL)
    it->busy++;
  vptr__lock_give(&lock);
  return it;
}

static void let_go(cudaLogsCallbackHandle it) {
  vptr__lock_take(&lock);
  bool is_last = --it->busy == 0 && it->ends;
  pthread_cond_broadcast(&is_free);
  vptr__lock_give(&lock);
  if (is_last)
    vptr__memory_free(it);
}

static void tell_all(const char *message) {
  unsigned number = 0;
  for (cudaLogsCallbackHandle it; (it = take_listener(number)) != NULL;) {
    char copy[MESSAGE];
    memcpy(copy, message, sizeof copy);
    number = it->number;
    calling = it;
    it->function(it->data, cudaLogLevelError, copy, strlen(copy));
    calling = NULL;
    let_go(it);
  }
}

void vptr__cuda_log_error(const char *name) {
  char message[MESSAGE] = "";
  if (vptr__registry_is_forked() || vptr__error_is_tried())
    return;
  write_message(message, name);
  keep_message(message);
  if (calling == NULL)
    tell_all(message);
}

/* ---- listeners ------------------------------------------------------------------------------------------ */

static cudaError_t register_listener(cudaLogsCallback_t function, void *data, cudaLogsCallbackHandle *handle_out) {
  if (function == NULL)
    return vptr__cuda_invalid("cudaLogsRegisterCallback", "there is no function to call");
  cudaLogsCallbackHandle made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  made->function = function;
  made->data = data;
  vptr__lock_take(&lock);
  made->number = ++registered;
  cudaLogsCallbackHandle *link = &listeners;
  while (*link != NULL)
    link = &(*link)->next;
  *link = made;
  vptr__lock_give(&lock);
  if (handle_out != NULL)
    *handle_out = made;
  return cudaSuccess;
}

/* Whether it was there. Under the lock. */
static bool remove_listener(cudaLogsCallbackHandle handle) {
  cudaLogsCallbackHandle *link = &listeners;
  while (*link != NULL && *link != handle)
    link = &(*link)->next;
  if (handle == NULL || *link == NULL)
    return false;
  *link = handle->next;
  return true;
}

static cudaError_t unregister_listener(cudaLogsCallbackHandle handle) {
  const bool is_inside = handle != NULL && handle == calling;
  vptr__lock_take(&lock);
  bool is_there = remove_listener(handle), is_over = false;
  while (is_there && handle->busy > (is_inside ? 1 : 0))
    pthread_cond_wait(&is_free, &lock.mutex);
  if (is_there && is_inside)
    handle->ends = true;
  else
    is_over = is_there;
  vptr__lock_give(&lock);
  if (is_over)
    vptr__memory_free(handle);
  return is_there ? cudaSuccess : vptr__cuda_invalid("cudaLogsUnregisterCallback", "no such function is registered");
}

/* ---- dumps ---------------------------------------------------------------------------------------------- */

static const char lost_line[] = "[CUDA] older messages are gone\n",
                  short_line[] = "[CUDA] there is no room for all\n";

static unsigned oldest(void) {
  return count > KEPT ? count - KEPT : 0;
}

/* From which number on messages can be told, for who wants them from first on. Under the lock. */
static unsigned first_kept(unsigned first) {
  return first < oldest() ? oldest() : first;
}

static size_t length_of(unsigned number) {
  return strlen(messages[number % KEPT]) + 1; /* its newline */
}

/* The first of the latest messages that fit. Under the lock. */
static unsigned first_fitting(unsigned first, size_t room) {
  unsigned number = count;
  size_t used = 0;
  while (number != first && used + length_of(number - 1) <= room)
    used += length_of(--number);
  return number;
}

/* A zero follows. Under the lock. */
static size_t write_from(char *at, const char *head, unsigned first) {
  size_t used = strlen(head);
  memcpy(at, head, used);
  for (unsigned number = first; number != count; number++) {
    size_t length = length_of(number) - 1;
    memcpy(at + used, messages[number % KEPT], length);
    used += length;
    at[used++] = '\n';
  }
  at[used] = 0;
  return used;
}

/* Into room for that many bytes, its zero included: what was written, or SIZE_MAX: not even one fits, or the first was
 * never written. Under the lock. */
static size_t write_fitting(char *at, size_t room, unsigned first) {
  if (first > count)
    return SIZE_MAX;
  const unsigned kept = first_kept(first);
  if (kept == count)
    return room > 0 ? write_from(at, "", kept) : 0;
  const char *head = kept != first ? lost_line : "";
  if (room > strlen(head) && first_fitting(kept, room - 1 - strlen(head)) == kept)
    return write_from(at, head, kept);
  if (room <= sizeof short_line)
    return SIZE_MAX;
  unsigned fitting = first_fitting(kept, room - sizeof short_line);
  return fitting != count ? write_from(at, short_line, fitting) : SIZE_MAX;
}

static size_t take_messages(cudaLogIterator *iterator, char *at, size_t room) {
  vptr__lock_take(&lock);
  size_t written = write_fitting(at, room, iterator != NULL ? *iterator : oldest());
  if (iterator != NULL && written != SIZE_MAX)
    *iterator = count;
  vptr__lock_give(&lock);
  return written;
}

static cudaError_t dump_to_memory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags) {
  static const char call[] = "cudaLogsDumpToMemory";
  if (buffer == NULL || size == NULL)
    return vptr__cuda_invalid(call, "the buffer or its size is NULL");
  if (flags != 0)
    return vptr__cuda_invalid(call, "flags can only be 0");
  size_t written = take_messages(iterator, buffer, *size);
  *size = written != SIZE_MAX ? written : 0;
  return written != SIZE_MAX
             ? cudaSuccess
             : vptr__cuda_invalid(call, "there is no room for a single message, or the iterator is none");
}

static cudaError_t write_file(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "a");
  bool is_written = file != NULL && fwrite(text, 1, length, file) == length;
  if (file != NULL)
    is_written = fclose(file) == 0 && is_written;
  if (is_written)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaLogsDumpToFile: %s cannot be written", path);
  return cudaErrorInvalidValue;
}

static cudaError_t dump_to_file(cudaLogIterator *iterator, const char *path, unsigned flags) {
  static const char call[] = "cudaLogsDumpToFile";
  const size_t room = MOST_BYTES + sizeof lost_line;
  cudaLogIterator reached = iterator != NULL ? *iterator : 0;
  if (path == NULL)
    return vptr__cuda_invalid(call, "the file's name is NULL");
  if (flags != 0)
    return vptr__cuda_invalid(call, "flags can only be 0");
  char *text = vptr__memory_calloc(room, 1);
  if (text == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(room));
  size_t length = take_messages(iterator != NULL ? &reached : NULL, text, room);
  cudaError_t error =
      length != SIZE_MAX ? write_file(path, text, length) : vptr__cuda_invalid(call, "the iterator is none");
  vptr__memory_free(text);
  if (error == cudaSuccess && iterator != NULL)
    *iterator = reached;
  return error;
}

static cudaError_t get_current(cudaLogIterator *iterator, unsigned flags) {
  if (iterator == NULL)
    return vptr__cuda_null_output("cudaLogsCurrent", "iterator_out");
  if (flags != 0)
    return vptr__cuda_invalid("cudaLogsCurrent", "flags can only be 0");
  vptr__lock_take(&lock);
  *iterator = count;
  vptr__lock_give(&lock);
  return cudaSuccess;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

static cudaError_t enter(void) {
  return vptr__cuda_from_status(vptr__registry_check_process());
}

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData,
                                     cudaLogsCallbackHandle *callback_out) {
  cudaError_t error = enter();
  return vptr__cuda_record(error == cudaSuccess ? register_listener(callbackFunc, userData, callback_out) : error);
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  cudaError_t error = enter();
  return vptr__cuda_record(error == cudaSuccess ? unregister_listener(callback) : error);
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags) {
  cudaError_t error = enter();
  return vptr__cuda_record(error == cudaSuccess ? get_current(iterator_out, flags) : error);
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile, unsigned int flags) {
  cudaError_t error = enter();
  return vptr__cuda_record(error == cudaSuccess ? dump_to_file(iterator, pathToFile, flags) : error);
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned int flags) {
  cudaError_t error = enter();
  return vptr__cuda_record(error == cudaSuccess ? dump_to_memory(iterator, buffer, size, flags) : error);
}
