/* SPDX-License-Identifier: MIT */
/*
 * fake_buffer - buffers of the fake device.
 *
 * Their memory is mapped and not touched, so that sizes beyond the machine's are fine as long as nobody writes there;
 * and unmapped when the last reference goes, so that a use after that crashes at once.
 *
 * The fake device's mutex (fake_driver.h) guards them. They are in the static table `buffers`, those with hidden memory
 * also in the list `first_shown`; `hides_memory` is whether new ones are; `late` has the bytes of those that are gone,
 * and that a driver would not have destroyed yet. Called by fake.c, fake_command.c, fake_kernel.c and fake_face.c, with
 * the mutex held; and by tests, fake.c and fake_face.c without it, for the functions of fake.h, which take it.
 * vptr__fake_buffer_await() gives the mutex back while it waits.
 */
#include "device/budget.h"
#include "device/fake_driver.h"
#include "device/row.h"

#include "base/clock.h"
#include "base/number.h"
#include "base/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct fake_buffer {
  unsigned char *memory; /* a sub-buffer's lies in that of its root */
  size_t bytes;
  unsigned char *shown;           /* NULL; or addresses without access, which are what kernels have it at */
  struct fake_buffer *next_shown; /* of roots alone */
  bool is_host_memory;            /* the memory is the host's */
  vptr__row *row;                 /* NULL; or what the memory is a part of */
  cl_mem root;                    /* of a sub-buffer, which holds a reference to it; else NULL */
  unsigned references;
} fake_buffer;

static vptr__fake_table buffers = { .kind = 1, .has_faces = true };

static bool hides_memory;
static fake_buffer *first_shown; /* roots with hidden memory */

/* Bytes that a driver is late with, first those that are over first. */
enum { MOST_LATE = 256 };

static struct {
  struct {
    uint64_t at; /* ns of the clock */
    size_t bytes;
  } each[MOST_LATE];
  size_t first, count; /* a ring */
  uint64_t delay_ns;
  vptr__budget_due due;
} late;

static fake_buffer *must_find(cl_mem handle, const char *operation) {
  fake_buffer *buffer = vptr__fake_table_find(&buffers, handle);
  if (buffer == NULL)
    vptr__fake_misused("%s of %p, which is no live buffer", operation, (void *)handle);
  return buffer;
}

/* A buffer object of these bytes, or NULL if there is no memory for it. */
static cl_mem add_buffer(unsigned char *memory, size_t bytes, cl_mem root) {
  fake_buffer *buffer = malloc(sizeof *buffer);
  if (buffer == NULL)
    return NULL;
  *buffer = (fake_buffer){ .memory = memory, .bytes = bytes, .root = root, .references = 1 };
  cl_mem handle = vptr__fake_table_add(&buffers, buffer);
  if (handle == NULL)
    free(buffer);
  return handle;
}

static void show_at(fake_buffer *buffer, unsigned char *shown) {
  buffer->shown = shown;
  buffer->next_shown = first_shown;
  first_shown = buffer;
}

/* Where a new buffer's memory is said to be. */
static bool show_elsewhere(fake_buffer *buffer) {
  void *shown = mmap(NULL, buffer->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shown == MAP_FAILED)
    return false;
  show_at(buffer, shown);
  return true;
}

static void stop_showing(fake_buffer *buffer) {
  fake_buffer **link = &first_shown;
  while (*link != buffer)
    link = &(*link)->next_shown;
  *link = buffer->next_shown;
}

static void unmap_memory(fake_buffer *buffer) {
  if (buffer->shown != NULL)
    stop_showing(buffer);
  if (buffer->row != NULL) {
    vptr__row_give(buffer->row, (size_t)(buffer->memory - buffer->row->pages) / buffer->row->part_bytes);
    return;
  }
  munmap(buffer->memory, buffer->bytes);
  if (buffer->shown != NULL)
    munmap(buffer->shown, buffer->bytes);
}

static void settle_late(void) {
  while (late.count > 0 && (late.delay_ns == 0 || late.each[late.first].at <= vptr__clock_ns())) {
    size_t bytes = late.each[late.first].bytes;
    late.first = (late.first + 1) % MOST_LATE;
    late.count--;
    vptr__fake_counted.bytes -= bytes;
    vptr__budget_returned(&late.due, bytes);
  }
}

/* Of a buffer that is gone. */
static void give_bytes(size_t bytes) {
  if (late.delay_ns == 0 || late.count == MOST_LATE) {
    vptr__fake_counted.bytes -= bytes;
    return;
  }
  size_t at = (late.first + late.count++) % MOST_LATE;
  late.each[at].at = vptr__clock_ns() + late.delay_ns;
  late.each[at].bytes = bytes;
  vptr__budget_let_go(&late.due, bytes);
}

cl_int vptr__fake_buffer_new(size_t bytes, uint64_t limit, cl_mem *buffer_out) {
  if (bytes == 0 || bytes > limit)
    return CL_INVALID_BUFFER_SIZE;
  if (vptr__fake_counted.bytes > limit - bytes)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  cl_mem buffer = add_buffer(memory, bytes, NULL);
  if (buffer == NULL) {
    munmap(memory, bytes);
    return CL_OUT_OF_HOST_MEMORY;
  }
  vptr__fake_counted.buffers++;
  vptr__fake_counted.bytes += bytes;
  if (hides_memory && !show_elsewhere(must_find(buffer, "making"))) {
    vptr__fake_buffer_drop(buffer);
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  *buffer_out = buffer;
  return CL_SUCCESS;
}

vptr_status vptr__fake_row_make(size_t bytes, size_t part_bytes, vptr__row **row_out) {
  return vptr__row_make(bytes, part_bytes, hides_memory, row_out);
}

cl_int vptr__fake_buffer_in_row(vptr__row *row, size_t index, uint64_t limit, unsigned char byte,
                                cl_mem *buffer_out) {
  const size_t at = index * row->part_bytes, bytes = vptr__row_part_bytes(row, index);
  settle_late();
  if (bytes > limit)
    return CL_INVALID_BUFFER_SIZE;
  if (vptr__fake_counted.bytes > limit - bytes || !vptr__row_take(row, index, byte))
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  cl_mem handle = add_buffer(row->pages + at, bytes, NULL);
  if (handle == NULL) {
    vptr__row_give(row, index);
    return CL_OUT_OF_HOST_MEMORY;
  }
  fake_buffer *made = must_find(handle, "making");
  made->row = row;
  vptr__fake_counted.buffers++;
  vptr__fake_counted.bytes += bytes;
  if (row->shown != NULL)
    show_at(made, row->shown + at);
  *buffer_out = handle;
  return CL_SUCCESS;
}

cl_int vptr__fake_buffer_part(cl_mem root, size_t origin, size_t size, size_t alignment, cl_mem *buffer_out) {
  unsigned char *memory = vptr__fake_buffer_reach(root, origin, size, "sub-buffer");
  if (size == 0 || origin % alignment != 0)
    vptr__fake_misused("sub-buffer of %zu bytes at offset %zu, which is not aligned to %zu", size, origin, alignment);
  fake_buffer *whole = must_find(root, "sub-buffer");
  cl_mem part = add_buffer(memory, size, root);
  if (part == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  if (whole->shown != NULL)
    must_find(part, "sub-buffer")->shown = whole->shown + origin;
  whole->references++;
  vptr__fake_counted.sub_buffers++;
  *buffer_out = part;
  return CL_SUCCESS;
}

cl_int vptr__fake_buffer_borrow(void *host, size_t bytes, cl_mem *buffer_out) {
  cl_mem made = add_buffer(host, bytes, NULL);
  if (made == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  must_find(made, "borrowing")->is_host_memory = true;
  vptr__fake_counted.host_buffers++;
  *buffer_out = made;
  return CL_SUCCESS;
}

cl_int vptr__fake_buffer_await(size_t bytes, uint64_t limit, cl_mem *buffer_out) {
  for (;;) {
    uint64_t before = vptr__budget_due_now(&late.due);
    settle_late();
    cl_int code = vptr__fake_buffer_new(bytes, limit, buffer_out);
    if (code != CL_MEM_OBJECT_ALLOCATION_FAILURE)
      return code;
    vptr__fake_unlock();
    bool is_due = vptr__budget_awaits(&late.due, before);
    vptr__fake_lock();
    if (!is_due)
      return code;
  }
}

void vptr__fake_buffer_keep(cl_mem buffer) {
  must_find(buffer, "retain")->references++;
}

void vptr__fake_buffer_drop(cl_mem handle) {
  fake_buffer *buffer = must_find(handle, "release");
  if (--buffer->references > 0)
    return;
  cl_mem root = buffer->root;
  if (root != NULL) {
    vptr__fake_counted.sub_buffers--;
  } else if (buffer->is_host_memory) {
    vptr__fake_counted.host_buffers--;
  } else {
    unmap_memory(buffer);
    vptr__fake_counted.buffers--;
    give_bytes(buffer->bytes);
  }
  vptr__fake_table_remove(&buffers, handle);
  free(buffer);
  if (root != NULL)
    vptr__fake_buffer_drop(root);
}

size_t vptr__fake_buffer_bytes(cl_mem handle) {
  const fake_buffer *buffer = vptr__fake_table_find(&buffers, handle);
  return buffer != NULL ? buffer->bytes : 0;
}

unsigned char *vptr__fake_buffer_reach(cl_mem handle, size_t offset, size_t size, const char *operation) {
  const fake_buffer *buffer = must_find(handle, operation);
  if (offset > buffer->bytes || size > buffer->bytes - offset)
    vptr__fake_misused("%s of %zu bytes at offset %zu of a buffer of %zu bytes", operation, size, offset,
                       buffer->bytes);
  return buffer->memory + offset;
}

void vptr__fake_buffer_set(cl_mem handle, unsigned char byte) {
  const fake_buffer *buffer = must_find(handle, "filling");
  unsigned char *end = buffer->memory + buffer->bytes;
  unsigned char *first = (unsigned char *)vptr__align_up((uintptr_t)buffer->memory, vptr__page_bytes());
  unsigned char *behind = (unsigned char *)vptr__page_begin((uintptr_t)end);
  if (byte != 0 || first >= behind || madvise(first, (size_t)(behind - first), MADV_DONTNEED) != 0) {
    memset(buffer->memory, byte, buffer->bytes);
    return;
  }
  memset(buffer->memory, 0, (size_t)(first - buffer->memory));
  memset(behind, 0, (size_t)(end - behind));
}

cl_mem vptr__fake_buffer_whole(cl_mem handle, size_t *offset_out) {
  const fake_buffer *buffer = must_find(handle, "a part");
  *offset_out = buffer->root != NULL ? (size_t)(buffer->memory - must_find(buffer->root, "a part")->memory) : 0;
  return buffer->root != NULL ? buffer->root : handle;
}

uint64_t vptr__fake_buffer_address(cl_mem handle) {
  const fake_buffer *buffer = must_find(handle, "asking for the address");
  return (uintptr_t)(buffer->shown != NULL ? buffer->shown : buffer->memory);
}

/* ---- for tests ------------------------------------------------------------------------------------------ */

cl_mem vptr__fake_buffer_make(vptr__device *device, size_t bytes) {
  cl_mem buffer = NULL;
  vptr__fake_lock();
  vptr__fake_buffer_new(bytes, device->memory_bytes, &buffer);
  vptr__fake_unlock();
  return buffer;
}

unsigned vptr__fake_buffer_references(cl_mem handle) {
  vptr__fake_lock();
  const fake_buffer *buffer = vptr__fake_table_find(&buffers, handle);
  unsigned references = buffer != NULL ? buffer->references : 0;
  vptr__fake_unlock();
  return references;
}

void vptr__fake_buffer_release(cl_mem handle) {
  vptr__fake_lock();
  vptr__fake_buffer_drop(handle);
  vptr__fake_unlock();
}

void vptr__fake_destroy_late(unsigned delay_us) {
  vptr__fake_lock();
  late.delay_ns = (uint64_t)delay_us * 1000;
  settle_late();
  vptr__fake_unlock();
}

void vptr__fake_hide_memory(bool hides) {
  vptr__fake_lock();
  hides_memory = hides;
  vptr__fake_unlock();
}

void *vptr__fake_at(uint64_t address) {
  void *found = NULL;
  vptr__fake_lock();
  for (const fake_buffer *buffer = first_shown; buffer != NULL && found == NULL; buffer = buffer->next_shown)
    if (address - (uintptr_t)buffer->shown < buffer->bytes)
      found = buffer->memory + (address - (uintptr_t)buffer->shown);
  vptr__fake_unlock();
  return found;
}
