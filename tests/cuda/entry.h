/* SPDX-License-Identifier: MIT */
/*
 * entry - rows of conform_entry: each calls one exported function rightly and wrongly, and says what comes of it.
 *
 * A row is carried out where it stands, so rows of one file build on each other. The files entry_*.c are compiled
 * twice: with CUDA_API_PER_THREAD_DEFAULT_STREAM the same rows call the functions that end in _ptds and _ptsz. Each
 * name that was called is printed: tests/project/entries.sh compares these with what the libraries export.
 */
#ifndef VPTR_TESTS_CUDA_ENTRY_H
#define VPTR_TESTS_CUDA_ENTRY_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <string.h>

#include <vptr/vptr.h>

enum { BYTES = 256, NOT_A_DEVICE = 99 };

#define ENTRY_TEXT_OF(name) #name
#define ENTRY_TEXT(name) ENTRY_TEXT_OF(name)

/* name args returns code and makes holds true; name bad_args returns bad_code. holds and the codes are evaluated
 * afterwards. The logs (cudaLogs*()) have no message of a call that succeeds, and at most one of a call that fails. */
#define ENTRY(name, args, code, holds, bad_args, bad_code)                                                           \
  do {                                                                                                               \
    entry_messages();                                                                                                \
    int entry_got = (int)(name args), entry_told = entry_messages();                                                 \
    entry_judge(ENTRY_TEXT(name), __FILE__, __LINE__, (int)(code), entry_got, (holds) != 0);                         \
    entry_judge_messages(ENTRY_TEXT(name), __FILE__, __LINE__, entry_told, entry_got != 0);                          \
    entry_messages();                                                                                                \
    entry_got = (int)(name bad_args), entry_told = entry_messages();                                                 \
    entry_judge(ENTRY_TEXT(name) " called wrongly", __FILE__, __LINE__, (int)(bad_code), entry_got, 1);              \
    entry_judge_messages(ENTRY_TEXT(name) " called wrongly", __FILE__, __LINE__, entry_told, entry_got != 0);        \
    cudaGetLastError();                                                                                              \
  } while (0)

/* For functions that cannot be called wrongly, or return no status: holds, which calls the function, is true. */
#define ENTRY_HOLDS(name, holds) entry_judge(ENTRY_TEXT(name), __FILE__, __LINE__, 0, 0, (holds) != 0)

void entry_judge(const char *name, const char *file, int line, int expected, int got, int holds);

/* How many messages there were since it was asked last; whether a call may have left so many. */
int entry_messages(void);
void entry_judge_messages(const char *name, const char *file, int line, int told, int most);

/* What rows need before they can be carried out: ends the program where it fails. */
#define NEED(condition) entry_need((condition) != 0, __FILE__, __LINE__, #condition)
void entry_need(int fine, const char *file, int line, const char *what);

/* A module with `extern "C" __global__ void add(int *x, int y)`, which adds y to x[threadIdx.x], and
 * `extern "C" __device__ int table[4]`, which begins with 5: as NVRTC makes it. Stays. */
const char *entry_image(size_t *size_out);

/* The fake device builds and launches none. */
int entry_runs_kernels(void);

/* A kernel k of OpenCL's, or NULL on the fake device, which has none. The caller releases it. */
cl_kernel entry_kernel_of(vptr_mapper *mapper, const char *text);

/* Whether size bytes of the device's memory are value, when all that was begun is done. */
int entry_device_holds(const void *device, int value, size_t size);
int entry_host_holds(const void *host, int value, size_t size);

void entry_runtime_device(void);
void entry_runtime_memory(void);
void entry_runtime_managed(void);
void entry_runtime_copy(void);
void entry_runtime_array(void);
void entry_runtime_references(void);
void entry_runtime_stream(void);
void entry_runtime_graph(void);
void entry_runtime_kernel(void);
void entry_runtime_binary(void);
void entry_driver_device(void);
void entry_driver_memory(void);
void entry_driver_copy(void);
void entry_driver_stream(void);
void entry_driver_graph(void);
void entry_driver_graph_older(void);
void entry_driver_virtual(void);
void entry_driver_module(void);
void entry_driver_references(void);
void entry_libraries(void);
void entry_batches(void);
void entry_logs(void);
void entry_lacking(void);
void entry_driver_batches(void);
void entry_driver_older(void);
void entry_nvrtc(void);
void entry_vptr(void);
void entry_usm(void);
void entry_reset(void);

#endif
