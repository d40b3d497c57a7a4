/* SPDX-License-Identifier: MIT */
/*
 * partition - cuts one device into sub-devices (VPTR_PARTITION).
 *
 * Programs for several devices are written on machines that have one. OpenCL's sub-devices are devices in every
 * respect, with queues and contexts of their own on a share of the compute units; they share the whole one's memory,
 * and each tells all of it as its own. Drivers of CPUs can cut, those of GPUs mostly cannot. No data; sub-devices are
 * the caller's, and never released, for the list is kept. No locks of its own. Called by platform.c alone, when the
 * list is made, with its static `lock`, of rank DEVICE, held.
 */
#include "device/device.h"

#include "base/error.h"
#include "base/log.h"

/* Not more parts than compute units, all of one size; units that are left over idle. */
int vptr__device_cut(cl_device_id device, int pieces, cl_device_id *parts, int most) {
  if (pieces <= 1)
    return 0;
  cl_uint units = 0;
  cl_int code = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  int count = pieces < most ? pieces : most;
  count = count < (int)units ? count : (int)units;
  count = count < VPTR__MOST_DEVICES ? count : VPTR__MOST_DEVICES;
  cl_device_partition_property shares[VPTR__MOST_DEVICES + 3] = { CL_DEVICE_PARTITION_BY_COUNTS };
  for (int i = 0; i < count; i++)
    shares[i + 1] = (cl_device_partition_property)units / count;
  if (code == CL_SUCCESS && count > 1)
    code = clCreateSubDevices(device, shares, (cl_uint)count, parts, NULL);
  if (code == CL_SUCCESS)
    return count > 1 ? count : 0;
  vptr__log(VPTR__LOG_ERROR, "VPTR_PARTITION: a device stays whole: clCreateSubDevices answers %s (%d)",
            vptr__cl_error_name(code), (int)code);
  return 0;
}
