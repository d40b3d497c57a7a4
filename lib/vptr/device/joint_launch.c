/* SPDX-License-Identifier: MIT */
/*
 * joint_launch - how a queue's thread of a joint device (joint.h) runs a kernel.
 *
 * Nobody knows what a kernel reaches of the buffers that it is given, unless the launch says so; so one member runs it,
 * and has all of them then, or what it says: the one that has most of those bytes. What it may write is its own from
 * then on, what it only reads others keep. A launch that is divided (joint_divide.c) has parts, which begin together,
 * run on their members at once, and are over when all are.
 *
 * A launch belongs to its queue's thread, from sending to the end. Members' kernels are set and sent under
 * vptr__joint_kernel.lock, of rank MAPPING; who has which bytes is asked under vptr__joint.lock, of rank LEAF. Called
 * by joint_kernel.c, which sends launches; a queue's thread runs them, and waits for members.
 */
#include "device/joint.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"

typedef struct launch {
  vptr__joint_command command;
  vptr__joint_kernel *kernel; /* held */
  size_t offset[3], global[3], local[3];
  unsigned axis;         /* that it may be divided along, from 1; 0: along none */
  const char *why;       /* it is not divided, though it may; NULL: it is, or may not */
  vptr__joint_use *uses; /* of all parts, one behind the other */
  vptr__joint_part parts[VPTR__JOINT_MOST];
  unsigned part_count; /* 1: the member is chosen when it runs */
  unsigned argument_count;
  vptr__joint_argument arguments[];
} launch;

/* ---- which member ----------------------------------------------------------------------------------------- */

/* That a member has; of what nobody wrote yet, those at home there. */
static size_t bytes_of_use(const vptr__joint_use *use, unsigned member) {
  size_t sum = 0, next;
  for (size_t at = use->begin; at < use->end; at = next) {
    const uint32_t valid = vptr__joint_spans_at(use->buffer, at, use->end, &next);
    if (valid == 0)
      next = vptr__smaller(next, vptr__joint_home_end(use->buffer, at));
    if (valid != 0 ? (valid >> member & 1) != 0 : vptr__joint_home(use->buffer, at) == member)
      sum += next - at;
  }
  return sum;
}

/* What need not be brought there, and what is there and will be overwritten. */
typedef struct share {
  size_t needed, overwritten;
} share;

static share share_of(vptr__joint *joint, const vptr__joint_part *part, unsigned member) {
  share sum = { 0, 0 };
  vptr__lock_take(&joint->lock);
  for (size_t i = 0; i < part->use_count; i++)
    *(part->uses[i].overwrites ? &sum.overwritten : &sum.needed) += bytes_of_use(&part->uses[i], member);
  vptr__lock_give(&joint->lock);
  return sum;
}

/* Of equals the first. */
static unsigned choose_member(vptr__joint *joint, const vptr__joint_part *part) {
  unsigned best = 0;
  share most = { 0, 0 };
  for (unsigned i = 0; i < joint->count; i++) {
    const share here = share_of(joint, part, i);
    if (here.needed < most.needed || (here.needed == most.needed && here.overwritten <= most.overwritten))
      continue;
    best = i;
    most = here;
  }
  return best;
}

static void place_whole(vptr__joint *joint, vptr__joint_part *whole) {
  whole->member = choose_member(joint, whole);
  for (size_t i = 0; i < whole->use_count; i++)
    whole->uses[i].member = whole->member;
}

/* ---- running ---------------------------------------------------------------------------------------------- */

static const vptr__joint_use *use_of(const vptr__joint_part *part, const vptr__joint_buffer *buffer) {
  size_t i = 0;
  while (part->uses[i].buffer != buffer)
    i++;
  return &part->uses[i];
}

/* The offset behind an argument that has a reach, counted from where the member's buffer begins; below its first byte
 * for layers that other parts have. */
static vptr_status set_offset(vptr__device *device, cl_kernel kernel, const launch *it, const vptr__joint_part *part,
                              unsigned index) {
  const vptr__joint_argument *before = &it->arguments[index - 1];
  cl_ulong offset;
  memcpy(&offset, it->arguments[index].few, sizeof offset);
  offset -= use_of(part, before->buffer)->inner_begin;
  return device->ops->kernel.arg_value(device, kernel, index, &offset, sizeof offset);
}

static bool is_offset(const launch *it, unsigned index) {
  return index > 0 && it->arguments[index].size == sizeof(cl_ulong) &&
         it->arguments[index - 1].kind == VPTR__JOINT_BUFFER && it->arguments[index - 1].reach.end > 0;
}

static vptr_status set_argument(vptr__device *device, cl_kernel kernel, const launch *it,
                                const vptr__joint_part *part, unsigned index) {
  const vptr__joint_argument *argument = &it->arguments[index];
  switch (argument->kind) {
  case VPTR__JOINT_BUFFER:
    return device->ops->kernel.arg_buffer(device, kernel, index,
                                          argument->buffer != NULL ? use_of(part, argument->buffer)->inner : NULL);
  case VPTR__JOINT_VALUE:
    if (is_offset(it, index))
      return set_offset(device, kernel, it, part, index);
    return device->ops->kernel.arg_value(device, kernel, index,
                                         argument->more != NULL ? argument->more : argument->few, argument->size);
  case VPTR__JOINT_LOCAL:
    return device->ops->kernel.arg_local(device, kernel, index, argument->size);
  default:
    return VPTR_SUCCESS;
  }
}

static vptr_status enqueue_part(vptr__joint_flight *flight, const launch *it, const vptr__joint_part *part,
                                cl_event *event) {
  vptr__device *device = flight->joint->members[part->member];
  size_t offset[3], global[3];
  memcpy(offset, it->offset, sizeof offset);
  memcpy(global, it->global, sizeof global);
  if (it->part_count > 1) {
    offset[it->axis - 1] = part->first;
    global[it->axis - 1] = part->count * it->local[it->axis - 1];
  }
  return device->ops->kernel.enqueue(device, flight->queue->inner[part->member], it->kernel->inner[part->member],
                                     offset, global, it->local, event);
}

static void send_part(vptr__joint_flight *flight, const launch *it, const vptr__joint_part *part) {
  vptr__device *device = flight->joint->members[part->member];
  vptr_status status = VPTR_SUCCESS;
  cl_event *event = vptr__joint_flight_room(flight);
  if (event == NULL)
    return;
  vptr__lock_take(&it->kernel->lock);
  for (unsigned i = 0; i < it->argument_count && status == VPTR_SUCCESS; i++)
    status = set_argument(device, it->kernel->inner[part->member], it, part, i);
  if (status == VPTR_SUCCESS)
    status = enqueue_part(flight, it, part, event);
  vptr__lock_give(&it->kernel->lock);
  vptr__joint_flight_add(flight, part->member, status);
}

static void log_launch(const vptr__joint *joint, const launch *it) {
  if (it->why != NULL)
    vptr__log(VPTR__LOG_DECISION, "kernel %s is not divided: %s", it->kernel->name, it->why);
  for (unsigned i = 0; i < it->part_count; i++) {
    const vptr__joint_part *part = &it->parts[i];
    const char *name = joint->members[part->member]->name;
    if (it->part_count == 1)
      vptr__log(VPTR__LOG_DECISION, "kernel %s runs on member %u of %s, %s", it->kernel->name, part->member,
                joint->face.name, name);
    else
      vptr__log(VPTR__LOG_DECISION, "kernel %s: blocks %zu to %zu along %c run on member %u of %s, %s",
                it->kernel->name, part->first, part->first + part->count - 1, "xyz"[it->axis - 1], part -> member,
                joint -> face.name, name);
  }
}

/* The uses of all parts begin together, and so they end. */
static vptr_status run_launch(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_command *command) {
  launch *it = (launch *)command;
  vptr__joint_flight flight = { .joint = joint, .queue = queue };
  size_t uses = 0;
  if (it->part_count == 1)
    place_whole(joint, &it->parts[0]);
  for (unsigned i = 0; i < it->part_count; i++)
    uses += it->parts[i].use_count;
  vptr_status status = vptr__joint_uses_begin(joint, queue, it->uses, uses);
  if (status != VPTR_SUCCESS)
    return status;
  log_launch(joint, it);
  for (unsigned i = 0; i < it->part_count; i++)
    send_part(&flight, it, &it->parts[i]);
  status = vptr__joint_flight_end(&flight);
  vptr__joint_uses_end(joint, it->uses, uses, status == VPTR_SUCCESS);
  return status;
}

/* ---- sending ---------------------------------------------------------------------------------------------- */

static void drop_launch(vptr__joint *joint, vptr__joint_command *command) {
  launch *it = (launch *)command;
  for (unsigned i = 0; i < it->argument_count; i++)
    vptr__joint_argument_drop(joint, &it->arguments[i]);
  vptr__joint_kernel_drop(joint, it->kernel);
  vptr__memory_free(it->uses);
  vptr__memory_free(it);
}

static bool copy_arguments(launch *it, const vptr__joint_kernel *kernel) {
  for (unsigned i = 0; i < kernel->argument_count; i++) {
    if (!vptr__joint_argument_copy(&it->arguments[i], &kernel->arguments[i]))
      return false;
    it->argument_count++;
  }
  return true;
}

/* Room for all arguments of each part, since each may be a buffer. */
static launch *make_launch(const vptr__joint *joint, vptr__joint_kernel *kernel) {
  const size_t count = kernel->argument_count;
  launch *it = vptr__memory_calloc(1, sizeof *it + count * sizeof it->arguments[0]);
  if (it == NULL)
    return NULL;
  it->command = (vptr__joint_command){ .run = run_launch, .drop = drop_launch };
  it->kernel = kernel;
  it->axis = kernel->axis;
  atomic_fetch_add_explicit(&kernel->references, 1, memory_order_relaxed);
  it->uses = vptr__memory_calloc(count * (it->axis > 0 ? joint->count : 1) + 1, sizeof *it->uses);
  return it;
}

/* What a member cannot have at once is refused when it is sent, with words. */
static vptr_status check_size(const vptr__joint *joint, const launch *it) {
  uint64_t need = 0, most = 0;
  for (size_t i = 0; i < it->parts[0].use_count; i++)
    need += it->uses[i].end - it->uses[i].begin;
  for (unsigned i = 0; i < joint->count; i++)
    most = vptr__larger(most, joint->members[i]->memory_bytes);
  if (need <= most)
    return VPTR_SUCCESS;
  return vptr__error(
      VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
      "kernel %s takes buffers of %llu bytes, and one member of %s, of at most %llu bytes, has to have "
      "them all to run it: launch it on less, or say what it reaches (vptr_cuda_launch_ranges())",
      it->kernel->name, (unsigned long long)need, joint->face.name, (unsigned long long)most);
}

/* One behind the other, as they begin and end together. */
static void pack_uses(launch *it) {
  size_t used = 0;
  for (unsigned i = 0; i < it->part_count; i++) {
    vptr__joint_part *part = &it->parts[i];
    memmove(it->uses + used, part->uses, part->use_count * sizeof *part->uses);
    part->uses = it->uses + used;
    used += part->use_count;
  }
}

static void make_parts(const vptr__joint *joint, launch *it) {
  const size_t layers = it->axis > 0 ? it->global[it->axis - 1] / it->local[it->axis - 1] : 1;
  if (it->axis > 0)
    it->part_count =
        vptr__joint_divide(joint, it->arguments, it->argument_count, layers, it->parts, it->uses, &it->why);
  if (it->part_count == 0) {
    it->parts[0] = (vptr__joint_part){ .count = layers };
    vptr__joint_part_fill(&it->parts[0], it->arguments, it->argument_count, layers, it->uses);
    it->part_count = 1;
  }
  pack_uses(it);
}

vptr_status vptr__joint_launch(vptr__joint *joint, cl_command_queue queue, vptr__joint_kernel *kernel,
                               const size_t offset[3], const size_t global[3], const size_t local[3],
                               cl_event *event_out) {
  launch *it = make_launch(joint, kernel);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  if (it->uses == NULL || !copy_arguments(it, kernel)) {
    drop_launch(joint, &it->command);
    return vptr__error_host_memory(sizeof *it->uses);
  }
  memcpy(it->offset, offset, sizeof it->offset);
  memcpy(it->global, global, sizeof it->global);
  memcpy(it->local, local, sizeof it->local);
  make_parts(joint, it);
  vptr_status status = it->part_count == 1 ? check_size(joint, it) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    return vptr__joint_send(vptr__joint_queue_of(queue), &it->command, event_out);
  drop_launch(joint, &it->command);
  return status;
}
