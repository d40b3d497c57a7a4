/* SPDX-License-Identifier: MIT */
/*
 * fake - see fake.h.
 *
 * A handle is not a pointer but a number: the place in a table of buffers, and how often that place was taken.
 * So a handle that was released, or never made, is told apart from a live one without looking at any memory,
 * and misuse stops with a sentence instead of a crash somewhere else. All fake devices of a process are the
 * same device, as two contexts on one GPU are: they share its memory.
 *
 * One lock guards it all and is held while bytes move: that is the in-order queue.
 */
#include "device/fake.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEFAULT_BYTES ((uint64_t)64 << 30)

enum { ALIGNMENT = 512, LARGEST_PATTERN = 128 };

typedef struct fake_buffer {
  unsigned char *memory; /* a sub-buffer's lies in that of its root */
  size_t bytes;
  cl_mem root;         /* of a sub-buffer, which holds a reference to it; else NULL */
  unsigned references; /* 0: the place is free */
  uint32_t generation; /* how often the place was given away: half of the handle */
  uint32_t next_free;  /* of a free place */
} fake_buffer;

#define NO_PLACE UINT32_MAX

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static fake_buffer *places; /* plays the driver's memory, so it comes from malloc() and not base/memory */
static uint32_t place_count;
static uint32_t first_free = NO_PLACE;
static vptr__fake_counts counts;
static long fail_after; /* operations until one fails; 0: none will */
static cl_int fail_code;

/* ---- handles -------------------------------------------------------------------------------------------- */

__attribute__((noreturn, format(printf, 1, 2))) static void misused(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("vptr: fake device misused: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

static cl_mem handle_of(uint32_t place) {
  return (cl_mem)(uintptr_t)((uint64_t)places[place].generation << 32 | (place + 1));
}

/* The live buffer that a handle means, or NULL. Under the lock. */
static fake_buffer *look_up(cl_mem handle) {
  uint32_t place = (uint32_t)((uintptr_t)handle & UINT32_MAX) - 1;
  if (place >= place_count || places[place].references == 0 || handle_of(place) != handle)
    return NULL;
  return &places[place];
}

static fake_buffer *must_look_up(cl_mem handle, const char *operation) {
  fake_buffer *buffer = look_up(handle);
  if (buffer == NULL)
    misused("%s of %p, which is no live buffer", operation, (void *)handle);
  return buffer;
}

/* The bytes [offset, offset + size) of a buffer. */
static unsigned char *must_reach(cl_mem handle, size_t offset, size_t size, const char *operation) {
  fake_buffer *buffer = must_look_up(handle, operation);
  if (offset > buffer->bytes || size > buffer->bytes - offset)
    misused("%s of %zu bytes at offset %zu of a buffer of %zu bytes", operation, size, offset, buffer->bytes);
  return buffer->memory + offset;
}

/* Makes sure that a place is free. */
static bool have_place(void) {
  if (first_free != NO_PLACE)
    return true;
  uint32_t count = place_count == 0 ? 64 : place_count * 2;
  fake_buffer *grown = realloc(places, count * sizeof *grown);
  if (grown == NULL)
    return false;
  memset(grown + place_count, 0, (count - place_count) * sizeof *grown);
  for (uint32_t place = place_count; place < count; place++)
    grown[place].next_free = place + 1 < count ? place + 1 : NO_PLACE;
  first_free = place_count;
  places = grown;
  place_count = count;
  return true;
}

/* Takes the free place that have_place() made sure of. */
static cl_mem take_place(unsigned char *memory, size_t bytes, cl_mem root) {
  uint32_t place = first_free;
  first_free = places[place].next_free;
  places[place] = (fake_buffer){
    .memory = memory, .bytes = bytes, .root = root, .references = 1, .generation = places[place].generation + 1
  };
  return handle_of(place);
}

static void drop_reference(cl_mem handle) {
  fake_buffer *buffer = must_look_up(handle, "release");
  if (--buffer->references > 0)
    return;
  cl_mem root = buffer->root;
  if (root == NULL) {
    munmap(buffer->memory, buffer->bytes);
    counts.buffers--;
    counts.bytes -= buffer->bytes;
  } else {
    counts.sub_buffers--;
  }
  buffer->next_free = first_free;
  first_free = (uint32_t)(buffer - places);
  if (root != NULL)
    drop_reference(root);
}

/* ---- operations ----------------------------------------------------------------------------------------- */

/* Every operation that may fail begins here: takes the lock, counts, and tells the code it shall fail with. */
static cl_int begin(void) {
  vptr__lock_take(&lock);
  counts.operations++;
  return fail_after > 0 && --fail_after == 0 ? fail_code : CL_SUCCESS;
}

static void end(void) {
  vptr__lock_give(&lock);
}

static vptr_status answer(cl_int code, const char *operation) {
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "fake device: %s", operation);
}

/* Makes a buffer on a device of `limit` bytes. Under the lock. */
static cl_int make_buffer(size_t bytes, uint64_t limit, cl_mem *buffer_out) {
  if (bytes == 0 || bytes > limit)
    return CL_INVALID_BUFFER_SIZE;
  if (counts.bytes > limit - bytes || !have_place())
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  counts.buffers++;
  counts.bytes += bytes;
  *buffer_out = take_place(memory, bytes, NULL);
  return CL_SUCCESS;
}

static vptr_status fake_buffer_create(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  cl_int code = begin();
  if (code == CL_SUCCESS)
    code = make_buffer(bytes, device->memory_bytes, buffer_out);
  uint64_t used = counts.bytes;
  end();
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
    return vptr__device_refuse_full(device, bytes, used);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__device_refuse(device, code, bytes);
}

static void fake_buffer_retain(vptr__device *device, cl_mem buffer) {
  (void)device;
  vptr__lock_take(&lock);
  must_look_up(buffer, "retain")->references++;
  vptr__lock_give(&lock);
}

static void fake_buffer_release(vptr__device *device, cl_mem buffer) {
  (void)device;
  vptr__fake_buffer_release(buffer);
}

static vptr_status fake_sub_buffer(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                   cl_mem *buffer_out) {
  cl_int code = begin();
  unsigned char *memory = must_reach(root, origin, size, "sub-buffer");
  if (size == 0 || origin % device->alignment != 0)
    misused("sub-buffer of %zu bytes at offset %zu, which is not aligned to %zu", size, origin, device->alignment);
  if (look_up(root)->root != NULL)
    misused("sub-buffer of a sub-buffer");
  if (code == CL_SUCCESS && !have_place())
    code = CL_OUT_OF_HOST_MEMORY;
  if (code == CL_SUCCESS) {
    look_up(root)->references++;
    counts.sub_buffers++;
    *buffer_out = take_place(memory, size, root);
  }
  end();
  return answer(code, "making a sub-buffer");
}

static vptr_status fake_buffer_size(vptr__device *device, cl_mem buffer, size_t *bytes_out) {
  (void)device;
  cl_int code = begin();
  const fake_buffer *found = look_up(buffer);
  size_t bytes = found != NULL ? found->bytes : 0;
  end();
  if (code != CL_SUCCESS)
    return answer(code, "asking for a buffer's size");
  if (bytes == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is not a buffer of the fake device", (void *)buffer);
  *bytes_out = bytes;
  return VPTR_SUCCESS;
}

static vptr_status fake_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size) {
  (void)device;
  cl_int code = begin();
  unsigned char *to = must_reach(buffer, offset, size, "write");
  if (code == CL_SUCCESS && size > 0) {
    memcpy(to, from, size);
    counts.written += size;
  }
  end();
  return answer(code, "writing");
}

static vptr_status fake_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  (void)device;
  cl_int code = begin();
  const unsigned char *from = must_reach(buffer, offset, size, "read");
  if (code == CL_SUCCESS && size > 0) {
    memcpy(to, from, size);
    counts.read += size;
  }
  end();
  return answer(code, "reading");
}

static vptr_status fake_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                             size_t size) {
  (void)device;
  cl_int code = begin();
  const unsigned char *source = must_reach(from, from_offset, size, "copy");
  unsigned char *target = must_reach(to, to_offset, size, "copy");
  if (source < target + size && target < source + size)
    misused("copy of %zu bytes between ranges that overlap", size);
  if (code == CL_SUCCESS) {
    memcpy(target, source, size);
    counts.copied += size;
  }
  end();
  return answer(code, "copying");
}

static vptr_status fake_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                             size_t pattern_size) {
  (void)device;
  cl_int code = begin();
  unsigned char *to = must_reach(buffer, offset, size, "fill");
  if (pattern_size == 0 || pattern_size > LARGEST_PATTERN || (pattern_size & (pattern_size - 1)) != 0)
    misused("fill with a pattern of %zu bytes", pattern_size);
  if (offset % pattern_size != 0 || size % pattern_size != 0)
    misused("fill of %zu bytes at offset %zu with a pattern of %zu bytes", size, offset, pattern_size);
  if (code == CL_SUCCESS && pattern_size == 1)
    memset(to, *(const unsigned char *)pattern, size);
  else if (code == CL_SUCCESS)
    for (size_t i = 0; i < size; i += pattern_size)
      memcpy(to + i, pattern, pattern_size);
  if (code == CL_SUCCESS)
    counts.filled += size;
  end();
  return answer(code, "filling");
}

/* What a device without kernels and without memory in common with the host cannot do. */
static vptr_status cannot(const char *what) {
  cl_int code = begin();
  end();
  if (code != CL_SUCCESS)
    return answer(code, what);
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "the fake device cannot do it: %s; choose a real one by VPTR_PLATFORM",
                     what);
}

static vptr_status fake_map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                            void **host_out) {
  (void)device, (void)buffer, (void)offset, (void)size, (void)access, (void)host_out;
  return cannot("mapping its memory");
}

static vptr_status fake_unmap(vptr__device *device, cl_mem buffer, void *host) {
  (void)device, (void)buffer, (void)host;
  return cannot("unmapping its memory");
}

static vptr_status fake_finish(vptr__device *device) {
  (void)device;
  cl_int code = begin();
  end();
  return answer(code, "waiting for the work in flight");
}

static vptr_status fake_queue(vptr__device *device, cl_command_queue queue) {
  (void)device;
  cl_int code = begin();
  end();
  if (code != CL_SUCCESS)
    return answer(code, "naming a queue");
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no queue of the fake device, which has none", (void *)queue);
}

static vptr_status fake_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  (void)device, (void)kernel, (void)index, (void)buffer;
  return cannot("setting a kernel argument");
}

static vptr_status fake_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                  size_t size) {
  (void)device, (void)kernel, (void)index, (void)value, (void)size;
  return cannot("setting a kernel argument");
}

static vptr_status fake_arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  (void)device, (void)kernel, (void)index, (void)address;
  return cannot("setting a kernel argument");
}

static vptr_status fake_buffer_address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device, (void)buffer, (void)address_out;
  return cannot("telling a device address");
}

static void fake_close(vptr__device *device) {
  vptr__memory_free(device);
}

static const vptr__device_ops fake_ops = {
  .buffer_create = fake_buffer_create,
  .buffer_retain = fake_buffer_retain,
  .buffer_release = fake_buffer_release,
  .sub_buffer = fake_sub_buffer,
  .buffer_size = fake_buffer_size,
  .write = fake_write,
  .read = fake_read,
  .copy = fake_copy,
  .fill = fake_fill,
  .map = fake_map,
  .unmap = fake_unmap,
  .finish = fake_finish,
  .queue_use = fake_queue,
  .queue_drop = fake_queue,
  .arg_buffer = fake_arg_buffer,
  .arg_value = fake_arg_value,
  .arg_address = fake_arg_address,
  .buffer_address = fake_buffer_address,
  .close = fake_close,
};

vptr_status vptr__device_open_fake(vptr__device **device_out) {
  vptr__device *device = vptr__memory_calloc(1, sizeof *device);
  if (device == NULL)
    return vptr__error_host_memory(sizeof *device);
  device->ops = &fake_ops;
  strcpy(device->name, "fake device");
  strcpy(device->platform, "fake");
  strcpy(device->vendor, "vptr");
  strcpy(device->version, "none");
  strcpy(device->driver, VPTR_VERSION_STRING);
  device->type = CL_DEVICE_TYPE_GPU;
  device->memory_bytes = vptr__option_number(VPTR__OPTION_FAKE_BYTES, DEFAULT_BYTES);
  device->max_buffer_bytes = device->memory_bytes;
  device->alignment = ALIGNMENT;
  device->trusts_max_buffer = true;
  *device_out = device;
  return VPTR_SUCCESS;
}

/* ---- for tests ------------------------------------------------------------------------------------------ */

void vptr__fake_get_counts(vptr__fake_counts *counts_out) {
  vptr__lock_take(&lock);
  *counts_out = counts;
  vptr__lock_give(&lock);
}

void vptr__fake_fail_nth(long n, cl_int code) {
  vptr__lock_take(&lock);
  fail_after = n;
  fail_code = code;
  vptr__lock_give(&lock);
}

cl_mem vptr__fake_buffer_make(vptr__device *device, size_t bytes) {
  cl_mem buffer = NULL;
  vptr__lock_take(&lock);
  make_buffer(bytes, device->memory_bytes, &buffer);
  vptr__lock_give(&lock);
  return buffer;
}

unsigned vptr__fake_buffer_references(cl_mem handle) {
  vptr__lock_take(&lock);
  const fake_buffer *buffer = look_up(handle);
  unsigned references = buffer != NULL ? buffer->references : 0;
  vptr__lock_give(&lock);
  return references;
}

void vptr__fake_buffer_release(cl_mem handle) {
  vptr__lock_take(&lock);
  drop_reference(handle);
  vptr__lock_give(&lock);
}
