/* SPDX-License-Identifier: MIT */
/*
 * stripe - copies to and from a buffer that lies on all devices that VPTR_STRIPE makes one (all, if it is unset),
 * beside one that lies on the first of them: all links at once, or one.
 */
#ifndef BENCH_STRIPE_H
#define BENCH_STRIPE_H

#include <stdbool.h>

struct options;

/* False if something failed or a byte was wrong, which has been said on stderr. */
bool stripe_run(const struct options *wanted);

#endif
