/* SPDX-License-Identifier: MIT */
/*
 * opencl_system - whether kernels take plain memory of the process as it is.
 *
 * OpenCL's word for it is fine-grained system memory (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM), and a device that says so is
 * believed. Some that do not say so could: on a CPU a kernel is a function of this process, and a pointer a pointer
 * (PoCL 3.1). So a CPU is tried, once, when somebody asks and no earlier process has found it good: a kernel reads and
 * writes plain memory, one piece of it given by the call for shared virtual memory, another as a number, since both
 * are in use. Nothing but a CPU is tried, and only one that has its memory in common with the host: where an address
 * is wild to the device, the trial would take the context along.
 *
 * An error that says nothing about the device is no verdict: the answer is no, and the next question tries again.
 *
 * The verdict is vptr__opencl.takes_system, which is atomic, and read without a lock. vptr__opencl.lock (opencl.h), of
 * rank DEVICE, is held while it is found, some 100 ms if the kernel is compiled. Called through the device's table
 * (opencl.c) by cudart/pinned/system.c above all, and by cudart/pinned/alias.c, cudart/usm/usm.c,
 * cudart/module/print.c, cudart/cuda/property_table.c and proxy_buffer.c.
 */
#include "device/opencl.h"

#include "base/log.h"
#include "base/memory.h"

static const char source[] = "__kernel void answer(__global uchar *at, ulong number)\n"
                             "{ __global uchar *other = (__global uchar *)number;\n"
                             "  at[0] = at[1] + 1; other[0] = other[1] + 1; }\n";

/* Odd places, as callers have them; each with its question behind it. */
enum { TRIAL_BYTES = 4096, BY_POINTER = 1283, BY_NUMBER = 3141, QUESTION = 0x5a, ANSWER = 0x5b };

static cl_int run_trial_kernel(vptr__opencl *opencl, cl_kernel kernel, unsigned char *plain) {
  const cl_ulong number = (uintptr_t)(plain + BY_NUMBER);
  const size_t one = 1;
  cl_event event = NULL;
  cl_int code = clSetKernelArgSVMPointer(kernel, 0, plain + BY_POINTER);
  if (code == CL_SUCCESS)
    code = clSetKernelArg(kernel, 1, sizeof number, &number);
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(opencl->service, kernel, 1, NULL, &one, &one, 0, NULL, &event);
  return code == CL_SUCCESS ? vptr__opencl_await(event) : code;
}

/* Whether both answers are there, and nothing else changed. */
static bool is_answered(const volatile unsigned char *plain) {
  size_t wrong = 0;
  for (size_t i = 0; i < TRIAL_BYTES; i++) {
    bool asks = i == BY_POINTER + 1 || i == BY_NUMBER + 1, answers = i == BY_POINTER || i == BY_NUMBER;
    wrong += plain[i] != (asks ? QUESTION : answers ? ANSWER : 0);
  }
  return wrong == 0;
}

static cl_int run_on_plain(vptr__opencl *opencl, cl_program program, unsigned char *plain) {
  cl_int code;
  cl_kernel kernel = clCreateKernel(program, "answer", &code);
  if (code != CL_SUCCESS)
    return code;
  code = run_trial_kernel(opencl, kernel, plain);
  clReleaseKernel(kernel);
  return code;
}

static cl_int try_out(vptr__opencl *opencl, bool *takes_out) {
  unsigned char *plain = vptr__memory_calloc(1, TRIAL_BYTES);
  if (plain == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  plain[BY_POINTER + 1] = plain[BY_NUMBER + 1] = QUESTION;
  cl_program program;
  cl_int code = vptr__opencl_helper_build(&opencl->device, source, &program);
  if (code == CL_SUCCESS) {
    code = run_on_plain(opencl, program, plain);
    clReleaseProgram(program);
  }
  *takes_out = code == CL_SUCCESS && is_answered(plain);
  vptr__memory_free(plain);
  return code;
}

static cl_int recall_or_try(vptr__opencl *opencl, bool *takes_out) {
  *takes_out = vptr__opencl_helper_recalls(&opencl->device, source);
  if (*takes_out)
    return CL_SUCCESS;
  cl_int code = try_out(opencl, takes_out);
  if (*takes_out)
    vptr__opencl_helper_remember(&opencl->device, source);
  return code;
}

/* Under the lock. */
static vptr__opencl_verdict find_system_verdict(vptr__opencl *opencl) {
  const vptr__device *device = &opencl->device;
  cl_device_svm_capabilities svm = 0;
  cl_int code = vptr__opencl_shared_virtual(device, &svm);
  bool takes = (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
  if (svm != 0 && !takes && (device->type & CL_DEVICE_TYPE_CPU) != 0 && device->host_unified)
    code = recall_or_try(opencl, &takes);
  if (code != CL_SUCCESS && !vptr__opencl_is_refusal(code))
    return VPTR__OPENCL_UNKNOWN;
  vptr__log(VPTR__LOG_DECISION, "kernels on %s %s plain memory of the host's", device->name,
            takes ? "take" : "do not take");
  return takes ? VPTR__OPENCL_YES : VPTR__OPENCL_NO;
}

bool vptr__opencl_takes_system(vptr__device *device) {
  if (device->test.keeps_apart)
    return false;
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr__opencl_verdict verdict = atomic_load_explicit(&opencl->takes_system, memory_order_acquire);
  if (verdict != VPTR__OPENCL_UNKNOWN)
    return verdict == VPTR__OPENCL_YES;
  vptr__lock_take(&opencl->lock);
  verdict = atomic_load(&opencl->takes_system);
  if (verdict == VPTR__OPENCL_UNKNOWN) {
    verdict = find_system_verdict(opencl);
    atomic_store(&opencl->takes_system, verdict);
  }
  vptr__lock_give(&opencl->lock);
  return verdict == VPTR__OPENCL_YES;
}
