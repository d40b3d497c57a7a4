/* SPDX-License-Identifier: MIT */
/*
 * error - from vptr's verdicts to CUDA's, and the last error of each thread.
 *
 * Inside lib/cudart/cuda a function returns its cudaError_t and remembers nothing. The outermost one, the exported
 * function, ends in `return vptr__cuda_record(...)`: the one place where the last error changes. Words are said
 * by whoever detects an error (base/error.h), as everywhere in the library.
 *
 * The last error is thread-local, so there is no lock. Called by the files of this folder, of lib/cudart/replay and of
 * lib/cublas, and by library/call.c, driver/result.c and two files of lib/cusolver.
 */
#ifndef VPTR_CUDA_ERROR_H
#define VPTR_CUDA_ERROR_H

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* Keeps a failure as the calling thread's last error, and returns it; vptr__cuda_record() lets a success pass. As in
 * CUDA, cudaErrorNotReady is the answer of a query and no failure: it is returned and not kept. */
cudaError_t vptr__cuda_keep(cudaError_t error);
static inline cudaError_t vptr__cuda_record(cudaError_t error) {
  return error == cudaSuccess ? error : vptr__cuda_keep(error);
}

/* Takes the calling thread's last record back: errors of the driver's interface, which is built on the runtime's, are
 * not the runtime's last error. */
VPTR_API void vptr__cuda_unrecord(void);

/* CUDA's name for a verdict. A failed OpenCL call is looked up by the thread's last OpenCL code, so ask at once. */
VPTR_API cudaError_t vptr__cuda_from_status(vptr_status status);

/* Says that an output argument of call is NULL; returns cudaErrorInvalidValue. */
cudaError_t vptr__cuda_null_output(const char *call, const char *argument);

#endif
