/* SPDX-License-Identifier: MIT */
/* library_atomic - atomic operations that clang has left to a library (__atomic_exchange()), which are instructions. */
#ifndef KERNELC_LIBRARY_ATOMIC_H
#define KERNELC_LIBRARY_ATOMIC_H

#include "writer.h"

/* Of the whole module, before LLVM optimises it. */
void kc_library_atomic_replace(kc_writer *writer);

#endif
