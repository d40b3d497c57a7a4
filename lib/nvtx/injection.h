/* SPDX-License-Identifier: MIT */
/* injection - the entry by which programs take the library as a tool of NVTX; its name is NVTX's. */
#ifndef VPTR_NVTX_INJECTION_H
#define VPTR_NVTX_INJECTION_H

#include <vptr/cuda/vptr_nvtx_tool.h>
#include <vptr/vptr.h>

/* Writes the tool's functions into the tables. Returns whether it listens. */
VPTR_API int InitializeInjectionNvtx2(vptr_nvtx_export tables);

#endif
