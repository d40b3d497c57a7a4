/* SPDX-License-Identifier: MIT */
/*
 * opencl_buffer - OpenCL buffers, made so that they have their memory.
 *
 * OpenCL lets a driver put off finding memory until a buffer is first used, and they do: the error would then come
 * from some innocent copy. A buffer is committed here by writing its first byte and waiting for that, which reports a
 * full device. Migrating it would be some microseconds cheaper, but NVIDIA's driver (580) signals that a migration is
 * complete while it still works on the buffer: eight threads that then used their new buffers on another queue crashed
 * it nearly every time.
 *
 * Devices that live in the host's memory need more, PoCL above all. There the system promises more memory than it has,
 * so that nothing is ever refused; so the bytes of such buffers are counted here, and no more are made than such a
 * device says it has. They are asked for by CL_MEM_ALLOC_HOST_PTR, which makes PoCL find the memory when the buffer is
 * created: when its later attempt fails, it ends the process by an assertion (3.1). A budget (device/budget.h) has
 * the buffers of other devices counted likewise. Who finds the count full waits a moment for what was released and is
 * not destroyed yet.
 *
 * No locks: the static `counts` has one count for the host's memory, and one for each other device with a budget,
 * whose members are atomic; a device is entered there for good. Called through the device's table (opencl.c) by
 * whoever makes, retains or releases a buffer: the files of lib/vptr/heap, lib/vptr/transfer and lib/cudart,
 * mapper/memory.c, report.c, texel_table.c and translation_table.c, mirror/backing.c, stream/word.c, opencl_image.c,
 * fake_image.c, proxy_ahead.c, proxy_apart.c, proxy_buffer.c, proxy_merge.c, proxy_plan.c and proxy_stock.c; by
 * opencl.c, when a device is opened; by opencl_fill.c, for parts; by opencl_span.c, which counts; and by the driver,
 * when a buffer is no more; and by joint_buffer.c, joint_image.c, joint_move.c and joint_use.c. Making one waits until
 * it has its memory, but not with bytes that kernels only read, which the driver copies.
 */
#include "device/budget.h"
#include "device/opencl.h"

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/number.h"
#include "base/page.h"

enum { LEAST_DROPPED = 1 << 20 /* what is smaller is filled sooner than the system is asked */ };

enum { MOST_COUNTS = 64, HOST_COUNT = 1 /* of what lies in the host's memory */ };

/* Bytes of live buffers, over all that share the memory. A buffer counts until the driver destroys it, which is when
 * its last reference goes, and may be long after vptr let go of it. */
static struct {
  _Atomic(cl_device_id) of;
  atomic_uint_least64_t bytes;
  vptr__budget_due due;
} counts[MOST_COUNTS];

/* ---- counting ------------------------------------------------------------------------------------------- */

/* Those who open a device twice have its memory once. What finds no count any more shares the last. */
static unsigned count_for(cl_device_id id) {
  for (unsigned i = HOST_COUNT + 1; i < MOST_COUNTS - 1; i++) {
    cl_device_id none = NULL;
    if (atomic_compare_exchange_strong(&counts[i].of, &none, id) || none == id)
      return i;
  }
  return MOST_COUNTS - 1;
}

void vptr__opencl_count_buffers(vptr__opencl *opencl) {
  if (opencl->device.host_unified)
    opencl->counter = HOST_COUNT;
  else if (opencl->device.has_budget)
    opencl->counter = count_for(opencl->device.cl_device);
}

static bool try_to_take(const vptr__opencl *opencl, size_t bytes) {
  atomic_uint_least64_t *count = &counts[opencl->counter].bytes;
  uint_least64_t taken = atomic_load(count), most = opencl->device.memory_bytes;
  do {
    if (taken > most || bytes > most - taken)
      return false;
  } while (!atomic_compare_exchange_weak(count, &taken, taken + bytes));
  return true;
}

bool vptr__opencl_count_take(const vptr__opencl *opencl, size_t bytes) {
  const vptr__budget_due *due = &counts[opencl->counter].due;
  uint64_t before;
  bool taken;
  do {
    before = vptr__budget_due_now(due);
    taken = try_to_take(opencl, bytes);
  } while (!taken && vptr__budget_awaits(due, before));
  return taken;
}

/* Which count, above bytes that no address space exceeds. */
enum { BYTES_BITS = 56 };

static void *ticket_of(unsigned counter, size_t bytes) {
  return (void *)(uintptr_t)((uint64_t)counter << BYTES_BITS | bytes);
}

static unsigned counter_of(void *ticket) {
  return (unsigned)((uintptr_t)ticket >> BYTES_BITS);
}

static size_t bytes_of(void *ticket) {
  return (uintptr_t)ticket & ((UINT64_C(1) << BYTES_BITS) - 1);
}

static void give_bytes(void *ticket) {
  atomic_fetch_sub(&counts[counter_of(ticket)].bytes, bytes_of(ticket));
}

void *vptr__opencl_count_ticket(const vptr__opencl *opencl, size_t bytes) {
  return ticket_of(opencl->counter, bytes);
}

void vptr__opencl_count_give(void *ticket) {
  give_bytes(ticket);
}

uint64_t vptr__opencl_count_used(const vptr__opencl *opencl) {
  return atomic_load(&counts[opencl->counter].bytes);
}

static void CL_CALLBACK on_buffer_destroyed(cl_mem buffer, void *ticket) {
  (void)buffer;
  give_bytes(ticket);
}

static void CL_CALLBACK on_due_destroyed(cl_mem buffer, void *ticket) {
  (void)buffer;
  vptr__budget_returned(&counts[counter_of(ticket)].due, bytes_of(ticket));
}

/* Of a whole buffer, with the last reference to it. */
static void let_go(const vptr__opencl *opencl, cl_mem buffer) {
  cl_mem whole = NULL;
  size_t bytes;
  if (clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL) != CL_SUCCESS ||
      whole != NULL || clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
    return;
  vptr__budget_due *due = &counts[opencl->counter].due;
  vptr__budget_let_go(due, bytes);
  if (clSetMemObjectDestructorCallback(buffer, on_due_destroyed, ticket_of(opencl->counter, bytes)) != CL_SUCCESS)
    vptr__budget_returned(due, bytes);
}

/* ---- making --------------------------------------------------------------------------------------------- */

static cl_int commit_buffer(vptr__opencl *opencl, cl_mem buffer) {
  const unsigned char byte = 0;
  return clEnqueueWriteBuffer(opencl->service, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL);
}

/* Where memory is the host's, an untouched page is zero and costs nothing, and a fill would touch them all: a program
 * that allocates much and uses little of it would need the machine's memory for it. So the system is asked to take
 * the pages back, whoever had them before. It does so for private memory, which is seen by the first byte and the
 * last; false: it was not that, and has to be filled. */
static bool drop_pages(unsigned char *host, size_t bytes) {
  uintptr_t page = vptr__page_bytes(), begin = (uintptr_t)host, end = begin + bytes;
  volatile unsigned char *first = (unsigned char *)vptr__align_up(begin, page);
  volatile unsigned char *behind = (unsigned char *)vptr__page_begin(end);
  *first = behind[-1] = 1;
  if (madvise((void *)(uintptr_t)first, (size_t)(behind - first), MADV_DONTNEED) != 0 || *first != 0 ||
      behind[-1] != 0)
    return false;
  memset(host, 0, (uintptr_t)first - begin);
  memset((void *)(uintptr_t)behind, 0, end - (uintptr_t)behind);
  return true;
}

static bool commit_untouched(vptr__opencl *opencl, cl_mem buffer, size_t bytes) {
  cl_int code;
  cl_event event;
  void *host = clEnqueueMapBuffer(opencl->service, buffer, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
  if (code != CL_SUCCESS)
    return false;
  bool done = drop_pages(host, bytes);
  code = clEnqueueUnmapMemObject(opencl->service, buffer, host, 0, NULL, &event);
  if (code != CL_SUCCESS) /* once more: a buffer that stays mapped keeps its memory for good */
    code = clEnqueueUnmapMemObject(opencl->service, buffer, host, 0, NULL, &event);
  if (code == CL_SUCCESS)
    code = vptr__opencl_await(event);
  return done && code == CL_SUCCESS;
}

/* A fill finds the memory as a write does. */
static cl_int commit_set(vptr__opencl *opencl, cl_mem buffer, size_t bytes, unsigned char byte) {
  cl_event event;
  if (opencl->device.host_unified && byte == 0 && bytes >= LEAST_DROPPED && commit_untouched(opencl, buffer, bytes))
    return CL_SUCCESS;
  cl_int code = vptr__opencl_set_whole(&opencl->device, opencl->service, buffer, bytes, byte, &event);
  return code == CL_SUCCESS ? vptr__opencl_await(event) : code;
}

static cl_int create_cl_buffer(vptr__opencl *opencl, cl_mem_flags flags, size_t bytes, cl_mem *buffer_out) {
  cl_int code;
  *buffer_out = clCreateBuffer(opencl->device.cl_context, CL_MEM_READ_WRITE | flags, bytes, NULL, &code);
  return code;
}

/* Makes a buffer that counts. Its bytes have been taken; they are given back if there will be no buffer. */
static cl_int create_counted(vptr__opencl *opencl, size_t bytes, cl_mem *buffer_out) {
  const cl_mem_flags flags = opencl->device.host_unified ? CL_MEM_ALLOC_HOST_PTR : 0;
  void *ticket = ticket_of(opencl->counter, bytes);
  cl_int code = create_cl_buffer(opencl, flags, bytes, buffer_out);
  if (code == CL_SUCCESS) {
    code = clSetMemObjectDestructorCallback(*buffer_out, on_buffer_destroyed, ticket);
    if (code != CL_SUCCESS)
      clReleaseMemObject(*buffer_out);
  }
  if (code != CL_SUCCESS)
    give_bytes(ticket);
  return code;
}

/* A buffer that was not committed yet. */
static vptr_status create_for(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr_status status = vptr__device_check_size(device, bytes);
  if (status != VPTR_SUCCESS)
    return status;
  if (opencl->counter != 0 && !vptr__opencl_count_take(opencl, bytes))
    return vptr__device_refuse_full(device, bytes, atomic_load(&counts[opencl->counter].bytes));
  cl_int code = opencl->counter != 0 ? create_counted(opencl, bytes, buffer_out)
                                     : create_cl_buffer(opencl, 0, bytes, buffer_out);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__device_refuse(device, code, bytes);
}

/* What became of the attempt to commit it. */
static vptr_status finish_creation(vptr__device *device, size_t bytes, cl_mem buffer, cl_int code,
                                   cl_mem *buffer_out) {
  if (code != CL_SUCCESS) {
    clReleaseMemObject(buffer);
    return vptr__device_refuse(device, code, bytes);
  }
  *buffer_out = buffer;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_buffer_create(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  cl_mem buffer = NULL;
  vptr_status status = create_for(device, bytes, &buffer);
  return status == VPTR_SUCCESS
             ? finish_creation(device, bytes, buffer, commit_buffer(vptr__opencl_of(device), buffer), buffer_out)
             : status;
}

vptr_status vptr__opencl_buffer_create_set(vptr__device *device, size_t bytes, unsigned char byte,
                                           cl_mem *buffer_out) {
  cl_mem buffer = NULL;
  vptr_status status = create_for(device, bytes, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  return finish_creation(device, bytes, buffer, commit_set(vptr__opencl_of(device), buffer, bytes, byte), buffer_out);
}

/* Few and small, so they do not count. */
vptr_status vptr__opencl_buffer_of(vptr__device *device, const void *bytes, size_t size, cl_mem *buffer_out) {
  cl_int code;
  cl_mem buffer = clCreateBuffer(device->cl_context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size,
                                 (void *)(uintptr_t)bytes, &code);
  if (code != CL_SUCCESS)
    return vptr__device_refuse(device, code, size);
  *buffer_out = buffer;
  return VPTR_SUCCESS;
}

void vptr__opencl_buffer_retain(vptr__device *device, cl_mem buffer) {
  (void)device;
  clRetainMemObject(buffer);
}

void vptr__opencl_buffer_release(vptr__device *device, cl_mem buffer) {
  const vptr__opencl *opencl = vptr__opencl_of(device);
  if (opencl->counter != 0 && !vptr__opencl_buffer_is_shared(device, buffer))
    let_go(opencl, buffer);
  clReleaseMemObject(buffer);
}

/* A driver that cannot say counts as nobody's but ours: the buffer is released then as it always was. */
bool vptr__opencl_buffer_is_shared(vptr__device *device, cl_mem buffer) {
  (void)device;
  cl_uint references = 1;
  return clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL) == CL_SUCCESS &&
         references > 1;
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

static cl_int find_whole(cl_mem buffer, cl_mem *whole_out, size_t *offset_out) {
  *whole_out = NULL;
  *offset_out = 0;
  cl_int code = clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof *whole_out, whole_out, NULL);
  if (code == CL_SUCCESS && *whole_out != NULL)
    code = clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof *offset_out, offset_out, NULL);
  if (*whole_out == NULL)
    *whole_out = buffer;
  return code;
}

/* Flags of 0 take over those of the root, which may be a read-only buffer that was attached. */
cl_int vptr__opencl_part(cl_mem buffer, size_t origin, size_t size, cl_mem *part_out) {
  cl_mem whole;
  size_t offset;
  cl_int code = find_whole(buffer, &whole, &offset);
  if (code != CL_SUCCESS)
    return code;
  const cl_buffer_region region = { offset + origin, size };
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (code == CL_SUCCESS)
    *part_out = part;
  return code;
}

vptr_status vptr__opencl_sub_buffer(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                    cl_mem *buffer_out) {
  (void)device;
  cl_int code = vptr__opencl_part(root, origin, size, buffer_out);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making a sub-buffer of %zu bytes at offset %zu", size, origin);
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_sub_buffer_set(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                        unsigned char byte, cl_mem *buffer_out) {
  cl_mem buffer = NULL;
  cl_event event;
  vptr_status status = vptr__opencl_sub_buffer(device, root, origin, size, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  cl_int code = vptr__opencl_set_whole(device, vptr__opencl_of(device)->service, buffer, size, byte, &event);
  if (code == CL_SUCCESS)
    code = vptr__opencl_await(event);
  return finish_creation(device, size, buffer, code, buffer_out);
}

vptr_status vptr__opencl_buffer_size(vptr__device *device, cl_mem buffer, size_t *bytes_out) {
  if (buffer == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the buffer is NULL");
  cl_mem_object_type type;
  cl_context context;
  size_t bytes;
  cl_int code = clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL);
  if (code == CL_SUCCESS)
    code = clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL);
  if (code == CL_SUCCESS)
    code = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  if (code == CL_INVALID_MEM_OBJECT)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is not an OpenCL memory object", (void *)buffer);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking the buffer %p for its size", (void *)buffer);
  if (type != CL_MEM_OBJECT_BUFFER)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is an image or a pipe; only buffers have addresses",
                       (void *)buffer);
  if (context != device->cl_context)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the buffer %p is of another OpenCL context than the mapper",
                       (void *)buffer);
  *bytes_out = bytes;
  return VPTR_SUCCESS;
}
