/* SPDX-License-Identifier: MIT */
/*
 * line - see line.h.
 *
 * Names of threads are a list, since a program names a few. Threads that end stay in it: the system uses a number again
 * only after thousands of others, and the program names the new thread then. Lock: `lock`, of rank LEAF, which is not
 * held while a line is written. Called by stack.c, range.c and injection.c.
 */
#include "nvtx/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"

typedef struct thread_name {
  struct thread_name *next;
  uint32_t thread;
  vptr__nvtx_text name;
} thread_name;

enum { MOST_DEPTH_SHOWN = 40 }; /* so that a program that never pops leaves room for words */

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static thread_name *names;

/* With the lock held. */
static thread_name *find_name(uint32_t thread) {
  thread_name *entry = names;
  while (entry != NULL && entry->thread != thread)
    entry = entry->next;
  return entry;
}

static vptr__nvtx_text name_of_caller(void) {
  uint32_t thread = (uint32_t)syscall(SYS_gettid);
  vptr__nvtx_text name;
  vptr__lock_take(&lock);
  const thread_name *entry = find_name(thread);
  if (entry != NULL)
    name = entry->name;
  vptr__lock_give(&lock);
  if (entry == NULL)
    snprintf(name.bytes, sizeof name.bytes, "%" PRIu32, thread);
  return name;
}

void vptr__nvtx_line(size_t depth, const char *format, ...) {
  char words[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  vptr__nvtx_text name = name_of_caller();
  int indentation = 2 * (int)(depth < MOST_DEPTH_SHOWN ? depth : MOST_DEPTH_SHOWN);
  vptr__log(VPTR__NVTX_LOG_LEVEL, "nvtx: thread %s: %*s%s", name.bytes, indentation, "", words);
}

void vptr__nvtx_thread_set_name(uint32_t thread, const vptr__nvtx_text *name) {
  vptr__lock_take(&lock);
  thread_name *entry = find_name(thread);
  if (entry == NULL) {
    entry = vptr__memory_calloc(1, sizeof *entry);
    if (entry != NULL) {
      entry->thread = thread;
      entry->next = names;
      names = entry;
    }
  }
  if (entry != NULL)
    entry->name = *name;
  vptr__lock_give(&lock);
}
