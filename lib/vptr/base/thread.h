/* SPDX-License-Identifier: MIT */
/*
 * thread - threads of the library's own, which work for the process until it ends, or for an object that joins them.
 *
 * They leave signals to the program's threads. Those that a thread raises by itself, by a bad access
 * say, are not blocked: the program's handlers get them. Used by lib/vptr/stream (host functions, words of memory),
 * lib/vptr/transfer (worker_pool), lib/vptr/checkpoint (scribe, ahead), lib/vptr/device (proxy_merge, joint) and
 * lib/cudart/module (print). No state; the lock is the caller's.
 */
#ifndef VPTR_BASE_THREAD_H
#define VPTR_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#include "base/lock.h"

/* Starts a thread, which is the caller's to join. Returns 0, or the error of pthread_create(). */
int vptr__thread_start_joinable(pthread_t *thread_out, void *(*body)(void *context), void *context);

/* The same, detached. */
VPTR_API int vptr__thread_start(void *(*body)(void *unused));

/* Calls start, which starts a thread and returns as vptr__thread_start(), unless *running, which it sets on success;
 * both under the lock. Errors: OUT_OF_HOST_MEMORY, with a message about "the thread " and purpose. */
VPTR_API vptr_status vptr__thread_start_once(vptr__lock *lock, bool *running, int (*start)(void), const char *purpose);

#endif
