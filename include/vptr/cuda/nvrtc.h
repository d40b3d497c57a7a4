/* SPDX-License-Identifier: MIT */
/*
 * nvrtc - CUDA kernels compiled while the program runs: NVRTC's interface, for C and C++.
 *
 * Functions have NVRTC's names, arguments and values. What they make is not PTX but a module of vptr's, text too, and
 * made to be handed to cuModuleLoadData() (cuda.h) or vptr_cuda_register_module() (vptr_kernel.h) without being
 * looked at. The driver compiles it for the device when a kernel is first used. No device is needed here, and no
 * OpenCL.
 *
 * A program is used by one thread at a time, or by several: calls wait for each other. Different programs are
 * compiled at the same time.
 */
#ifndef VPTR_CUDA_NVRTC_H
#define VPTR_CUDA_NVRTC_H
#define __NVRTC_H__

#include <stddef.h>
#include <stdlib.h>

#include "host_defines.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/* The enumerator's name; "NVRTC_ERROR unknown" for a value that is none. Static. */
VPTR_CUDA_API const char *nvrtcGetErrorString(nvrtcResult result);

/* The version of NVRTC whose behaviour is followed: 13 and 0. INVALID_INPUT: an output is NULL. */
VPTR_CUDA_API nvrtcResult nvrtcVersion(int *major, int *minor);

/* The architectures that NVRTC 13.0 lists, as 10 * major + minor. --gpu-architecture takes older ones as well: it
 * is what __CUDA_ARCH__ says and no more, since OpenCL's driver compiles for the device that there is. */
VPTR_CUDA_API nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
VPTR_CUDA_API nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

/* A program: its text, the name that messages call it by (NULL: "default_program"), and headers that #include
 * finds by their includeNames. All is copied. INVALID_INPUT: src is NULL, numHeaders is negative, a header or its
 * name is missing. INVALID_PROGRAM: prog is NULL. */
VPTR_CUDA_API nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                                             const char *const *headers, const char *const *includeNames);

/* *prog becomes NULL. INVALID_PROGRAM: it is. So with all of the following, where a program is NULL. */
VPTR_CUDA_API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);

/* Compiles. Options are NVRTC's, each one string, or two where it takes a value: -I, -D, -U, -include, -arch, -std
 * (c++03 to c++20: the language is what vptr knows whichever it is), -default-device, -fmad=false, -use_fast_math,
 * -w have a meaning here; others of NVRTC's are checked and have none (-G, -lineinfo, -rdc, -maxrregcount, -ftz,
 * ...). INVALID_OPTION: unknown or badly written, or of what there is not (-dlto, -optix-ir, precompiled headers);
 * COMPILATION: errors; the log says which. It may be called again, with other options. */
VPTR_CUDA_API nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options);

/* The module, with its terminating zero. Before a successful compilation, "". INVALID_INPUT: the output is NULL. */
VPTR_CUDA_API nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
VPTR_CUDA_API nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);

/* The same module where -arch names a real architecture (sm_80); else there is none, and the size is 0. */
VPTR_CUDA_API nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
VPTR_CUDA_API nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);

/* Always of size 0: -dlto and -optix-ir are refused. */
VPTR_CUDA_API nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet);
VPTR_CUDA_API nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR);
VPTR_CUDA_API nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet);
VPTR_CUDA_API nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir);

/* What the last compilation said, with its terminating zero. */
VPTR_CUDA_API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
VPTR_CUDA_API nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);

/* Before compiling: the name of a kernel or variable, as C++ writes it ("&n::k"), whose name in the module is wanted.
 * INVALID_INPUT: it is NULL. NO_NAME_EXPRESSIONS_AFTER_COMPILATION: too late. */
VPTR_CUDA_API nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression);

/* After it: that name, which lives as long as the program, or until it is compiled again.
 * NO_LOWERED_NAMES_BEFORE_COMPILATION; NAME_EXPRESSION_NOT_VALID: it was not added; INVALID_INPUT: NULL. */
VPTR_CUDA_API nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression,
                                              const char **lowered_name);

#ifdef __cplusplus
}
#endif

#endif
