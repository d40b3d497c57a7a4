/* SPDX-License-Identifier: MIT */
/*
 * graph - CUDA's graphs as data: nodes with what they are to do, and edges between them.
 *
 *     graph     nodes in the order in which they were added       cudaGraph_t
 *     node      a kind, its work, edges to and from others        cudaGraphNode_t
 *     work      what one node does, copied when it is added: kernels with their arguments, copies, sets ...
 *
 * What is here runs nothing: lib/cudart/replay makes an executable graph of one and sends that, and capture.h fills
 * one with what a program sends to streams. A child graph is its node's own: a copy of the one that the program named.
 *
 * Edges may make a circle; nobody looks before the graph is put in order (vptr__graph_order()), as in CUDA.
 *
 * Lock: vptr__graph_lock(), of rank GRAPH, taken inside an executable graph's (EXEC) and a checkpoint's (CHECKPOINT)
 * alone, guards every graph, node and user object, the table of live handles and the captures. All functions here are
 * called under it, unless they say otherwise. It is not held while anything is sent or waited for, and not while a
 * function of the program's is called. Used by the files of this folder and of lib/cudart/replay, and by
 * library/captured.c.
 */
#ifndef VPTR_GRAPH_GRAPH_H
#define VPTR_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "graph/condition.h"
#include "graph/live.h"
#include "graph/memory.h"
#include "module/module.h"

typedef struct vptr__graph vptr__graph;
typedef struct vptr__graph_node vptr__graph_node;

/* Attributes that were set and change nothing: kept, and told, the value of each by its number. */
typedef struct vptr__graph_wishes {
  unsigned are_set; /* by bits */
  cudaLaunchAttributeValue values[cudaLaunchAttributeNvlinkUtilCentricScheduling + 1];
} vptr__graph_wishes;

/* A launch. Arguments lie one behind the other as CUDA lays them out, and `places` has the address of each, and NULL
 * behind the last. */
typedef struct vptr__graph_kernel {
  const void *stub; /* what the program named it by */
  vptr__function *function;
  uint32_t grid[3], block[3];
  size_t shared;
  unsigned char *arguments; /* NULL: there are none */
  size_t bytes;
  void **places;
  bool is_cooperative;
  int priority;
  vptr__graph_wishes *wishes; /* NULL: there are none */
} vptr__graph_kernel;

/* A part that depends on a condition; work that is copied has no bodies. */
typedef struct vptr__graph_branch {
  vptr__condition *condition;
  enum cudaGraphConditionalNodeType type;
  unsigned size;        /* bodies that there are */
  vptr__graph **bodies; /* their parent is the node */
} vptr__graph_branch;

/* Managed memory that an empty node brings to a device or to the host, if count is not 0: a captured prefetch. */
typedef struct vptr__graph_prefetch {
  const void *ptr;
  size_t count;
  struct cudaMemLocation where;
} vptr__graph_prefetch;

/* A call of a library's that sends its work itself, which an empty node makes, if send is not NULL: with a copy of what
 * `context` has, which is bytes. */
typedef struct vptr__graph_call {
  const char *name; /* of the function that was captured; it stays */
  vptr_status (*send)(const void *context, const char *what, vptr__stream *stream);
  void *context;
  size_t bytes;
} vptr__graph_call;

typedef union vptr__graph_work {
  vptr__graph_kernel kernel;
  struct cudaMemcpy3DParms copy; /* cudaGraphNodeTypeMemcpy, of all shapes */
  struct cudaMemsetParams set;
  struct cudaHostNodeParams host;
  vptr__graph *child;
  cudaEvent_t event; /* that is waited for, or recorded */
  vptr__graph_alloc alloc;
  void *free; /* the address whose memory is freed */
  vptr__graph_branch branch;
  struct {
    vptr__graph_prefetch prefetch;
    vptr__graph_call call;
  }; /* of an empty node */
} vptr__graph_work;

typedef struct vptr__graph_list {
  vptr__graph_node **items;
  uint32_t count, room;
} vptr__graph_list;

struct vptr__graph_node {
  vptr__graph *graph;
  uint64_t id;     /* unique in the process */
  uint64_t origin; /* the id of the node that it is a copy of; 0: none */
  uint32_t index;  /* in graph->nodes */
  uint32_t mark;   /* of whoever walks the graph, under the lock */
  enum cudaGraphNodeType type;
  vptr__graph_work work;
  vptr__graph_list from, to; /* what it depends on, what depends on it */
};

/* What is said of an edge, if it is not all zeros. */
typedef struct vptr__graph_edge {
  const vptr__graph_node *from, *to;
  cudaGraphEdgeData data;
} vptr__graph_edge;

struct vptr__user_holding;

struct vptr__graph {
  uint64_t id;
  vptr__graph_node *parent; /* that it is the child graph or a body of; NULL: the program's own */
  vptr__graph_list nodes;
  vptr__graph_edge *edges; /* those of which something is said */
  uint32_t edge_count, edge_room;
  struct vptr__user_holding *holdings; /* user_object.h */
  bool is_moved;                       /* into its parent, where nothing but that makes it run */
  unsigned captures;                   /* that add to it now */
  bool has_memory;                     /* nodes allocate or free: it is not copied, and no edge goes */
  bool has_condition;                  /* nodes depend on conditions: it is not copied */
  uint64_t instance;                   /* of both: its only executable graph; 0: none */
};

/* The latter gives memory back that nodes had which went under the lock, and may wait for that. */
void vptr__graph_lock(void);
void vptr__graph_unlock(void);

/* Never 0, never given twice. No lock needed. */
uint64_t vptr__graph_next_id(void);

/* A new graph without nodes. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_create(vptr__graph **graph_out);

/* Ends it, its nodes and their child graphs. What it holds of user objects is put into *holdings, for
 * vptr__user_holdings_release() without the lock. */
void vptr__graph_destroy(vptr__graph *graph, struct vptr__user_holding **holdings);

/* Whether a capture adds to it, or to a child graph or a body in it. */
bool vptr__graph_is_captured_into(const vptr__graph *graph);
bool vptr__graph_node_is_captured_into(const vptr__graph_node *node);

/* A new node that depends on `count` others of the same graph, by edges of which `edges` says something, or NULL. It
 * takes the work over; on an error that stays the caller's, and the graph is as before. Errors: OUT_OF_HOST_MEMORY; as
 * vptr__graph_memory_check(). */
vptr_status vptr__graph_add(vptr__graph *graph, vptr__graph_node *const *from, const cudaGraphEdgeData *edges,
                            size_t count, enum cudaGraphNodeType type, const vptr__graph_work *work,
                            vptr__graph_node **node_out);

/* Ends a node, its work and its edges. */
void vptr__graph_remove(vptr__graph_node *node, struct vptr__user_holding **holdings);

/* One node waits for another of the same graph from now on; data may be NULL. False: there is no such edge. Errors:
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_connect(vptr__graph_node *from, vptr__graph_node *to, const cudaGraphEdgeData *data);
bool vptr__graph_disconnect(vptr__graph_node *from, vptr__graph_node *to);
bool vptr__graph_is_connected(const vptr__graph_node *from, const vptr__graph_node *to);

/* A graph with copies of all nodes, work and edges, and of what it holds of user objects. Errors: INVALID_ARGUMENT (a
 * kernel's module was unloaded), UNSUPPORTED (nodes allocate or free, or depend on conditions), OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_clone(const vptr__graph *graph, vptr__graph **clone_out);

/* The nodes so that each comes behind those that it depends on, else in the order of their making; the caller frees
 * the list's items. NOT_READY, in silence: *culprit_out is a node of a circle, or behind one. Errors:
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_order(const vptr__graph *graph, vptr__graph_list *order_out, vptr__graph_node **culprit_out);

/* One more item. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_list_push(vptr__graph_list *list, vptr__graph_node *node);

/* ---- what is said of edges: edge_data.c ------------------------------------------------------------------ */

/* Whether two say the same; NULL is zeros. No lock needed. */
bool vptr__edge_data_is_same(const cudaGraphEdgeData *one, const cudaGraphEdgeData *other);

/* What is said of an edge, until the graph changes; zeros of one that is ordinary, or none. */
const cudaGraphEdgeData *vptr__edge_data_of(const vptr__graph_node *from, const vptr__graph_node *to);

/* Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__edge_data_keep(const vptr__graph_node *from, const vptr__graph_node *to,
                                 const cudaGraphEdgeData *data);
void vptr__edge_data_forget(const vptr__graph_node *from, const vptr__graph_node *to);

/* ---- work: work.c --------------------------------------------------------------------------------------- */

/* A copy of its own: arguments too, and child graphs. An empty node's and a kernel's need no lock. Errors:
 * INVALID_ARGUMENT (a kernel's module was unloaded), UNSUPPORTED (of a child graph with nodes that cannot be copied),
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_work_copy(enum cudaGraphNodeType type, const vptr__graph_work *work,
                                  vptr__graph_work *copy_out);
void vptr__graph_work_free(enum cudaGraphNodeType type, vptr__graph_work *work,
                           struct vptr__user_holding **holdings);

/* Copies a launch's arguments into work, whose function is set; `work` owns them then. No lock needed. Errors:
 * INVALID_ARGUMENT (arguments are missing), NULL_POINTER (the address of one is), OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_kernel_fill(const vptr__launch *launch, vptr__graph_kernel *kernel);

/* What a kernel does is exchanged, and its attributes stay. No lock needed but for who has it. */
void vptr__graph_kernel_keep_attributes(vptr__graph_kernel *is, vptr__graph_kernel *was);

/* The attributes of another: on an error it has its own as before. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__graph_kernel_copy_attributes(vptr__graph_kernel *to, const vptr__graph_kernel *from);

/* Whether the kernel's module is there still, so that its function may be used. No lock needed. */
bool vptr__graph_kernel_is_there(const vptr__graph_kernel *kernel);

/* "kernel", "memcpy" ... for messages. No lock needed. */
const char *vptr__graph_type_name(enum cudaGraphNodeType type);

#endif
