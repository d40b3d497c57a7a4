/* SPDX-License-Identifier: MIT */
/*
 * layer - see layer.h.
 *
 * The table of functions that the loader gives is kept and copied; in the copy, the entry points that libvptr
 * uses lead here. Each wrapper has the same three steps: ask before() whether to fail, pass the call on, count
 * what was made or released.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "layer/layer.h"

#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct call_state {
  const char *name;
  bool spared; /* by LAYER_ANY */
} call_state;

static const call_state calls[LAYER_CALL_COUNT] = {
  [LAYER_ANY] = { "any call", true },
  [LAYER_GET_PLATFORM_IDS] = { "clGetPlatformIDs", false },
  [LAYER_GET_PLATFORM_INFO] = { "clGetPlatformInfo", false },
  [LAYER_GET_DEVICE_IDS] = { "clGetDeviceIDs", false },
  [LAYER_GET_DEVICE_INFO] = { "clGetDeviceInfo", false },
  [LAYER_CREATE_CONTEXT] = { "clCreateContext", false },
  [LAYER_RETAIN_CONTEXT] = { "clRetainContext", false },
  [LAYER_RELEASE_CONTEXT] = { "clReleaseContext", true },
  [LAYER_GET_CONTEXT_INFO] = { "clGetContextInfo", false },
  [LAYER_CREATE_COMMAND_QUEUE] = { "clCreateCommandQueue", false },
  [LAYER_CREATE_COMMAND_QUEUE_WITH_PROPERTIES] = { "clCreateCommandQueueWithProperties", false },
  [LAYER_RETAIN_COMMAND_QUEUE] = { "clRetainCommandQueue", false },
  [LAYER_RELEASE_COMMAND_QUEUE] = { "clReleaseCommandQueue", true },
  [LAYER_GET_COMMAND_QUEUE_INFO] = { "clGetCommandQueueInfo", false },
  [LAYER_CREATE_BUFFER] = { "clCreateBuffer", false },
  [LAYER_CREATE_SUB_BUFFER] = { "clCreateSubBuffer", false },
  [LAYER_RETAIN_MEM_OBJECT] = { "clRetainMemObject", true },
  [LAYER_RELEASE_MEM_OBJECT] = { "clReleaseMemObject", true },
  [LAYER_GET_MEM_OBJECT_INFO] = { "clGetMemObjectInfo", false },
  [LAYER_SET_MEM_OBJECT_DESTRUCTOR_CALLBACK] = { "clSetMemObjectDestructorCallback", false },
  [LAYER_CREATE_PROGRAM_WITH_SOURCE] = { "clCreateProgramWithSource", false },
  [LAYER_CREATE_PROGRAM_WITH_BINARY] = { "clCreateProgramWithBinary", false },
  [LAYER_GET_PROGRAM_INFO] = { "clGetProgramInfo", false },
  [LAYER_RELEASE_PROGRAM] = { "clReleaseProgram", true },
  [LAYER_BUILD_PROGRAM] = { "clBuildProgram", false },
  [LAYER_CREATE_KERNEL] = { "clCreateKernel", false },
  [LAYER_RELEASE_KERNEL] = { "clReleaseKernel", true },
  [LAYER_SET_KERNEL_ARG] = { "clSetKernelArg", false },
  [LAYER_SET_KERNEL_ARG_SVM_POINTER] = { "clSetKernelArgSVMPointer", false },
  [LAYER_WAIT_FOR_EVENTS] = { "clWaitForEvents", false },
  [LAYER_GET_EVENT_INFO] = { "clGetEventInfo", false },
  [LAYER_GET_EVENT_PROFILING_INFO] = { "clGetEventProfilingInfo", false },
  [LAYER_SET_EVENT_CALLBACK] = { "clSetEventCallback", false },
  [LAYER_CREATE_USER_EVENT] = { "clCreateUserEvent", false },
  [LAYER_SET_USER_EVENT_STATUS] = { "clSetUserEventStatus", false },
  [LAYER_RETAIN_EVENT] = { "clRetainEvent", true },
  [LAYER_RELEASE_EVENT] = { "clReleaseEvent", true },
  [LAYER_FLUSH] = { "clFlush", false },
  [LAYER_FINISH] = { "clFinish", false },
  [LAYER_ENQUEUE_READ_BUFFER] = { "clEnqueueReadBuffer", false },
  [LAYER_ENQUEUE_WRITE_BUFFER] = { "clEnqueueWriteBuffer", false },
  [LAYER_ENQUEUE_COPY_BUFFER] = { "clEnqueueCopyBuffer", false },
  [LAYER_ENQUEUE_FILL_BUFFER] = { "clEnqueueFillBuffer", false },
  [LAYER_ENQUEUE_READ_BUFFER_RECT] = { "clEnqueueReadBufferRect", false },
  [LAYER_ENQUEUE_WRITE_BUFFER_RECT] = { "clEnqueueWriteBufferRect", false },
  [LAYER_ENQUEUE_COPY_BUFFER_RECT] = { "clEnqueueCopyBufferRect", false },
  [LAYER_ENQUEUE_MARKER_WITH_WAIT_LIST] = { "clEnqueueMarkerWithWaitList", false },
  [LAYER_ENQUEUE_MAP_BUFFER] = { "clEnqueueMapBuffer", false },
  [LAYER_ENQUEUE_UNMAP_MEM_OBJECT] = { "clEnqueueUnmapMemObject", false },
  [LAYER_ENQUEUE_ND_RANGE_KERNEL] = { "clEnqueueNDRangeKernel", false },
};

static const cl_icd_dispatch *driver; /* the next layer or the loader; set once, before any call */
static cl_icd_dispatch wrappers;

static atomic_long call_counts[LAYER_CALL_COUNT];
static atomic_uint delays[LAYER_CALL_COUNT];
static atomic_int fault_call, fault_code, fault_fired; /* fired: the call that failed, 0 if none did */
static atomic_long fault_countdown;
static atomic_uint address_bits; /* 0: the driver's */
static atomic_bool shows_twice;
static atomic_long contexts, queues, buffers, programs, kernels, events;

/* ---- faults --------------------------------------------------------------------------------------------- */

static bool is_meant(layer_call call) {
  int meant = atomic_load(&fault_call);
  return meant == (int)call || (meant == LAYER_ANY && !calls[call].spared);
}

/* Counts the call, holds it up, and tells the code it shall fail with. */
static cl_int before(layer_call call) {
  atomic_fetch_add(&call_counts[call], 1);
  unsigned held_up = atomic_load(&delays[LAYER_ANY]) + atomic_load(&delays[call]);
  if (held_up > 0)
    usleep(held_up);
  if (atomic_load(&fault_countdown) <= 0 || !is_meant(call) || atomic_fetch_sub(&fault_countdown, 1) != 1)
    return CL_SUCCESS;
  atomic_store(&fault_fired, (int)call);
  return atomic_load(&fault_code);
}

/* For the calls that return what they make: the code goes where the caller wants it. */
static void *refuse(cl_int code, cl_int *code_out) {
  if (code_out != NULL)
    *code_out = code;
  return NULL;
}

/* Counts an object that was made. */
static void *made(void *object, atomic_long *count) {
  if (object != NULL)
    atomic_fetch_add(count, 1);
  return object;
}

/* Counts a reference more or less, if the driver agreed. */
static cl_int changed(cl_int code, atomic_long *count, long by) {
  if (code == CL_SUCCESS)
    atomic_fetch_add(count, by);
  return code;
}

/* Counts the event of a command that was enqueued, where one was asked for. */
static cl_int enqueued(cl_int code, const cl_event *event) {
  return changed(code, &events, event != NULL ? 1 : 0);
}

/* ---- wrappers ------------------------------------------------------------------------------------------- */

static cl_int CL_API_CALL get_platform_ids(cl_uint entries, cl_platform_id *platforms, cl_uint *count_out) {
  cl_int code = before(LAYER_GET_PLATFORM_IDS);
  if (code == CL_SUCCESS)
    code = driver->clGetPlatformIDs(entries, platforms, count_out);
  if (code != CL_SUCCESS || !atomic_load(&shows_twice) || count_out == NULL)
    return code;
  for (cl_uint i = *count_out; platforms != NULL && i < 2 * *count_out && i < entries; i++)
    platforms[i] = platforms[i - *count_out];
  *count_out *= 2;
  return code;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                                            size_t *size_out) {
  cl_int code = before(LAYER_GET_PLATFORM_INFO);
  return code != CL_SUCCESS ? code : driver->clGetPlatformInfo(platform, what, size, value, size_out);
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                         cl_device_id *devices, cl_uint *count_out) {
  cl_int code = before(LAYER_GET_DEVICE_IDS);
  return code != CL_SUCCESS ? code : driver->clGetDeviceIDs(platform, type, entries, devices, count_out);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size, void *value,
                                          size_t *size_out) {
  cl_int code = before(LAYER_GET_DEVICE_INFO);
  if (code == CL_SUCCESS)
    code = driver->clGetDeviceInfo(device, what, size, value, size_out);
  cl_uint bits = atomic_load(&address_bits);
  if (code == CL_SUCCESS && what == CL_DEVICE_ADDRESS_BITS && value != NULL && bits != 0)
    memcpy(value, &bits, sizeof bits);
  return code;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_CONTEXT);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateContext(properties, count, devices, notify, user, code_out), &contexts);
}

static cl_int CL_API_CALL retain_context(cl_context context) {
  cl_int code = before(LAYER_RETAIN_CONTEXT);
  return code != CL_SUCCESS ? code : changed(driver->clRetainContext(context), &contexts, 1);
}

static cl_int CL_API_CALL release_context(cl_context context) {
  cl_int code = before(LAYER_RELEASE_CONTEXT);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseContext(context), &contexts, -1);
}

static cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info what, size_t size, void *value,
                                           size_t *size_out) {
  cl_int code = before(LAYER_GET_CONTEXT_INFO);
  return code != CL_SUCCESS ? code : driver->clGetContextInfo(context, what, size, value, size_out);
}

static cl_command_queue CL_API_CALL create_command_queue(cl_context context, cl_device_id device,
                                                         cl_command_queue_properties properties, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_COMMAND_QUEUE);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateCommandQueue(context, device, properties, code_out), &queues);
}

static cl_command_queue CL_API_CALL create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                                         const cl_queue_properties *properties,
                                                                         cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_COMMAND_QUEUE_WITH_PROPERTIES);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateCommandQueueWithProperties(context, device, properties, code_out), &queues);
}

static cl_int CL_API_CALL retain_command_queue(cl_command_queue queue) {
  cl_int code = before(LAYER_RETAIN_COMMAND_QUEUE);
  return code != CL_SUCCESS ? code : changed(driver->clRetainCommandQueue(queue), &queues, 1);
}

static cl_int CL_API_CALL release_command_queue(cl_command_queue queue) {
  cl_int code = before(LAYER_RELEASE_COMMAND_QUEUE);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseCommandQueue(queue), &queues, -1);
}

static cl_int CL_API_CALL get_command_queue_info(cl_command_queue queue, cl_command_queue_info what, size_t size,
                                                 void *value, size_t *size_out) {
  cl_int code = before(LAYER_GET_COMMAND_QUEUE_INFO);
  return code != CL_SUCCESS ? code : driver->clGetCommandQueueInfo(queue, what, size, value, size_out);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                        cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_BUFFER);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateBuffer(context, flags, size, host, code_out), &buffers);
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem root, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_SUB_BUFFER);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateSubBuffer(root, flags, type, region, code_out), &buffers);
}

static cl_int CL_API_CALL retain_mem_object(cl_mem buffer) {
  cl_int code = before(LAYER_RETAIN_MEM_OBJECT);
  return code != CL_SUCCESS ? code : changed(driver->clRetainMemObject(buffer), &buffers, 1);
}

static cl_int CL_API_CALL release_mem_object(cl_mem buffer) {
  cl_int code = before(LAYER_RELEASE_MEM_OBJECT);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseMemObject(buffer), &buffers, -1);
}

static cl_int CL_API_CALL get_mem_object_info(cl_mem buffer, cl_mem_info what, size_t size, void *value,
                                              size_t *size_out) {
  cl_int code = before(LAYER_GET_MEM_OBJECT_INFO);
  return code != CL_SUCCESS ? code : driver->clGetMemObjectInfo(buffer, what, size, value, size_out);
}

static cl_int CL_API_CALL set_mem_object_destructor_callback(cl_mem buffer, void(CL_CALLBACK *notify)(cl_mem, void *),
                                                             void *user) {
  cl_int code = before(LAYER_SET_MEM_OBJECT_DESTRUCTOR_CALLBACK);
  return code != CL_SUCCESS ? code : driver->clSetMemObjectDestructorCallback(buffer, notify, user);
}

static cl_program CL_API_CALL create_program_with_source(cl_context context, cl_uint count, const char **strings,
                                                         const size_t *lengths, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_PROGRAM_WITH_SOURCE);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateProgramWithSource(context, count, strings, lengths, code_out), &programs);
}

static cl_program CL_API_CALL create_program_with_binary(cl_context context, cl_uint count,
                                                         const cl_device_id *devices, const size_t *lengths,
                                                         const unsigned char **binaries, cl_int *states_out,
                                                         cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_PROGRAM_WITH_BINARY);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateProgramWithBinary(context, count, devices, lengths, binaries, states_out, code_out),
              &programs);
}

static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info what, size_t size, void *value,
                                           size_t *size_out) {
  cl_int code = before(LAYER_GET_PROGRAM_INFO);
  return code != CL_SUCCESS ? code : driver->clGetProgramInfo(program, what, size, value, size_out);
}

static cl_int CL_API_CALL release_program(cl_program program) {
  cl_int code = before(LAYER_RELEASE_PROGRAM);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseProgram(program), &programs, -1);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                        void *user) {
  cl_int code = before(LAYER_BUILD_PROGRAM);
  return code != CL_SUCCESS ? code : driver->clBuildProgram(program, count, devices, options, notify, user);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_KERNEL);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateKernel(program, name, code_out), &kernels);
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
  cl_int code = before(LAYER_RELEASE_KERNEL);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseKernel(kernel), &kernels, -1);
}

static cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_int code = before(LAYER_SET_KERNEL_ARG);
  return code != CL_SUCCESS ? code : driver->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index, const void *address) {
  cl_int code = before(LAYER_SET_KERNEL_ARG_SVM_POINTER);
  return code != CL_SUCCESS ? code : driver->clSetKernelArgSVMPointer(kernel, index, address);
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *list) {
  cl_int code = before(LAYER_WAIT_FOR_EVENTS);
  return code != CL_SUCCESS ? code : driver->clWaitForEvents(count, list);
}

static cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info what, size_t size, void *value,
                                         size_t *size_out) {
  cl_int code = before(LAYER_GET_EVENT_INFO);
  return code != CL_SUCCESS ? code : driver->clGetEventInfo(event, what, size, value, size_out);
}

static cl_int CL_API_CALL get_event_profiling_info(cl_event event, cl_profiling_info what, size_t size, void *value,
                                                   size_t *size_out) {
  cl_int code = before(LAYER_GET_EVENT_PROFILING_INFO);
  return code != CL_SUCCESS ? code : driver->clGetEventProfilingInfo(event, what, size, value, size_out);
}

static cl_int CL_API_CALL set_event_callback(cl_event event, cl_int state,
                                             void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user) {
  cl_int code = before(LAYER_SET_EVENT_CALLBACK);
  return code != CL_SUCCESS ? code : driver->clSetEventCallback(event, state, notify, user);
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code_out) {
  cl_int code = before(LAYER_CREATE_USER_EVENT);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  return made(driver->clCreateUserEvent(context, code_out), &events);
}

static cl_int CL_API_CALL set_user_event_status(cl_event event, cl_int state) {
  cl_int code = before(LAYER_SET_USER_EVENT_STATUS);
  return code != CL_SUCCESS ? code : driver->clSetUserEventStatus(event, state);
}

static cl_int CL_API_CALL retain_event(cl_event event) {
  cl_int code = before(LAYER_RETAIN_EVENT);
  return code != CL_SUCCESS ? code : changed(driver->clRetainEvent(event), &events, 1);
}

static cl_int CL_API_CALL release_event(cl_event event) {
  cl_int code = before(LAYER_RELEASE_EVENT);
  return code != CL_SUCCESS ? code : changed(driver->clReleaseEvent(event), &events, -1);
}

static cl_int CL_API_CALL flush(cl_command_queue queue) {
  cl_int code = before(LAYER_FLUSH);
  return code != CL_SUCCESS ? code : driver->clFlush(queue);
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
  cl_int code = before(LAYER_FINISH);
  return code != CL_SUCCESS ? code : driver->clFinish(queue);
}

static cl_int CL_API_CALL enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                              size_t size, void *to, cl_uint waits, const cl_event *wait_list,
                                              cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_READ_BUFFER);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, waits,
                                                                   wait_list, event),
                                       event);
}

static cl_int CL_API_CALL enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                               size_t size, const void *from, cl_uint waits,
                                               const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_WRITE_BUFFER);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from,
                                                                    waits, wait_list, event),
                                       event);
}

static cl_int CL_API_CALL enqueue_copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                              size_t to_offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                              cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_COPY_BUFFER);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size,
                                                                   waits, wait_list, event),
                                       event);
}

static cl_int CL_API_CALL enqueue_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_size, size_t offset, size_t size, cl_uint waits,
                                              const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_FILL_BUFFER);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
                                                                   waits, wait_list, event),
                                       event);
}

static cl_int CL_API_CALL enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   const size_t *origin, const size_t *host_origin,
                                                   const size_t *region, size_t row, size_t slice, size_t host_row,
                                                   size_t host_slice, void *to, cl_uint waits,
                                                   const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_READ_BUFFER_RECT);
  return code != CL_SUCCESS
             ? code
             : enqueued(driver->clEnqueueReadBufferRect(queue, buffer, blocking, origin, host_origin, region, row,
                                                        slice, host_row, host_slice, to, waits, wait_list, event),
                        event);
}

static cl_int CL_API_CALL enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    const size_t *origin, const size_t *host_origin,
                                                    const size_t *region, size_t row, size_t slice, size_t host_row,
                                                    size_t host_slice, const void *from, cl_uint waits,
                                                    const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_WRITE_BUFFER_RECT);
  return code != CL_SUCCESS
             ? code
             : enqueued(driver->clEnqueueWriteBufferRect(queue, buffer, blocking, origin, host_origin, region, row,
                                                         slice, host_row, host_slice, from, waits, wait_list, event),
                        event);
}

static cl_int CL_API_CALL enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                   const size_t *from_origin, const size_t *to_origin,
                                                   const size_t *region, size_t from_row, size_t from_slice,
                                                   size_t to_row, size_t to_slice, cl_uint waits,
                                                   const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_COPY_BUFFER_RECT);
  return code != CL_SUCCESS
             ? code
             : enqueued(driver->clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row,
                                                        from_slice, to_row, to_slice, waits, wait_list, event),
                        event);
}

static cl_int CL_API_CALL enqueue_marker_with_wait_list(cl_command_queue queue, cl_uint waits,
                                                        const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_MARKER_WITH_WAIT_LIST);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueMarkerWithWaitList(queue, waits, wait_list, event), event);
}

static void *CL_API_CALL enqueue_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                                            const cl_event *wait_list, cl_event *event, cl_int *code_out) {
  cl_int code = before(LAYER_ENQUEUE_MAP_BUFFER);
  if (code != CL_SUCCESS)
    return refuse(code, code_out);
  void *host =
      driver->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waits, wait_list, event, code_out);
  enqueued(host != NULL ? CL_SUCCESS : CL_MAP_FAILURE, event);
  return host;
}

static cl_int CL_API_CALL enqueue_unmap_mem_object(cl_command_queue queue, cl_mem buffer, void *host, cl_uint waits,
                                                   const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_UNMAP_MEM_OBJECT);
  return code != CL_SUCCESS
             ? code
             : enqueued(driver->clEnqueueUnmapMemObject(queue, buffer, host, waits, wait_list, event), event);
}

/* What a device with shorter addresses says of a range: neither its end nor its size is a number that it has. */
static cl_int check_range(cl_uint dimensions, const size_t *offset, const size_t *global) {
  cl_uint bits = atomic_load(&address_bits);
  size_t most = ((size_t)1 << bits) - 1;
  for (cl_uint i = 0; i < dimensions && bits != 0; i++) {
    if (global[i] > most)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    if (offset != NULL && offset[i] > most - global[i])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  return CL_SUCCESS;
}

static cl_int CL_API_CALL enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint waits, const cl_event *wait_list, cl_event *event) {
  cl_int code = before(LAYER_ENQUEUE_ND_RANGE_KERNEL);
  if (code == CL_SUCCESS)
    code = check_range(dimensions, offset, global);
  return code != CL_SUCCESS ? code
                            : enqueued(driver->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                                      local, waits, wait_list, event),
                                       event);
}

/* ---- what the test program asks for --------------------------------------------------------------------- */

static void control_fail(layer_call call, long nth, cl_int code) {
  atomic_store(&fault_countdown, 0);
  atomic_store(&fault_call, (int)call);
  atomic_store(&fault_code, code);
  atomic_store(&fault_fired, 0);
  atomic_store(&fault_countdown, nth);
}

static layer_call control_fired_in(void) {
  return (layer_call)atomic_load(&fault_fired);
}

static bool control_fired(void) {
  return control_fired_in() != LAYER_ANY;
}

static void control_delay(layer_call call, unsigned microseconds) {
  atomic_store(&delays[call], microseconds);
}

static layer_objects control_objects(void) {
  return (layer_objects){ atomic_load(&contexts), atomic_load(&queues),  atomic_load(&buffers),
                          atomic_load(&programs), atomic_load(&kernels), atomic_load(&events) };
}

static long control_calls(layer_call call) {
  long sum = 0;
  for (int i = 0; i < LAYER_CALL_COUNT; i++)
    sum += call == LAYER_ANY || (int)call == i ? atomic_load(&call_counts[i]) : 0;
  return sum;
}

static const char *control_name(layer_call call) {
  return calls[call].name;
}

static void control_address_bits(cl_uint bits) {
  atomic_store(&address_bits, bits);
}

static void control_platforms_twice(bool twice) {
  atomic_store(&shows_twice, twice);
}

EXPORT const layer_control *layer_get_control(void) {
  static const layer_control control = {
    control_fail,  control_fired, control_fired_in,     control_delay,           control_objects,
    control_calls, control_name,  control_address_bits, control_platforms_twice,
  };
  return &control;
}

/* ---- what the loader asks for --------------------------------------------------------------------------- */

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_out) {
  static const char name[] = "vptr faults";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *from = what == CL_LAYER_NAME ? (const void *)name : &version;
  size_t needed = what == CL_LAYER_NAME ? sizeof name : sizeof version;
  if ((what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) || (value != NULL && size < needed))
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy(value, from, needed);
  if (size_out != NULL)
    *size_out = needed;
  return CL_SUCCESS;
}

static void install_wrappers(void) {
  wrappers.clGetPlatformIDs = get_platform_ids;
  wrappers.clGetPlatformInfo = get_platform_info;
  wrappers.clGetDeviceIDs = get_device_ids;
  wrappers.clGetDeviceInfo = get_device_info;
  wrappers.clCreateContext = create_context;
  wrappers.clRetainContext = retain_context;
  wrappers.clReleaseContext = release_context;
  wrappers.clGetContextInfo = get_context_info;
  wrappers.clCreateCommandQueue = create_command_queue;
  wrappers.clRetainCommandQueue = retain_command_queue;
  wrappers.clReleaseCommandQueue = release_command_queue;
  wrappers.clGetCommandQueueInfo = get_command_queue_info;
  wrappers.clCreateBuffer = create_buffer;
  wrappers.clCreateSubBuffer = create_sub_buffer;
  wrappers.clRetainMemObject = retain_mem_object;
  wrappers.clReleaseMemObject = release_mem_object;
  wrappers.clGetMemObjectInfo = get_mem_object_info;
  wrappers.clSetMemObjectDestructorCallback = set_mem_object_destructor_callback;
  wrappers.clCreateProgramWithSource = create_program_with_source;
  wrappers.clCreateProgramWithBinary = create_program_with_binary;
  wrappers.clGetProgramInfo = get_program_info;
  wrappers.clReleaseProgram = release_program;
  wrappers.clBuildProgram = build_program;
  wrappers.clCreateKernel = create_kernel;
  wrappers.clReleaseKernel = release_kernel;
  wrappers.clSetKernelArg = set_kernel_arg;
  wrappers.clSetKernelArgSVMPointer = set_kernel_arg_svm_pointer;
  wrappers.clWaitForEvents = wait_for_events;
  wrappers.clGetEventInfo = get_event_info;
  wrappers.clReleaseEvent = release_event;
  wrappers.clFinish = finish;
  wrappers.clEnqueueReadBuffer = enqueue_read_buffer;
  wrappers.clEnqueueWriteBuffer = enqueue_write_buffer;
  wrappers.clEnqueueCopyBuffer = enqueue_copy_buffer;
  wrappers.clEnqueueFillBuffer = enqueue_fill_buffer;
  wrappers.clEnqueueMapBuffer = enqueue_map_buffer;
  wrappers.clEnqueueUnmapMemObject = enqueue_unmap_mem_object;
  wrappers.clCreateCommandQueueWithProperties = create_command_queue_with_properties;
  wrappers.clGetEventProfilingInfo = get_event_profiling_info;
  wrappers.clSetEventCallback = set_event_callback;
  wrappers.clCreateUserEvent = create_user_event;
  wrappers.clSetUserEventStatus = set_user_event_status;
  wrappers.clRetainEvent = retain_event;
  wrappers.clFlush = flush;
  wrappers.clEnqueueReadBufferRect = enqueue_read_buffer_rect;
  wrappers.clEnqueueWriteBufferRect = enqueue_write_buffer_rect;
  wrappers.clEnqueueCopyBufferRect = enqueue_copy_buffer_rect;
  wrappers.clEnqueueMarkerWithWaitList = enqueue_marker_with_wait_list;
  wrappers.clEnqueueNDRangeKernel = enqueue_nd_range_kernel;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_out,
                                      const cl_icd_dispatch **wrappers_out) {
  if (target == NULL || entries_out == NULL || wrappers_out == NULL || entries < sizeof wrappers / sizeof(void *))
    return CL_INVALID_VALUE;
  driver = target;
  wrappers = *target;
  install_wrappers();
  *entries_out = sizeof wrappers / sizeof(void *);
  *wrappers_out = &wrappers;
  return CL_SUCCESS;
}
