/* SPDX-License-Identifier: MIT */
/*
 * runs - finding steps of an executable graph that can be one launch, building their kernel, and sending it (runs.h).
 *
 * No static data. A vptr__runs, with its chains, belongs to the vptr__steps that it was made for, and is freed by
 * vptr__runs_free(). It is guarded by the lock of the executable graph, vptr__exec.lock of rank EXEC, which the callers
 * hold, unless they are its last user. Called by exec.c, send.c and steps.c. Preparing blocks while a driver compiles,
 * and so does the launch that is the first one worth it.
 */
#include "replay/runs.h"

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/option.h"
#include "module/chain.h"

#include <string.h>

/* Of steps in a run, at least; of kernels sent before runs are built: PoCL 3.1 takes 0.1 to 0.3 s to build one, and
 * 2 us for a launch; how many bytes of kernels' texts all have together, and how often one may fail in a row. */
enum { LEAST = 3, WORTH_IT = 1 << 16, MOST_TEXT = 512 << 10, MOST_FAILURES = 3 };

typedef struct run {
  uint32_t first, count;
  uint32_t failures; /* in a row */
  vptr__chain *chain;
} run;

struct vptr__runs {
  const vptr_mapper *mapper; /* that they are for, */
  uint64_t generation;       /* and of its device */
  uint32_t sent;             /* kernels, while it is not planned */
  uint64_t text;             /* bytes of kernels that were built */
  bool is_planned;
  run *items;
  uint32_t count;
};

vptr__launch vptr__step_launch(const vptr__step *step) {
  const vptr__graph_kernel *kernel = &step->work.kernel;
  vptr__launch launch = { .what = step->what,
                          .shared = kernel->shared,
                          .packed = kernel->arguments,
                          .packed_size = kernel->bytes,
                          .is_cooperative = kernel->is_cooperative,
                          .is_of_graph = true };
  memcpy(launch.grid, kernel->grid, sizeof launch.grid);
  memcpy(launch.block, kernel->block, sizeof launch.block);
  return launch;
}

/* ---- planning ------------------------------------------------------------------------------------------- */

static void forget(vptr__steps *steps) {
  vptr__runs *runs = steps->runs;
  for (uint32_t i = 0; i < runs->count; i++) {
    steps->items[runs->items[i].first].run = 0;
    vptr__chain_free(runs->items[i].chain);
  }
  vptr__memory_free(runs->items);
  *runs = (vptr__runs){ .mapper = runs->mapper, .generation = runs->generation };
}

static bool can_join(const vptr__steps *steps, uint32_t first, uint32_t at, vptr__chain_plan *plan) {
  const vptr__step *step = &steps->items[at];
  if (step->type != cudaGraphNodeTypeKernel || !step->is_enabled || !vptr__graph_kernel_is_there(&step->work.kernel))
    return false;
  if (at > first && (step->lane != steps->items[first].lane || step->wait_count > 0 || step[-1].is_awaited))
    return false;
  const vptr__launch launch = vptr__step_launch(step);
  return vptr__chain_plan_add(plan, step->work.kernel.function, &launch);
}

/* As long as can be from a step on. */
static uint32_t find_run(const vptr__steps *steps, uint32_t first, vptr_mapper *mapper, vptr__chain_plan *plan) {
  uint32_t end = first;
  *plan = (vptr__chain_plan){ .mapper = mapper, .generation = mapper->device->generation };
  while (end < steps->count && can_join(steps, first, end, plan))
    end++;
  return end - first;
}

/* A run that is like this one, and has its kernel already. */
static const vptr__chain *find_like(const vptr__runs *runs, const vptr__chain_plan *plan) {
  for (uint32_t i = 0; i < runs->count; i++)
    if (vptr__chain_is_like(runs->items[i].chain, plan))
      return runs->items[i].chain;
  return NULL;
}

static void log_run(vptr_status status, uint32_t first, uint32_t count) {
  if (status == VPTR_SUCCESS)
    vptr__log(VPTR__LOG_DECISION, "graph: %u kernels from step %u on are launched as one", count, first);
  else
    vptr__log(VPTR__LOG_DECISION, "graph: %u kernels from step %u on cannot be launched as one: %s", count, first,
              vptr_last_error());
}

static void keep_run(vptr__steps *steps, uint32_t first, const vptr__chain_plan *plan) {
  vptr__runs *runs = steps->runs;
  const vptr__chain *like = find_like(runs, plan);
  vptr__chain *chain = NULL;
  if (like == NULL && runs->text + plan->text > MOST_TEXT)
    return;
  runs->text += like == NULL ? plan->text : 0;
  vptr__error_try();
  vptr_status status = vptr__chain_make(plan, like, &chain);
  log_run(status, first, plan->count);
  vptr__error_tried(VPTR_SUCCESS);
  if (status != VPTR_SUCCESS)
    return;
  runs->items[runs->count++] = (run){ .first = first, .count = plan->count, .chain = chain };
  steps->items[first].run = runs->count;
}

/* Read where runs would be looked for, so that a launch does not ask. */
static bool are_wanted(void) {
  return vptr__option_number(VPTR__OPTION_CHAINS, 1) != 0;
}

static void make_runs(vptr__steps *steps, vptr_mapper *mapper) {
  vptr__runs *runs = steps->runs;
  runs->is_planned = true;
  if (!are_wanted())
    return;
  vptr__chain_plan *plan = vptr__memory_calloc(1, sizeof *plan);
  runs->items = vptr__memory_calloc(steps->count / LEAST + (size_t)1, sizeof *runs->items);
  const bool has_room = plan != NULL && runs->items != NULL;
  for (uint32_t i = 0; has_room && i < steps->count;) {
    const uint32_t count = find_run(steps, i, mapper, plan);
    if (count >= LEAST)
      keep_run(steps, i, plan);
    i += count > 0 ? count : 1;
  }
  vptr__memory_free(plan);
}

/* For a launch on a mapper's device. */
static bool begin(vptr__steps *steps, const vptr_mapper *mapper) {
  if (steps->runs == NULL)
    steps->runs = vptr__memory_calloc(1, sizeof *steps->runs);
  if (steps->runs == NULL)
    return false;
  const uint64_t generation = mapper->device->generation;
  if (steps->runs->mapper != mapper || steps->runs->generation != generation) {
    forget(steps);
    steps->runs->mapper = mapper;
    steps->runs->generation = generation;
  }
  return true;
}

void vptr__runs_prepare(vptr__steps *steps, vptr_mapper *mapper) {
  if (begin(steps, mapper) && !steps->runs->is_planned)
    make_runs(steps, mapper);
  for (uint32_t i = 0; i < steps->count; i++)
    for (uint32_t k = 0; k < steps->items[i].body_count; k++)
      vptr__runs_prepare(&steps->items[i].bodies[k], mapper);
}

void vptr__runs_free(vptr__steps *steps) {
  for (uint32_t i = 0; i < steps->count; i++)
    for (uint32_t k = 0; k < steps->items[i].body_count; k++)
      vptr__runs_free(&steps->items[i].bodies[k]);
  if (steps->runs != NULL)
    forget(steps);
  vptr__memory_free(steps->runs);
  steps->runs = NULL;
}

/* ---- sending -------------------------------------------------------------------------------------------- */

/* Whether it stands for what the steps do now. */
static bool fill(const vptr__steps *steps, const run *run) {
  for (uint32_t i = 0; i < run->count; i++) {
    const vptr__step *step = &steps->items[run->first + i];
    const vptr__launch launch = vptr__step_launch(step);
    if (!step->is_enabled || !vptr__graph_kernel_is_there(&step->work.kernel) ||
        !vptr__chain_set(run->chain, i, step->work.kernel.function, &launch))
      return false;
  }
  return true;
}

static uint32_t send_run(vptr__steps *steps, run *run, vptr__stream *stream) {
  if (!fill(steps, run)) {
    forget(steps);
    return 0;
  }
  vptr__error_try();
  vptr_status status = vptr__chain_send(run->chain, stream, steps->items[run->first].what);
  vptr__error_tried(VPTR_SUCCESS);
  if (status == VPTR_SUCCESS) {
    run->failures = 0;
    return run->count;
  }
  if (++run->failures == MOST_FAILURES) /* its kernel may be other runs', too */
    steps->items[run->first].run = 0;
  return 0;
}

/* Whoever records launches wants each. */
static bool is_watched(void) {
  return atomic_load_explicit(&vptr__launch_watched, memory_order_relaxed) != NULL;
}

uint32_t vptr__runs_send(vptr__steps *steps, uint32_t at, vptr__stream *stream) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  if ((at == 0 || steps->runs == NULL) && !begin(steps, mapper))
    return 0;
  vptr__runs *runs = steps->runs;
  if (at == 0 && !runs->is_planned && runs->sent >= WORTH_IT)
    make_runs(steps, mapper);
  if (!runs->is_planned)
    runs->sent += steps->items[at].type == cudaGraphNodeTypeKernel;
  const uint32_t number = steps->items[at].run;
  return number > 0 && !is_watched() ? send_run(steps, &runs->items[number - 1], stream) : 0;
}
