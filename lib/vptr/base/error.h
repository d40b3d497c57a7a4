/* SPDX-License-Identifier: MIT */
/*
 * error - the last error of each thread, in words.
 *
 * Whoever detects an error says it here, once, in words; callers pass the status on in silence. The sentence holds the
 * value, the limit and the next step. It is kept per thread and, with VPTR_VERBOSE=1, also printed on stderr as one
 * line. No locks. Used by nearly every folder of lib.
 */
#ifndef VPTR_BASE_ERROR_H
#define VPTR_BASE_ERROR_H

#include <stdbool.h>

#include <vptr/vptr.h>

/* Keeps the sentence (up to 511 bytes) and returns status, so that a function can end in `return
 * vptr__error(...)`. The arguments may quote vptr_last_error(). */
VPTR_API vptr_status vptr__error(vptr_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a failed OpenCL call: keeps code for vptr_last_cl_error(), and appends its name to the sentence.
 * CL_MEM_OBJECT_ALLOCATION_FAILURE becomes VPTR_ERROR_OUT_OF_DEVICE_MEMORY, CL_OUT_OF_HOST_MEMORY becomes
 * VPTR_ERROR_OUT_OF_HOST_MEMORY, and the rest VPTR_ERROR_OPENCL. */
vptr_status vptr__error_cl(cl_int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Between these two, what is said is a draft: for attempts that may fail and be made up for, since a call that
 * succeeds leaves vptr_last_error() as it was. vptr__error_tried() forgets the draft if status is SUCCESS, and says
 * its last sentence for good if not. May be nested; the outermost pair decides. Returns status. */
VPTR_API void vptr__error_try(void);
VPTR_API vptr_status vptr__error_tried(vptr_status status);

/* Whether this thread is between the two. */
VPTR_API bool vptr__error_is_tried(void);

/* The status for a failed host allocation of size bytes. */
VPTR_API vptr_status vptr__error_host_memory(size_t size);

/* "CL_OUT_OF_RESOURCES" for -5, and so on; "unknown OpenCL error" for others. */
const char *vptr__cl_error_name(cl_int code);

#endif
