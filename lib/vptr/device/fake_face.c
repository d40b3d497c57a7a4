/* SPDX-License-Identifier: MIT */
/*
 * fake_face - what OpenCL's loader finds behind a buffer's handle, so that programs may call clReleaseMemObject() and
 * its kin with what vptr_retain_buffer() gave them, as on any device.
 *
 * The loader takes a handle for the address of an object that begins with a table of functions. Such a word is the
 * face of a buffer: one for each place of the handles' table and each of many times that the place was given away, so
 * that a released handle is still told from the next one's.
 *
 * Retaining, releasing and asking is all that a program can do with a fake buffer, since there is no fake queue for it;
 * the rest is misuse and stops with a sentence. The static `faces` has them all; `was_tried`, whether they were made;
 * `functions` is the table that each begins with. The fake device's mutex (fake_driver.h) guards the three. Called by
 * fake_table.c, which makes handles, with that mutex held, and by OpenCL's loader, without it.
 */
#include "device/fake_driver.h"

#include <CL/cl_icd.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACES = 1 << 16, GENERATIONS = 1 << 10 };

typedef cl_int entry(void);

static cl_int refuse_call(void) {
  vptr__fake_misused("OpenCL called with a buffer of the fake device, for more than to retain, release or ask");
}

static cl_int CL_API_CALL retain_buffer(cl_mem buffer) {
  vptr__fake_lock();
  vptr__fake_buffer_keep(buffer);
  vptr__fake_unlock();
  return CL_SUCCESS;
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer) {
  vptr__fake_buffer_release(buffer);
  return CL_SUCCESS;
}

static cl_int CL_API_CALL get_buffer_info(cl_mem buffer, cl_mem_info what, size_t room, void *value,
                                          size_t *size_out) {
  const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  const cl_uint references = vptr__fake_buffer_references(buffer);
  vptr__fake_lock();
  const size_t bytes = vptr__fake_buffer_bytes(buffer);
  vptr__fake_unlock();
  const void *from = what == CL_MEM_TYPE              ? (const void *)&type
                     : what == CL_MEM_SIZE            ? (const void *)&bytes
                     : what == CL_MEM_REFERENCE_COUNT ? (const void *)&references
                                                      : NULL;
  size_t size = what == CL_MEM_TYPE ? sizeof type : what == CL_MEM_SIZE ? sizeof bytes : sizeof references;
  if (references == 0)
    return CL_INVALID_MEM_OBJECT;
  if (from == NULL || (value != NULL && room < size))
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy(value, from, size);
  if (size_out != NULL)
    *size_out = size;
  return CL_SUCCESS;
}

static union {
  cl_icd_dispatch table;
  entry *entries[sizeof(cl_icd_dispatch) / sizeof(entry *)];
} functions;

static const void **faces;
static bool was_tried;

/* The fake device's mutex guards them. */
static bool have_faces(void) {
  if (was_tried)
    return faces != NULL;
  was_tried = true;
  for (size_t i = 0; i < sizeof functions.entries / sizeof *functions.entries; i++)
    functions.entries[i] = refuse_call;
  functions.table.clRetainMemObject = retain_buffer;
  functions.table.clReleaseMemObject = release_buffer;
  functions.table.clGetMemObjectInfo = get_buffer_info;
  void *memory = mmap(NULL, (size_t)PLACES * GENERATIONS * sizeof *faces, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  faces = memory != MAP_FAILED ? memory : NULL;
  return faces != NULL;
}

void *vptr__fake_face(uint32_t number, uint64_t generation) {
  if (number > PLACES || !have_faces())
    return NULL;
  const void **face = &faces[(size_t)(generation % GENERATIONS) * PLACES + number - 1];
  *face = &functions;
  return (void *)face;
}

uint32_t vptr__fake_face_number(const void *handle) {
  size_t at = (uintptr_t)handle - (uintptr_t)faces;
  bool is_face = faces != NULL && at < (size_t)PLACES * GENERATIONS * sizeof *faces;
  return is_face ? (uint32_t)(at / sizeof *faces % PLACES) + 1 : 0;
}
