/* SPDX-License-Identifier: MIT */
/* entry_usm - rows of vptr_usm.h. */
#include "entry.h"

#include <vptr/vptr_usm.h>

void entry_usm(void) {
  vptr_mapper *mapper = NULL;
  void *p = NULL, *refused = NULL;
  int device = -1, pattern = 0x05050505;
  char host[BYTES] = "";
  const vptr_status invalid = VPTR_ERROR_INVALID_ARGUMENT;
  ENTRY(vptr_usm_mapper, (0, &mapper), VPTR_SUCCESS, mapper != NULL, (NOT_A_DEVICE, (vptr_mapper **)&refused),
        VPTR_ERROR_NO_DEVICE);
  ENTRY_HOLDS(vptr_usm_supports,
              vptr_usm_supports(mapper, VPTR_USM_DEVICE) == 1 && vptr_usm_supports(mapper, (vptr_usm_type)99) == 0);
  ENTRY(vptr_usm_alloc, (mapper, VPTR_USM_DEVICE, BYTES, 0, &p), VPTR_SUCCESS, p != NULL,
        (mapper, (vptr_usm_type)99, BYTES, 0, &refused), invalid);
  const vptr_usm_type plain = vptr_usm_supports(mapper, VPTR_USM_SYSTEM) ? VPTR_USM_SYSTEM : VPTR_USM_UNKNOWN;
  ENTRY_HOLDS(vptr_usm_kind, vptr_usm_kind(mapper, p) == VPTR_USM_DEVICE && vptr_usm_kind(mapper, host) == plain);
  ENTRY(vptr_usm_device, (mapper, p, &device), VPTR_SUCCESS, device == 0, (mapper, host, &device),
        VPTR_ERROR_UNKNOWN_ADDRESS);
  ENTRY(vptr_usm_memset, (mapper, p, 3, BYTES), VPTR_SUCCESS, entry_device_holds(p, 3, BYTES),
        (mapper, p, 3, BYTES * 100), VPTR_ERROR_OUT_OF_BOUNDS);
  ENTRY(vptr_usm_memcpy, (mapper, host, p, BYTES), VPTR_SUCCESS,
        cudaDeviceSynchronize() == cudaSuccess && entry_host_holds(host, 3, BYTES), (mapper, host, p, BYTES * 100),
        VPTR_ERROR_OUT_OF_BOUNDS);
  ENTRY(vptr_usm_fill, (mapper, p, &pattern, sizeof pattern, BYTES / sizeof pattern), VPTR_SUCCESS,
        entry_device_holds(p, 5, BYTES), (mapper, p, NULL, sizeof pattern, 1), VPTR_ERROR_NULL_POINTER);
  ENTRY(vptr_usm_prefetch, (mapper, p, BYTES), VPTR_SUCCESS, 1, (mapper, p, BYTES * 100), VPTR_ERROR_OUT_OF_BOUNDS);
  ENTRY(vptr_usm_advise, (mapper, p, BYTES, VPTR_USM_ADVICE_READ_MOSTLY), VPTR_SUCCESS, 1,
        (mapper, p, BYTES, (vptr_usm_advice)99), invalid);
  ENTRY(vptr_usm_free, (mapper, p), VPTR_SUCCESS, vptr_usm_kind(mapper, p) == VPTR_USM_UNKNOWN, (mapper, p),
        VPTR_ERROR_FREED);
}
