/* SPDX-License-Identifier: MIT */
/*
 * user_object - what a program ties to the life of graphs: a value, and a function that is called when the last
 * reference to it goes.
 *
 * References are the program's own, and those of graphs and executable graphs. Each of these has a list of holdings:
 * which object, and how many references. vptr__graph_lock(), of rank GRAPH, guards objects and the lists of graphs; the
 * functions here are called under it, but for vptr__user_holdings_release(), which takes it. The list of an executable
 * graph is guarded by that one's lock (replay/exec.h): vptr__user_holdings_move() is called for it under that. Used by
 * capture.c, captured_work.c and graph.c, and by the files of lib/cudart/replay.
 */
#ifndef VPTR_GRAPH_USER_OBJECT_H
#define VPTR_GRAPH_USER_OBJECT_H

#include <stdbool.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

struct vptr__graph;

typedef struct vptr__user_object {
  cudaHostFn_t destroy;
  void *value;
  uint64_t references;
} vptr__user_object;

typedef struct vptr__user_holding {
  struct vptr__user_holding *next;
  vptr__user_object *object;
  uint64_t count;
} vptr__user_holding;

/* Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__user_object_create(cudaHostFn_t destroy, void *value, unsigned references,
                                     vptr__user_object **object_out);

/* References move into the list from whoever has them. The latter: out of it, into *holdings, for
 * vptr__user_holdings_release(); false: the list has not so many. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__user_holdings_take(vptr__user_holding **list, vptr__user_object *object, uint64_t count);
bool vptr__user_holdings_give(vptr__user_holding **list, const vptr__user_object *object, uint64_t count,
                              vptr__user_holding **holdings);

/* A list with as many references of its own. Errors: OUT_OF_HOST_MEMORY: nothing has changed. */
vptr_status vptr__user_holdings_copy(const vptr__user_holding *list, vptr__user_holding **copy_out);

/* The same of a graph and all its child graphs. */
vptr_status vptr__user_holdings_gather(const struct vptr__graph *graph, vptr__user_holding **copy_out);

/* All of a list goes into another. NULL for that: they are a copy's that failed, and others have references too. */
void vptr__user_holdings_move(vptr__user_holding **list, vptr__user_holding **holdings);

/* Without the lock: gives the references back, and calls the functions of objects that have none any more. */
void vptr__user_holdings_release(vptr__user_holding *list);

#endif
