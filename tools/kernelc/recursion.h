/* SPDX-License-Identifier: MIT */
/* recursion - functions that call themselves, as loops with a stack of the thread's own. */
#ifndef KERNELC_RECURSION_H
#define KERNELC_RECURSION_H

#include "writer.h"

/* Of the whole module, when all else is inlined. */
bool kc_recursion_found(kc_writer *writer);
/* Without phis. */
void kc_recursion_replace(kc_writer *writer);

#endif
