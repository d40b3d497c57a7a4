/* SPDX-License-Identifier: MIT */
/* cached - loads through the cache for constants (__ldg), which are loads. */
#ifndef KERNELC_CACHED_H
#define KERNELC_CACHED_H

#include "writer.h"

/* Of the whole module, before LLVM optimises it. */
void kc_cached_replace(kc_writer *writer);

#endif
