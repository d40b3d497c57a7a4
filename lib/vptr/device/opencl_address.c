/* SPDX-License-Identifier: MIT */
/*
 * opencl_address - the device's own address of a buffer.
 *
 * OpenCL has no call that tells it, so a kernel does: it stores the pointer that it was given. The address is worth
 * something if kernels can be given it back: as a number, from which they make the pointer, and by the OpenCL 2.0 call
 * for shared virtual memory, where the kernel is the program's. Many drivers take any address so, and none promises
 * it. So the first question makes a trial of both: a kernel is given the address of a byte inside a buffer, writes
 * through it, and the byte is looked at. The verdict is remembered, a good one on disk too, for the processes to come;
 * an error that says nothing about the device (no memory just now) is not a verdict, and the next question tries
 * again.
 *
 * vptr__opencl.lock (opencl.h), of rank DEVICE, guards vptr__opencl.address: the verdict, the program and its kernel,
 * whose arguments belong to one thread at a time. It is held while a question is answered, some 10 us, and while the
 * program is compiled, some 100 ms, or loaded from disk, when the first question is asked or, where the verdict came
 * from disk, the first address. All of it runs on the service queue.
 *
 * Called through the device's table (opencl.c) by heap/arena.c, lease.c, query.c and survey.c, opencl_span.c,
 * proxy_ahead.c, proxy_buffer.c and proxy_move.c, mirror/backing.c, mapper/report.c, cudart/module/program.c and
 * chain.c, cudart/cuda/array.c and texture.c; by opencl_system.c, which asks what the device has of shared virtual
 * memory, and what an error means; and by opencl.c, when a device is closed.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/log.h"

#include <stdio.h>

static const char source[] = "__kernel void tell(__global uchar *buffer, __global ulong *address)\n"
                             "{ *address = (ulong)(size_t)buffer; }\n"
                             "__kernel void mark(__global uchar *at, uchar value)\n"
                             "{ *at = value; }\n"
                             "__kernel void mark_number(ulong at, uchar value)\n"
                             "{ *(__global uchar *)at = value; }\n";

/* A byte that no alignment would bring about, and a value that memory does not have by itself. */
enum { TRIAL_BYTES = 4096, TRIAL_OFFSET = 1283, NUMBER_OFFSET = 3141, TRIAL_VALUE = 0xa7 };

/* OpenCL 2.0 brought the call. An older driver's table of functions has no entry for it. */
cl_int vptr__opencl_shared_virtual(const vptr__device *device, cl_device_svm_capabilities *svm_out) {
  unsigned major = 0;
  *svm_out = 0;
  if (sscanf(device->version, "OpenCL %u", &major) != 1 || major < 2)
    return CL_SUCCESS;
  return clGetDeviceInfo(device->cl_device, CL_DEVICE_SVM_CAPABILITIES, sizeof *svm_out, svm_out, NULL);
}

bool vptr__opencl_is_refusal(cl_int code) {
  switch (code) {
  case CL_COMPILER_NOT_AVAILABLE:
  case CL_BUILD_PROGRAM_FAILURE:
  case CL_INVALID_OPERATION:
  case CL_INVALID_ARG_VALUE:
    return true;
  default:
    return false;
  }
}

static cl_int run_once(vptr__opencl *opencl, cl_kernel kernel) {
  const size_t one = 1;
  cl_event event;
  cl_int code = clEnqueueNDRangeKernel(opencl->service, kernel, 1, NULL, &one, &one, 0, NULL, &event);
  return code == CL_SUCCESS ? vptr__opencl_await(event) : code;
}

static cl_int query_address(vptr__opencl *opencl, const vptr__opencl_address *address, cl_mem buffer,
                            cl_ulong *told_out) {
  cl_int code = clSetKernelArg(address->tell, 0, sizeof buffer, &buffer);
  if (code == CL_SUCCESS)
    code = clSetKernelArg(address->tell, 1, sizeof address->answer, &address->answer);
  if (code == CL_SUCCESS)
    code = run_once(opencl, address->tell);
  if (code == CL_SUCCESS)
    code =
        clEnqueueReadBuffer(opencl->service, address->answer, CL_TRUE, 0, sizeof *told_out, told_out, 0, NULL, NULL);
  return code;
}

/* The two trials' kernels. */
typedef struct markers {
  cl_kernel by_pointer, by_number;
} markers;

static cl_int run_marker(vptr__opencl *opencl, cl_kernel kernel) {
  const cl_uchar value = TRIAL_VALUE;
  cl_int code = clSetKernelArg(kernel, 1, sizeof value, &value);
  return code == CL_SUCCESS ? run_once(opencl, kernel) : code;
}

static cl_int write_through(vptr__opencl *opencl, const markers *mark, cl_ulong base) {
  const cl_ulong number = base + NUMBER_OFFSET;
  cl_int code = clSetKernelArgSVMPointer(mark->by_pointer, 0, (const void *)(uintptr_t)(base + TRIAL_OFFSET));
  if (code == CL_SUCCESS)
    code = run_marker(opencl, mark->by_pointer);
  if (code == CL_SUCCESS)
    code = clSetKernelArg(mark->by_number, 0, sizeof number, &number);
  return code == CL_SUCCESS ? run_marker(opencl, mark->by_number) : code;
}

/* The trial itself, on a buffer of zeros: *reached_out says whether both writes arrived, and nothing else did. */
static cl_int try_both_writes(vptr__opencl *opencl, const vptr__opencl_address *address, cl_mem buffer,
                              const markers *mark, bool *reached_out) {
  unsigned char bytes[TRIAL_BYTES] = { 0 };
  cl_ulong base = 0;
  cl_int code = clEnqueueWriteBuffer(opencl->service, buffer, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = query_address(opencl, address, buffer, &base);
  if (code == CL_SUCCESS)
    code = write_through(opencl, mark, base);
  if (code == CL_SUCCESS)
    code = clEnqueueReadBuffer(opencl->service, buffer, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return code;
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof bytes; i++)
    wrong += bytes[i] != (i == TRIAL_OFFSET || i == NUMBER_OFFSET ? TRIAL_VALUE : 0);
  *reached_out = wrong == 0;
  return CL_SUCCESS;
}

static cl_int try_out(vptr__opencl *opencl, const vptr__opencl_address *address, bool *reached_out) {
  markers mark = { NULL, NULL };
  cl_mem buffer = NULL;
  cl_int code;
  mark.by_pointer = clCreateKernel(address->program, "mark", &code);
  if (code == CL_SUCCESS)
    mark.by_number = clCreateKernel(address->program, "mark_number", &code);
  if (code == CL_SUCCESS)
    buffer = clCreateBuffer(opencl->device.cl_context, CL_MEM_READ_WRITE, TRIAL_BYTES, NULL, &code);
  if (code == CL_SUCCESS) {
    code = try_both_writes(opencl, address, buffer, &mark, reached_out);
    clReleaseMemObject(buffer);
  }
  if (mark.by_number != NULL)
    clReleaseKernel(mark.by_number);
  if (mark.by_pointer != NULL)
    clReleaseKernel(mark.by_pointer);
  return code;
}

/* Makes what asking needs. What was made before a failure is left in *address for the caller to release. */
static cl_int prepare_query(vptr__opencl *opencl, vptr__opencl_address *address) {
  cl_int code = vptr__opencl_helper_build(&opencl->device, source, &address->program);
  if (code != CL_SUCCESS)
    return code;
  address->tell = clCreateKernel(address->program, "tell", &code);
  if (code != CL_SUCCESS)
    return code;
  address->answer = clCreateBuffer(opencl->device.cl_context, CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL, &code);
  return code;
}

void vptr__opencl_address_fini(vptr__opencl_address *address) {
  if (address->answer != NULL)
    clReleaseMemObject(address->answer);
  if (address->tell != NULL)
    clReleaseKernel(address->tell);
  if (address->program != NULL)
    clReleaseProgram(address->program);
  *address = (vptr__opencl_address){ .verdict = VPTR__OPENCL_UNKNOWN };
}

/* Finds the verdict. Under the lock. */
static vptr_status determine_verdict(vptr__opencl *opencl) {
  vptr__opencl_address address = { .verdict = VPTR__OPENCL_YES };
  cl_device_svm_capabilities svm = 0;
  cl_int code = vptr__opencl_shared_virtual(&opencl->device, &svm);
  bool reached = svm != 0 && vptr__opencl_helper_recalls(&opencl->device, source);
  const bool tries = svm != 0 && !reached;
  if (tries)
    code = prepare_query(opencl, &address);
  if (tries && code == CL_SUCCESS)
    code = try_out(opencl, &address, &reached);
  if (tries && reached)
    vptr__opencl_helper_remember(&opencl->device, source);
  if (!reached)
    vptr__opencl_address_fini(&address);
  if (code != CL_SUCCESS && !vptr__opencl_is_refusal(code))
    return vptr__error_cl(code, "trying whether %s takes addresses of its own", opencl->device.name);
  opencl->address = address;
  opencl->address.verdict = reached ? VPTR__OPENCL_YES : VPTR__OPENCL_NO;
  vptr__log(VPTR__LOG_DECISION, "%s %s addresses of its own as kernel arguments", opencl->device.name,
            reached ? "takes" : "does not take");
  return VPTR_SUCCESS;
}

/* What asking needs, where the verdict was known without. Under the lock. */
static vptr_status make_ready(vptr__opencl *opencl) {
  vptr__opencl_address address = { .verdict = VPTR__OPENCL_YES };
  if (opencl->address.program != NULL)
    return VPTR_SUCCESS;
  cl_int code = prepare_query(opencl, &address);
  if (code == CL_SUCCESS) {
    opencl->address = address;
    return VPTR_SUCCESS;
  }
  vptr__opencl_address_fini(&address);
  return vptr__error_cl(code, "building the kernel that tells where %s has its buffers", opencl->device.name);
}

static vptr_status find_verdict(vptr__opencl *opencl) {
  return opencl->address.verdict == VPTR__OPENCL_UNKNOWN ? determine_verdict(opencl) : VPTR_SUCCESS;
}

vptr_status vptr__opencl_takes_addresses(vptr__device *device, bool *takes_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr__lock_take(&opencl->lock);
  vptr_status status = find_verdict(opencl);
  bool takes = opencl->address.verdict == VPTR__OPENCL_YES;
  vptr__lock_give(&opencl->lock);
  if (status == VPTR_SUCCESS)
    *takes_out = takes;
  return status;
}

/* Under the lock. */
static vptr_status find_buffer_address(vptr__opencl *opencl, cl_mem buffer, uint64_t *address_out) {
  vptr_status status = find_verdict(opencl);
  if (status != VPTR_SUCCESS)
    return status;
  if (opencl->address.verdict == VPTR__OPENCL_NO)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s does not take addresses of its own as kernel arguments",
                       opencl->device.name);
  status = make_ready(opencl);
  if (status != VPTR_SUCCESS)
    return status;
  cl_ulong told = 0;
  cl_int code = query_address(opencl, &opencl->address, buffer, &told);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking %s where a buffer lies", opencl->device.name);
  *address_out = told;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_buffer_address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr__lock_take(&opencl->lock);
  vptr_status status = find_buffer_address(opencl, buffer, address_out);
  vptr__lock_give(&opencl->lock);
  return status;
}
