/* SPDX-License-Identifier: MIT */
/*
 * status - the text of each vptr_status, and the version of the library (vptr.h).
 *
 * The one datum is the constant table `verdicts`, in the order of the enumeration in vptr.h; a text begins with the
 * enumerator's name, so that a line in somebody's log can be searched for in the header. No locks. Called by programs,
 * and by mapper/trap.c and cudart/record/reach.c.
 */
#include <vptr/vptr.h>

typedef struct verdict {
  vptr_status status;
  const char *text;
} verdict;

static const verdict verdicts[] = {
  { VPTR_SUCCESS, "VPTR_SUCCESS: the call did what it was asked to" },
  { VPTR_ERROR_NULL_POINTER, "VPTR_ERROR_NULL_POINTER: the address, or an output argument, is NULL" },
  { VPTR_ERROR_UNKNOWN_ADDRESS, "VPTR_ERROR_UNKNOWN_ADDRESS: no mapper of this process ever issued this address" },
  { VPTR_ERROR_FREED, "VPTR_ERROR_FREED: the address was live once, but has been freed" },
  { VPTR_ERROR_PAST_END, "VPTR_ERROR_PAST_END: the address lies at or behind the end of a live allocation" },
  { VPTR_ERROR_OUT_OF_BOUNDS, "VPTR_ERROR_OUT_OF_BOUNDS: the range begins in a live allocation and leaves it" },
  { VPTR_ERROR_OTHER_MAPPER, "VPTR_ERROR_OTHER_MAPPER: the address belongs to another mapper" },
  { VPTR_ERROR_INTERIOR, "VPTR_ERROR_INTERIOR: the address is not the start of its allocation" },
  { VPTR_ERROR_INVALID_ARGUMENT, "VPTR_ERROR_INVALID_ARGUMENT: an argument has a value that the call does not take" },
  { VPTR_ERROR_INVALID_SIZE, "VPTR_ERROR_INVALID_SIZE: the size is larger than the device or the arithmetic allows" },
  { VPTR_ERROR_MAPPED, "VPTR_ERROR_MAPPED: the memory is mapped to the host" },
  { VPTR_ERROR_NOT_MAPPED, "VPTR_ERROR_NOT_MAPPED: the address is not that of a mapping" },
  { VPTR_ERROR_UNSUPPORTED, "VPTR_ERROR_UNSUPPORTED: this device cannot do it" },
  { VPTR_ERROR_NOT_READY, "VPTR_ERROR_NOT_READY: the work is not done yet" },
  { VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "VPTR_ERROR_OUT_OF_DEVICE_MEMORY: the device has no room left" },
  { VPTR_ERROR_OUT_OF_HOST_MEMORY, "VPTR_ERROR_OUT_OF_HOST_MEMORY: the host has no memory left" },
  { VPTR_ERROR_OUT_OF_ADDRESSES, "VPTR_ERROR_OUT_OF_ADDRESSES: the reservation is full, or could not be made" },
  { VPTR_ERROR_NO_DEVICE, "VPTR_ERROR_NO_DEVICE: no OpenCL device fits" },
  { VPTR_ERROR_OPENCL, "VPTR_ERROR_OPENCL: an OpenCL call failed" },
  { VPTR_ERROR_FORKED, "VPTR_ERROR_FORKED: the process was forked, and drivers do not survive that" },
  { VPTR_ERROR_FILE, "VPTR_ERROR_FILE: a file cannot be opened, read or written, or is not what it must be" },
  { VPTR_ERROR_CORRUPT, "VPTR_ERROR_CORRUPT: an invariant of the library is broken, which is a bug" },
};

const char *vptr_status_string(vptr_status status) {
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (verdicts[i].status == status)
      return verdicts[i].text;
  return "unknown vptr status";
}

int vptr_version(void) {
  return VPTR_VERSION;
}
