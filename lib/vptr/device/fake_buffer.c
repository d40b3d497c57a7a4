/* SPDX-License-Identifier: MIT */
/*
 * fake_buffer - buffers of the fake device.
 *
 * Their memory is mapped and not touched, so that sizes beyond the machine's are fine as long as nobody writes there;
 * and unmapped when the last reference goes, so that a use after that crashes at once.
 *
 * The fake device's mutex (fake_driver.h) guards them. They are in the static table `buffers`. Called by fake.c,
 * fake_command.c, fake_kernel.c and fake_face.c, with the mutex held; and by tests, without it, for the functions of
 * fake.h.
 */
#include "device/fake_driver.h"

#include <stdlib.h>
#include <sys/mman.h>

typedef struct fake_buffer {
  unsigned char *memory; /* a sub-buffer's lies in that of its root */
  size_t bytes;
  bool is_host_memory; /* the memory is the host's */
  cl_mem root;         /* of a sub-buffer, which holds a reference to it; else NULL */
  unsigned references;
} fake_buffer;

static vptr__fake_table buffers = { .kind = 1, .has_faces = true };

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
  *buffer_out = buffer;
  return CL_SUCCESS;
}

cl_int vptr__fake_buffer_part(cl_mem root, size_t origin, size_t size, size_t alignment, cl_mem *buffer_out) {
  unsigned char *memory = vptr__fake_buffer_reach(root, origin, size, "sub-buffer");
  if (size == 0 || origin % alignment != 0)
    vptr__fake_misused("sub-buffer of %zu bytes at offset %zu, which is not aligned to %zu", size, origin, alignment);
  fake_buffer *whole = must_find(root, "sub-buffer");
  if (whole->root != NULL)
    vptr__fake_misused("sub-buffer of a sub-buffer");
  cl_mem part = add_buffer(memory, size, root);
  if (part == NULL)
    return CL_OUT_OF_HOST_MEMORY;
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
    munmap(buffer->memory, buffer->bytes);
    vptr__fake_counted.buffers--;
    vptr__fake_counted.bytes -= buffer->bytes;
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
