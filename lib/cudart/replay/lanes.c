/* SPDX-License-Identifier: MIT */
/*
 * lanes - planning which queue each step of an executable graph is sent to, and what it waits for there; and making
 * these queues, which are streams, and their events (exec.h).
 *
 * A step goes where the latest step is that it depends on, if none has followed that one yet; else it begins a lane of
 * its own, as long as there are some, and then takes the one that was used last of all. A lane is in order, so a wait
 * for a step is one for all before it in its lane, and is left out where a later one was waited for before. Lane 0
 * waits at the end for those lanes that it is not behind.
 *
 * The plan is made when the graph is instantiated; streams and events when it is first launched, or launched first
 * after a reset, which ends both. No data but a constant. A plan is made of steps that nobody else has yet, with
 * vptr__graph_lock() held by the caller; streams and events are the exec's, and guarded by its lock, vptr__exec.lock of
 * rank EXEC, which the callers hold, unless they are its last user. Called by steps.c, exec.c and send.c. Making a
 * stream may have the driver open a queue.
 */
#include "replay/exec.h"

#include "base/memory.h"
#include "pool/pool.h"
#include "base/error.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

/* While a plan is made: how far each lane is behind each other. */
typedef struct plan {
  vptr__steps *steps;
  uint32_t behind[VPTR__LANES][VPTR__LANES]; /* 1 + the step; 0: not at all */
} plan;

/* A dependency that nobody has followed. */
static uint32_t lane_to_follow(const vptr__steps *steps, const vptr__step *step) {
  uint32_t best = NONE;
  for (uint32_t i = 0; i < step->from_count; i++) {
    const uint32_t from = step->from[i], lane = steps->items[from].lane;
    if (steps->last[lane] == from && (best == NONE || from > steps->last[best]))
      best = lane;
  }
  return best;
}

static uint32_t choose_lane(vptr__steps *steps, const vptr__step *step) {
  uint32_t lane = lane_to_follow(steps, step);
  if (lane != NONE)
    return lane;
  if (steps->lanes < VPTR__LANES)
    return steps->lanes++;
  lane = 0;
  for (uint32_t i = 1; i < steps->lanes; i++)
    if (steps->last[i] < steps->last[lane])
      lane = i;
  return lane;
}

/* Its lane is behind `from` from now on, and behind all that was before that in its turn. */
static void note_behind(plan *it, uint32_t lane, uint32_t from) {
  const uint32_t other = it->steps->items[from].lane;
  it->behind[lane][other] = from + 1;
}

static vptr_status plan_waits(plan *it, vptr__step *step) {
  step->waits = vptr__memory_calloc(step->from_count + (size_t)1, sizeof *step->waits);
  if (step->waits == NULL)
    return vptr__error_host_memory((step->from_count + (size_t)1) * sizeof *step->waits);
  for (uint32_t i = 0; i < step->from_count; i++) {
    const uint32_t from = step->from[i];
    vptr__step *other = &it->steps->items[from];
    if (other->lane == step->lane || it->behind[step->lane][other->lane] > from)
      continue;
    step->waits[step->wait_count++] = from;
    other->is_awaited = true;
    note_behind(it, step->lane, from);
  }
  return VPTR_SUCCESS;
}

static void plan_end(plan *it) {
  vptr__steps *steps = it->steps;
  for (uint32_t lane = 1; lane < steps->lanes; lane++) {
    steps->joins[lane] = it->behind[0][lane] <= steps->last[lane];
    if (steps->joins[lane])
      steps->items[steps->last[lane]].is_awaited = true;
  }
}

/* Of a step and those that depend on a condition of it: its command, perhaps one that orders the stream behind the
 * legacy one before it, and a barrier for each wait. */
static uint32_t count_notes(const vptr__step *step) {
  uint32_t notes = 2 + step->wait_count;
  for (uint32_t i = 0; i < step->body_count; i++)
    for (uint32_t k = 0; k < step->bodies[i].count; k++)
      notes += count_notes(&step->bodies[i].items[k]);
  return notes;
}

/* With those at the beginning and at the end. */
static void plan_notes(vptr__steps *steps) {
  for (uint32_t lane = 0; lane < steps->lanes; lane++)
    steps->notes[lane] = lane == 0 ? VPTR__LANES + 1 : 1;
  for (uint32_t i = 0; i < steps->count; i++)
    steps->notes[steps->items[i].lane] += count_notes(&steps->items[i]);
}

vptr_status vptr__lanes_plan(vptr__steps *steps) {
  plan it = { .steps = steps };
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < steps->count && status == VPTR_SUCCESS; i++) {
    vptr__step *step = &steps->items[i];
    step->lane = choose_lane(steps, step);
    steps->last[step->lane] = i;
    status = plan_waits(&it, step);
  }
  if (status == VPTR_SUCCESS) {
    plan_end(&it);
    plan_notes(steps);
  }
  return status;
}

/* ---- streams and events --------------------------------------------------------------------------------- */

static vptr_status make_event(vptr_mapper *mapper, vptr__event **event) {
  return vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, event);
}

bool vptr__lanes_are_live(const vptr__exec *exec) {
  return exec->legacy != NULL && vptr__stream_is_live(exec->legacy) && vptr__stream_id(exec->legacy) == exec->set;
}

static vptr_status make_all(vptr__exec *exec, vptr_mapper *mapper) {
  vptr_status status = vptr__stream_legacy(mapper, &exec->legacy);
  if (status == VPTR_SUCCESS) {
    exec->set = vptr__stream_id(exec->legacy);
    status = make_event(mapper, &exec->begin);
  }
  for (uint32_t lane = 1; lane < exec->steps.lanes && status == VPTR_SUCCESS; lane++)
    status = vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &exec->lanes[lane]);
  for (uint32_t i = 0; i < exec->steps.count && status == VPTR_SUCCESS; i++)
    if (exec->steps.items[i].is_awaited)
      status = make_event(mapper, &exec->steps.items[i].event);
  return status == VPTR_SUCCESS ? make_event(mapper, &exec->end) : status;
}

vptr_status vptr__lanes_ready(vptr__exec *exec, vptr_mapper *mapper) {
  if (exec->mapper == mapper && vptr__lanes_are_live(exec))
    return VPTR_SUCCESS;
  vptr__lanes_close(exec);
  vptr_status status = make_all(exec, mapper);
  if (status == VPTR_SUCCESS)
    exec->mapper = mapper;
  else
    vptr__lanes_close(exec);
  return status;
}

static void end_event(vptr__event **event, bool is_live) {
  if (*event != NULL && is_live)
    vptr__pool_event_destroy(*event);
  *event = NULL;
}

void vptr__lanes_close(vptr__exec *exec) {
  const bool are_live = vptr__lanes_are_live(exec);
  for (uint32_t lane = 1; lane < VPTR__LANES; lane++) {
    if (exec->lanes[lane] != NULL && are_live)
      vptr__stream_destroy(exec->lanes[lane]);
    exec->lanes[lane] = NULL;
  }
  for (uint32_t i = 0; i < exec->steps.count; i++)
    end_event(&exec->steps.items[i].event, are_live);
  end_event(&exec->begin, are_live);
  end_event(&exec->end, are_live);
  exec->mapper = NULL;
  exec->legacy = NULL;
  exec->last_stream = 0;
}
