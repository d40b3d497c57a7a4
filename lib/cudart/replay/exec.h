/* SPDX-License-Identifier: MIT */
/*
 * exec - executable graphs: a graph put in order once, and sent often.
 *
 *     steps     what the nodes do, copies of their own, each behind those that it waits for; child graphs are laid flat
 *     lanes     queues that steps are sent to: a step follows one that it depends on in that one's lane, so a chain has
 *               one; lane 0 is the stream that the graph is launched on, the others are the exec's own
 *     waits     of a step for steps of other lanes that its own lane is not behind already
 *
 * What a step names is looked at when it is sent: pointers may have been freed since, and errors begin with the node.
 *
 * Lock: each has one, vptr__exec.lock, of rank EXEC, which is held while it is sent or changed: vptr__exec_enter()
 * takes it, vptr__exec_leave() gives it back. It guards all that changes: steps, lanes, events, the mapper and the
 * latest stream, and `holdings`. vptr__graph_lock(), of rank GRAPH and taken inside of it, guards which handles are
 * live, and `users`. An exec that is found is counted as in use, and freed by the last that uses it. Used by the files
 * of lib/cudart/replay.
 */
#ifndef VPTR_REPLAY_EXEC_H
#define VPTR_REPLAY_EXEC_H

#include <stdatomic.h>

#include "base/lock.h"
#include "graph/user_object.h"
#include "replay/call.h"
#include "stream/event.h"

enum { VPTR__LANES = 4 };

typedef struct vptr__steps vptr__steps;
typedef struct vptr__runs vptr__runs;

typedef struct vptr__step {
  enum cudaGraphNodeType type;
  vptr__graph_work work; /* of a child graph's two steps: none */
  cudaGraphNode_t node;  /* that it was made of; it may be gone. NULL: the end of a child graph */
  uint64_t id;           /* of that node; 0: the same */
  uint32_t span;         /* of a child graph's first step: how many steps it has, with both ends */
  uint32_t number;       /* of the node in its graph, for words */
  uint32_t *from;        /* steps that it depends on */
  uint32_t from_count;
  uint32_t lane;
  uint32_t *waits; /* those that it waits for */
  uint32_t wait_count;
  bool is_awaited; /* by a step of another lane, or by the end */
  bool is_enabled;
  uint32_t run;        /* 1 + that which begins here (runs.h); 0: none */
  vptr__event *event; /* behind it, if it is awaited; NULL until the first launch */
  vptr__steps *bodies; /* of one that depends on a condition; their lanes mean nothing */
  uint32_t body_count;
  char *what, *destination, *source; /* how sentences about it begin; the latter two of copies alone */
} vptr__step;

struct vptr__steps {
  vptr__step *items;
  uint32_t count, room;
  uint32_t lanes;             /* in use */
  uint32_t last[VPTR__LANES]; /* step of each lane */
  uint32_t notes[VPTR__LANES]; /* of commands, that a launch makes in its stream */
  bool joins[VPTR__LANES];    /* lane 0 has to wait for it at the end */
  vptr__runs *runs;              /* NULL: not sent yet */
};

typedef struct vptr__exec {
  vptr__lock lock;
  unsigned users;         /* the handle, and calls; guarded by vptr__graph_lock() */
  vptr_unsigned_long_long flags;
  vptr__steps steps;
  vptr_mapper *mapper;              /* of the lanes and events; NULL: not launched yet */
  vptr__stream *legacy;             /* its legacy stream when they were made, and that one's id */
  uint64_t set;                     /* a reset ends all, and addresses come again, with other ids */
  vptr__stream *lanes[VPTR__LANES]; /* from 1 on */
  vptr__event *begin, *end;         /* of the latest launch */
  uint64_t last_stream;             /* its stream's id; 0: none */
  vptr__user_holding *holdings;     /* of the graph and its child graphs */
  bool has_memory, has_condition;   /* steps allocate or free; depend on conditions */
  uint64_t graph, instance;         /* the ids of such a graph, and of its executable graph */
  const vptr__graph *origin;        /* that graph, if it is there still */
} vptr__exec;

/* ---- condition_step.c ----------------------------------------------------------------------------------- */

/* Before the first step: all conditions are what they begin with, those of bodies too. */
cudaError_t vptr__steps_set_conditions(const vptr__steps *steps, vptr__stream *stream);

/* Waits for the stream. And which body that means, or VPTR__NO_BODY. */
#define VPTR__NO_BODY UINT32_MAX
cudaError_t vptr__step_read_condition(const vptr__step *step, vptr__stream *stream, unsigned *value_out);
uint32_t vptr__step_choose_body(const vptr__step *step, unsigned value);

/* ---- steps.c --------------------------------------------------------------------------------------------- */

/* Under vptr__graph_lock(): the steps of a graph. Errors: OUT_OF_HOST_MEMORY; NOT_READY, in silence: *culprit_out is a
 * node of a circle; UNSUPPORTED, which is said: it is one that no body may have. */
vptr_status vptr__steps_make(const vptr__graph *graph, vptr__steps *steps_out, vptr__graph_node **culprit_out);

/* A graph that does what the steps do, child graphs laid flat, with references of its own to user objects. Takes
 * vptr__graph_lock(). Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__steps_as_graph(const vptr__steps *steps, const vptr__user_holding *holdings,
                                 vptr__graph **graph_out);

/* They have no events any more. Takes vptr__graph_lock(). */
void vptr__steps_free(vptr__steps *steps);

/* ---- lanes.c --------------------------------------------------------------------------------------------- */

/* Gives each step its lane and its waits. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__lanes_plan(vptr__steps *steps);

/* Makes what a launch on the mapper needs beside the steps. Under the exec's lock. */
vptr_status vptr__lanes_ready(vptr__exec *exec, vptr_mapper *mapper);
void vptr__lanes_close(vptr__exec *exec);

/* Whether there are streams and events that no reset has ended. Under the exec's lock, or by its last user. */
bool vptr__lanes_are_live(const vptr__exec *exec);

/* ---- send.c ---------------------------------------------------------------------------------------------- */

/* Sends all steps. Under the exec's lock. An error leaves what was sent in order with the stream. */
cudaError_t vptr__exec_send(vptr__exec *exec, vptr__stream *stream);

/* ---- memory_step.c -------------------------------------------------------------------------------------- */

/* Nothing that the exec allocates is live from now on. Errors: cudaErrorInvalidValue (something is, and the exec does
 * not free it by itself). And when a launch has failed. */
cudaError_t vptr__exec_memory_begin(const vptr__exec *exec);
void vptr__exec_memory_abandon(const vptr__exec *exec);

/* A step that allocates, and one that frees. */
cudaError_t vptr__exec_memory_open(const vptr__step *step, vptr__stream *stream);
cudaError_t vptr__exec_memory_close(const vptr__exec *exec, const vptr__step *step, vptr__stream *stream);

/* Of two steps of one kind. */
bool vptr__step_has_same_memory(const vptr__step *was, const vptr__step *is);

/* ---- fit.c ----------------------------------------------------------------------------------------------- */

/* Under the exec's lock: whether the step can do other work of its kind, as far as CUDA lets copies and sets change. */
bool vptr__step_fits(const vptr__step *step, const vptr__graph_work *work);

/* The same of a single node, whose copies are of one row. Errors: cudaErrorInvalidValue, which is said. */
cudaError_t vptr__step_check_change(const char *call, const vptr__step *step, const vptr__graph_work *work);

/* ---- exec_node.c ----------------------------------------------------------------------------------------- */

/* The step of a node of this kind does that from the next launch on. The work is taken over or freed. Takes both
 * locks. */
cudaError_t vptr__exec_set_work(const char *call, cudaGraphExec_t handle, cudaGraphNode_t node,
                                enum cudaGraphNodeType type, vptr__graph_work *work);

/* ---- update.c -------------------------------------------------------------------------------------------- */

/* The step of a child graph's node does what another graph does. Takes both locks. Errors as
 * cudaGraphExecChildGraphNodeSetParams() has them. */
cudaError_t vptr__exec_set_child(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraph_t child);

/* ---- exec.c ---------------------------------------------------------------------------------------------- */

/* The exec of a handle, in use and locked. Errors: cudaErrorInvalidValue, which is said. */
cudaError_t vptr__exec_enter(const char *call, cudaGraphExec_t handle, vptr__exec **exec_out);
void vptr__exec_leave(vptr__exec *exec);

/* Waits for the latest launch, if there are user objects that it may use. Under the exec's lock, or by its last
 * user. */
void vptr__exec_await(const vptr__exec *exec);

#endif
