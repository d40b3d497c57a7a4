/* SPDX-License-Identifier: MIT */
/* mirrors - see mirrors.h. */
#include "mirrors.h"

#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"

vptr_mapper *mapper;
vptr__mirror *mirror;
size_t page;
volatile unsigned char *host;

void mirrors_begin(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 34;
  support_succeed(vptr_mapper_create(&config, &mapper));
  page = (size_t)sysconf(_SC_PAGESIZE);
}

void mirrors_setup(void) {
  mirrors_begin();
  support_succeed(vptr__mirror_create(mapper, PAGES * page, &mirror));
  host = vptr__mirror_host(mirror);
}

void mirrors_end(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_fail_command(0, CL_SUCCESS);
  support_succeed(vptr_mapper_destroy(mapper));
}

void mirrors_teardown(void) {
  vptr__mirror_destroy(mirror);
  mirrors_end();
}

vptr__mirror_counts mirrors_counts(void) {
  vptr__mirror_counts now;
  vptr__mirror_get_counts(mirror, &now);
  return now;
}

vptr_status mirrors_acquire_all(vptr__mirror *what, vptr_access access) {
  return vptr__mirror_acquire(what, mapper, 0, vptr__mirror_size(what), access, NULL);
}

void mirrors_acquire(vptr_access access) {
  support_succeed(mirrors_acquire_all(mirror, access));
}

void mirrors_release(void) {
  vptr__mirror_release(mirror, 0, NULL);
}

void mirrors_fill(size_t offset, size_t size, unsigned char byte) {
  vptr__device *device = mapper->device;
  support_succeed(device->ops->transfer.fill(device, vptr__mirror_buffer(mirror), offset, size, &byte, 1));
}

unsigned char mirrors_byte(size_t offset) {
  unsigned char byte = 0;
  vptr__device *device = mapper->device;
  support_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(mirror), offset, &byte, 1));
  return byte;
}

void mirrors_run(size_t offset, size_t size, unsigned char byte) {
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  mirrors_fill(offset, size, byte);
  mirrors_release();
}

void mirrors_fail_nth(int kind, long n) {
  if (kind == 0)
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  else if (kind == 1)
    vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
  else
    vptr__memory_fail_nth(n);
}

/* ---- gates ---------------------------------------------------------------------------------------------- */

void mirrors_send(vptr__stream *stream, support_gate *it, size_t at, unsigned char byte) {
  vptr__device *device = mapper->device;
  cl_command_queue queue;
  cl_event event;
  if (it != NULL)
    support_succeed(vptr__stream_host(stream, support_wait_at_gate, it));
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  support_succeed(vptr__stream_begin(stream, &queue));
  support_succeed(
      device->ops->transfer.enqueue_fill(device, queue, vptr__mirror_buffer(mirror), at, page, &byte, 1, &event));
  vptr__mirror_release(mirror, vptr__stream_id(stream), event);
  vptr__stream_end(stream);
  device->ops->event.release(device, event);
}

void *mirrors_open_later(void *context) {
  support_gate *it = context;
  usleep(20000);
  atomic_store(&it->opened, true);
  return NULL;
}
