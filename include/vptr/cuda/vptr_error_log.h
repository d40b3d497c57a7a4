/* SPDX-License-Identifier: MIT */
/*
 * vptr_error_log - what went wrong in words: the latest messages, and functions that are told each; part of
 * cuda_runtime_api.h.
 *
 * Each call of the runtime's or of the driver's interface that fails leaves a message: a line with the time, the
 * thread, the error's name and what vptr_last_error() says. The latest 50 are kept. None of these calls needs a device.
 * Errors of all: cudaErrorInvalidValue (NULL, flags other than 0). Thread-safe.
 */
#ifndef VPTR_CUDA_VPTR_ERROR_LOG_H
#define VPTR_CUDA_VPTR_ERROR_LOG_H

#include "driver_types.h"

typedef enum CUDAlogLevel_enum { cudaLogLevelError = 0, cudaLogLevelWarning = 1 } cudaLogLevel;

typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef unsigned int cudaLogIterator;
typedef void(CUDART_CB *cudaLogsCallback_t)(void *data, cudaLogLevel logLevel, char *message, size_t length);

#ifdef __cplusplus
extern "C" {
#endif

/* The function is called by the thread whose call fails, before that returns, with a line that has no newline. What
 * fails inside of it leaves messages, but calls no function. callback_out may be NULL. Errors:
 * cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData,
                                                             cudaLogsCallbackHandle *callback_out);

/* Waits until no thread is in the function, but for the caller itself. cudaErrorInvalidValue: it is not registered. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);

/* An iterator that is behind the last message. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags);

/* All messages from an iterator on, which is set behind the last, or from the first that is kept where it is NULL. A
 * line in front says if older ones are gone. They are appended to the file: cudaErrorInvalidValue if it cannot be
 * written. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile,
                                                       unsigned int flags);

/* The same into memory of *size bytes, which is set to what was written without the zero at the end. Where there is not
 * room for all, a line in front says so, and the latest are written. cudaErrorInvalidValue: there is not even room for
 * one; *size is 0 then. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size,
                                                         unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
