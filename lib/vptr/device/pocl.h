/* SPDX-License-Identifier: MIT */
/*
 * pocl - what is known of PoCL's versions: how they run the work-items of a group, and which of these ways is right.
 *
 * PoCL makes loops over work-items of the pieces of a kernel between barriers ("loops", all versions), or jumps between
 * pieces by a number that each work-item keeps ("cbs", continuation-based synchronization, from version 4.0 on; CHANGES
 * of PoCL). The loops are wrong where a barrier stands under a condition or in nested loops, unless the kernel's text
 * has more barriers (translate/lower/meeting.h), and from version 5.0 on they end the process on some of these texts.
 * The jumps are right. Version 3.1 knows only loops, and each later one loops unless the environment says otherwise.
 *
 * No state but the environment's and that a warning was given, and no lock: vptr__pocl_choose_method() is called while
 * a device is being opened, by opencl.c alone.
 */
#ifndef VPTR_DEVICE_POCL_H
#define VPTR_DEVICE_POCL_H

#include <stdbool.h>

/* The major version of PoCL by CL_PLATFORM_NAME and CL_DRIVER_VERSION; 0 if the platform is another, or tells none. */
unsigned vptr__pocl_version(const char *platform, const char *driver);

/* Has PoCL run work-items by jumps where this version can, by POCL_WORK_GROUP_METHOD, which PoCL reads whenever it
 * compiles a kernel. A program's own choice stays, and is warned of if it is another. Returns whether threads may be
 * lost behind barriers, so that kernels need more of them. */
bool vptr__pocl_choose_method(unsigned version);

#endif
