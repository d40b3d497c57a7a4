/* SPDX-License-Identifier: MIT */
/*
 * vptr_driver_handle - what a program holds of the CUDA driver's: devices, addresses, objects; part of
 * vptr_driver_types.h.
 */
#ifndef VPTR_CUDA_VPTR_DRIVER_HANDLE_H
#define VPTR_CUDA_VPTR_DRIVER_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"
#include "vptr_device.h"

#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef vptr_unsigned_long_long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUmemPoolHandle_st *CUmemoryPool;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

typedef void(CUDA_CB *CUhostFn)(void *userData);
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);

#endif
