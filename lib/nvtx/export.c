/* SPDX-License-Identifier: MIT */
/*
 * export - NVTX's calls as functions of a library, for programs that were linked with libnvToolsExt.
 *
 * They are those of the header, compiled once with names that are exported: they look for a tool as the header's do,
 * and find the one of this library linked in. That is named here and not beside it, since a weak reference, such as the
 * header's is, takes nothing out of a static library. Called by programs.
 */
#define NVTX_EXPORT_API
#include <vptr/cuda/nvToolsExtCuda.h>
#include <vptr/cuda/nvToolsExtCudaRt.h>

#include "nvtx/injection.h"

vptr_nvtx_injection InitializeInjectionNvtx2_fnptr = InitializeInjectionNvtx2;
