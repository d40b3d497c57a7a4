/* SPDX-License-Identifier: MIT */
/*
 * thread - threads of the library's own, which work for the process until it ends.
 *
 * They are detached, and leave signals to the program's threads. Those that a thread raises by itself, by a bad access
 * say, are not blocked: the program's handlers get them. Used by lib/vptr/stream (host functions, words of memory),
 * lib/vptr/transfer (worker_pool), lib/vptr/checkpoint (scribe, ahead), lib/vptr/device (proxy_merge) and
 * lib/cudart/module (print). No state; the lock is the caller's.
 */
#ifndef VPTR_BASE_THREAD_H
#define VPTR_BASE_THREAD_H

#include <stdbool.h>

#include "base/lock.h"

/* Starts a thread. Returns 0, or the error of pthread_create(). */
VPTR_API int vptr__thread_start(void *(*body)(void *unused));

/* Calls start, which starts a thread and returns as vptr__thread_start(), unless *running, which it sets on success;
 * both under the lock. Errors: OUT_OF_HOST_MEMORY, with a message about "the thread " and purpose. */
VPTR_API vptr_status vptr__thread_start_once(vptr__lock *lock, bool *running, int (*start)(void), const char *purpose);

#endif
