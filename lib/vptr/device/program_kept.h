/* SPDX-License-Identifier: MIT */
/*
 * program_kept - builds programs, whose binaries are kept on disk from one process to the next (base/binary.h).
 *
 * No data, no locks: a program is its caller's. Used by cudart/module/program.c and cufft/vkfft.c.
 */
#ifndef VPTR_DEVICE_PROGRAM_KEPT_H
#define VPTR_DEVICE_PROGRAM_KEPT_H

#include "device/device.h"

/* Of the binary that is kept, if there is one and the driver takes it; else of the text, and then its binary is kept,
 * where that is wanted. A binary that cannot be read or kept is no failure. It blocks while the driver compiles. */
VPTR_API vptr_status vptr__program_build_kept(vptr__device *device, const vptr__program_source *source,
                                              cl_program *program_out);

#endif
