/* SPDX-License-Identifier: MIT */
/*
 * reach - what launches on a joint device say of the bytes that they reach.
 *
 * Without a word a kernel may reach all of each buffer that it is given, so one member has to have all of them. A reach
 * says which bytes of one argument's buffer it is; and if it has layers, which of them each layer of blocks reaches:
 *
 *     layer     0        1        2     ...      blocks that have the same index along the axis
 *     bytes   | layer  | layer  | layer | ... |  from begin on; the last may be shorter
 *
 * Then members may run layers of their own. Only for devices whose `joint` is not NULL; a kernel's arguments are one
 * thread's at a time, as in device.h. Nobody checks what the kernel does. No locks. Used by lib/cudart/module, and by
 * the files of joint.h.
 */
#ifndef VPTR_DEVICE_REACH_H
#define VPTR_DEVICE_REACH_H

#include "device/device.h"

typedef struct vptr__reach {
  size_t begin, end; /* bytes of the buffer */
  size_t layer;      /* of them, that one layer of blocks reaches; 0: each may reach all */
  bool discards;     /* all of them are written, and what they were is not looked at */
} vptr__reach;

/* device/joint_kernel.c: of the buffer that argument index has just become. Argument index + 1 is a ulong, the offset
 * of a byte in that buffer, and means that byte wherever the buffer's lie. */
VPTR_API void vptr__joint_arg_reach(vptr__device *device, cl_kernel kernel, cl_uint index, const vptr__reach *reach);

/* The same file: launches of this kernel may be divided along an axis, from 1. It takes its first block along that axis
 * from the global offset, which counts blocks. */
VPTR_API void vptr__joint_divide_along(vptr__device *device, cl_kernel kernel, unsigned axis);

#endif
