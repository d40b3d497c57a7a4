/* SPDX-License-Identifier: MIT */
/* device - the device that a benchmark of allocations and look-ups runs on, in words. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Its name, and what it means if it is the fake one. False if there is no device, which has been said on stderr. */
bool device_describe(char *text, size_t size);

/* No OpenCL behind it. */
bool device_is_fake(void);

#endif
