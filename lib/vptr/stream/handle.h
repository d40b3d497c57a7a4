/* SPDX-License-Identifier: MIT */
/*
 * handle - which values are live streams and events.
 *
 * Programs hand in any value as a stream: one that was destroyed, NULL, an integer. Each live handle is a key of a tree
 * whose searches take no lock, so a value is checked without looking at any memory behind it. `handles.lock`
 * (handle.c), of rank LEAF, guards the changes.
 */
#ifndef VPTR_STREAM_HANDLE_H
#define VPTR_STREAM_HANDLE_H

#include <stdbool.h>

#include <vptr/vptr.h>

typedef enum vptr__handle_kind { VPTR__HANDLE_STREAM = 1, VPTR__HANDLE_EVENT } vptr__handle_kind;

/* Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__handle_add(const void *handle, vptr__handle_kind kind);

/* False if it was not there: of threads that race to destroy a handle, one gets true. */
bool vptr__handle_remove(const void *handle, vptr__handle_kind kind);

bool vptr__handle_is(const void *handle, vptr__handle_kind kind);

#endif
