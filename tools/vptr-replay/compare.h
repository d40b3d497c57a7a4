/* SPDX-License-Identifier: MIT */
/*
 * compare - a recording's launches on two devices at once, until one leaves something else than the other.
 *
 * Each device is a process of its own, made by fork() before anything of vptr is in use, with the environment that a
 * description of the device asks for: words with commas between them, of which threads=items sets VPTR_THREADS, and so
 * on, and one without '=' sets VPTR_PLATFORM. Both run launch by launch, each from what was recorded, and send what
 * they leave through a pipe. So an early difference does not spread.
 */
#ifndef VPTR_REPLAY_COMPARE_H
#define VPTR_REPLAY_COMPARE_H

#include "difference.h"

/* Sets the environment as a description asks. False: a line on stderr says why. */
bool rp_device_choose(const char *description);

/* 0: they leave the same; 1: they do not, which is told; 3: one could not. */
int rp_compare(const rp_recording *recording, const char *a, const char *b, uint64_t first, uint64_t last,
               const rp_rule *rule);

#endif
