/* SPDX-License-Identifier: MIT */
/*
 * vptr_nvtx_tool - NVTX 3's binary interface between a program and a tool, under names of vptr's own.
 *
 * A tool is a library with a function InitializeInjectionNvtx2(), which gets a function that hands out tables. By one
 * of them the tool reaches the slots of each group of functions, and writes its own into those that it wants. The
 * header's calls stand on one side of it (vptr_nvtx.h), libvptr-nvtx on the other.
 */
#ifndef VPTR_CUDA_VPTR_NVTX_TOOL_H
#define VPTR_CUDA_VPTR_NVTX_TOOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*vptr_nvtx_function)(void);

/* The numbers of the binary interface: groups of functions, and how many a group has, its unused first one included. */
enum {
  VPTR_NVTX_CORE = 1,
  VPTR_NVTX_CUDA = 2,
  VPTR_NVTX_CUDART = 4,
  VPTR_NVTX_DOMAINS = 5,
  VPTR_NVTX_GROUPS = 7,
  VPTR_NVTX_MOST = 16
};
enum { VPTR_NVTX_FUNCTIONS = 1, VPTR_NVTX_VERSION_INFO = 3 };

/* What hands out tables, and a tool's entry, which returns whether it listens. */
typedef const void *(*vptr_nvtx_export)(uint32_t table);
typedef int (*vptr_nvtx_injection)(vptr_nvtx_export tables);

struct vptr_nvtx_function_export {
  size_t size;
  int (*group)(int group, vptr_nvtx_function ***slots_out, unsigned int *count_out);
};
struct vptr_nvtx_version_export {
  size_t size;
  uint32_t version, reserved;
  void (*tell)(uint32_t version);
};

#ifdef __cplusplus
}
#endif

#endif
