/* SPDX-License-Identifier: MIT */
/*
 * choice - which of a machine's devices are of use, and which of them are one.
 *
 * It works on a list of entries, and asks neither the environment nor drivers. Lists are the caller's; no
 * locks. Used by platform.c, and by a test that makes up machines.
 */
#ifndef VPTR_DEVICE_CHOICE_H
#define VPTR_DEVICE_CHOICE_H

#include "device/device.h"

/* From so many bytes on buffers of a joint device are cut, where nobody says from which. */
#define VPTR__STRIPE_FROM ((uint64_t)8 << 20)

/* What the user says about devices, as VPTR_PLATFORM, VPTR_DEVICE and CUDA_VISIBLE_DEVICES; NULL: nothing. */
typedef struct vptr__device_wishes {
  const char *platform, *device, *visible;
} vptr__device_wishes;

/* device/choice.c: whether an entry's platform is the one wished for, among `limit`; NULL: any is. */
bool vptr__device_on_platform(const vptr__device_entry *entry, const char *platform, int limit);

/* device/choice.c: sorts entries (GPUs, accelerators, the rest), marks what the wishes select, and puts what is visible
 * into the order that it was named in. If nothing is left, writes into words why, and returns false. */
bool vptr__device_choose(vptr__device_entry *entries, int count, const vptr__device_wishes *wishes, char *words,
                         size_t words_size);

/* device/choice.c: makes members of those of the chosen entries that text names, as VPTR_STRIPE does, and writes the
 * joint device's entry behind the last, for which there is room; *stripe_from_out is the size from which on buffers are
 * cut. If text does not name two devices at least, writes into words why, and returns false. */
bool vptr__device_join(vptr__device_entry *entries, int count, const char *text, uint64_t *stripe_from_out, char *words,
                       size_t words_size);

#endif
