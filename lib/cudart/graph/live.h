/* SPDX-License-Identifier: MIT */
/*
 * live - which values are handles of graphs, nodes, executable graphs and user objects.
 *
 * Programs hand in any value. Each live handle is a key of one table, so a value is checked before anything behind it
 * is looked at. vptr__graph_lock(), of rank GRAPH (graph/graph.h), guards the table, and all calls are made under it.
 * Used by captured_work.c, graph.c and user_object.c, and by replay/call.c, exec.c and user_object_call.c.
 */
#ifndef VPTR_GRAPH_LIVE_H
#define VPTR_GRAPH_LIVE_H

#include <stdbool.h>

#include <vptr/vptr.h>

typedef enum vptr__live_kind {
  VPTR__LIVE_GRAPH = 1,
  VPTR__LIVE_NODE,
  VPTR__LIVE_EXEC,
  VPTR__LIVE_USER_OBJECT
} vptr__live_kind;

/* Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__live_add(const void *handle, vptr__live_kind kind);
void vptr__live_remove(const void *handle);
bool vptr__live_is(const void *handle, vptr__live_kind kind);

#endif
