/* SPDX-License-Identifier: MIT */
/*
 * joint - opens and closes joint devices (joint.h), and has what they say of themselves.
 *
 * That is what holds on every member: of limits the least, of what has to be worked around all. Programs are built from
 * one text for all, so a form that only some are quicker with is not taken. Memory is the sum, and a buffer may be as
 * large as the stripes that all members can have; what a kernel takes has to fit on one.
 *
 * A vptr__joint is made here, and freed when its device is closed, as are its members then. vptr__joint.lock, of rank
 * LEAF, is made here, and guards what joint.h says. The file's own datum is the table `joint_ops`, filled once, under
 * pthread_once() (`ops_once`). Called by platform.c, which opens a joint device where VPTR_STRIPE or vptr_config wants
 * one; and by mapper/lookup.c and kernel_argument.c and stream/timing.c, which do not show its objects. To close it
 * waits for its work.
 */
#include "device/joint.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/shown.h"

static vptr__device_ops joint_ops;
static pthread_once_t ops_once = PTHREAD_ONCE_INIT;

/* ---- what it says of itself ------------------------------------------------------------------------------- */

static void narrow_capabilities(vptr__device *face, const vptr__device *member) {
  face->memory_bytes += member->memory_bytes;
  face->max_buffer_bytes = vptr__smaller(face->max_buffer_bytes, member->max_buffer_bytes);
  face->alignment = vptr__larger(face->alignment, member->alignment);
  face->has_budget |= member->has_budget;
  face->parameter_bytes = vptr__smaller(face->parameter_bytes, member->parameter_bytes);
  face->local_bytes = vptr__smaller(face->local_bytes, member->local_bytes);
  face->max_group = vptr__smaller(face->max_group, member->max_group);
  for (int i = 0; i < 3; i++)
    face->max_items[i] = vptr__smaller(face->max_items[i], member->max_items[i]);
  face->units = face->units != 0 && member->units != 0 ? (unsigned)vptr__smaller(face->units, member->units) : 0;
  face->max_global = vptr__smaller(face->max_global, member->max_global);
  face->rounds_division &= member->rounds_division;
  face->has_double &= member->has_double;
  face->registers = (unsigned)vptr__smaller(face->registers, member->registers);
  face->ptx = (unsigned)vptr__smaller(face->ptx, member->ptx);
}

static void add_quirks(vptr__device *face, const vptr__device *member) {
  face->quirk.fill_reach = vptr__smaller(face->quirk.fill_reach, member->quirk.fill_reach);
  face->quirk.loses_threads |= member->quirk.loses_threads;
  if (face->quirk.stack_bytes == 0 ||
      (member->quirk.stack_bytes != 0 && member->quirk.stack_bytes < face->quirk.stack_bytes))
    face->quirk.stack_bytes = member->quirk.stack_bytes;
  face->quirk.tells_no_group |= member->quirk.tells_no_group;
  face->tuning.fill_wide |= member->tuning.fill_wide;
  face->tuning.loops_over_threads &= member->tuning.loops_over_threads;
  face->tuning.bulk_bytes = face->tuning.bulk_bytes == 0 || member->tuning.bulk_bytes == 0
                                ? 0
                                : vptr__larger(face->tuning.bulk_bytes, member->tuning.bulk_bytes);
}

/* "2 x NAME", or "NAME + NAME". */
static void write_name(vptr__device *face, vptr__device *const *members, unsigned count) {
  bool are_alike = true;
  size_t used = 0;
  for (unsigned i = 1; i < count; i++)
    are_alike &= strcmp(members[i]->name, members[0]->name) == 0;
  if (are_alike) {
    snprintf(face->name, sizeof face->name, "%u x %.100s", count, members[0]->name);
    return;
  }
  for (unsigned i = 0; i < count && used < sizeof face->name - 1; i++)
    used +=
        (size_t)snprintf(face->name + used, sizeof face->name - used, "%s%s", i > 0 ? " + " : "", members[i]->name);
}

/* What is the joint device's own: order, events, and copies, of which none is a kernel's. */
static void describe(vptr__joint *joint) {
  vptr__device *face = &joint->face;
  *face = *joint->members[0];
  face->ops = &joint_ops;
  face->joint = joint;
  face->cl_platform = NULL;
  face->cl_device = NULL;
  face->cl_context = NULL;
  face->cl_queue = NULL;
  for (unsigned i = 1; i < joint->count; i++) {
    narrow_capabilities(face, joint->members[i]);
    add_quirks(face, joint->members[i]);
  }
  face->max_buffer_bytes = vptr__smaller(face->max_buffer_bytes, UINT64_MAX / joint->count) * joint->count;
  face->alignment = vptr__smaller(face->alignment, VPTR__JOINT_PAGE);
  face->host_unified = face->reaches_pinned = false;
  face->quirk.fails_whole = face->quirk.spoils_buffers = face->quirk.takes_early = false;
  face->quirk.begins_unflushed = true;
  face->quirk.trusts_max_buffer = true;
  face->tuning.blit_bytes = SIZE_MAX;
  face->tuning.packs_rows = face->tuning.packs_arguments = false;
  write_name(face, joint->members, joint->count);
}

vptr_status vptr__joint_refuse_object(const vptr__device *device, const char *what) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: %s is several devices, and has no object of OpenCL's that the program could use: launch its "
      "kernels by vptrcc or vptr_cuda_load(), or unset VPTR_STRIPE",
      what, device->name);
}

/* ---- life ------------------------------------------------------------------------------------------------- */

static void fill_ops(void) {
  vptr__joint_buffer_ops(&joint_ops);
  vptr__joint_transfer_ops(&joint_ops);
  vptr__joint_queue_ops(&joint_ops);
  vptr__joint_event_ops(&joint_ops);
  vptr__joint_image_ops(&joint_ops);
  vptr__joint_kernel_ops(&joint_ops);
  joint_ops.close = vptr__joint_close;
}

/* Queues first: what their threads end is told of. */
void vptr__joint_close(vptr__device *device) {
  vptr__joint *joint = device->joint;
  vptr__joint_queues_close(joint);
  vptr__joint_teller_stop(joint);
  for (unsigned i = 0; i < joint->count; i++)
    vptr__device_close(joint->members[i]);
  pthread_cond_destroy(&joint->told);
  pthread_cond_destroy(&joint->changed);
  vptr__lock_fini(&joint->lock);
  vptr__memory_free(joint);
}

vptr_status vptr__device_open_joint(vptr__device *const *members, unsigned count, size_t stripe_from,
                                    vptr__device **device_out) {
  pthread_once(&ops_once, fill_ops);
  vptr__joint *joint = vptr__memory_calloc(1, sizeof *joint);
  if (joint == NULL)
    return vptr__error_host_memory(sizeof *joint);
  vptr__lock_init(&joint->lock, VPTR__RANK_LEAF);
  pthread_cond_init(&joint->changed, NULL);
  pthread_cond_init(&joint->told, NULL);
  joint->count = count;
  joint->stripe_from = stripe_from;
  memcpy(joint->members, members, count * sizeof *members);
  describe(joint);
  vptr_status status = vptr__joint_teller_start(joint);
  if (status == VPTR_SUCCESS)
    status = vptr__joint_queue_open(joint, 0, &joint->own);
  if (status != VPTR_SUCCESS) {
    joint->count = 0; /* the members stay their owner's */
    vptr__joint_close(&joint->face);
    return status;
  }
  joint->face.cl_queue = (cl_command_queue)joint->own;
  *device_out = &joint->face;
  return VPTR_SUCCESS;
}
