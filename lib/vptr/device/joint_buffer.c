/* SPDX-License-Identifier: MIT */
/*
 * joint_buffer - buffers of a joint device (joint.h): handles with a place on each member where bytes are at home.
 *
 * One of joint->stripe_from bytes or more is cut into as many stripes as there are members, so that it has the memory
 * of all of them and its copies go over all links. A smaller one is at home on one member, the first that has room:
 * kernels take several buffers, and those lie together so. Homes are made with the buffer, and stay; other places come
 * when commands need them (joint_use.c).
 *
 * What would have to be one object of one driver's, or the host's memory itself, there is not: parts of buffers,
 * buffers one behind the other, mapped and shared memory, addresses. Each is refused or said to be missing, and those
 * above have other ways.
 *
 * A handle counts its references; places and spans are guarded by vptr__joint.lock, of rank LEAF, once others know the
 * buffer. Handles are made here, and freed with the last reference. Called by joint.c, which has its table filled;
 * through the device's table; by joint_move.c and joint_kernel.c, whose commands hold buffers; and by transfer/bulk.c,
 * which asks for lanes. Who calls through the table are folders of lib/vptr and lib/cudart. To make one may wait for a
 * member, as that does.
 */
#include "device/joint.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/lane.h"

/* ---- life ------------------------------------------------------------------------------------------------- */

static void free_buffer(vptr__joint *joint, vptr__joint_buffer *buffer) {
  for (unsigned i = 0; i < joint->count; i++)
    if (buffer->places[i].inner != NULL)
      joint->members[i]->ops->memory.release(joint->members[i], buffer->places[i].inner);
  vptr__memory_free(buffer->spans);
  vptr__memory_free(buffer);
}

void vptr__joint_buffer_keep(vptr__joint_buffer *buffer) {
  atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed);
}

void vptr__joint_buffer_drop(vptr__joint *joint, vptr__joint_buffer *buffer) {
  if (atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_acq_rel) == 1)
    free_buffer(joint, buffer);
}

/* Of which all bytes are said to be nobody's. */
static vptr__joint_buffer *make_handle(size_t bytes) {
  vptr__joint_buffer *buffer = vptr__memory_calloc(1, sizeof *buffer);
  if (buffer == NULL || !vptr__joint_spans_make(buffer, 0)) {
    vptr__memory_free(buffer);
    vptr__error_host_memory(sizeof *buffer);
    return NULL;
  }
  atomic_init(&buffer->references, 1);
  buffer->bytes = bytes;
  return buffer;
}

/* NULL: its bytes need not have a value. */
static vptr_status make_place(vptr__joint *joint, vptr__joint_buffer *buffer, unsigned member, size_t begin,
                              size_t end, const unsigned char *byte) {
  vptr__device *device = joint->members[member];
  vptr__joint_place place = { .begin = begin, .end = end };
  vptr_status status = byte != NULL ? device->ops->memory.create_set(device, end - begin, *byte, &place.inner)
                                    : device->ops->memory.create(device, end - begin, &place.inner);
  if (status == VPTR_SUCCESS)
    buffer->places[member] = place;
  return status;
}

static vptr_status make_stripes(vptr__joint *joint, vptr__joint_buffer *buffer, const unsigned char *byte) {
  vptr_status status = VPTR_SUCCESS;
  buffer->stripe = vptr__align_up((buffer->bytes + joint->count - 1) / joint->count, VPTR__JOINT_PAGE);
  for (size_t at = 0; at < buffer->bytes && status == VPTR_SUCCESS; at += buffer->stripe)
    status = make_place(joint, buffer, (unsigned)(at / buffer->stripe), at, vptr__joint_home_end(buffer, at), byte);
  return status;
}

/* On the first member that has room; what the last one says is said. */
static vptr_status make_whole(vptr__joint *joint, vptr__joint_buffer *buffer, const unsigned char *byte) {
  vptr_status status = VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  buffer->stripe = buffer->bytes;
  vptr__error_try();
  for (unsigned i = 0; i < joint->count && status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY; i++) {
    status = make_place(joint, buffer, i, 0, buffer->bytes, byte);
    if (status == VPTR_SUCCESS)
      buffer->first = i;
  }
  return vptr__error_tried(status);
}

static vptr_status make_buffer(vptr__joint *joint, size_t bytes, const unsigned char *byte, cl_mem *buffer_out) {
  vptr__joint_buffer *buffer = make_handle(bytes);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr_status status =
      bytes >= joint->stripe_from ? make_stripes(joint, buffer, byte) : make_whole(joint, buffer, byte);
  if (status != VPTR_SUCCESS) {
    free_buffer(joint, buffer);
    return status;
  }
  *buffer_out = (cl_mem)buffer;
  return status;
}

static vptr_status create(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  return make_buffer(device->joint, bytes, NULL, buffer_out);
}

/* Nobody else knows the buffer yet. */
static vptr_status create_set(vptr__device *device, size_t bytes, unsigned char byte, cl_mem *buffer_out) {
  vptr__joint *joint = device->joint;
  vptr_status status = make_buffer(joint, bytes, &byte, buffer_out);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__joint_buffer *buffer = vptr__joint_buffer_of(*buffer_out);
  size_t pieces = 0;
  for (size_t at = 0; at < bytes; at = vptr__joint_home_end(buffer, at))
    pieces++;
  if (!vptr__joint_spans_promise(buffer, pieces)) {
    free_buffer(joint, buffer);
    return vptr__error_host_memory(sizeof *buffer->spans);
  }
  for (size_t at = 0, end; at < bytes; at = end) {
    end = vptr__joint_home_end(buffer, at);
    vptr__joint_spans_change(buffer, at, end, 0, UINT32_C(1) << vptr__joint_home(buffer, at));
  }
  return status;
}

/* Kernels only read it, so each member has it. */
static vptr_status create_of(vptr__device *device, const void *bytes, size_t size, cl_mem *buffer_out) {
  vptr__joint *joint = device->joint;
  vptr__joint_buffer *buffer = make_handle(size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr_status status = VPTR_SUCCESS;
  buffer->stripe = size;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++) {
    cl_mem inner = NULL;
    status = joint->members[i]->ops->memory.create_of(joint->members[i], bytes, size, &inner);
    buffer->places[i] = (vptr__joint_place){ inner, 0, size };
  }
  buffer->spans[0].valid = (UINT32_C(1) << joint->count) - 1;
  if (status == VPTR_SUCCESS)
    *buffer_out = (cl_mem)buffer;
  else
    free_buffer(joint, buffer);
  return status;
}

static void retain(vptr__device *device, cl_mem buffer) {
  (void)device;
  vptr__joint_buffer_keep(vptr__joint_buffer_of(buffer));
}

static void release(vptr__device *device, cl_mem buffer) {
  vptr__joint_buffer_drop(device->joint, vptr__joint_buffer_of(buffer));
}

static bool is_shared(vptr__device *device, cl_mem buffer) {
  (void)device;
  return atomic_load(&vptr__joint_buffer_of(buffer)->references) > 1;
}

/* ---- what there is not ------------------------------------------------------------------------------------ */

static vptr_status create_row(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out) {
  (void)part_bytes, (void)row_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%zu bytes are more than one buffer of %s may have (%llu), and there are no buffers one behind "
                     "the other on it: allocate less at once",
                     bytes, device->name, (unsigned long long)device->max_buffer_bytes);
}

static vptr_status create_sub(vptr__device *device, cl_mem root, size_t origin, size_t size, cl_mem *buffer_out) {
  (void)root, (void)buffer_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "bytes %zu to %zu of a buffer of %s are no buffer of their own: its members have the bytes; "
                     "unset VPTR_STRIPE",
                     origin, origin + size, device->name);
}

static vptr_status create_sub_set(vptr__device *device, cl_mem root, size_t origin, size_t size, unsigned char byte,
                                  cl_mem *buffer_out) {
  (void)byte;
  return create_sub(device, root, origin, size, buffer_out);
}

static vptr_status size_of(vptr__device *device, cl_mem buffer, size_t *bytes_out) {
  (void)bytes_out;
  return vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT,
      "%p is a buffer of one OpenCL context, and %s has those of several: copy it, or unset VPTR_STRIPE",
      (void *)buffer, device->name);
}

static vptr_status refuse_mapping(const vptr__device *device) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s shows none of its memory to the host: copy it", device->name);
}

static vptr_status map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                       void **host_out) {
  (void)buffer, (void)offset, (void)size, (void)access, (void)host_out;
  return refuse_mapping(device);
}

static vptr_status unmap(vptr__device *device, cl_mem buffer, void *host) {
  (void)buffer, (void)host;
  return refuse_mapping(device);
}

static vptr_status takes_addresses(vptr__device *device, bool *takes_out) {
  (void)device;
  *takes_out = false;
  return VPTR_SUCCESS;
}

static vptr_status address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)buffer, (void)address_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s tells no addresses: each of its members has others", device->name);
}

static vptr_status share_host(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  (void)buffer_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%zu bytes at %p cannot be memory of %s itself: its members have copies",
                     size, host, device->name);
}

static bool takes_system(vptr__device *device) {
  (void)device;
  return false;
}

/* ---- lanes ------------------------------------------------------------------------------------------------ */

_Static_assert((int)VPTR__LANES_MOST >= (int)VPTR__JOINT_MOST, "a lane for each member");

unsigned vptr__joint_lane_count(const vptr__device *device) {
  return device->joint->count;
}

vptr__device *vptr__joint_lane_device(const vptr__device *device, unsigned lane) {
  return device->joint->members[lane];
}

/* All that is at home on one member alone is its lane's. */
size_t vptr__joint_lane_end(cl_mem handle, size_t offset, size_t size, unsigned lane) {
  const vptr__joint_buffer *buffer = vptr__joint_buffer_of(handle);
  if (lane < buffer->first)
    return 0;
  const size_t behind = lane - buffer->first + 1;
  if (behind > buffer->bytes / buffer->stripe)
    return size;
  const size_t end = behind * buffer->stripe;
  return end <= offset ? 0 : vptr__smaller(end - offset, size);
}

/* ---- host memory that is made fit ------------------------------------------------------------------------- */

typedef struct joint_pin {
  bool has[VPTR__JOINT_MOST];
  cl_mem pins[VPTR__JOINT_MOST];
} joint_pin;

static void unpin_host(vptr__device *device, cl_mem handle, void *host) {
  joint_pin *pin = (joint_pin *)handle;
  vptr__joint *joint = device->joint;
  if (pin == NULL)
    return;
  for (unsigned i = 0; i < joint->count; i++)
    if (pin->has[i] && pin->pins[i] != NULL)
      joint->members[i]->ops->memory.unpin_host(joint->members[i], pin->pins[i], host);
  vptr__memory_free(pin);
}

/* For all members, as each may copy from there. */
static vptr_status pin_host(vptr__device *device, void *host, size_t size, cl_mem *pin_out) {
  vptr__joint *joint = device->joint;
  joint_pin *pin = vptr__memory_calloc(1, sizeof *pin);
  if (pin == NULL)
    return vptr__error_host_memory(sizeof *pin);
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++) {
    status = joint->members[i]->ops->memory.pin_host(joint->members[i], host, size, &pin->pins[i]);
    pin->has[i] = status == VPTR_SUCCESS;
  }
  if (status == VPTR_SUCCESS)
    *pin_out = (cl_mem)pin;
  else
    unpin_host(device, (cl_mem)pin, host);
  return status;
}

void vptr__joint_buffer_ops(vptr__device_ops *ops) {
  ops->memory.create = create;
  ops->memory.create_set = create_set;
  ops->memory.create_of = create_of;
  ops->memory.row_create = create_row;
  ops->memory.retain = retain;
  ops->memory.release = release;
  ops->memory.is_shared = is_shared;
  ops->memory.create_sub = create_sub;
  ops->memory.create_sub_set = create_sub_set;
  ops->memory.size = size_of;
  ops->memory.map = map;
  ops->memory.unmap = unmap;
  ops->memory.takes_addresses = takes_addresses;
  ops->memory.address = address;
  ops->memory.pin_host = pin_host;
  ops->memory.unpin_host = unpin_host;
  ops->memory.share_host = share_host;
  ops->memory.takes_system = takes_system;
}
