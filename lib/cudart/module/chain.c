/* SPDX-License-Identifier: MIT */
/*
 * chain - planning which launches can be one kernel together, and making, sending and freeing that kernel (chain.h).
 *
 * A chain has a module of one kernel, so that building, keeping binaries, resolving pointers and sending are those of
 * every launch. There is no static data but a constant, and no lock here: a vptr__chain is made here for a run of an
 * executable graph, and guarded by that graph's vptr__exec.lock, of rank EXEC, which the callers hold, unless they are
 * the graph's last user. To plan needs no lock; to send holds the device (vptr__device_hold()). Called by
 * cudart/replay/runs.c. Making one blocks while the driver compiles; sending blocks as a launch does.
 */
#include "module/chain.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "module/state.h"

#include <string.h>

enum { UNIT = 8, MOST_TEXT = 128 << 10, MOST_THREADS = 1024 /* of all blocks of a link */ };

struct vptr__chain {
  vptr__module *module; /* NULL: the function is another chain's */
  vptr__function *function;
  vptr__chain_plan plan;
  _Alignas(16) unsigned char arguments[VPTR__CHAIN_BYTES];
};

/* ---- plans ---------------------------------------------------------------------------------------------- */

/* The hidden parameters that its text has on the device; false: one that no link may have. */
static bool look_at_hidden(const vptr__image_kernel *image, bool runs_loops, vptr__chain_link *link) {
  for (uint32_t i = image->param_count; i < image->param_count + image->hidden_count; i++) {
    const vptr__image_param *param = &image->params[i];
    link->has_windows |= param->is_for_windows;
    if (param->is_for_windows)
      continue;
    if (param->kind != VPTR__PARAM_BLOCK && param->kind != VPTR__PARAM_BLOCKS)
      return false;
    if (param->is_of_loops && !runs_loops)
      continue;
    link->has_block |= param->kind == VPTR__PARAM_BLOCK;
    link->has_blocks |= param->kind == VPTR__PARAM_BLOCKS;
  }
  return true;
}

/* Whether its parameters are passed in a way that can be told from the module's lines: in one struct, or as the only
 * pointer. */
static bool has_plain_parameters(const vptr__image_kernel *image) {
  if (image->packed_align > UNIT)
    return false;
  return image->packs || image->param_count == 0 ||
         (image->param_count == 1 && image->params[0].kind == VPTR__PARAM_POINTER);
}

static bool may_be_link(const vptr__function *function, const vptr__launch *launch) {
  const vptr__module_image *module = function->module->image;
  const vptr__image_kernel *image = function->image;
  return !module->is_ptx && image->refused == NULL && !image->prints && !launch->is_cooperative &&
         launch->shared == 0 && has_plain_parameters(image);
}

static bool is_device_fit(const vptr_mapper *mapper) {
  vptr__device *device = mapper->device;
  bool has_addresses = false;
  vptr__error_try();
  vptr_status status = device->ops->memory.takes_addresses(device, &has_addresses);
  return vptr__error_tried(status) == VPTR_SUCCESS && has_addresses &&
         device->parameter_bytes >= (size_t)2 * VPTR__CHAIN_BYTES;
}

/* As kernels are told them (image.h). */
static const uint64_t SIZE_MASK = (UINT64_C(1) << 48) - 1;

static uint64_t size_of_block(const vptr__launch *launch) {
  return launch->block[0] | (uint64_t)launch->block[1] << 16 | (uint64_t)launch->block[2] << 32;
}

static uint64_t size_of_grid(const vptr__launch *launch) {
  return launch->grid[0] | (uint64_t)launch->grid[1] << 32 | (uint64_t)launch->grid[2] << 48;
}

/* How it runs as one work-group: true, and how large that is, and what its kernel is told. */
static bool fit_shape(const vptr_mapper *mapper, const vptr__function *function, const vptr__launch *launch,
                      vptr__chain_link *link, uint32_t local[3]) {
  const vptr__device *device = mapper->device;
  const vptr__image_kernel *image = function->image;
  const uint32_t *block = launch->block, *grid = launch->grid;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  const bool runs_loops = image->has_loops && device->tuning.loops_over_threads;
  const bool runs_threads = runs_loops || (image->runs_threads && device->ptx == 0);
  if (!look_at_hidden(image, runs_loops, link) || threads == 0 || threads > device->max_group ||
      (image->max_threads > 0 && threads > image->max_threads) || threads > vptr__stack_threads(device, image))
    return false;
  if (blocks != 1 && (blocks == 0 || !link->has_blocks || threads > MOST_THREADS || blocks > MOST_THREADS ||
                      blocks * threads > MOST_THREADS))
    return false;
  for (int i = 0; i < 3; i++)
    local[i] = runs_threads ? 1 : block[i];
  link->block = size_of_block(launch) | (runs_loops ? blocks << 48 : 0);
  link->blocks = size_of_grid(launch);
  return true;
}

bool vptr__chain_plan_add(vptr__chain_plan *plan, const vptr__function *function, const vptr__launch *launch) {
  const vptr__image_kernel *image = function->image;
  vptr__chain_link link = { .function = function, .offset = plan->bytes, .bytes = image->parameter_bytes };
  uint32_t local[3];
  if (plan->count == VPTR__CHAIN_LINKS || !may_be_link(function, launch) ||
      !fit_shape(plan->mapper, function, launch, &link, local))
    return false;
  const uint64_t end =
      vptr__align_up((uint64_t)plan->bytes + link.bytes, UNIT) + UNIT * ((uint64_t)link.has_block + link.has_blocks);
  const uint64_t text = plan->text + vptr__part_own_bytes(function);
  const bool is_first = plan->count == 0;
  if (end > VPTR__CHAIN_BYTES || text > MOST_TEXT || plan->shared + image->shared > plan->mapper->device->local_bytes)
    return false;
  if (is_first ? !is_device_fit(plan->mapper)
               : function->module != plan->links[0].function->module || memcmp(local, plan->local, sizeof local) != 0)
    return false;
  memcpy(plan->local, local, sizeof local);
  plan->links[plan->count++] = link;
  plan->bytes = (uint32_t)end;
  plan->text = text;
  plan->shared += image->shared;
  plan->own += image->private_bytes + (link.has_blocks ? image->loops_bytes : 0);
  return true;
}

/* ---- chains --------------------------------------------------------------------------------------------- */

/* What is the same for all launches of a link lies behind its arguments. */
static void set_hidden(vptr__chain *chain) {
  for (uint32_t i = 0; i < chain->plan.count; i++) {
    const vptr__chain_link *link = &chain->plan.links[i];
    unsigned char *at = chain->arguments + link->offset + vptr__align_up(link->bytes, UNIT);
    if (link->has_block)
      memcpy(at, &link->block, UNIT);
    if (link->has_blocks)
      memcpy(at + (link->has_block ? UNIT : 0), &link->blocks, UNIT);
  }
}

static vptr_status load(vptr__chain *chain) {
  char *text;
  size_t length;
  vptr_status status = vptr__chain_text(&chain->plan, &text, &length);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__module_load(text, length, &chain->module);
  vptr__memory_free(text);
  return status;
}

static vptr_status build(vptr__chain *chain) {
  const uint32_t whole[3] = { 0, 0, 0 };
  vptr__kernel *kernel;
  chain->function = vptr__module_function(chain->module, VPTR__CHAIN_ENTRY);
  const vptr__forms forms = vptr__forms_for(chain->function, chain->plan.mapper->device, chain->plan.local);
  return vptr__kernel_get(chain->function, chain->plan.mapper, whole, forms, 0, &kernel);
}

bool vptr__chain_is_like(const vptr__chain *chain, const vptr__chain_plan *plan) {
  bool is_like = chain->plan.mapper == plan->mapper && chain->plan.generation == plan->generation &&
                 chain->plan.count == plan->count;
  for (uint32_t i = 0; i < plan->count && is_like; i++) {
    const vptr__chain_link *one = &chain->plan.links[i], *other = &plan->links[i];
    is_like = one->function == other->function && one->block == other->block && one->blocks == other->blocks;
  }
  return is_like;
}

vptr_status vptr__chain_make(const vptr__chain_plan *plan, const vptr__chain *other, vptr__chain **chain_out) {
  vptr__chain *chain = vptr__memory_calloc(1, sizeof *chain);
  if (chain == NULL)
    return vptr__error_host_memory(sizeof *chain);
  chain->plan = *plan;
  set_hidden(chain);
  vptr_status status = VPTR_SUCCESS;
  if (other != NULL)
    chain->function = other->function;
  else
    status = load(chain);
  if (status == VPTR_SUCCESS && other == NULL)
    status = build(chain);
  if (status == VPTR_SUCCESS)
    *chain_out = chain;
  else
    vptr__chain_free(chain);
  return status;
}

bool vptr__chain_set(vptr__chain *chain, uint32_t link, const vptr__function *function, const vptr__launch *launch) {
  const vptr__chain_link *at = &chain->plan.links[link];
  const bool is_same = function == at->function && !launch->is_cooperative && launch->shared == 0 &&
                       size_of_block(launch) == (at->block & SIZE_MASK) && size_of_grid(launch) == at->blocks;
  if (is_same && at->bytes > 0)
    memcpy(chain->arguments + at->offset, launch->packed, at->bytes);
  return is_same;
}

vptr_status vptr__chain_send(vptr__chain *chain, vptr__stream *stream, const char *what) {
  vptr__launch launch = { .what = what,
                          .grid = { 1, 1, 1 },
                          .packed = chain->arguments,
                          .packed_size = sizeof chain->arguments,
                          .is_of_graph = true };
  memcpy(launch.block, chain->plan.local, sizeof launch.block);
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  const vptr__device *device = mapper->device;
  vptr_status status = VPTR_ERROR_NOT_READY;
  vptr__device_hold(device);
  if (mapper->device->generation == chain->plan.generation)
    status = vptr__function_launch(chain->function, stream, &launch);
  vptr__device_let_go(device);
  return status;
}

void vptr__chain_free(vptr__chain *chain) {
  if (chain == NULL)
    return;
  vptr__module_leave(chain->module, VPTR__LEAVING_WHEN_UNUSED);
  vptr__memory_free(chain);
}
